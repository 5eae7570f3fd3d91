"""Holidays of a fixed day, and those that move: Christmas Eve, last Easter, Thanksgiving 2021, Mother's Day."""

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from dateutil.easter import easter

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.years import YEAR, pick_year, written_year
from mnemo.temporal.tense import Direction

__all__ = ["HOLIDAY", "RULES"]


def _nth_weekday(year: int, month: int, weekday: int, number: int) -> date:
    """Return the weekday of that number (1 is the first) in a month; 0 is Monday."""
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))


def _last_monday(year: int, month: int) -> date:
    last = cal.add_months(date(year, month, 1), 1) - timedelta(days=1)
    return last - timedelta(days=last.weekday())


def _thanksgiving(year: int) -> date:
    return _nth_weekday(year, 11, 3, 4)


def _beside_easter(days: int) -> Callable[[int], date]:
    return lambda year: easter(year) + timedelta(days=days)


_HOLIDAYS: Mapping[str, tuple[str, Callable[[int], date]]] = {
    r"christmas eve|xmas eve": ("eve", lambda y: date(y, 12, 24)),
    r"boxing day|st\.? stephen['\u2019]?s day": ("boxing stephen", lambda y: date(y, 12, 26)),
    r"christmas(?: day)?|xmas(?: day)?": ("christmas xmas", lambda y: date(y, 12, 25)),
    r"new year['\u2019]?s eve|(?-i:NYE)": ("eve nye", lambda y: date(y, 12, 31)),
    r"new year['\u2019]?s(?: day)?": ("year years", lambda y: date(y, 1, 1)),
    r"halloween": ("halloween", lambda y: date(y, 10, 31)),
    r"valentine['\u2019]?s(?: day)?": ("valentine valentines", lambda y: date(y, 2, 14)),
    r"(?:st\.?|saint) patrick['\u2019]?s(?: day)?": ("patrick patricks", lambda y: date(y, 3, 17)),
    r"april fools['\u2019]?(?: day)?": ("fools", lambda y: date(y, 4, 1)),
    r"juneteenth": ("juneteenth", lambda y: date(y, 6, 19)),
    r"independence day|(?:the )?(?:4th|fourth) of july": ("independence july", lambda y: date(y, 7, 4)),
    r"bastille day": ("bastille", lambda y: date(y, 7, 14)),
    r"thanksgiving(?: day)?": ("thanksgiving", _thanksgiving),
    r"black friday": ("black", lambda y: _thanksgiving(y) + timedelta(days=1)),
    r"cyber monday": ("cyber", lambda y: _thanksgiving(y) + timedelta(days=4)),
    r"mlk day|martin luther king(?: jr\.?)? day": ("mlk martin", lambda y: _nth_weekday(y, 1, 0, 3)),
    r"president['\u2019]?s['\u2019]? day": ("president presidents", lambda y: _nth_weekday(y, 2, 0, 3)),
    r"memorial day": ("memorial", lambda y: _last_monday(y, 5)),
    r"labor day": ("labor", lambda y: _nth_weekday(y, 9, 0, 1)),
    r"columbus day|indigenous peoples['\u2019]? day": ("columbus indigenous", lambda y: _nth_weekday(y, 10, 0, 2)),
    r"may day": ("may", lambda y: date(y, 5, 1)),
    r"father['\u2019]?s['\u2019]? day": ("father fathers", lambda y: _nth_weekday(y, 6, 6, 3)),
    r"(?:veterans|remembrance|armistice) day": ("veterans remembrance armistice", lambda y: date(y, 11, 11)),
    r"cinco de mayo": ("cinco", lambda y: date(y, 5, 5)),
    r"canada day": ("canada", lambda y: date(y, 7, 1)),
    r"australia day": ("australia", lambda y: date(y, 1, 26)),
    r"anzac day": ("anzac", lambda y: date(y, 4, 25)),
    r"bonfire night|guy fawkes(?: night)?": ("bonfire fawkes", lambda y: date(y, 11, 5)),
    r"shrove tuesday|pancake day|mardi gras": ("shrove pancake mardi", _beside_easter(-47)),
    r"ash wednesday": ("ash", _beside_easter(-46)),
    r"palm sunday": ("palm", _beside_easter(-7)),
    r"good friday": ("good", _beside_easter(-2)),
    r"easter monday": ("easter", _beside_easter(1)),
    r"easter(?: sunday)?": ("easter", _beside_easter(0)),
    r"ascension day": ("ascension", _beside_easter(39)),
    r"pentecost|whit sunday": ("pentecost whit", _beside_easter(49)),
    r"whit monday": ("whit", _beside_easter(50)),
    r"silvester|nochevieja": ("silvester nochevieja", lambda y: date(y, 12, 31)),
    r"weihnachten|noël|navidad": ("weihnachten noël navidad", lambda y: date(y, 12, 25)),
}
"""Names as patterns, with the words of which one is in every name, and the date in a year."""
HOLIDAY = f"(?:{'|'.join(names for names in _HOLIDAYS)})"
"""Any holiday, as a regular expression without groups."""


def _holiday(dated: Callable[[int], date]) -> Callable[[re.Match[str], TimeContext], Period | TimeMatch]:
    """Return what a match of a holiday means: of the year named, or `last`, `this`, `next`, or by tense."""

    def make(match: re.Match[str], scene: TimeContext) -> Period | TimeMatch:
        if match["year"]:
            return cal.day(dated(written_year(match["year"])))
        side = (match["side"] or "").lower()
        around = [cal.day(dated(scene.today.year + offset)) for offset in (-1, 0, 1)]
        if side == "last":
            return [period for period in around if period.end <= cal.day(scene.today).start][-1]
        if side == "next":
            return next(period for period in around if period.date > scene.today)
        if side == "this":
            return around[1]
        period = pick_year(lambda year: cal.day(dated(year)), scene, match.span())
        return TimeMatch(*match.span(), period=period, cycle="yearly")

    return make


def _turn_of_the_year(match: re.Match[str], scene: TimeContext) -> Period:
    """At new year: New Year's Eve and New Year's Day."""
    return pick_year(lambda year: cal.between(date(year - 1, 12, 31), date(year, 1, 2), "day"), scene, match.span())


def _new_year(match: re.Match[str], scene: TimeContext) -> Period:
    """In the new year: the January begun last in a past sentence, else the next one."""
    past = scene.direction(match.span()) == Direction.PAST
    return cal.month(date(scene.today.year + (0 if past else 1), 1, 1))


RULES: tuple[Rule, ...] = (
    *(
        Rule(
            pattern(
                rf"(?:(?:on|at|over|for) )?(?:(?P<side>last|this|next)"
                rf" )?(?:{names})(?:,?(?: of| in)? (?P<year>{YEAR}))?"
            ),
            _holiday(dated),
            triggers(words),
        )
        for names, (words, dated) in _HOLIDAYS.items()
    ),
    Rule(
        pattern(r"(?:at|over|around) (?:the )?new year(?!['\u2019]?s\b)"),
        _turn_of_the_year,
        triggers("year"),
    ),
    Rule(pattern(r"in the new year"), _new_year, triggers("year")),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
