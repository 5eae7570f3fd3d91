"""Expressions for many times, which give no single date: every other Tuesday, on Tuesdays, each June, twice a week.

Such a find keeps other rules off its words, and takes in the clock or weekday beside it (every morning at 7am). A day
of the year that comes back (every year on 4 May) is a date with that mark.
"""

import re
from datetime import date

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.rules.clock import DAY_PART
from mnemo.temporal.rules.counts import COUNT, UNIT, UNIT_WORDS, bounded, count, unit_name
from mnemo.temporal.rules.dates import DAY, MONTH, NTH, day_number, month_number
from mnemo.temporal.rules.holidays import HOLIDAY
from mnemo.temporal.rules.units import SEASON
from mnemo.temporal.rules.weekdays import ANY_WEEKDAY, WEEKDAY_WORDS
from mnemo.temporal.rules.years import pick_year
from mnemo.temporal.vocabulary import ORDINALS, SEASONS, WEEKDAYS, alternatives

__all__ = ["RULES"]


def _repeats(match: re.Match[str], _: TimeContext) -> TimeMatch:
    return TimeMatch(*match.span(), repeats=True)


def _nothing(match: re.Match[str], _: TimeContext) -> TimeMatch:
    return TimeMatch(*match.span())


def _lasting(match: re.Match[str], scene: TimeContext) -> TimeMatch:
    """For three years: since three years ago in a perfect that still holds (have lived, 've been), else no moment."""
    low, high = count(match["count"])
    name, about = unit_name(match["unit"]), (match["about"] or "").strip().lower()
    since = _PERFECT.search(scene.text, 0, match.start()) and about != "another" and bounded(name, high)
    if not since or name in {"second", "minute", "hour"}:
        return TimeMatch(*match.span())
    period = cal.ago(scene.now, name, -low, -high)
    return TimeMatch(*match.span(), period=period, sense="since", approximate=bool(about))


def _day_of_every_year(match: re.Match[str], scene: TimeContext) -> TimeMatch:
    month = month_number(match["month"] or match["month2"])
    number = day_number(match["day"] or match["day2"])
    period = pick_year(lambda year: cal.day(date(year, month, number)), scene, match.span())
    return TimeMatch(*match.span(), period=period, recurs="yearly")


_PERFECT = re.compile(
    r"\b(?:have|has|['\u2019]ve|ive|youve|weve|theyve|(?:he|she|it)['\u2019]?s been)\b"
    r"(?:(?!\bhad been\b)[^.!?;\n]){0,60}$",
    re.IGNORECASE,
)
"""A present perfect before a duration."""
_ORDINAL = f"(?:{alternatives([*ORDINALS, 'last'])})"
_NAMED = (
    rf"(?:(?:{ANY_WEEKDAY} )?{DAY_PART}|{ANY_WEEKDAY}|{SEASON}|{UNIT}|(?!(?:4th|fourth) of){HOLIDAY}|"
    r"weekday|weeknight)s?"
)
_PLURAL_PARTS = "mornings afternoons evenings nights weekends weekdays weeknights"
_ADVERBS = "daily weekly fortnightly monthly yearly annually"
_EACH = triggers("every each")

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(rf"(?:on |in )?(?:every|each|most|alternate)(?: (?:single|other|few|{_ORDINAL}|{COUNT}))? {_NAMED}"),
        _repeats,
        triggers("every each most alternate"),
    ),
    Rule(pattern(rf"(?:in )?(?:every|each)(?: (?:single|other|second))? {MONTH}"), _repeats, _EACH),
    Rule(
        pattern(
            rf"(?:on )?(?:every|each) (?:year )?(?:on )?(?:the )?(?:(?P<day>{NTH}|{DAY})(?: of)? (?P<month>{MONTH})|"
            rf"(?P<month2>{MONTH}) (?P<day2>{NTH}|{DAY}))"
        ),
        _day_of_every_year,
        _EACH,
    ),
    Rule(
        pattern(
            rf"(?:on )?(?:the )?(?:{NTH}|{_ORDINAL}) (?:(?:{ANY_WEEKDAY}|day|weekend|week) )?of (?:every|each) "
            rf"(?:month|year|{MONTH})"
        ),
        _repeats,
        _EACH,
    ),
    Rule(
        pattern(rf"(?:on |at |in )?(?:{alternatives(WEEKDAYS)})s"), _repeats, triggers([f"{day}s" for day in WEEKDAYS])
    ),
    Rule(pattern(rf"(?:on )?{ANY_WEEKDAY} {DAY_PART}s"), _repeats, WEEKDAY_WORDS),
    Rule(
        pattern(rf"(?:on |at |in |during )?(?:the )?(?:{alternatives(_PLURAL_PARTS.split())})"),
        _repeats,
        triggers(_PLURAL_PARTS),
    ),
    Rule(
        pattern(rf"(?:in|during) (?:the )?(?:{alternatives(SEASONS)})s"),
        _repeats,
        triggers([f"{season}s" for season in SEASONS]),
    ),
    Rule(
        pattern(rf"(?:once|twice|thrice|{COUNT} (?:times?|{UNIT}))(?: or twice)? (?:a|an|per|each|every) {UNIT}"),
        _repeats,
        triggers(UNIT_WORDS),
    ),
    Rule(pattern(alternatives(_ADVERBS.split())), _repeats, triggers(_ADVERBS)),
    Rule(pattern(rf"(?:any|some|one) {_NAMED}"), _nothing, triggers("any some one")),
    Rule(pattern(rf"on an? (?:{ANY_WEEKDAY}|{DAY_PART})"), _nothing, triggers("a an")),
    Rule(
        pattern(
            r"for (?P<about>(?:about|over|almost|nearly|around|another|more than) )?"
            rf"(?P<count>{COUNT})(?: more)? (?P<unit>{UNIT})"
        ),
        _lasting,
        triggers(UNIT_WORDS),
    ),
    Rule(pattern(rf"{COUNT}(?: |-){UNIT}(?: |-)olds?"), _nothing, triggers("old olds")),
    Rule(
        pattern(r"(?:sunday school|sunday best|friday the 13th|good (?:night|morning|afternoon|evening))"),
        _nothing,
        triggers("school best friday good"),
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts; `_nothing` only blocks other rules."""
