"""Times of the day: 3pm, 14:20, noon, 2-4pm, in the morning."""

import re
from collections.abc import Mapping

from mnemo.temporal.grammar import DIGIT, Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.vocabulary import alternatives

__all__ = ["DAY_PART", "PARTS", "RULES"]

PARTS: Mapping[str, tuple[int, int]] = {
    "morning": (5 * 60, 12 * 60),
    "afternoon": (12 * 60, 17 * 60),
    "evening": (17 * 60, 24 * 60),
    "night": (18 * 60, 30 * 60),
    "morn": (5 * 60, 12 * 60),
    "arvo": (12 * 60, 17 * 60),
    "eve": (17 * 60, 24 * 60),
    "nite": (18 * 60, 30 * 60),
}
"""Parts of a day in minutes from its midnight, from and up to."""
DAY_PART = f"(?:{alternatives(PARTS)})"
"""A part of a day, as a regular expression without groups."""
_NOON, _DAY = 12, 24
_ABOUT = r"(?:(?P<about>(?:about|around|roughly|approximately|almost|nearly|circa)(?= )|ca\.|~) ?)?"


def _minutes(hour: str, minute: str | None, half: str | None) -> int | None:
    """Return the minute of the day; None if there is no such time, or a bare number."""
    number, halved = int(hour), (half or "").lower()
    if halved and not 1 <= number <= _NOON:
        return None
    if halved:
        number = number % _NOON + (_NOON if halved.startswith("p") else 0)
    if number >= _DAY or not (halved or minute):
        return None
    return number * 60 + int(minute or 0)


def _clock(match: re.Match[str], _: TimeContext) -> TimeMatch | None:
    first = _minutes(match["hour"], match["minute"], match["half"])
    if first is None:
        return None
    stated = bool(match["at"] or match["about"] or match["half"])
    return TimeMatch(
        *match.span(),
        clock=(first, first + 1),
        alone=stated,
        sense="before" if match["at"] == "by" else "at",
        approximate=bool(match["about"] or match["ish"]),
    )


def _hours(match: re.Match[str], _: TimeContext) -> TimeMatch | None:
    """From 2 to 4pm: a half of the day that only the second time names counts for both, where that is in order."""
    after = _minutes(match["hour2"], match["minute2"], match["half2"])
    if after is None or (match["to"].lower() == "and" and match["between"] is None):
        return None
    halves = (match["half"],) if match["half"] else (match["half2"], "am", "")
    minute = match["minute"] or ("00" if match["minute2"] or match["half2"] else None)
    starts = (_minutes(match["hour"], minute, half) for half in halves)
    first = next((start for start in starts if start is not None and start < after), None)
    return TimeMatch(*match.span(), clock=(first, after), sense="during") if first is not None else None


def _noon(match: re.Match[str], _: TimeContext) -> TimeMatch:
    first = 0 if match["word"].lower() == "midnight" else _NOON * 60
    return TimeMatch(
        *match.span(),
        clock=(first, first + 1),
        alone=bool(match["at"] or match["about"]),
        sense="before" if match["at"] == "by" else "at",
        approximate=bool(match["about"]),
    )


def _part(match: re.Match[str], _: TimeContext) -> TimeMatch:
    return TimeMatch(*match.span(), clock=PARTS[match["part"].lower()], alone=False)


_HALF = r"[ap]m|[ap]\.m\."
_DIGITS = frozenset((DIGIT,))

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(
            rf"(?:(?P<at>at|by|@|um|à|a las) ?)?{_ABOUT}(?P<hour>\d\d?)"
            rf"(?::(?P<minute>[0-5]\d))?(?: ?(?P<half>{_HALF}))?(?P<ish>(?: |-)?ish)?"
        ),
        _clock,
        _DIGITS,
    ),
    Rule(
        pattern(
            rf"(?:(?:from|(?P<between>between)) )?(?P<hour>\d\d?)(?::(?P<minute>[0-5]\d))?(?: ?(?P<half>{_HALF}))?"
            rf" ?(?P<to>-|–|—|to|and|until|till) ?(?P<hour2>\d\d?)(?::(?P<minute2>[0-5]\d))?(?: ?(?P<half2>{_HALF}))?"
        ),
        _hours,
        _DIGITS,
    ),
    Rule(
        pattern(rf"(?:(?P<at>at|by) )?{_ABOUT}(?P<word>noon|midnight|midday)"), _noon, triggers("noon midnight midday")
    ),
    Rule(pattern(rf"(?:in the |at )?(?P<part>{DAY_PART})"), _part, triggers(PARTS)),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
