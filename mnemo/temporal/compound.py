"""Expressions made of others: Friday at 3pm, the week before 9 June, early 2020, the first weekend of May."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import COUNT, UNIT, Found, Scene, bounded, count, pattern, unit_name
from mnemo.temporal.periods import Period
from mnemo.temporal.relative import WEEKDAY, weekday_number

__all__ = ["joined"]

_DAY_THEN_CLOCK = re.compile(r"[\s,]{0,3}(?:(?:at|around|um|à|a las|in the)\s{1,2})?")
_CLOCK_THEN_DAY = re.compile(r"[\s,]{0,3}(?:(?:on|of)\s{1,2})?")
_DAY_THEN_WEEK = re.compile(r"[\s,]{1,3}(?:of\s{1,2})?")
_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1}
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_SENSES = {
    **dict.fromkeys(("till", "til", "bis", "jusqu'en", "jusqu’en", "hasta", "até", "fino al"), "until"),
    **dict.fromkeys(("ever since", "as of", "seit", "depuis", "desde", "dal", "sinds"), "since"),
    "by": "before",
}
_MAX_PREFIXES = 3
_LOOKBACK_CHARS = 60


def joined(found: Sequence[Found], scene: Scene) -> list[Found]:
    """Join neighbours, apply what stands before them, and keep those that mean a moment."""
    results: list[Found] = []
    for one in _neighbours(list(found), scene):
        whole = _prefixed(one, scene)
        if whole.period is None:
            continue
        while results and results[-1].end > whole.start:
            results.pop()
        results.append(whole)
    return results


def _neighbours(found: list[Found], scene: Scene) -> list[Found]:
    """Join a day with a clock or a part of the day beside it, and a weekday with its week; else a clock is today's."""
    results: list[Found] = []
    for one in found:
        together = _pair(results[-1], one, scene.text) if results else None
        if together:
            results[-1] = together
        else:
            results.append(one)
    return [_alone(one, scene) for one in results]


def _pair(left: Found, right: Found, text: str) -> Found | None:
    between = text[left.end : right.start]
    if left.period and left.clock is None and right.clock and _DAY_THEN_CLOCK.fullmatch(between):
        return _at_clock(left, right.clock, (left.start, right.end))
    if (
        left.clock
        and not left.period
        and (_is_day(right) or _is_night(right.period))
        and _CLOCK_THEN_DAY.fullmatch(between)
    ):
        return _at_clock(right, left.clock, (left.start, right.end))
    if left.weekday is not None and _is_week(right) and _DAY_THEN_WEEK.fullmatch(between):
        return _in_week(left.weekday, right, (left.start, right.end))
    if left.weekday is not None and right.weekday is None and _is_day(right) and _DAY_THEN_WEEK.fullmatch(between):
        return replace(right, start=left.start)
    if right.weekday is not None and _is_week(left) and _DAY_THEN_WEEK.fullmatch(between):
        return _in_week(right.weekday, left, (left.start, right.end))
    return None


def _is_day(found: Found) -> bool:
    return found.period is not None and found.period.end - found.period.start == timedelta(days=1)


def _is_night(period: Period | None) -> bool:
    return period is not None and period.start.hour > 0 and period.end - period.start == timedelta(hours=12)


def _is_week(found: Found) -> bool:
    return found.period is not None and found.period.end - found.period.start == timedelta(days=7)


def _at_clock(base: Found, clock: tuple[int, int], span: tuple[int, int]) -> Found | None:
    """Return a clock or part of the day on a day; None if the base is no single day, or already part of one."""
    period = base.period
    if period is None or period.end - period.start > timedelta(days=1):
        return None
    start = datetime.combine(period.date, time())
    if _is_night(period) and start + timedelta(minutes=clock[0]) < period.start - timedelta(hours=2):
        start += timedelta(days=1)  # two o'clock last night is this morning
    exact = clock[1] - clock[0] == 1
    narrowed = Period(
        start + timedelta(minutes=clock[0]), start + timedelta(minutes=clock[1]), "minute" if exact else "day"
    )
    return Found(*span, period=narrowed, clock=clock, sense=base.sense)


def _in_week(weekday: int, week: Found, span: tuple[int, int]) -> Found | None:
    return None if week.period is None else Found(*span, period=cal.weekday(week.period.date, weekday))


def _alone(found: Found, scene: Scene) -> Found:
    """A clock without a day is today's, if it counts alone."""
    if found.period or not found.clock or not found.alone or scene.anchor is None:
        return found
    today = Found(found.start, found.end, cal.day(scene.today))
    return _at_clock(today, found.clock, (found.start, found.end)) or found


def _prefixed(found: Found, scene: Scene) -> Found:
    """Apply the prefixes before a period, the nearest first."""
    for _ in range(_MAX_PREFIXES):
        if found.period is None:
            return found
        first = max(0, found.start - _LOOKBACK_CHARS)
        before = scene.text[first : found.start]
        step = next((made for prefix, make in _PREFIXES if (made := _apply(prefix, make, before, found))), None)
        if step is None:
            return found
        found = step
    return found


def _apply(prefix: re.Pattern[str], make: "_Make", before: str, found: Found) -> Found | None:
    match = prefix.search(before)
    if match is None or found.period is None:
        return None
    try:
        made = make(match, found.period)
    except (LookupError, ValueError, OverflowError):
        return None
    if made is None:
        return None
    start = found.start - len(before) + match.start()
    if isinstance(made, str):
        return None if found.sense == made else replace(found, start=start, sense=made)
    return replace(found, start=start, period=made, clock=None) if made.plausible() else None


_Make = Callable[[re.Match[str], Period], "Period | str | None"]


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
    return cal.weekend(base.date) if match["unit"].lower() == "weekend" else cal.week(base.date)


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


def _sense(match: re.Match[str], _: Period) -> str:
    word = match["sense"].lower()
    return _SENSES.get(" ".join(word.split()), word)


def _same(_: re.Match[str], base: Period) -> Period:
    return base


def _before(text: str) -> re.Pattern[str]:
    """Compile a pattern that ends where the expression begins."""
    return re.compile(pattern(text).pattern.removesuffix(r"(?!\w)") + r"[\s-]{1,3}$", re.IGNORECASE)


_SIDE = "(?P<side>before|after|prior to|following|from)"
_PREFIXES: tuple[tuple[re.Pattern[str], _Make], ...] = (
    (_before(rf"(?P<count>{COUNT}) (?P<unit>{UNIT}) {_SIDE}"), _counted),
    (_before(rf"the (?P<unit>day|night|evening|week|weekend|month|year) {_SIDE}"), _the_unit),
    (_before(rf"(?:on )?(?:the )?(?P<weekday>{WEEKDAY}) {_SIDE}"), _the_weekday),
    (_before(r"(?:in |during |over )?the (?P<unit>week|weekend) of"), _unit_of),
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
            r"(?P<sense>ever since|since|as of|until|till|til|by|before|after|seit|depuis|desde|dal|sinds|bis|"
            r"jusqu['’]en|hasta|até|fino al)"
        ),
        _sense,
    ),
    (_before(r"(?:earlier|later)"), _same),
    (_before(r"(?:back )?in"), _same),
)
"""What may stand before an expression, and what it makes of it: another period, or a sense."""
