"""Expressions made of others: Friday at 3pm, Tuesday of last week, from 28 December to 3 January, every day at 7am."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import TimeContext, TimeMatch
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.prefixes import prefixed
from mnemo.temporal.rules.ranges import joined_range

__all__ = ["joined"]

_DAY_THEN_CLOCK = re.compile(r"[\s,]{0,3}(?:(?:at|around|um|à|a las|in the|from|between)\s{1,2})?")
_CLOCK_THEN_DAY = re.compile(r"[\s,]{0,3}(?:(?:on|of)\s{1,2})?")
_DAY_THEN_WEEK = re.compile(r"[\s,]{1,3}(?:of\s{1,2})?")
_REPEATS_BESIDE = re.compile(r"[\s,]{0,3}(?:(?:at|on|in|and|or|of|from|around|in the|/|&)\s{0,2})?")
_EVERY_YEAR = re.compile(r"(?:every|each)(?: single)?\s{1,3}year$|yearly$|annually$", re.IGNORECASE)
_YEARLY_KEY = r"(?:birth ?days?|b-?days?|anniversar(?:y|ies)|name ?days?|born)(?:['\u2019]s)?"
_YEARLY_BEFORE = re.compile(
    rf"(?<!\w){_YEARLY_KEY}(?:\s(?:of|for)\s\w+(?:\s\w+)?)?"
    r"(?:[\s:,=(-]|\b(?:is|was|are|falls|will|be|comes|always|usually|on|the|coming|up|also|both)\b|['\u2019]s\b)*$",
    re.IGNORECASE,
)
_YEARLY_AFTER = re.compile(
    rf"[\s,:=-]{{0,2}}(?:(?:is|was|will be|['\u2019]s)\s)?(?:\w+['\u2019]?s?\s){{1,3}}?{_YEARLY_KEY}\b", re.IGNORECASE
)
_CELEBRATED = re.compile(r"\b(?:celebrat|party|parties|threw|had|held|went|missed|forgot)\w*\b[^.!?;]*$", re.IGNORECASE)
_UNTIL_NOW = re.compile(r"\s(?:up )?(?:to|until|till|til|through)\s(?:now|(?:the )?present(?: day)?)\b", re.IGNORECASE)
_LOOKBACK_CHARS = 60


def joined(found: Sequence[TimeMatch], scene: TimeContext) -> list[TimeMatch]:
    """Join neighbours, apply the words before them, and keep those that mean a moment."""
    results: list[TimeMatch] = []
    for one in _neighbours(found, scene):
        whole = prefixed(one, scene)
        if whole.period is None:
            continue
        while results and results[-1].end > whole.start:
            results.pop()
        results.append(_marked_yearly(_until_now(whole, scene), scene))
    return results


def _neighbours(found: Sequence[TimeMatch], scene: TimeContext) -> list[TimeMatch]:
    """Join each match with the one before it if they belong together; a clock time alone is today's."""
    results: list[TimeMatch] = []
    for one in found:
        together = _pair(results[-1], one, scene) if results else None
        if together:
            results[-1] = together
        else:
            results.append(one)
    return [_alone(one, scene) for one in results]


def _pair(left: TimeMatch, right: TimeMatch, scene: TimeContext) -> TimeMatch | None:
    """Join two neighbouring matches by the first rule that fits; None if none does."""
    return next((made for join in _JOINS if (made := join(left, right, scene)) is not None), None)


def _repeating(left: TimeMatch, right: TimeMatch, scene: TimeContext) -> TimeMatch | None:
    """Every day at 7am, every Monday and Thursday, on 4 May every year."""
    if not (left.repeats or right.repeats) or not _REPEATS_BESIDE.fullmatch(scene.text, left.end, right.start):
        return None
    repeating, other = (left, right) if left.repeats else (right, left)
    if other.cycle == "yearly" and _EVERY_YEAR.search(scene.text, repeating.start, repeating.end):
        return replace(other, start=left.start, end=right.end, recurs="yearly", cycle=None)
    swallowed = other.repeats or other.cycle == "weekly" or (other.clock is not None and other.period is None)
    return TimeMatch(left.start, right.end, repeats=True) if swallowed else None


