"""Weekdays: last Saturday, next Fri, on thurs, the Monday after next, Mon-Fri.

`last Saturday` is the latest Saturday before today, `this Saturday` the first from today on, `next Saturday` the one of
the next ISO week, and `Saturday` alone the one before or after today by the tense of its sentence.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.clock import DAY_PART
from mnemo.temporal.rules.counts import COUNT, bounded, count
from mnemo.temporal.tense import Direction
from mnemo.temporal.vocabulary import ABBREVIATION_POINT, SHORT_WEEKDAYS, WEEKDAYS, alternatives

__all__ = ["ANY_WEEKDAY", "RULES", "WEEKDAY", "WEEKDAY_WORDS", "near_weekday", "weekday_number"]

_UNMISTAKABLE = ("tues", "weds", "thurs", "thur")
"""Abbreviations that are no other word."""
_SHORT = alternatives(SHORT_WEEKDAYS)
WEEKDAY = (
    rf"(?:{alternatives(WEEKDAYS)}|(?:{alternatives(_UNMISTAKABLE)}){ABBREVIATION_POINT}|"
    rf"(?:{_SHORT})\.?(?= (?:{DAY_PART}\b|(?:at |@ ?)?\d\d?(?::\d\d| ?[ap]m))))"
)
"""A weekday that needs no word before it, as a regular expression without groups."""
ANY_WEEKDAY = rf"(?:{alternatives(WEEKDAYS)}|(?:{_SHORT}){ABBREVIATION_POINT})"
"""A weekday or any of its abbreviations, of which some are other words: sat, sun, mon."""
WEEKDAY_WORDS = triggers(WEEKDAYS, SHORT_WEEKDAYS)
_NUMBERS: Mapping[str, int] = {**WEEKDAYS, **SHORT_WEEKDAYS}
_IS_TODAY = re.compile(r"(?:\b(?:is|already|finally)|it['\u2019]s)\s{1,3}$", re.IGNORECASE)


def weekday_number(text: str) -> int:
    """Return 0 for Monday to 6 for Sunday by an English name or abbreviation."""
    return _NUMBERS[text.lower().rstrip(".")]


def near_weekday(today: date, number: int, side: int) -> Period:
    """Return the latest such day before today (-1), the first from today on (0), or that of the next ISO week (1)."""
    if side > 0:
        return cal.weekday(today + timedelta(days=7), number)
    ahead = (number - today.weekday()) % 7
    return cal.day(today, ahead if side == 0 else ahead - 7)


def _sided(match: re.Match[str], scene: TimeContext) -> Period:
    side = " ".join(match["side"].lower().split())
    number = weekday_number(match["weekday"])
    if side.endswith("coming"):  # on a Monday, the coming Monday is a week away
        return near_weekday(scene.today + timedelta(days=1), number, 0)
    steps = -1 if "last" in side or "past" in side else 1 if side == "next" else 0
    return near_weekday(scene.today, number, steps)


def _bare(match: re.Match[str], scene: TimeContext) -> TimeMatch:
    number = weekday_number(match["weekday"])
    if scene.anchor is None:
        return TimeMatch(*match.span(), weekday=number)
    if number == scene.today.weekday() and _IS_TODAY.search(scene.text, max(0, match.start() - 20), match.start()):
        return TimeMatch(*match.span(), period=cal.day(scene.today), weekday=number)
    past = scene.direction(match.span()) == Direction.PAST
    period = near_weekday(scene.today, number, -1) if past else near_weekday(scene.today + timedelta(days=1), number, 0)
    return TimeMatch(*match.span(), period=period, weekday=number, cycle="weekly")


def _nth_back(match: re.Match[str], scene: TimeContext) -> Period | None:
    """Two Fridays ago."""
    low, _ = count(match["count"])
    if not bounded("year", low):
        return None
    return cal.day(near_weekday(scene.today, weekday_number(match["weekday"]), -1).date, -7 * (low - 1))


def _beyond(match: re.Match[str], scene: TimeContext) -> Period:
    """The Monday after next, the Friday before last."""
    number, after = weekday_number(match["weekday"]), match["beyond"].lower().startswith("after")
    return cal.day(near_weekday(scene.today, number, 1 if after else -1).date, 7 if after else -7)


_ENDS = (
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|at|but|so|w|with|for|if|when|we|i|because|after|before|from|till|til|until)\b)"
)

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(
            r"(?:on )?(?P<side>this past|this coming|the coming|coming|last|past|this|next)"
            rf" (?P<weekday>{ANY_WEEKDAY})(?! of)"
        ),
        _sided,
        WEEKDAY_WORDS,
    ),
    Rule(pattern(rf"(?:on )?(?P<weekday>{WEEKDAY})"), _bare, WEEKDAY_WORDS),
    Rule(pattern(rf"on (?P<weekday>{_SHORT}){_ENDS}"), _bare, WEEKDAY_WORDS),
    Rule(pattern(r"on (?P<weekday>(?-i:Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun))"), _bare, WEEKDAY_WORDS),
    Rule(
        pattern(rf"(?:(?<=\bby\s)|(?<=til\s)|(?<=ill\s)|(?<=nce\s))(?P<weekday>{_SHORT}){_ENDS}"),
        _bare,
        WEEKDAY_WORDS,
    ),
    Rule(pattern(rf"(?P<count>{COUNT}) (?P<weekday>{WEEKDAY})s ago"), _nth_back, triggers("ago")),
    Rule(
        pattern(rf"(?:on )?(?:the )?(?P<weekday>{ANY_WEEKDAY}) (?P<beyond>after next|before last)"),
        _beyond,
        triggers("next last"),
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
