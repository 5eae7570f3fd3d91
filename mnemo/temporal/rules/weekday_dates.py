"""A weekday with its day of the month: Sat 21 Mar, Saturday, March 21, Tues 17th.

The weekday shows which month or year is meant.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, pattern
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.dates import DAY, MONTH, NTH, day_number, is_verb_may, month_number
from mnemo.temporal.rules.weekdays import ANY_WEEKDAY, WEEKDAY_WORDS, weekday_number
from mnemo.temporal.tense import Direction

__all__ = ["RULES"]

_MONTHS_AROUND = 14


def _of_month(match: re.Match[str], scene: TimeContext) -> Period | None:
    if is_verb_may(match):
        return None
    month, number = month_number(match["month"]), day_number(match["day"])
    return _nearest([(scene.today.year + offset, month) for offset in range(-6, 7)], number, match, scene)


def _of_any_month(match: re.Match[str], scene: TimeContext) -> Period | None:
    first = scene.today.replace(day=1)
    months = (cal.add_months(first, offset) for offset in range(-_MONTHS_AROUND, _MONTHS_AROUND + 1))
    return _nearest([(each.year, each.month) for each in months], day_number(match["day"]), match, scene)


def _nearest(months: list[tuple[int, int]], number: int, match: re.Match[str], scene: TimeContext) -> Period | None:
    """Return the day of that number and weekday that the sentence's tense allows and that is nearest to today."""
    weekday, direction = weekday_number(match["weekday"]), scene.direction(match.span())
    fitting = [day for day in _days(months, number) if day.weekday() == weekday]
    past = [day for day in fitting if day <= scene.today]
    ahead = [day for day in fitting if day >= scene.today]
    chosen = {Direction.PAST: past, Direction.FUTURE: ahead}.get(direction) or fitting
    return cal.day(min(chosen, key=lambda day: abs(day - scene.today))) if chosen else None


def _days(months: list[tuple[int, int]], number: int) -> Iterator[date]:
    for year, month in months:
        day = date(year, month, 1) + timedelta(days=number - 1)
        if day.month == month:
            yield day


_DAY = rf"(?P<day>{NTH}|{DAY})"
_MONTH = rf"(?P<month>{MONTH})"

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(rf"(?:on )?(?P<weekday>{ANY_WEEKDAY}),? (?:the )?{_DAY}(?: of)? {_MONTH}(?!,? (?:19|20)\d\d)"),
        _of_month,
        WEEKDAY_WORDS,
    ),
    Rule(
        pattern(rf"(?:on )?(?P<weekday>{ANY_WEEKDAY}),? {_MONTH} (?:the )?{_DAY}(?!,? (?:19|20)\d\d)"),
        _of_month,
        WEEKDAY_WORDS,
    ),
    Rule(
        pattern(rf"(?:on )?(?P<weekday>{ANY_WEEKDAY}),? (?:the )?(?P<day>{NTH})(?! of| {MONTH}|,? (?:19|20)\d\d)"),
        _of_any_month,
        WEEKDAY_WORDS,
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
