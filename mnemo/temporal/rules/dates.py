"""Days and months as they are written: ISO, numeric, with the name of the month, with or without a year."""

import re
from datetime import date, datetime, time

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import DIGIT, Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.years import ANY_YEAR, YEAR, pick_year, written_year
from mnemo.temporal.tense import Direction
from mnemo.temporal.vocabulary import (
    ABBREVIATION_POINT,
    ENGLISH_MONTHS,
    FOREIGN_MONTHS,
    MONTHS,
    ORDINALS,
    SHORT_MONTHS,
    WEEKDAYS,
    alternatives,
)

__all__ = [
    "DAY",
    "FOREIGN_MONTH",
    "MONTH",
    "NTH",
    "RULES",
    "day_number",
    "follows",
    "is_verb_may",
    "month_number",
]

MONTH = rf"(?:{alternatives(ENGLISH_MONTHS)}|(?:{alternatives(SHORT_MONTHS)}){ABBREVIATION_POINT})"
"""An English month, as a regular expression without groups."""
FOREIGN_MONTH = f"(?:{alternatives(FOREIGN_MONTHS)})"
DAY = r"(?:3[01]|[12]\d|0?[1-9])"
"""A day of the month in digits."""
NTH = rf"(?:{DAY}(?:st|nd|rd|th)|{alternatives(ORDINALS)})"
"""A day of the month as an ordinal, in digits or words."""
_LOOKBACK_CHARS = 40
_ABOUT = r"(?:(?:about|around|roughly|approximately|almost|nearly|circa|~)\s{0,2})?"
_BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|from|before|after|early|mid|late|during|around|through|throughout|starting|last|this|"
    r"next|come|(?:end|start|beginning|middle|half|part|week|weekend|month|day|\w{3,6}day) of)[\s-]{1,3}"
    + _ABOUT
    + "$",
    re.IGNORECASE,
)


_DATED_MAY = re.compile(
    r"\b(?:in|since|until|till|of|during|early|mid|late|from|next|last|before|after|by|on|on (?:the )?\d\d?|"
    r"\d\d?(?:st|nd|rd|th))[\s-]{1,3}$",
    re.IGNORECASE,
)
_VERB_AFTER_MAY = re.compile(r"\s(?:be|have|not|well|also|need|go|come|i|we|you|he|she|it|they)\b", re.IGNORECASE)


def month_number(text: str) -> int:
    """Return the number of a month by a name or abbreviation in any of the languages."""
    return MONTHS[text.lower().rstrip(".")]


def day_number(text: str) -> int:
    """Return the day of the month that is written as 3, 3rd or third."""
    return ORDINALS.get(text.lower()) or int(re.sub(r"\D", "", text))


def is_verb_may(match: re.Match[str]) -> bool:
    """Return whether a lower-case `may` is the verb: it is not preceded by a word for a date."""
    if match["month"] != "may":
        return False
    first, end = match.span("month")
    dated = _DATED_MAY.search(match.string, max(0, first - _LOOKBACK_CHARS), first) or match.groupdict().get("year")
    return not dated or _VERB_AFTER_MAY.match(match.string, end) is not None


def follows(before: re.Pattern[str], scene: TimeContext, match: re.Match[str], group: str) -> bool:
    """Return whether the words before a group make it a date; a group that is the whole text needs none."""
    start = match.start(group)
    if match.end() - match.start() == len(scene.text.strip(" .,!?")):
        return True
    return before.search(scene.text, max(0, start - _LOOKBACK_CHARS), start) is not None


def _day_month(match: re.Match[str], scene: TimeContext) -> Period | TimeMatch | None:
    if is_verb_may(match):
        return None
    number, month = day_number(match["day"]), month_number(match["month"])
    if match["year"]:
        return cal.day(date(written_year(match["year"]), month, number))
    if month == 2 and number == 29:  # noqa: PLR2004  # a leap day has its own years
        return cal.day(date(scene.today.year, month, number))
    return _of_some_year(match, scene, month, number)


def _of_some_year(match: re.Match[str], scene: TimeContext, month: int, number: int) -> TimeMatch:
    period = pick_year(lambda year: cal.day(date(year, month, number)), scene, match.span())
    return TimeMatch(*match.span(), period=period, cycle="yearly")


