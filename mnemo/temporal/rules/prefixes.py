"""Words before an expression: the week before 9 June, early 2020, the first weekend of May, around June, since."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Literal, TypeAlias

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Sense, TimeContext, TimeMatch, pattern
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.counts import COUNT, UNIT, bounded, count, unit_name
from mnemo.temporal.rules.weekdays import WEEKDAY, weekday_number
from mnemo.text.patterns import lazy_pattern

__all__ = ["prefixed"]

_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_SENSES: dict[str, Sense] = {
    **dict.fromkeys(("until", "till", "til", "bis", "jusqu'en", "jusqu’en", "hasta", "até", "fino al"), "until"),
    **dict.fromkeys(("since", "ever since", "as of", "as from", "seit", "depuis", "desde", "dal", "sinds"), "since"),
    **dict.fromkeys(("by", "before"), "before"),
    "after": "after",
}
_MAX_PREFIXES = 4
_LOOKBACK_CHARS = 60


def prefixed(found: TimeMatch, scene: TimeContext) -> TimeMatch:
    """Apply the prefixes before a period, the nearest first."""
    for _ in range(_MAX_PREFIXES):
        if found.period is None:
            return found
        first = max(0, found.start - _LOOKBACK_CHARS)
        before = scene.text[first : found.start]
        step = next((made for prefix, make in _PREFIXES if (made := _apply(prefix, make, before, found))), None)
        if step is None:
            break
        found = step
    return _with_preposition(found, scene)


def _with_preposition(found: TimeMatch, scene: TimeContext) -> TimeMatch:
    """Take in the preposition before an expression that has none yet."""
    if found.period is None or _STARTS_WITH_PREPOSITION.match(scene.text, found.start):
        return found
    match = _PREPOSITION.search(scene.text, max(0, found.start - _LOOKBACK_CHARS), found.start)
    return replace(found, start=match.start()) if match else found


def _apply(prefix: re.Pattern[str], make: "_Make", before: str, found: TimeMatch) -> TimeMatch | None:
    """Return a match changed by the prefix before it; None if there is none, or it makes no sense."""
    match = prefix.search(before)
    if match is None or found.period is None:
        return None
    try:
        made = make(match, found.period)
    except (LookupError, ValueError, OverflowError):
        return None
    return _changed(found, found.start - len(before) + match.start(), made)


def _changed(found: TimeMatch, start: int, made: "_Made") -> TimeMatch | None:
    if made is None or found.period is None:
        return None
    if made == "about":
        return replace(found, start=start, period=cal.coarser(found.period), approximate=True)
    if isinstance(made, str):
        sense = "during" if found.sense == "during" else made
        return None if found.sense == made else replace(found, start=start, sense=sense)
    if not made.plausible():
        return None
    changed = made is not found.period
    return replace(found, start=start, period=made, clock=None, cycle=None if changed else found.cycle)


_Made: TypeAlias = Period | Sense | Literal["about"] | None
_Make: TypeAlias = Callable[[re.Match[str], Period], _Made]


def _counted(match: re.Match[str], base: Period) -> Period | None:
    low, high = count(match["count"])
    name = unit_name(match["unit"])
    sign = -1 if match["side"].lower() in {"before", "prior to", "earlier than"} else 1
    return cal.shift(base, name, sign * max(low, 3 if high > low else low)) if bounded(name, high) else None


def _the_unit(match: re.Match[str], base: Period) -> Period:
    sign = -1 if match["side"].lower() in {"before", "prior to"} else 1
    name = match["unit"].lower()
    if name in {"night", "evening"}:
        return cal.hours(cal.day(base.date, sign).date, 18, 30)
    if name == "weekend":
        saturday = cal.weekend(base.date)
        inside = saturday.start < base.start if sign < 0 else saturday.start > base.start
        return saturday if inside and base.precision == "day" else cal.weekend(base.date, sign)
    return cal.week_beside(base, sign) if name == "week" else cal.shift(base, name, sign)


def _the_weekday(match: re.Match[str], base: Period) -> Period:
    number = weekday_number(match["weekday"])
    last = (base.end - timedelta(minutes=1)).date()
    if match["side"].lower() in {"before", "prior to"}:
        return cal.day(base.date, -((base.date.weekday() - number - 1) % 7 + 1))
    return cal.day(last, (number - last.weekday() - 1) % 7 + 1)


def _unit_of(match: re.Match[str], base: Period) -> Period:
    return cal.weekend(base.date) if (match["unit"] or "").lower() == "weekend" else cal.week(base.date)


def _ordinal(match: re.Match[str], base: Period) -> Period | None:
    index = _ORDINALS[match["ordinal"].lower()]
    days = [cal.day(base.date, offset) for offset in range((base.end - base.start).days)]
    name = match["unit"].lower()
    if name == "week" and index >= 0:
        return cal.between(days[7 * index].date, days[min(7 * index + 7, len(days)) - 1].end.date(), "week")
    if name == "week":
        return cal.between(days[-7].date, base.end.date(), "week")
    if name == "weekend":
        return cal.weekend([one for one in days if one.date.weekday() == 5][index].date)  # noqa: PLR2004  # Saturday
    if name == "day":
        return days[index]
    return [one for one in days if one.date.weekday() == weekday_number(name)][index]


def _third(match: re.Match[str], base: Period) -> Period | None:
    return cal.third(base, _THIRDS[match["part"].lower()])


def _sense(match: re.Match[str], _: Period) -> Sense:
    return _SENSES[" ".join(match["sense"].lower().split())]


def _about(_: re.Match[str], __: Period) -> Literal["about"]:
    return "about"


def _same(_: re.Match[str], base: Period) -> Period:
    return base


def _before(text: str) -> re.Pattern[str]:
    """Compile a pattern that ends where the expression begins."""
    return lazy_pattern(pattern(text).pattern.removesuffix(r"(?!\w)") + r"[\s-]{1,3}$", re.IGNORECASE)


_PREPOSITION = _before(
    r"(?:back )?in|(?:starting )?from|starting(?: on| in)?|for|during|throughout|within|over|class of"
)
_STARTS_WITH_PREPOSITION = lazy_pattern(
    r"(?:on|in|at|by|for|from|over|during|since|until|till|til|before|after|between|within)\b", re.IGNORECASE
)
_SIDE = "(?P<side>before|after|prior to|following|from)"
_PREFIXES: tuple[tuple[re.Pattern[str], _Make], ...] = (
    (_before(rf"(?P<count>{COUNT}) (?P<unit>{UNIT}) {_SIDE}"), _counted),
    (_before(rf"the (?P<unit>day|night|evening|week|weekend|month|year) {_SIDE}"), _the_unit),
    (_before(rf"(?:on )?(?:the )?(?P<weekday>{WEEKDAY}) {_SIDE}"), _the_weekday),
    (_before(r"(?:in |during |over )?the (?P<unit>week|weekend) of"), _unit_of),
    (_before(r"(?:the )?(?P<unit>week) (?:commencing|beginning|starting)|(?P<short>w/c)"), _unit_of),
    (
        _before(
            rf"(?:on |in )?(?:the )?(?P<ordinal>{'|'.join(_ORDINALS)}) (?P<unit>week|weekend|day|{WEEKDAY}) (?:of|in)"
        ),
        _ordinal,
    ),
    (_before(r"(?:in |at |around )?(?:the )?(?P<part>beginning|start|middle|end) of"), _third),
    (_before(r"(?:in )?(?P<part>early|mid|late)"), _third),
    (
        _before(
            r"(?P<sense>ever since|since|as of|as from|until|till|til|by|before|after|seit|"
            r"depuis|desde|dal|sinds|bis|jusqu['’]en|hasta|até|fino al)"
        ),
        _sense,
    ),
    (
        _before(
            r"(?:some ?time |somewhere )?(?:around|roughly|approximately|approx\.?|circa|nearly|almost)(?: about)?|"
            r"(?<=at\s|in\s|by\s|on\s)about|(?<=since\s|until\s)about|(?<=from\s|till\s)about|"
            r"some ?time (?:in|on|during|between|last|next)"
        ),
        _about,
    ),
    (lazy_pattern(r"(?<!\w)~\s?$"), _about),
    (_before(r"(?:earlier|later)"), _same),
)
"""Prefixes of an expression, and what each changes: the period or the sense."""
