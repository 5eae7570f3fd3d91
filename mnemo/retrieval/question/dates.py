"""Dates that a question names.

Full dates, months, years and months with a year, as numbers, by month names in eight languages, or in
Japanese or Chinese notation. Relative words (last week) are left out: a question does not say when it
was asked. Pure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from mnemo.temporal.vocabulary import MONTHS, alternatives
from mnemo.text.patterns import lazy_pattern

__all__ = ["NamedDate", "closeness", "named_dates"]

_MONTH = alternatives(MONTHS)
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_JOIN = r"(?:\s*,?\s*(?:of\s+|de\s+|del\s+|in\s+)?)"
_FORMS = (
    rf"\b(?P<y>{_YEAR})[-/.](?P<m>0?[1-9]|1[0-2])(?:[-/.](?P<d>{_DAY}))?\b",
    rf"(?P<y>{_YEAR})\s*[年년]\s*(?:(?P<m>0?[1-9]|1[0-2])\s*[月월]\s*(?:(?P<d>{_DAY})\s*[日일])?)?",
    rf"(?<!\d)(?P<m>0?[1-9]|1[0-2])\s*[月월]\s*(?:(?P<d>{_DAY})\s*[日일])?",
    rf"\b(?P<d>{_DAY})(?:st|nd|rd|th|\.|er)?{_JOIN}(?P<n>{_MONTH})\b\.?(?:{_JOIN}(?P<y>{_YEAR})\b)?",
    rf"\b(?P<n>{_MONTH})\b\.?\s+(?P<d>{_DAY})(?:st|nd|rd|th)?\b(?:\s*,?\s*(?P<y>{_YEAR})\b)?",
    rf"\b(?P<n>{_MONTH})\b\.?{_JOIN}(?P<y>{_YEAR})\b",
    rf"\b(?P<n>{_MONTH})\b",
    rf"\b(?P<y>{_YEAR})\b",
)
_PATTERNS = tuple(lazy_pattern(form, re.IGNORECASE) for form in _FORMS)
_AMBIGUOUS = frozenset(["may", "mar", "mars", "mai", "jan", "dec", "mei", "sep"])
"""Names that are also other words. Without a day or year they count only with a capital, after `in` or the like."""
_BEFORE_MONTH = lazy_pattern(
    r"\b(?:in|during|since|until|by|before|after|of|last|this|next|im|en|em)\s+$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date as far as a question names it; parts that it leaves out are None."""

    year: int | None
    month: int | None
    day: int | None


def named_dates(text: str) -> tuple[NamedDate, ...]:
    """Return the dates that a text names, each once, complete ones first."""
    found: dict[NamedDate, None] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if _is_date(match, text):
                found[_read(match)] = None
        text = pattern.sub(lambda match: " " * len(match[0]) if _is_date(match, match.string) else match[0], text)
    return tuple(found)


def closeness(named: NamedDate, day: date) -> float:
    """Return how well a day matches a date that a question names: 0 to 1.

    People tell what happened on that day or within a few days, and what happened in a month in it or in
    the next. A text written before the date fits a little, as a plan.
    """
    if named.month is None:
        return 0.3 if named.year == day.year else 0.0
    if named.day is None:
        return _month_closeness(named, day)
    gaps = [(day - candidate).days for candidate in _days(named, day)]
    return max((_day_closeness(gap) for gap in gaps), default=0.0)


def _day_closeness(gap: int) -> float:
    if 0 <= gap <= 2:  # noqa: PLR2004  # the day itself, yesterday, the day before
        return 1.0
    return float(2.0 ** (-gap / 7) if gap > 0 else 0.8 * 2.0 ** (gap / 3))


def _month_closeness(named: NamedDate, day: date) -> float:
    months = day.month - (named.month or 0)
    if named.year is None:
        months = (months + 6) % 12 - 6
    else:
        months += 12 * (day.year - named.year)
    return {0: 1.0, 1: 0.5, -1: 0.1}.get(months, 0.0)


def _days(named: NamedDate, day: date) -> Iterator[date]:
    for year in (named.year,) if named.year else (day.year - 1, day.year, day.year + 1):
        try:
            yield date(year, named.month or 1, named.day or 1)
        except ValueError:
            continue


def _is_date(match: re.Match[str], text: str) -> bool:
    """Return whether a match is a date: a month's name without a day or year may be another word."""
    parts = match.groupdict()
    if not parts.get("n") or parts.get("y") or parts.get("d"):
        return True
    if parts["n"].lower() not in _AMBIGUOUS:
        return parts["n"][0].isupper() or len(parts["n"]) > 3  # noqa: PLR2004  # abbreviations are capitalised
    return parts["n"][0].isupper() and bool(_BEFORE_MONTH.search(text[: match.start()]))


def _read(match: re.Match[str]) -> NamedDate:
    parts = match.groupdict()
    name = parts.get("n")
    month = MONTHS[name.lower()] if name else _number(parts.get("m"))
    return NamedDate(_number(parts.get("y")), month, _number(parts.get("d")))


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None