def _month_year(match: re.Match[str], _: TimeContext) -> Period | None:
    written = match["year"]
    if is_verb_may(match) and not written.isdigit():
        return None
    return cal.month(date(written_year(written), month_number(match["month"]), 1))


def _bare_month(match: re.Match[str], scene: TimeContext) -> Period | TimeMatch | None:
    if is_verb_may(match) or not follows(_BEFORE_MONTH, scene, match, "month"):
        return None
    month = month_number(match["month"])
    side = (match["side"] or "").lower()
    this = cal.month(date(scene.today.year, month, 1))
    if side in {"last", "past"}:
        return this if this.end <= scene.now else cal.month(this.date, -12)
    if side == "next":
        return this if this.start > scene.now else cal.month(this.date, 12)
    if side == "this":
        return this
    period = pick_year(lambda year: cal.month(date(year, month, 1)), scene, match.span())
    return TimeMatch(*match.span(), period=period, cycle="yearly")


def _iso(match: re.Match[str], _: TimeContext) -> Period:
    period = cal.day(date(int(match["year"]), int(match["month"]), int(match["day"])))
    if not match["hour"]:
        return period
    return cal.minute(datetime.combine(period.date, time(int(match["hour"]), int(match["minute"]))))


def _in_order(scene: TimeContext, first: int, second: int, *, dotted: bool = False) -> tuple[int, int]:
    """Return day and month of two numbers, by the order of the zone or by what is possible."""
    month_first = scene.month_first and not dotted
    return (second, first) if (month_first or second > 12) and first <= 12 else (first, second)  # noqa: PLR2004  # months


def _numeric(match: re.Match[str], scene: TimeContext) -> Period:
    year = int(match["year"])
    year += 2000 if year < 100 else 0  # noqa: PLR2004  # two digits are of this century
    day, month = _in_order(scene, int(match["first"]), int(match["second"]), dotted=match["by"] == ".")
    return cal.day(date(year, month, day))


def _short_numeric(match: re.Match[str], scene: TimeContext) -> TimeMatch:
    day, month = _in_order(scene, int(match["first"]), int(match["second"]))
    return _of_some_year(match, scene, month, day)


def _numeric_month(match: re.Match[str], _: TimeContext) -> Period:
    return cal.month(date(int(match["year"]), int(match["month"]), 1))


def _steps(match: re.Match[str]) -> int:
    """How many units from now `last`, `this` or `next` is."""
    return {"last": -1, "past": -1, "this": 0, "the": 0, "next": 1}[match["side"].lower()]


def _month_of_year(match: re.Match[str], scene: TimeContext) -> Period:
    """March last year, next year in March, on 3 March last year."""
    first = date(scene.today.year + _steps(match), month_number(match["month"]), 1)
    return cal.day(first.replace(day=day_number(match["day"]))) if match["day"] else cal.month(first)


def _day_of_sided_month(match: re.Match[str], scene: TimeContext) -> Period:
    return cal.day(cal.month(scene.today, _steps(match)).date.replace(day=day_number(match["day"])))


def _day_of_month(match: re.Match[str], scene: TimeContext) -> Period:
    """On the 5th: the last such day in a past sentence, else the next."""
    number = day_number(match["day"])
    months = [cal.month(scene.today, offset).date for offset in (-2, -1, 0, 1, 2)]
    days = [cal.day(first, number - 1) for first in months]
    existing = [period for period, first in zip(days, months, strict=True) if period.date.month == first.month]
    if scene.direction(match.span()) == Direction.PAST:
        return [period for period in existing if period.start <= scene.now][-1]
    return next(period for period in existing if period.end > scene.now)


_AFTER_DAY = (
    "and|at|but|because|so|when|i|I|we|he|she|they|with|in the|for|actually|though|tho|please|if|or|to|then|too|"
    "instead|from|after|before"
)
"""What may follow a day without a month; the 3rd floor is none."""
_ENGLISH = triggers(ENGLISH_MONTHS, SHORT_MONTHS)
_FOREIGN = triggers(FOREIGN_MONTHS)
_WEEKDAY = alternatives(WEEKDAYS)
_DIGITS = frozenset((DIGIT,))

