"""Days and parts of days relative to now: yesterday, tmrw, tonight, the other day, three nights ago, by EOD."""

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.counts import COUNT, bounded, count
from mnemo.temporal.rules.weekdays import ANY_WEEKDAY, near_weekday, weekday_number
from mnemo.temporal.vocabulary import alternatives, misspellings

__all__ = ["DAYS", "RULES"]

_TODAY = ("today", "2day", "tdy")
_TOMORROW = (
    *("tomorrow", "tmrw", "tmr", "tmrrw", "tmw", "tomoz", "tomoro", "tomorow", "tommorow", "tommorrow"),
    *("2moro", "2morrow", "2mrw", "2moz"),
)
_YESTERDAY = ("yesterday", "yday", "yest", "ystrday", "yesturday")
_TONIGHT = ("tonight", "tonite", "2nite", "2night", "tnite")


def _with_misspellings(words: tuple[str, ...]) -> list[str]:
    return [*words, *(slip for slip in misspellings(words[0]) if slip not in words)]


DAYS: Mapping[str, int] = {
    **dict.fromkeys(("the day before yesterday", "day before yesterday"), -2),
    **dict.fromkeys(_with_misspellings(_YESTERDAY), -1),
    **dict.fromkeys(_TODAY, 0),
    **dict.fromkeys(_with_misspellings(_TOMORROW), 1),
    **dict.fromkeys(("the day after tomorrow", "day after tomorrow", "overmorrow"), 2),
}
"""Names of days, in days from today."""
_HOURS: Mapping[str, tuple[int, int, int]] = {
    **dict.fromkeys(_TONIGHT, (0, 18, 24)),
    **dict.fromkeys(("last night", "last nite", "yesterday night"), (-1, 18, 30)),
    "the night before last": (-2, 18, 30),
    "tomorrow morning": (1, 5, 12),
    "tomorrow night": (1, 18, 30),
    "this morning": (0, 5, 12),
    "this afternoon": (0, 12, 17),
    "this arvo": (0, 12, 17),
    "this evening": (0, 17, 24),
}
_PARTS: Mapping[str, tuple[int, int]] = {
    "night": (18, 30),
    "morning": (5, 12),
    "afternoon": (12, 17),
    "evening": (17, 24),
}


def _text(match: re.Match[str]) -> str:
    return " ".join(match[0].lower().split())


def _hours(match: re.Match[str], scene: TimeContext) -> Period:
    offset, first, after = _HOURS[_text(match)]
    return cal.hours(cal.day(scene.today, offset).date, first, after)


def _day(match: re.Match[str], scene: TimeContext) -> Period:
    return cal.day(scene.today, DAYS[_text(match)])


def _part_ago(match: re.Match[str], scene: TimeContext) -> Period | None:
    """Three nights ago, two mornings ago."""
    low, high = count(match["count"])
    if low != high or not bounded("day", low):
        return None
    return cal.hours(cal.day(scene.today, -low).date, *_PARTS[match["part"].lower()])


def _deadline(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    """By EOD, by end of day tomorrow, by EOW: a bound after `by`, else the time itself."""
    unit = (match["unit"] or match["short"] or "d").lower()
    whole = {"week": cal.week, "w": cal.week, "month": cal.month, "m": cal.month}.get(unit)
    if whole is not None:
        period = cal.third(whole(scene.today), 2)
    elif unit in {"year", "y"}:
        period = cal.third(cal.year(scene.today.year), 2)
    elif match["weekday"]:
        period = near_weekday(scene.today, weekday_number(match["weekday"]), 0)
    else:
        period = cal.day(scene.today, DAYS[match["day"].lower()] if match["day"] else 0)
    return TimeMatch(*match.span(), period=period, sense="before" if match["by"] else "at")


def _any(words: Iterable[str]) -> str:
    return f"(?:{alternatives(words)})"


_THAT_DAY = (
    rf"(?: (?:on |of )?(?:(?P<day>{alternatives(day for day in DAYS if ' ' not in day)})|(?P<weekday>{ANY_WEEKDAY})))?"
)

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(_any(_HOURS)),
        _hours,
        triggers(_TONIGHT, "night nite morning afternoon arvo evening tomorrow yesterday"),
    ),
    Rule(pattern(_any(DAYS)), _day, triggers(DAYS, _TOMORROW, ("2moro",))),
    Rule(pattern(r"(?:earlier|later) today"), lambda _, scene: cal.day(scene.today), triggers("today")),
    Rule(pattern(r"(?:just|right) now"), lambda _, scene: cal.minute(scene.now), triggers("now")),
    Rule(
        pattern(r"the other (?:day|night|morning|evening)"),
        lambda _, scene: cal.between(scene.today - timedelta(days=7), scene.today, "week"),
        triggers("other"),
    ),
    Rule(pattern(rf"(?P<count>{COUNT}) (?P<part>night|morning|evening|afternoon)s ago"), _part_ago, triggers("ago")),
    Rule(
        pattern(rf"(?:(?P<by>by|before) )?(?P<unit>)EO(?P<short>[DWMY]){_THAT_DAY}"),
        _deadline,
        triggers("eod eow eom eoy"),
    ),
    Rule(
        pattern(
            r"(?P<by>by|before)(?P<unit>)(?P<short>) (?:the )?(?:COB|close of (?:business|play)|"
            rf"end of (?:the )?(?:(?:business|working|work) )?day){_THAT_DAY}"
        ),
        _deadline,
        triggers("cob close end"),
    ),
    Rule(
        pattern(r"(?:(?P<by>by|before)|at)(?P<short>)(?P<day>)(?P<weekday>) end of (?P<unit>week|month|year)"),
        _deadline,
        triggers("end"),
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
