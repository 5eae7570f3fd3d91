"""The basics in Spanish, French, German, Japanese and Chinese: yesterday, last week, three days ago, last Saturday."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from mnemo.ingestion import temporal_calendar as cal
from mnemo.ingestion.temporal_calendar import Period
from mnemo.ingestion.temporal_grammar import Rule, Scene, bounded, pattern
from mnemo.ingestion.temporal_relative import near_weekday

__all__ = ["RULES"]

_LATIN: Mapping[str, tuple[str, int]] = {
    "ayer": ("day", -1), "anteayer": ("day", -2), "antes de ayer": ("day", -2), "hoy": ("day", 0),
    "pasado mañana": ("day", 2), "la semana pasada": ("week", -1), "esta semana": ("week", 0),
    "la próxima semana": ("week", 1), "la semana que viene": ("week", 1), "el mes pasado": ("month", -1),
    "este mes": ("month", 0), "el próximo mes": ("month", 1), "el mes que viene": ("month", 1),
    "el año pasado": ("year", -1), "este año": ("year", 0), "el próximo año": ("year", 1),
    "el año que viene": ("year", 1), "el fin de semana pasado": ("weekend", -1),
    "avant-hier": ("day", -2), "aujourd'hui": ("day", 0), "aujourd’hui": ("day", 0), "demain": ("day", 1),
    "après-demain": ("day", 2), "la semaine dernière": ("week", -1), "cette semaine": ("week", 0),
    "la semaine prochaine": ("week", 1), "le mois dernier": ("month", -1), "ce mois-ci": ("month", 0),
    "le mois prochain": ("month", 1), "l'année dernière": ("year", -1), "l'an dernier": ("year", -1),
    "cette année": ("year", 0), "l'année prochaine": ("year", 1), "le week-end dernier": ("weekend", -1),
    "gestern": ("day", -1), "vorgestern": ("day", -2), "heute": ("day", 0), "übermorgen": ("day", 2),
    "letzte woche": ("week", -1), "vorige woche": ("week", -1), "diese woche": ("week", 0),
    "nächste woche": ("week", 1), "letzten monat": ("month", -1), "diesen monat": ("month", 0),
    "nächsten monat": ("month", 1), "letztes jahr": ("year", -1), "dieses jahr": ("year", 0),
    "nächstes jahr": ("year", 1), "letztes wochenende": ("weekend", -1), "nächstes wochenende": ("weekend", 1),
}  # fmt: skip
_EAST: Mapping[str, tuple[str, int]] = {
    "一昨日": ("day", -2), "おととい": ("day", -2), "昨日": ("day", -1), "きのう": ("day", -1), "今日": ("day", 0),
    "明日": ("day", 1), "明後日": ("day", 2), "先週": ("week", -1), "今週": ("week", 0), "来週": ("week", 1),
    "先々週": ("week", -2), "再来週": ("week", 2), "先月": ("month", -1), "今月": ("month", 0), "来月": ("month", 1),
    "去年": ("year", -1), "昨年": ("year", -1), "今年": ("year", 0), "来年": ("year", 1), "一昨年": ("year", -2),
    "先週末": ("weekend", -1), "週末": ("weekend", 0), "前天": ("day", -2), "昨天": ("day", -1), "今天": ("day", 0),
    "明天": ("day", 1), "后天": ("day", 2), "後天": ("day", 2), "上周": ("week", -1), "上週": ("week", -1),
    "上星期": ("week", -1), "上个星期": ("week", -1), "这周": ("week", 0), "本周": ("week", 0), "下周": ("week", 1),
    "下週": ("week", 1), "下星期": ("week", 1), "上个月": ("month", -1), "上個月": ("month", -1),
    "这个月": ("month", 0),
    "下个月": ("month", 1), "下個月": ("month", 1), "前年": ("year", -2), "明年": ("year", 1),
}  # fmt: skip
_NUMBERS: Mapping[str, int] = {
    word: number
    for line in (
        "un dos tres cuatro cinco seis siete ocho nueve diez",
        "une deux trois quatre cinq six sept huit neuf dix",
        "ein zwei drei vier fünf sechs sieben acht neun zehn",
        "einem zwei drei vier fünf sechs sieben acht neun zehn",
        "una dos tres cuatro cinco seis siete ocho nueve diez",
        "einer zwei drei vier fünf sechs sieben acht neun zehn",
        "一 二 三 四 五 六 七 八 九 十",
    )
    for number, word in enumerate(line.split(), 1)
} | {"两": 2, "兩": 2}
_UNITS: Mapping[str, str] = {
    "día": "day", "dia": "day", "semana": "week", "mes": "month", "año": "year", "jour": "day", "semaine": "week",
    "mois": "month", "an": "year", "année": "year", "tag": "day", "tagen": "day", "woche": "week", "wochen": "week",
    "monat": "month", "monaten": "month", "jahr": "year", "jahren": "year", "日": "day", "天": "day", "週間": "week",
    "周": "week", "週": "week", "星期": "week", "个星期": "week", "か月": "month", "ヶ月": "month", "ヵ月": "month",
    "カ月": "month", "个月": "month", "個月": "month", "年": "year",
}  # fmt: skip
_WEEKDAYS: Mapping[str, int] = {
    word: number
    for line in (
        "lunes martes miércoles jueves viernes sábado domingo",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "月 火 水 木 金 土 日",
        "一 二 三 四 五 六 天",
    )
    for number, word in enumerate(line.split())
}
_LATIN_COUNT = r"\d{1,4}|" + "|".join(word for word in _NUMBERS if word.isascii() or "ü" in word)
_LATIN_UNIT = "|".join(sorted((word for word in _UNITS if ord(word[0]) < 0x300), key=len, reverse=True))  # noqa: PLR2004  # Latin letters end there
_LATIN_DAY = "|".join(word for word in _WEEKDAYS if ord(word[0]) < 0x300)  # noqa: PLR2004  # the same
_GERMAN = re.compile(r"\b(?:ich|und|ist|der|das|wir|nicht|bin|war|sind|ein)\b", re.IGNORECASE)


def _word(match: re.Match[str], scene: Scene) -> Period:
    text = " ".join(match[0].lower().split())
    name, offset = _LATIN.get(text) or _EAST[text]
    return cal.unit(scene.now, name, offset)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _unit(text: str) -> str:
    word = text.lower()
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s")) or _UNITS[word.removesuffix("es")]


def _counted(match: re.Match[str], scene: Scene) -> Period | None:
    number, name = _number(match["count"]), _unit(match["unit"])
    sign = -1 if match.groupdict().get("ago") else 1
    return cal.unit(scene.now, name, sign * number) if bounded(name, number) else None


def _weekday(match: re.Match[str], scene: Scene) -> Period:
    side = -1 if match["side"].lower() in {"letzten", "vergangenen", "dernier", "pasado"} else 1
    return near_weekday(scene.today, _WEEKDAYS[match["day"].lower()], side)


def _week_day(match: re.Match[str], scene: Scene) -> Period:
    side = -1 if match["side"][0] in "先上" else 0 if match["side"][0] in "今本这這" else 1
    name = "天" if match["side"][0] in "上下本这這" and match["day"] == "日" else match["day"]
    return cal.weekday(scene.today + timedelta(days=7 * side), _WEEKDAYS[name])


def _date(match: re.Match[str], scene: Scene) -> Period:
    number = int(match["year"]) if match["year"] else scene.today.year
    if match["day"]:
        return cal.day(date(number, int(match["month"]), int(match["day"])))
    return cal.month(date(number, int(match["month"]), 1))


def _hier(_: re.Match[str], scene: Scene) -> Period | None:
    """French for yesterday, but German for here."""
    return None if _GERMAN.search(scene.text) else cal.day(scene.today, -1)


_EAST_COUNT = r"\d{1,4}|[一二三四五六七八九十两兩]"
_EAST_UNIT = "|".join(sorted((word for word in _UNITS if ord(word[0]) > 0x3000), key=len, reverse=True))  # noqa: PLR2004  # CJK starts there

RULES: tuple[Rule, ...] = (
    Rule(pattern("(?:" + "|".join(sorted(_LATIN, key=len, reverse=True)) + ")"), _word),
    Rule(pattern("hier"), _hier),
    Rule(
        re.compile(r"(?<!guten )(?<!am )(?<!\w)morgen(?!\w)", re.IGNORECASE), lambda _, scene: cal.day(scene.today, 1)
    ),
    Rule(
        re.compile(r"(?<!la )(?<!esta )(?<!\w)mañana(?!\w)", re.IGNORECASE),
        lambda _, scene: cal.day(scene.today, 1),
    ),
    Rule(
        pattern(r"(?:esta mañana|ce matin|heute morgen)"),
        lambda _, scene: cal.hours(scene.today, 5, 12),
    ),
    Rule(pattern(rf"(?P<ago>hace|il y a|vor) (?P<count>{_LATIN_COUNT}) (?P<unit>(?:{_LATIN_UNIT})(?:e?s)?)"), _counted),
    Rule(pattern(rf"(?:dentro de|dans|in) (?P<count>{_LATIN_COUNT}) (?P<unit>(?:{_LATIN_UNIT})(?:e?s)?)"), _counted),
    Rule(pattern(rf"(?:el )?(?P<day>{_LATIN_DAY}) (?P<side>dernier|prochain|pasado)"), _weekday),
    Rule(pattern(rf"(?P<side>letzten|vergangenen|nächsten|el próximo|próximo) (?P<day>{_LATIN_DAY})"), _weekday),
    Rule(re.compile("|".join(sorted(_EAST, key=len, reverse=True))), _word),
    Rule(re.compile(rf"(?P<count>{_EAST_COUNT})(?P<unit>{_EAST_UNIT})(?P<ago>前)"), _counted),
    Rule(re.compile(rf"(?P<count>{_EAST_COUNT})(?P<unit>{_EAST_UNIT})[後后]"), _counted),
    Rule(re.compile(r"(?P<side>先週|今週|来週)の?(?P<day>[月火水木金土日])曜日?"), _week_day),
    Rule(re.compile(r"(?P<side>上|下|本|这|這)个?(?:周|週|星期)(?P<day>[一二三四五六天日])"), _week_day),
    Rule(re.compile(r"(?:(?P<year>(?:19|20)\d\d)年)?(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号號])?"), _date),
    Rule(re.compile(r"(?P<year>(?:19|20)\d\d)年(?!\d{1,2}月)"), lambda match, _: cal.year(int(match["year"]))),
)
"""Each rule alone; of overlapping finds the first and longest counts."""