RULES: tuple[Rule, ...] = (
    Rule(
        pattern(
            r"(?P<year>[12]\d{3})([-/])(?P<month>\d\d?)\2(?P<day>\d\d?)"
            r"(?:[T\s](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d)?Z?)?"
        ),
        _iso,
        _DIGITS,
    ),
    Rule(
        pattern(r"(?<![\d.])(?P<first>\d\d?)(?P<by>[./-])(?P<second>\d\d?)(?P=by)(?P<year>(?:19|20)\d\d|\d\d)(?!\.\d)"),
        _numeric,
        _DIGITS,
    ),
    Rule(
        pattern(
            rf"(?:on )?(?:the )?(?P<day>{DAY})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})(?:,? (?P<year>{ANY_YEAR}))?"
        ),
        _day_month,
        _ENGLISH,
    ),
    Rule(
        pattern(
            rf"(?:on )?(?P<month>{MONTH}) (?:the )?(?P<day>{DAY})"
            rf"(?:st|nd|rd|th)?(?:,? (?P<year>{ANY_YEAR}))?(?!:\d| ?[ap]\.?m)"
        ),
        _day_month,
        _ENGLISH,
    ),
    Rule(
        pattern(rf"(?:on )?the (?P<day>{NTH}) of (?P<month>{MONTH})(?:,? (?P<year>{ANY_YEAR}))?"), _day_month, _ENGLISH
    ),
    Rule(
        pattern(
            rf"(?:el |le |am |il |em |op )?(?P<day>{DAY})(?:\.|er|º|°)?(?: de)? (?P<month>{FOREIGN_MONTH})"
            rf"(?:(?: del?)? (?P<year>{ANY_YEAR}))?"
        ),
        _day_month,
        _FOREIGN,
    ),
    Rule(pattern(rf"(?P<day>{DAY})-(?P<month>{MONTH})-(?P<year>{YEAR})"), _day_month, _ENGLISH),
    Rule(pattern(rf"(?:in )?(?P<month>{MONTH}),?(?: of)? (?P<year>{ANY_YEAR})"), _month_year, _ENGLISH),
    Rule(
        pattern(rf"(?:(?:en|im|em|nel|in) )?(?P<month>{FOREIGN_MONTH})(?: de)? (?P<year>{YEAR})"), _month_year, _FOREIGN
    ),
    Rule(pattern(rf"(?:(?P<side>last|past|this|next) )?(?P<month>{MONTH})"), _bare_month, _ENGLISH),
    Rule(
        pattern(
            rf"(?:on |(?<=since\s)|(?<=until\s)|(?<=till\s)|(?<=\bby\s)|(?<=from\s)|(?<=fore\s)|(?<=after\s)|"
            rf"(?<=\bis\s)|(?<=['\u2019]s\s)|(?<=was\s))the (?P<day>{NTH})(?=[.,;!?)]|$|(?-i: (?:{_AFTER_DAY})\b))"
        ),
        _day_of_month,
        triggers((DIGIT,), ORDINALS),
    ),
    Rule(
        pattern(rf"(?:on )?the (?P<day>{NTH}) of (?P<side>last|this|next|the) month"),
        _day_of_sided_month,
        triggers("month"),
    ),
    Rule(pattern(rf"(?P<side>last|this|next) month,? on the (?P<day>{NTH})"), _day_of_sided_month, triggers("month")),
    Rule(
        pattern(
            rf"(?:in |on )?(?:(?:the )?(?P<day>{NTH}|{DAY})(?: of)? )?(?P<month>{MONTH}),?(?: of)?"
            r" (?P<side>last|this|next) year"
        ),
        _month_of_year,
        _ENGLISH,
    ),
    Rule(
        pattern(
            rf"(?P<side>last|this|next) year,? (?:in|on|around)"
            rf" (?:(?:the )?(?P<day>{NTH}|{DAY})(?: of)? )?(?P<month>{MONTH})"
        ),
        _month_of_year,
        _ENGLISH,
    ),
    Rule(pattern(r"on (?P<first>\d\d?)/(?P<second>\d\d?)(?!/|\.?\d)"), _short_numeric, _DIGITS),
    Rule(pattern(r"(?<![\d/-])(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?![/-]?\d)"), _numeric_month, _DIGITS),
    Rule(pattern(r"(?<![\d/-])(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])(?![-/]?\d)"), _numeric_month, _DIGITS),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
