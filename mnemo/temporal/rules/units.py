"""Weeks, weekends, months, years and seasons relative to now: last week, next month, over the weekend, two summers ago.

`last summer` is the latest one that has ended, `next summer` the first that begins over 90 days from now.
"""

import re
from collections.abc import Mapping

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.counts import COUNT, UNIT, bounded, count, unit_name
from mnemo.temporal.rules.weekdays import WEEKDAY
from mnemo.temporal.rules.years import YEAR, written_year
from mnemo.temporal.tense import Direction
from mnemo.temporal.vocabulary import SEASONS, alternatives

__all__ = ["RULES", "SEASON", "season_beside"]

SEASON = f"(?:{alternatives(SEASONS)})"
"""A season, as a regular expression without groups."""
_NAMED = rf"(?:{WEEKDAY}|{SEASON}|{UNIT}|night|christmas|easter|halloween|thanksgiving|new year)"
_SIDES: Mapping[str, int] = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "following": 1}
_SEASON_LEAD_DAYS = 90
_WEEKEND = "(?:weekend|wknd|wkend)"


def _sided(match: re.Match[str], scene: TimeContext) -> Period:
    return cal.unit(scene.now, unit_name(match["unit"]), _SIDES[match["side"].lower()])


def _beside(match: re.Match[str], scene: TimeContext, offset: int) -> Period:
    return cal.unit(scene.now, unit_name(match["unit"]), offset)


def _this_time(match: re.Match[str], scene: TimeContext) -> Period:
    """This time last year: the same month."""
    name, step = unit_name(match["unit"]), _SIDES[match["side"].lower()]
    return cal.month(scene.today, 12 * step) if name == "year" else cal.unit(scene.now, name, step)


def _weekend(match: re.Match[str], scene: TimeContext) -> Period:
    """The weekend, by the tense of its sentence: the last one begun, or the first that is not over."""
    this = cal.weekend(scene.today)
    past = scene.direction(match.span()) == Direction.PAST
    return cal.weekend(scene.today, -1) if past and this.start > scene.now else this


def _coming_weekend(_: re.Match[str], scene: TimeContext) -> Period:
    """The first weekend that has not begun."""
    this = cal.weekend(scene.today)
    return this if this.start > scene.now else cal.weekend(scene.today, 1)


def _in_hemisphere(scene: TimeContext, first_month: int, number: int) -> Period:
    """Return the season that starts in a month of the north, in that year."""
    return cal.season((first_month + 5) % 12 + 1 if scene.south else first_month, number)


def season_beside(scene: TimeContext, first_month: int, step: int) -> Period:
    """Return the season of that first month (of the north): the last ones ended (below 0), this (0), or the next."""
    around = [_in_hemisphere(scene, first_month, scene.today.year + offset) for offset in (-3, -2, -1, 0, 1, 2, 3)]
    if step < 0:
        return [period for period in around if period.end <= scene.now][step]
    if step > 0:
        return [period for period in around if (period.start - scene.now).days > _SEASON_LEAD_DAYS][step - 1]
    return next(period for period in around if period.end > scene.now)


def _season(match: re.Match[str], scene: TimeContext) -> Period:
    return season_beside(scene, SEASONS[match["season"].lower()], _SIDES[match["side"].lower()])


def _season_of_year(match: re.Match[str], scene: TimeContext) -> Period:
    return _in_hemisphere(scene, SEASONS[match["season"].lower()], written_year(match["year"]))


def _season_by_tense(match: re.Match[str], scene: TimeContext) -> Period:
    """In the summer: the last one begun in a past sentence, else the first that is not over."""
    first = SEASONS[match["season"].lower()]
    if scene.direction(match.span()) == Direction.PAST:
        around = [_in_hemisphere(scene, first, scene.today.year + offset) for offset in (-2, -1, 0, 1)]
        return [period for period in around if period.start <= scene.now][-1]
    return season_beside(scene, first, 0)


def _seasons_back(match: re.Match[str], scene: TimeContext) -> Period | None:
    """Two summers ago, the winter before last."""
    low = count(match["count"])[0] if match.groupdict().get("count") else 2
    if not bounded("year", low):
        return None
    latest = season_beside(scene, SEASONS[match["season"].lower()], -1)
    return cal.season(latest.date.month, latest.date.year - low + 1)


_SIDED_UNITS = "week weekend month year decade fortnight wk wknd wkend yr mth"
_SEASON_WORDS = triggers(SEASONS)

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(rf"(?:the )?(?P<side>{'|'.join(_SIDES)}) (?P<unit>{alternatives(_SIDED_UNITS.split())})"),
        _sided,
        triggers(_SIDED_UNITS),
    ),
    Rule(
        pattern(r"(?:(?:in|over|during) )?the coming (?P<unit>week|month|year)"),
        lambda match, scene: _beside(match, scene, 1),
        triggers("coming"),
    ),
    Rule(
        pattern(rf"(?:on |over )?(?:the|this)? ?coming {_WEEKEND}"),
        _coming_weekend,
        triggers("weekend wknd wkend"),
    ),
    Rule(
        pattern(rf"(?:the )?(?P<unit>week|weekend|month|year) before last(?! {_NAMED})"),
        lambda match, scene: _beside(match, scene, -2),
        triggers("before"),
    ),
    Rule(
        pattern(r"(?:the )?(?P<unit>week|weekend|month|year) after next"),
        lambda match, scene: _beside(match, scene, 2),
        triggers("next"),
    ),
    Rule(
        pattern(r"(?<=of\s)the (?P<unit>week|month|year)"),
        lambda match, scene: _beside(match, scene, 0),
        triggers("week month year"),
    ),
    Rule(
        pattern(r"(?:around |about |at )?this time (?P<side>last|next) (?P<unit>week|month|year)"),
        _this_time,
        triggers("time"),
    ),
    Rule(pattern(rf"(?:over|at|on|during) the {_WEEKEND}"), _weekend, triggers("weekend wknd wkend")),
    Rule(
        pattern(rf"(?:(?:in|over|during) )?(?:the )?(?P<side>last|past|this|next) (?P<season>{SEASON})"),
        _season,
        _SEASON_WORDS,
    ),
    Rule(
        pattern(rf"(?:(?:in|over|during) )?(?:the )?(?P<season>{SEASON})(?: of)?,? (?P<year>{YEAR})"),
        _season_of_year,
        _SEASON_WORDS,
    ),
    Rule(pattern(rf"(?:in|over|during|since) (?:the )?(?P<season>{SEASON})"), _season_by_tense, _SEASON_WORDS),
    Rule(pattern(rf"(?P<count>{COUNT}) (?P<season>{SEASON})s ago"), _seasons_back, triggers("ago")),
    Rule(pattern(rf"(?:in )?the (?P<season>{SEASON}) before last"), _seasons_back, triggers("last")),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
