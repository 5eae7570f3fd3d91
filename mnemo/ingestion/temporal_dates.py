"""Dates, absolute or without their year: ISO, numeric, month names, years, decades, holidays, times of day."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta

from mnemo.ingestion import temporal_calendar as cal
from mnemo.ingestion.temporal_calendar import Period
from mnemo.ingestion.temporal_grammar import Found, Rule, Scene, pattern

__all__ = ["HOLIDAYS", "MONTH", "RULES", "holiday", "month_number", "pick_year"]

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_ABROAD: Mapping[str, int] = {
    word: number
    for line in (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "januar februar märz april mai juni juli august september oktober november dezember",
    )
    for number, word in enumerate(line.split(), 1)
}
_SHORT: Mapping[str, int] = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
MONTH = r"(?:" + "|".join([*_MONTHS, "sept"] + [f"{name[:3]}\\.?" for name in _MONTHS if name != "may"]) + ")"
_FOREIGN = r"(?:" + "|".join(sorted(_ABROAD, key=len, reverse=True)) + ")"
_LOOKBACK_CHARS = 40
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|early|mid|late|during|around|through|throughout|starting|last|this|next|"
    r"(?:end|start|beginning|middle|half|part|week|weekend|month|day|\w{3,6}day) of)[\s-]{1,3}$",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(
    r"\b(?:in|since|until|till|by|early|mid|late|during|around|throughout|circa|before|after|"
    r"(?:end|start|beginning|middle|half|part|year|back|summer|winter|spring|autumn|fall) (?:of|in))[\s-]{1,3}$",
    re.IGNORECASE,
)


def month_number(text: str) -> int:
    """Return the number of a month by its name, in English, Spanish, French or German, or its short English name."""
    word = text.lower().rstrip(".")
    return _ABROAD.get(word) or _SHORT.get(word) or _SHORT[word[:3]]


def pick_year(make: Callable[[int], Period], scene: Scene, span: tuple[int, int]) -> Period:
    """Return what comes each year: the last begun if the sentence is past, the next if future, else the nearest."""
    around = [make(scene.today.year + offset) for offset in (-1, 0, 1)]
    tense = scene.tense(*span)
    begun = [period for period in around if period.start <= scene.now]
    open_ = [period for period in around if period.end > scene.now]
    if tense < 0:
        return begun[-1]
    if tense > 0:
        return open_[0]
    return min(around, key=lambda period: abs((period.date - scene.today).days))


def _day_month(match: re.Match[str], scene: Scene) -> Period:
    number, month = int(match["day"]), month_number(match["month"])
    if match["year"]:
        return cal.day(date(int(match["year"]), month, number))
    if month == 2 and number == 29:  # noqa: PLR2004  # a leap day has its own years
        return cal.day(date(scene.today.year, month, number))
    return pick_year(lambda y: cal.day(date(y, month, number)), scene, match.span())


def _may(match: re.Match[str]) -> bool:
    """Whether `may` stands as the verb: small, or at the start of a question."""
    return match["month"].lower() == "may" and match["month"] != "May"


def _follows(before: re.Pattern[str], scene: Scene, match: re.Match[str], group: str) -> bool:
    """Whether the words before a month or year say that it is one; alone in the text it needs none."""
    start = match.start(group)
    if match.end() - match.start() == len(scene.text.strip(" .,!?")):
        return True
    return before.search(scene.text, max(0, start - _LOOKBACK_CHARS), start) is not None


def _month_year(match: re.Match[str], _: Scene) -> Period:
    return cal.month(date(int(match["year"]), month_number(match["month"]), 1))


def _bare_month(match: re.Match[str], scene: Scene) -> Period | None:
    if _may(match) or not _follows(_BEFORE_MONTH, scene, match, "month"):
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
    return pick_year(lambda y: cal.month(date(y, month, 1)), scene, match.span())


def _bare_year(match: re.Match[str], scene: Scene) -> Period | None:
    return cal.year(int(match["year"])) if _follows(_BEFORE_YEAR, scene, match, "year") else None


def _decade(match: re.Match[str], _: Scene) -> Period:
    number = int(match["decade"])
    if number < 100:  # noqa: PLR2004  # two digits
        number += 1900 if number >= 30 else 2000  # noqa: PLR2004  # the 30s to 90s are of the last century
    return cal.between(date(number, 1, 1), date(number + 10, 1, 1), "year")


def _iso(match: re.Match[str], _: Scene) -> Period | Found:
    period = cal.day(date(int(match["year"]), int(match["month"]), int(match["day"])))
    if not match["hour"]:
        return period
    start = datetime.combine(period.date, datetime.min.time()).replace(
        hour=int(match["hour"]), minute=int(match["minute"])
    )
    return cal.minute(start)


def _numeric(match: re.Match[str], scene: Scene) -> Period:
    first, second, number = int(match["first"]), int(match["second"]), int(match["year"])
    number += 2000 if number < 100 else 0  # noqa: PLR2004  # two digits are of this century
    month_first = scene.month_first and match["by"] != "."
    day, month = (second, first) if (month_first or second > 12) and first <= 12 else (first, second)  # noqa: PLR2004  # months
    return cal.day(date(number, month, day))


def _day_of_month(match: re.Match[str], scene: Scene) -> Period:
    number = int(match["day"])
    tense = scene.tense(*match.span())
    around = [cal.month(scene.today, offset).date for offset in (-2, -1, 0, 1, 2)]
    days = [
        cal.day(first.replace(day=number)) for first in around if cal.day(first, number - 1).date.month == first.month
    ]
    if tense < 0:
        return [period for period in days if period.start <= scene.now][-1]
    return next(period for period in days if period.end > scene.now)


def _thanksgiving(number: int) -> date:
    first = date(number, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)


HOLIDAYS: Mapping[str, Callable[[int], date]] = {
    r"christmas eve": lambda y: date(y, 12, 24),
    r"boxing day": lambda y: date(y, 12, 26),
    r"christmas(?: day)?|xmas": lambda y: date(y, 12, 25),
    r"new year['\u2019]?s eve": lambda y: date(y, 12, 31),
    r"new year['\u2019]?s(?: day)?": lambda y: date(y, 1, 1),
    r"halloween": lambda y: date(y, 10, 31),
    r"valentine['\u2019]?s(?: day)?": lambda y: date(y, 2, 14),
    r"(?:st\.?|saint) patrick['\u2019]?s(?: day)?": lambda y: date(y, 3, 17),
    r"april fools['\u2019]?(?: day)?": lambda y: date(y, 4, 1),
    r"juneteenth": lambda y: date(y, 6, 19),
    r"independence day|(?:the )?(?:4th|fourth) of july": lambda y: date(y, 7, 4),
    r"bastille day": lambda y: date(y, 7, 14),
    r"thanksgiving(?: day)?": _thanksgiving,
    r"good friday": lambda y: cal.easter(y) - timedelta(days=2),
    r"easter monday": lambda y: cal.easter(y) + timedelta(days=1),
    r"easter(?: sunday)?": cal.easter,
    r"silvester|nochevieja": lambda y: date(y, 12, 31),
    r"weihnachten|noël|navidad": lambda y: date(y, 12, 25),
}


def holiday(dated: Callable[[int], date]) -> Callable[[re.Match[str], Scene], Period]:
    """Return what a match of a holiday means: of the year named, or `last`, `this`, `next`, or by tense."""

    def make(match: re.Match[str], scene: Scene) -> Period:
        if match["year"]:
            return cal.day(dated(int(match["year"])))
        side = (match["side"] or "").lower()
        around = [cal.day(dated(scene.today.year + offset)) for offset in (-1, 0, 1)]
        if side == "last":
            return [period for period in around if period.end <= cal.day(scene.today).start][-1]
        if side == "next":
            return next(period for period in around if period.date > scene.today)
        if side == "this":
            return around[1]
        return pick_year(lambda y: cal.day(dated(y)), scene, match.span())

    return make


def _clock(match: re.Match[str], _: Scene) -> Found | None:
    hour, minutes = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower().replace(".", "").replace(" ", "")
    if half and not 1 <= hour <= 12:  # noqa: PLR2004  # hours of a half day
        return None
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 23 or (not half and not match["minute"]):  # noqa: PLR2004  # the day's last hour
        return None
    first = hour * 60 + minutes
    return Found(*match.span(), clock=(first, first + 1), alone=bool(match["at"] or half))


def _noon(match: re.Match[str], _: Scene) -> Found:
    first = 0 if match["word"].lower() == "midnight" else 720
    return Found(*match.span(), clock=(first, first + 1), alone=bool(match["at"]))


_PARTS = {"morning": (300, 720), "afternoon": (720, 1020), "evening": (1020, 1440), "night": (1080, 1800)}


def _part(match: re.Match[str], _: Scene) -> Found:
    return Found(*match.span(), clock=_PARTS[match["part"].lower()], alone=False)


RULES: tuple[Rule, ...] = (
    Rule(
        pattern(
            r"(?P<year>[12]\d{3})([-/])(?P<month>\d\d?)\2(?P<day>\d\d?)"
            r"(?:[T\s](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d)?Z?)?"
        ),
        _iso,
    ),
    Rule(
        pattern(r"(?<![\d.])(?P<first>\d\d?)(?P<by>[./-])(?P<second>\d\d?)(?P=by)(?P<year>(?:19|20)\d\d|\d\d)(?!\.\d)"),
        _numeric,
    ),
    Rule(
        pattern(
            rf"(?:on )?(?:the )?(?P<day>{_DAY})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})(?:,? (?P<year>{_YEAR}))?"
        ),
        lambda match, scene: None if _may(match) else _day_month(match, scene),
    ),
    Rule(
        pattern(
            rf"(?:on )?(?P<month>{MONTH}) (?:the )?(?P<day>{_DAY})"
            rf"(?:st|nd|rd|th)?(?:,? (?P<year>{_YEAR}))?(?!:\d| ?[ap]\.?m)"
        ),
        lambda match, scene: None if _may(match) else _day_month(match, scene),
    ),
    Rule(
        pattern(
            rf"(?:el |le |am )?(?P<day>{_DAY})(?:\.|er)?(?: de)? (?P<month>{_FOREIGN})(?:(?: del?)? (?P<year>{_YEAR}))?"
        ),
        _day_month,
    ),
    Rule(pattern(rf"(?:in )?(?P<month>{MONTH}),?(?: of)? (?P<year>{_YEAR})"), _month_year),
    Rule(pattern(rf"(?:(?:en|im) )?(?P<month>{_FOREIGN})(?: de)? (?P<year>{_YEAR})"), _month_year),
    Rule(pattern(rf"(?:(?P<side>last|past|this|next) )?(?P<month>{MONTH})"), _bare_month),
    Rule(pattern(rf"(?P<year>{_YEAR})(?![-/:.,%]\d)"), _bare_year),
    Rule(pattern(r"(?:in )?the (?:early |mid |late )?['\u2019]?(?P<decade>(?:19|20)?[1-9]0)['\u2019]?s"), _decade),
    Rule(pattern(rf"on the (?P<day>{_DAY})(?:st|nd|rd|th)(?=[.,;!?)]|$)"), _day_of_month),
    Rule(
        pattern(
            r"(?:(?P<at>at|by|around|@|um|à|a las) ?)?(?P<hour>\d\d?)"
            r"(?::(?P<minute>[0-5]\d))?(?: ?(?P<half>[ap]m|[ap]\.m\.))?"
        ),
        _clock,
    ),
    Rule(pattern(r"(?:(?P<at>at|by|around) )?(?P<word>noon|midnight)"), _noon),
    Rule(pattern(r"(?:in the |at )?(?P<part>morning|afternoon|evening|night)"), _part),
    *(
        Rule(
            pattern(
                rf"(?:(?:on|at|over|for) )?(?:(?P<side>last|this|next)"
                rf" )?(?:{names})(?:,?(?: of| in)? (?P<year>{_YEAR}))?"
            ),
            holiday(dated),
        )
        for names, dated in HOLIDAYS.items()
    ),
)
"""Each rule alone; of overlapping finds the first and longest counts."""
