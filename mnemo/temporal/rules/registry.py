"""All rules, by their triggers."""

from mnemo.temporal.grammar import Rule, RuleIndex
from mnemo.temporal.rules import (
    amounts,
    cjk,
    clock,
    dates,
    days,
    eras,
    european,
    holidays,
    ranges,
    recurring,
    units,
    weekday_dates,
    weekdays,
)

__all__ = ["INDEX", "RULES"]

RULES: tuple[Rule, ...] = tuple(
    rule
    for module in (
        days,
        amounts,
        units,
        weekday_dates,
        weekdays,
        recurring,
        ranges,
        dates,
        eras,
        clock,
        holidays,
        european,
        cjk,
    )
    for rule in module.RULES
)
"""Every rule, in the order in which they are tried."""
INDEX = RuleIndex(RULES)
"""The rules that a text may match."""
