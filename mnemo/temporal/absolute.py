"""Dates, absolute or without their year: ISO, numeric, month names, years, decades, times of day."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Found, Rule, Scene, pattern
from mnemo.temporal.periods import Period

__all__ = ["FOREIGN_MONTH", "MONTH", "RULES", "month_number", "pick_year"]

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
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    )
    for number, word in enumerate(line.split(), 1)
}
_SHORT: Mapping[str, int] = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
MONTH = r"(?:" + "|".join([*_MONTHS, "sept"] + [f"{name[:3]}\\.?" for name in _MONTHS if name != "may"]) + ")"
FOREIGN_MONTH = r"(?:" + "|".join(sorted(_ABROAD, key=len, reverse=True)) + ")"
_LOOKBACK_CHARS = 40
_YEAR = r"(?:19|20)\d\d"
_ANY_YEAR = r"(?:1\d|20)\d\d"
"""A year beside a day or a month, which leave no doubt that it is one."""
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_BEFORE_MONTH = re.compile(
    r"\b(?:in|since|until|till|by|early|mid|late|during|around|through|throughout|starting|last|this|next|"
    r"(?:end|start|beginning|middle|half|part|week|weekend|month|day|\w{3,6}day) of)[\s-]{1,3}$",
    re.IGNORECASE,
)
_YOUNGEST = 35
"""Two digits after an apostrophe above this are of the last century."""
_TEENS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_ONES = "first second third fourth fifth sixth seventh eighth ninth"
_TENS = ("twentieth", *(f"twenty-{word}" for word in _ONES.split()), "thirtieth", "thirty-first")
_ORDINALS: Mapping[str, int] = {
    word: number for number, word in enumerate((*_ONES.split(), *_TEENS.split(), *_TENS), 1)
}
_NTH = rf"(?:{_DAY}(?:st|nd|rd|th)|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})"
_BEFORE_YEAR = re.compile(
    r"\b(?:in|since|until|till|by|early|mid|late|during|around|throughout|circa|before|after|seit|depuis|desde|dal|"
    r"sinds|bis|jusqu['’]en|hasta|até|fino al|en|em|nel|im jahr|в|"
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
    number, month = _nth(match["day"]), month_number(match["month"])
    if match["year"]:
        return cal.day(date(int(match["year"]), month, number))
    if month == 2 and number == 29:  # noqa: PLR2004  # a leap day has its own years
        return cal.day(date(scene.today.year, month, number))
    return pick_year(lambda y: cal.day(date(y, month, number)), scene, match.span())


def _nth(text: str) -> int:
    """Read a day of the month: 3rd, third."""
    return _ORDINALS.get(text.lower()) or int(re.sub(r"\D", "", text))


def _may(match: re.Match[str]) -> bool:
    """Whether `may` stands as the verb: small, or at the start of a question."""
    return match["month"].lower() == "may" and match["month"] != "May"


def _follows(before: re.Pattern[str], scene: Scene, match: re.Match[str], group: str) -> bool:
    """Whether the words before a month or year say that it is one; alone in the text it needs none."""
    start = match.start(group) - (scene.text[match.start(group) - 1 : match.start(group)] in {"'", "\u2019"})
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


def _beside(match: re.Match[str], scene: Scene, side: str) -> int:
    """How many units from now `last`, `this` or `next` is."""
    return {"last": -1, "past": -1, "this": 0, "the": 0, "next": 1}[match[side].lower()] if scene.now else 0


def _month_beside(match: re.Match[str], scene: Scene) -> Period:
    """March last year, next year in March, on 3 March last year."""
    number = scene.today.year + _beside(match, scene, "side")
    first = date(number, month_number(match["month"]), 1)
    return cal.day(first.replace(day=_nth(match["day"]))) if match["day"] else cal.month(first)


def _day_of_month_beside(match: re.Match[str], scene: Scene) -> Period:
    month = cal.month(scene.today, _beside(match, scene, "side"))
    return cal.day(month.date.replace(day=_nth(match["day"])))


def _weekday_and_day(match: re.Match[str], scene: Scene) -> Period:
    """Tuesday the 2nd: the nearest such day on the side that the tense tells, within two years."""
    number, name = _nth(match["day"]), match["weekday"].lower()[:3]
    tense, today = scene.tense(*match.span()), scene.today
    days = [today + timedelta(days=offset) for offset in range(-731, 732)]
    fitting = [day for day in days if day.day == number and f"{day:%a}".lower() == name]
    sided = [day for day in fitting if not tense or (day >= today if tense > 0 else day <= today)]
    return cal.day(min(sided, key=lambda day: abs(day - today)))


def _short_numeric(match: re.Match[str], scene: Scene) -> Period:
    first, second = int(match["first"]), int(match["second"])
    day, month = (second, first) if (scene.month_first or second > 12) and first <= 12 else (first, second)  # noqa: PLR2004  # months
    return pick_year(lambda y: cal.day(date(y, month, day)), scene, match.span())


def _numeric_month(match: re.Match[str], _: Scene) -> Period:
    return cal.month(date(int(match["year"]), int(match["month"]), 1))


def _iso_week(match: re.Match[str], _: Scene) -> Period:
    monday = date.fromisocalendar(int(match["year"]), int(match["week"]), 1)
    number = match.groupdict().get("weekday")
    return cal.day(monday, int(number) - 1) if number else cal.week(monday)


def _quarter(match: re.Match[str], _: Scene) -> Period:
    word = match["number"].lower()
    return cal.quarter(int(match["year"]), int(word if word.isdigit() else _ORDINALS.get(word) or word[0]) - 1)


def _half_year(match: re.Match[str], _: Scene) -> Period:
    number, half = int(match["year"]), match["number"].lower()
    first = date(number, 1 if half in {"1", "first", "1st"} else 7, 1)
    return cal.between(first, cal.add_months(first, 6), "season")


def _short_year(match: re.Match[str], scene: Scene) -> Period | None:
    if not _follows(_BEFORE_YEAR, scene, match, "year"):
        return None
    number = int(match["year"])
    return cal.year(number + (1900 if number > _YOUNGEST else 2000))


def _years(match: re.Match[str], _: Scene) -> Found:
    """From 2015 to 2018: from the start of the one to the end of the other."""
    first, last = int(match["first"]), int(match["last"])
    period = cal.between(date(first, 1, 1), date(last + 1, 1, 1), "year") if first < last else None
    return Found(*match.span(), period=period, sense="during")


def _day_of_month(match: re.Match[str], scene: Scene) -> Period:
    number = _nth(match["day"])
    tense = scene.tense(*match.span())
    around = [cal.month(scene.today, offset).date for offset in (-2, -1, 0, 1, 2)]
    days = [
        cal.day(first.replace(day=number)) for first in around if cal.day(first, number - 1).date.month == first.month
    ]
    if tense < 0:
        return [period for period in days if period.start <= scene.now][-1]
    return next(period for period in days if period.end > scene.now)


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
            rf"(?:on )?(?:the )?(?P<day>{_DAY})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})(?:,? (?P<year>{_ANY_YEAR}))?"
        ),
        lambda match, scene: None if _may(match) else _day_month(match, scene),
    ),
    Rule(
        pattern(
            rf"(?:on )?(?P<month>{MONTH}) (?:the )?(?P<day>{_DAY})"
            rf"(?:st|nd|rd|th)?(?:,? (?P<year>{_ANY_YEAR}))?(?!:\d| ?[ap]\.?m)"
        ),
        lambda match, scene: None if _may(match) else _day_month(match, scene),
    ),
    Rule(
        pattern(
            rf"(?:el |le |am |il |em |op )?(?P<day>{_DAY})(?:\.|er|º|°)?(?: de)? (?P<month>{FOREIGN_MONTH})"
            rf"(?:(?: del?)? (?P<year>{_ANY_YEAR}))?"
        ),
        _day_month,
    ),
    Rule(pattern(rf"(?:in )?(?P<month>{MONTH}),?(?: of)? (?P<year>{_ANY_YEAR})"), _month_year),
    Rule(pattern(rf"(?:(?:en|im|em|nel|in) )?(?P<month>{FOREIGN_MONTH})(?: de)? (?P<year>{_YEAR})"), _month_year),
    Rule(pattern(rf"(?:(?P<side>last|past|this|next) )?(?P<month>{MONTH})"), _bare_month),
    Rule(pattern(rf"(?P<year>{_YEAR})(?![-/:.,%]\d)"), _bare_year),
    Rule(pattern(r"(?:in )?the (?:early |mid |late )?['\u2019]?(?P<decade>(?:19|20)\d0|[1-9]0)['\u2019]?s"), _decade),
    Rule(
        pattern(
            rf"on the (?P<day>{_NTH})(?=[.,;!?)]|$|"
            r"(?-i: (?:and|at|but|because|so|when|i|I|we|he|she|they|with|in the|for))\b)"
        ),
        _day_of_month,
    ),
    Rule(pattern(rf"(?:on )?the (?P<day>{_NTH}) of (?P<side>last|this|next|the) month"), _day_of_month_beside),
    Rule(
        pattern(
            rf"(?:on )?(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day),? (?:the )?(?P<day>{_NTH})"
            rf"(?! (?:of |{MONTH}))"
        ),
        _weekday_and_day,
    ),
    Rule(pattern(rf"(?:on )?the (?P<day>{_NTH}) of (?P<month>{MONTH})(?:,? (?P<year>{_YEAR}))?"), _day_month),
    Rule(
        pattern(
            rf"(?:in |on )?(?:(?:the )?(?P<day>{_NTH}|{_DAY})(?: of)? )?(?P<month>{MONTH}),?(?: of)?"
            r" (?P<side>last|this|next) year"
        ),
        _month_beside,
    ),
    Rule(
        pattern(
            rf"(?P<side>last|this|next) year,? (?:in|on|around)"
            rf" (?:(?:the )?(?P<day>{_NTH}|{_DAY})(?: of)? )?(?P<month>{MONTH})"
        ),
        _month_beside,
    ),
    Rule(
        pattern(rf"(?P<day>{_DAY})-(?P<month>{MONTH})-(?P<year>{_YEAR})"),
        _day_month,
    ),
    Rule(pattern(r"on (?P<first>\d\d?)/(?P<second>\d\d?)(?![/.\d])"), _short_numeric),
    Rule(pattern(rf"(?<![\d/-])(?P<month>0?[1-9]|1[0-2])/(?P<year>{_YEAR})(?![/-]?\d)"), _numeric_month),
    Rule(pattern(rf"(?<![\d/-])(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])(?![-/]?\d)"), _numeric_month),
    Rule(pattern(rf"(?P<year>{_YEAR})-?W(?P<week>[0-5]\d)(?:-?(?P<weekday>[1-7]))?"), _iso_week),
    Rule(
        pattern(
            rf"(?:in )?(?:calendar )?(?:week|kw|cw|semaine|semana|settimana) (?P<week>[0-5]?\d)"
            rf"(?: of|,|/)? ?(?P<year>{_YEAR})"
        ),
        _iso_week,
    ),
    Rule(pattern(rf"(?:in )?Q(?P<number>[1-4])(?: of)?[ /-]?(?P<year>{_YEAR})"), _quarter),
    Rule(
        pattern(
            rf"(?:in )?(?:the )?(?P<number>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of)? (?P<year>{_YEAR})"
        ),
        _quarter,
    ),
    Rule(pattern(rf"(?:in )?H(?P<number>[12])(?: of)?[ /-]?(?P<year>{_YEAR})"), _half_year),
    Rule(pattern(rf"(?:in )?(?:the )?(?P<number>first|second) half of (?P<year>{_YEAR})"), _half_year),
    Rule(re.compile(r"(?<!\w)['\u2019](?P<year>\d\d)(?![\w'\u2019])"), _short_year),
    Rule(pattern(rf"(?:from|between) (?P<first>{_YEAR}) (?:to|and|until|till|through|-|–) (?P<last>{_YEAR})"), _years),
    Rule(pattern(rf"(?<![-/])(?P<first>{_YEAR}) ?[-–—] ?(?P<last>{_YEAR})(?![-/])"), _years),
    Rule(
        pattern(
            r"(?:(?P<at>at|by|around|@|um|à|a las) ?)?(?P<hour>\d\d?)"
            r"(?::(?P<minute>[0-5]\d))?(?: ?(?P<half>[ap]m|[ap]\.m\.))?"
        ),
        _clock,
    ),
    Rule(pattern(r"(?:(?P<at>at|by|around) )?(?P<word>noon|midnight)"), _noon),
    Rule(pattern(r"(?:in the |at )?(?P<part>morning|afternoon|evening|night)"), _part),
)
"""Each rule alone; of overlapping finds the first and longest counts."""