def _day_and_clock(left: TimeMatch, right: TimeMatch, scene: TimeContext) -> TimeMatch | None:
    """Friday at 3pm, 3pm on Friday, last night at 2."""
    if left.period and left.clock is None and right.clock and not right.period:
        fits = _DAY_THEN_CLOCK.fullmatch(scene.text, left.end, right.start)
        return _at_clock(left, right, (left.start, right.end)) if fits else None
    if left.clock and not left.period and (_is_day(right) or _is_night(right.period)):
        fits = _CLOCK_THEN_DAY.fullmatch(scene.text, left.end, right.start)
        return _at_clock(right, left, (left.start, right.end)) if fits else None
    return None


def _weekday_and_week(left: TimeMatch, right: TimeMatch, scene: TimeContext) -> TimeMatch | None:
    """Tuesday of last week, next week Tuesday, Monday 5 June."""
    if not _DAY_THEN_WEEK.fullmatch(scene.text, left.end, right.start):
        return None
    if left.weekday is not None and _is_week(right):
        return _in_week(left.weekday, right, (left.start, right.end))
    if left.weekday is not None and right.weekday is None and _is_day(right):
        return replace(right, start=left.start)
    if right.weekday is not None and _is_week(left):
        return _in_week(right.weekday, left, (left.start, right.end))
    return None


_JOINS: tuple[Callable[[TimeMatch, TimeMatch, TimeContext], TimeMatch | None], ...] = (
    _repeating,
    joined_range,
    _day_and_clock,
    _weekday_and_week,
)


def _is_day(found: TimeMatch) -> bool:
    return found.period is not None and found.period.end - found.period.start == timedelta(days=1)


def _is_night(period: Period | None) -> bool:
    return period is not None and period.start.hour > 0 and period.end - period.start == timedelta(hours=12)


def _is_week(found: TimeMatch) -> bool:
    return found.period is not None and found.period.end - found.period.start == timedelta(days=7)


def _at_clock(base: TimeMatch, at: TimeMatch, span: tuple[int, int]) -> TimeMatch | None:
    """Return a clock or part of the day on a day; None if the base is no single day, or already part of one."""
    period, clock = base.period, at.clock
    if period is None or clock is None or period.end - period.start > timedelta(days=1):
        return None
    start = datetime.combine(period.date, time())
    if _is_night(period) and start + timedelta(minutes=clock[0]) < period.start - timedelta(hours=2):
        start += timedelta(days=1)  # two o'clock last night is this morning
    exact = clock[1] - clock[0] == 1 or at.sense == "during"
    narrowed = Period(
        start + timedelta(minutes=clock[0]), start + timedelta(minutes=clock[1]), "minute" if exact else "day"
    )
    sense = base.sense if at.sense == "at" else at.sense
    return TimeMatch(*span, period=narrowed, clock=clock, sense=sense, approximate=at.approximate)


def _in_week(weekday: int, week: TimeMatch, span: tuple[int, int]) -> TimeMatch | None:
    return None if week.period is None else TimeMatch(*span, period=cal.weekday(week.period.date, weekday))


def _alone(found: TimeMatch, scene: TimeContext) -> TimeMatch:
    """Return a clock without a day as today's, if it counts alone."""
    if found.period or not found.clock or not found.alone or scene.anchor is None:
        return found
    today = TimeMatch(found.start, found.end, cal.day(scene.today))
    return _at_clock(today, found, found.span) or found


def _until_now(found: TimeMatch, scene: TimeContext) -> TimeMatch:
    """From 2019 until now: since 2019."""
    after = _UNTIL_NOW.match(scene.text, found.end)
    return replace(found, end=after.end(), sense="since") if after else found


def _marked_yearly(found: TimeMatch, scene: TimeContext) -> TimeMatch:
    """Mark the day of a birthday or anniversary, which comes back; not the day on which it was celebrated."""
    if found.cycle != "yearly" or found.period is None or found.period.precision != "day":
        return found
    before = scene.text[max(0, found.start - _LOOKBACK_CHARS) : found.start]
    after = scene.text[found.end : found.end + _LOOKBACK_CHARS]
    key = _YEARLY_BEFORE.search(before)
    if (key and not _CELEBRATED.search(before[: key.start()])) or _YEARLY_AFTER.match(after):
        return replace(found, recurs="yearly")
    return found
