"""Years, decades, quarters and numbered weeks: 2016, '87, the 90s, Q3 2022, week 10 of 2023, H2 2021."""

import re
from datetime import date

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import DIGIT, Rule, TimeContext, pattern
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.dates import follows
from mnemo.temporal.rules.years import written_year
from mnemo.temporal.vocabulary import ORDINALS

__all__ = ["RULES"]

_YEAR = r"(?:19|20)\d\d"
_BEFORE_YEAR = re.compile(
    r"\b(?:in|since|until|till|by|from|early|mid|late|during|around|throughout|circa|before|after|class of|seit|depuis|"
    r"desde|dal|sinds|bis|jusqu['’]en|hasta|até|fino al|en|em|nel|im jahr|в|"
    r"(?:end|start|beginning|middle|half|part|year|back|summer|winter|spring|autumn|fall) (?:of|in))[\s-]{1,3}"
    r"(?:(?:about|around|roughly|approximately|almost|nearly|circa|~)\s{0,2})?$",
    re.IGNORECASE,
)


def _bare_year(match: re.Match[str], scene: TimeContext) -> Period | None:
    return cal.year(written_year(match["year"])) if follows(_BEFORE_YEAR, scene, match, "year") else None


def _decade(match: re.Match[str], _: TimeContext) -> Period:
    number = int(match["decade"])
    if number < 100:  # noqa: PLR2004  # two digits
        number += 1900 if number >= 30 else 2000  # noqa: PLR2004  # the 30s to 90s are of the last century
    first, after = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}.get((match["part"] or "").lower(), (0, 10))
    return cal.between(date(number + first, 1, 1), date(number + after, 1, 1), "year")


def _iso_week(match: re.Match[str], _: TimeContext) -> Period:
    monday = date.fromisocalendar(int(match["year"]), int(match["week"]), 1)
    number = match.groupdict().get("weekday")
    return cal.day(monday, int(number) - 1) if number else cal.week(monday)


def _quarter(match: re.Match[str], _: TimeContext) -> Period:
    word = match["number"].lower()
    return cal.quarter(int(match["year"]), int(word if word.isdigit() else ORDINALS.get(word) or word[0]) - 1)


def _half_year(match: re.Match[str], _: TimeContext) -> Period:
    first = date(int(match["year"]), 1 if match["number"].lower() in {"1", "first"} else 7, 1)
    return cal.between(first, cal.add_months(first, 6), "season")


_DIGITS = frozenset((DIGIT,))

RULES: tuple[Rule, ...] = (
    Rule(pattern(rf"(?P<year>{_YEAR})(?![-/:.,%]\d)"), _bare_year, _DIGITS),
    Rule(re.compile(r"(?<!\w)(?P<year>['\u2019]\d\d)(?![\w'\u2019])"), _bare_year, _DIGITS),
    Rule(
        pattern(
            r"(?:in )?the (?:(?P<part>early|mid|late)(?: |-))?['\u2019]?(?P<decade>(?:19|20)\d0|[1-9]0)['\u2019]?s"
        ),
        _decade,
        _DIGITS,
    ),
    Rule(pattern(rf"(?P<year>{_YEAR})-?W(?P<week>[0-5]\d)(?:-?(?P<weekday>[1-7]))?"), _iso_week, _DIGITS),
    Rule(
        pattern(
            rf"(?:in )?(?:calendar )?(?:week|kw|cw|semaine|semana|settimana) (?P<week>[0-5]?\d)"
            rf"(?: of|,|/)? ?(?P<year>{_YEAR})"
        ),
        _iso_week,
        _DIGITS,
    ),
    Rule(pattern(rf"(?:in )?Q(?P<number>[1-4])(?: of)?(?: |/|-)?(?P<year>{_YEAR})"), _quarter, _DIGITS),
    Rule(
        pattern(
            rf"(?:in )?(?:the )?(?P<number>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of)? (?P<year>{_YEAR})"
        ),
        _quarter,
        _DIGITS,
    ),
    Rule(pattern(rf"(?:in )?H(?P<number>[12])(?: of)?(?: |/|-)?(?P<year>{_YEAR})"), _half_year, _DIGITS),
    Rule(pattern(rf"(?:in )?(?:the )?(?P<number>first|second) half of (?P<year>{_YEAR})"), _half_year, _DIGITS),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
