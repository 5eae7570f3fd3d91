"""The basics in Japanese, Chinese and Korean: 昨日, 上周六, 三天前, 去年の夏, 令和3年5月3日, 어제, 3일 전."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, Sense, TimeContext, TimeMatch, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.counts import bounded
from mnemo.temporal.rules.years import pick_year
from mnemo.temporal.vocabulary import alternatives
from mnemo.text.patterns import lazy_pattern

__all__ = ["RULES"]

_WORDS: Mapping[str, tuple[str, int]] = {
    "一昨日": ("day", -2), "おととい": ("day", -2), "昨日": ("day", -1), "きのう": ("day", -1), "今日": ("day", 0),
    "明日": ("day", 1), "明後日": ("day", 2), "あさって": ("day", 2), "先週": ("week", -1), "今週": ("week", 0),
    "来週": ("week", 1), "先々週": ("week", -2), "再来週": ("week", 2), "先月": ("month", -1), "今月": ("month", 0),
    "先々月": ("month", -2), "来月": ("month", 1), "再来月": ("month", 2), "去年": ("year", -1), "昨年": ("year", -1),
    "今年": ("year", 0), "来年": ("year", 1), "再来年": ("year", 2), "一昨年": ("year", -2), "おととし": ("year", -2),
    "先週末": ("weekend", -1), "今週末": ("weekend", 0), "来週末": ("weekend", 1), "週末": ("weekend", 0),
    "半年前": ("month", -6), "半年後": ("month", 6), "半年后": ("month", 6),
    "前天": ("day", -2), "大前天": ("day", -3), "昨天": ("day", -1), "今天": ("day", 0), "明天": ("day", 1),
    "后天": ("day", 2), "後天": ("day", 2), "大后天": ("day", 3), "大後天": ("day", 3),
    "上周末": ("weekend", -1), "上週末": ("weekend", -1), "上个周末": ("weekend", -1), "上個週末": ("weekend", -1),
    "这个周末": ("weekend", 0), "這個週末": ("weekend", 0), "这周末": ("weekend", 0), "本周末": ("weekend", 0),
    "下周末": ("weekend", 1), "下週末": ("weekend", 1), "下个周末": ("weekend", 1),
    "上周": ("week", -1), "上週": ("week", -1), "上星期": ("week", -1), "上个星期": ("week", -1),
    "上上周": ("week", -2), "上上週": ("week", -2), "下下周": ("week", 2), "下下週": ("week", 2),
    "这周": ("week", 0), "這週": ("week", 0), "本周": ("week", 0), "下周": ("week", 1), "下週": ("week", 1),
    "下星期": ("week", 1), "下个星期": ("week", 1), "上个月": ("month", -1), "上個月": ("month", -1),
    "这个月": ("month", 0), "這個月": ("month", 0), "本月": ("month", 0), "下个月": ("month", 1),
    "下個月": ("month", 1), "前年": ("year", -2), "明年": ("year", 1), "后年": ("year", 2), "後年": ("year", 2),
    "그저께": ("day", -2), "어제": ("day", -1), "오늘": ("day", 0), "내일": ("day", 1), "모레": ("day", 2),
    "지난주": ("week", -1), "지난 주": ("week", -1), "이번 주": ("week", 0), "다음 주": ("week", 1),
    "지난달": ("month", -1), "지난 달": ("month", -1), "이번 달": ("month", 0), "다음 달": ("month", 1),
    "작년": ("year", -1), "올해": ("year", 0), "내년": ("year", 1), "지난 주말": ("weekend", -1),
}  # fmt: skip
_HOURS: Mapping[str, tuple[int, int, int]] = {
    **dict.fromkeys(("昨夜", "昨晩", "昨晚", "어젯밤"), (-1, 18, 30)),
    **dict.fromkeys(("今朝", "今早", "今天早上", "오늘 아침"), (0, 5, 12)),
    **dict.fromkeys(("今夜", "今晩", "今晚", "오늘 밤"), (0, 18, 24)),
}
_UNITS: Mapping[str, str] = {
    "日": "day", "天": "day", "일": "day", "週間": "week", "周": "week", "週": "week", "星期": "week",
    "个星期": "week", "個星期": "week", "주": "week", "か月": "month", "ヶ月": "month", "ヵ月": "month",
    "カ月": "month", "个月": "month", "個月": "month", "개월": "month", "달": "month", "年": "year", "년": "year",
}  # fmt: skip
_DAYS: Mapping[str, int] = {
    day: number for line in ("月火水木金土日", "一二三四五六天", "월화수목금토일") for number, day in enumerate(line)
}
_DIGITS: Mapping[str, int] = {"\u3007": 0, "零": 0, "两": 2, "兩": 2} | {
    digit: number for number, digit in enumerate("一二三四五六七八九", 1)
}
_ERAS: Mapping[str, int] = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911}
_SEASONS: Mapping[str, int] = {"春": 3, "夏": 6, "秋": 9, "冬": 12, "봄": 3, "여름": 6, "가을": 9, "겨울": 12}
_YEARS = "去年|昨年|今年|来年|明年|前年|작년|올해|내년"
_MONTHS = "先月|今月|来月|上个月|上個月|这个月|這個月|下个月|下個月|지난달|지난 달|이번 달|다음 달"
_COUNT = r"\d{1,4}|[一二三四五六七八九十百两兩〇]{1,5}"
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?[月월]"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9]|[一二三四五六七八九十]{1,3})\s?[日号號일]"


def _number(text: str) -> int:
    """Read a number in digits or in Chinese numerals below 1,000: 十二, 二十, 百五."""
    if text.isdigit() and text.isascii():
        return int(text)
    total, digit = 0, 0
    for character in text:
        factor = {"十": 10, "百": 100}.get(character)
        if factor is None:
            digit = 10 * digit + _DIGITS[character]
        else:
            total, digit = total + factor * (digit or 1), 0
    return total + digit


def _word(match: re.Match[str], scene: TimeContext) -> Period:
    name, offset = _WORDS[match[0]]
    return cal.unit(scene.now, name, offset)


def _hours(match: re.Match[str], scene: TimeContext) -> Period:
    offset, first, after = _HOURS[match[0]]
    return cal.hours(cal.day(scene.today, offset).date, first, after)


def _counted(match: re.Match[str], scene: TimeContext) -> Period | None:
    number, name = _number(match["count"]), _UNITS[match["unit"]]
    sign = -1 if match["side"] in {"前", "전"} else 1
    return cal.unit(scene.now, name, sign * number) if bounded(name, number) else None


def _week_day(match: re.Match[str], scene: TimeContext) -> Period:
    side = match["side"]
    steps = -1 if side[0] in "先上지" else 0 if side[0] in "今本这這이" else 1
    chinese = side[0] in "上下本这這"
    return cal.weekday(
        scene.today + timedelta(days=7 * steps), 6 if chinese and match["day"] == "日" else _DAYS[match["day"]]
    )


def _year(match: re.Match[str], scene: TimeContext) -> int | None:
    if match["era"]:
        return _ERAS[match["era"]] + (1 if match["reign"] == "元" else _number(match["reign"]))
    if match["relative"]:
        name, offset = _WORDS[match["relative"]]
        return cal.unit(scene.now, name, offset).date.year
    return int(match["year"]) if match["year"] else None


def _date(match: re.Match[str], scene: TimeContext) -> Period:
    number, month = _year(match, scene), _number(match["month"])

    def made(year: int) -> Period:
        if match["day"]:
            return cal.day(date(year, month, _number(match["day"])))
        return cal.month(date(year, month, 1))

    if number is not None or (month, match["day"]) == (2, "29"):
        return made(number if number is not None else scene.today.year)
    return pick_year(made, scene, match.span())


def _whole_year(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    number = _year(match, scene)
    if number is None:
        return None
    sense: Sense = "since" if match["from"] or match["since"] else "until" if match["until"] else "at"
    return TimeMatch(*match.span(), period=cal.year(number), sense=sense)


def _season(match: re.Match[str], scene: TimeContext) -> Period | None:
    number, first = _year(match, scene), _SEASONS[match["season"]]
    return cal.season((first + 5) % 12 + 1 if scene.south else first, number) if number is not None else None


def _day_of(match: re.Match[str], scene: TimeContext) -> Period:
    name, offset = _WORDS[match["of"]]
    return cal.day(cal.unit(scene.now, name, offset).date.replace(day=_number(match["day"])))


_ERA = rf"(?P<era>{'|'.join(_ERAS)})(?P<reign>元|{_COUNT})年"
_PLAIN = r"(?P<year>(?:19|20)\d\d)\s?[年년]"
_NAMED_YEAR = rf"(?:{_ERA}|{_PLAIN}|(?P<relative>{_YEARS}))"

RULES: tuple[Rule, ...] = (
    Rule(lazy_pattern(alternatives(_WORDS)), _word, triggers(_WORDS)),
    Rule(lazy_pattern(alternatives(_HOURS)), _hours, triggers(_HOURS)),
    Rule(
        lazy_pattern(
            rf"(?<![\d一二三四五六七八九十百])(?P<count>{_COUNT})\s?(?P<unit>{alternatives(_UNITS)})\s?(?:之|以)?"
            r"(?P<side>[前後后전])"
        ),
        _counted,
        triggers("前 後 后 전"),
    ),
    Rule(
        lazy_pattern(
            r"(?P<side>先週|今週|来週|지난주|지난 주|이번 주|다음 주)(?:の|\s)?"
            r"(?P<day>[月火水木金土日월화수목금토])(?:曜日?|요일)"
        ),
        _week_day,
        triggers("曜 요"),
    ),
    Rule(
        lazy_pattern(r"(?P<side>先週|今週|来週)の?(?P<day>[月火水木金土日])(?!曜|[一-龥])"),
        _week_day,
        triggers("先 今 来"),
    ),
    Rule(
        lazy_pattern(r"(?P<side>上|下|本|这|這)[个個]?(?:周|週|星期|礼拜|禮拜)(?P<day>[一二三四五六天日])"),
        _week_day,
        triggers("上 下 本 这 這"),
    ),
    Rule(lazy_pattern(rf"(?:{_NAMED_YEAR}の?\s?)?{_MONTH}(?:\s?{_DAY})?"), _date, triggers("月 월")),
    Rule(lazy_pattern(rf"(?P<of>{_MONTHS})の?\s?{_DAY}"), _day_of, triggers("月 달")),
    Rule(
        lazy_pattern(
            rf"(?P<from>[从從自])?(?:{_ERA}|{_PLAIN}|(?P<relative>(?!)))"
            r"(?:(?P<since>から|以来|以來|부터|起)|(?P<until>まで|까지))?"
        ),
        _whole_year,
        triggers("年 년"),
    ),
    Rule(lazy_pattern(rf"{_NAMED_YEAR}の?\s?(?P<season>{alternatives(_SEASONS)})[天季]?"), _season, triggers(_SEASONS)),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
