"""English expressions relative to the message: yesterday, three weeks ago, last Saturday, next month, two summers ago.

A whole unit is meant wherever one is counted: `two weeks ago` is the ISO week (from Monday) that contains the
day 14 days before, `three years ago` the calendar year. `last Saturday` is the latest Saturday before today, `this
Saturday` the first from today on, `next Saturday` the one of the next ISO week, and `Saturday` alone the one before
or after today by the tense of its sentence.
`last summer` is the latest one that has ended, `next summer` the first that begins over 90 days
from now.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import COUNT, UNIT, Found, Rule, Scene, bounded, count, pattern, unit_name
from mnemo.temporal.periods import Period

__all__ = ["RULES", "SEASON", "WEEKDAY", "near_weekday", "season_beside", "weekday_number"]

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY = r"(?:" + "|".join(_WEEKDAYS) + r"|(?:mon|tues?|wed|thurs?|fri)\.?(?= (?:morning|afternoon|evening|night)))"
_SHORT = r"(?:mon|tues?|wed|thurs?|fri|sat|sun)"
SEASON = r"(?:spring|summer|autumn|fall|winter)"
_NAMED = rf"(?:{WEEKDAY}|{SEASON}|{UNIT}|night|christmas|easter|halloween|thanksgiving|new year)"
_FIRST_MONTHS: Mapping[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SIDES: Mapping[str, int] = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "following": 1}
_SEASON_LEAD_DAYS = 90
_IS_TODAY = re.compile(r"(?:\b(?:is|already|finally)|it['\u2019]s)\s{1,3}$", re.IGNORECASE)
_DAYS: Mapping[str, int] = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "yday": -1,
    "tmrw": 1,
    "tmr": 1,
}
_HOURS: Mapping[str, tuple[int, int, int]] = {
    "tonight": (0, 18, 24),
    "last night": (-1, 18, 30),
    "the night before last": (-2, 18, 30),
    "tomorrow morning": (1, 5, 12),
    "this morning": (0, 5, 12),
    "this afternoon": (0, 12, 17),
    "this evening": (0, 17, 24),
    "tomorrow night": (1, 18, 30),
    "yesterday night": (-1, 18, 30),
}


def weekday_number(text: str) -> int:
    """Return 0 for Monday to 6 for Sunday by an English name or its beginning."""
    return next(number for number, name in enumerate(_WEEKDAYS) if name.startswith(text.lower().rstrip(".")[:3]))


def near_weekday(today: date, number: int, side: int) -> Period:
    """Return the latest such day before today (-1), the first from today on (0), or that of the next ISO week (1)."""
    if side > 0:
        return cal.weekday(today + timedelta(days=7), number)
    ahead = (number - today.weekday()) % 7
    return cal.day(today, ahead if side == 0 else ahead - 7)


def _ago(match: re.Match[str], scene: Scene) -> Period | None:
    low, high = count(match["count"])
    name = unit_name(match["unit"])
    if not bounded(name, high):
        return None
    if match["half"]:
        return _half(scene, name, low, -1)
    return cal.ago(scene.now, name, -low, -high)


def _half(scene: Scene, name: str, number: int, sign: int) -> Period | None:
    """Return the moment a number and a half units away, in the next smaller unit."""
    smaller = {"year": ("month", 12), "hour": ("minute", 60), "day": ("hour", 24), "decade": ("year", 10)}
    if name in {"month", "week"}:
        days = number * 30 + 15 if name == "month" else number * 7 + 3
        return cal.week(scene.today + timedelta(days=sign * days))
    if name not in smaller:
        return None
    small, factor = smaller[name]
    return cal.unit(scene.now, small, sign * (number * factor + factor // 2))


def _half_ago(match: re.Match[str], scene: Scene) -> Period | None:
    return _half(scene, unit_name(match["unit"]), 0, -1)


def _ahead(match: re.Match[str], scene: Scene) -> Period | None:
    low, high = count(match["count"])
    name = unit_name(match["unit"])
    took = match["in"] and not match["from"] and scene.tense(*match.span()) < 0
    return None if took or not bounded(name, high) else cal.ago(scene.now, name, low, high)


def _sided_unit(match: re.Match[str], scene: Scene) -> Period:
    return cal.unit(scene.now, unit_name(match["unit"]), _SIDES[match["side"].lower()])


def _past(match: re.Match[str], scene: Scene) -> Period | Found | None:
    """The past three years: when they began after `for`, all of them otherwise."""
    low, high = count(match["count"]) if match["count"] else (1, 1)
    name = unit_name(match["unit"])
    if not bounded(name, high):
        return None
    if match["in"].lower() == "for":
        return Found(*match.span(), period=cal.ago(scene.now, name, -low, -high), sense="since")
    first = cal.add_months(scene.today, -high * 12) if name == "year" else _days_before(scene, name, high)
    after = cal.day(scene.today).end.date()
    return cal.between(first, after, cal.unit(scene.now, name, 0).precision)


def _coming(match: re.Match[str], scene: Scene) -> Period | None:
    _, high = count(match["count"])
    name = unit_name(match["unit"])
    if not bounded(name, high):
        return None
    last = cal.unit(scene.now, name, high)
    return Period(cal.day(scene.today).start, last.end, last.precision)


def _days_before(scene: Scene, name: str, number: int) -> date:
    if name == "month":
        return cal.add_months(scene.today, -number)
    days = {"week": 7, "fortnight": 14, "weekend": 7, "decade": 3652}.get(name, 1)
    return scene.today - timedelta(days=days * number)


def _sided_weekday(match: re.Match[str], scene: Scene) -> Period:
    side = " ".join(match["side"].lower().split())
    number = weekday_number(match["weekday"])
    if side.endswith("coming"):  # on a Monday, the coming Monday is a week away
        return near_weekday(scene.today + timedelta(days=1), number, 0)
    steps = -1 if "last" in side or "past" in side else 1 if side == "next" else 0
    return near_weekday(scene.today, number, steps)


def _weekend(match: re.Match[str], scene: Scene) -> Period:
    """The weekend, by the tense of its sentence: the last one begun, or the first that is not over."""
    this = cal.weekend(scene.today)
    past = scene.tense(*match.span()) < 0
    return cal.weekend(scene.today, -1) if past and this.start > scene.now else this


def _to_the_day(match: re.Match[str], scene: Scene) -> Period | None:
    """Six months ago today, a week ago last Friday: counted to the day."""
    number, name = count(match["count"])[0], unit_name(match["unit"])
    if not bounded(name, number):
        return None
    text = match["day"].lower()
    if text in _DAYS:
        base = cal.day(scene.today, _DAYS[text])
    else:
        base = near_weekday(scene.today, weekday_number(text.split()[-1]), -1)
    if name in {"month", "year"}:
        return cal.day(cal.add_months(base.date, -number * (12 if name == "year" else 1)))
    return cal.day(base.date, -number * {"week": 7, "fortnight": 14}.get(name, 1))


def _week_after(match: re.Match[str], scene: Scene) -> Period:
    """Monday week, tomorrow fortnight: that day, and as long again."""
    text, days = match["day"].lower(), 14 if match["unit"].lower() == "fortnight" else 7
    if text in _DAYS:
        return cal.day(scene.today, _DAYS[text] + days)
    return cal.day(near_weekday(scene.today + timedelta(days=1), weekday_number(text), 0).date, days)


def _part_ago(match: re.Match[str], scene: Scene) -> Period | None:
    """Three nights ago, two mornings ago."""
    low, high = count(match["count"])
    if low != high or not bounded("day", low):
        return None
    first, after = {"night": (18, 30), "morning": (5, 12), "afternoon": (12, 17), "evening": (17, 24)}[
        match["part"].lower().removesuffix("s")
    ]
    return cal.hours(cal.day(scene.today, -low).date, first, after)


def season_beside(scene: Scene, first_month: int, step: int) -> Period:
    """Return the season of that first month (of the north): the last one ended (-1), this (0), or the next (1)."""
    first = (first_month + 5) % 12 + 1 if scene.south else first_month
    around = [cal.season(first, scene.today.year + offset) for offset in (-3, -2, -1, 0, 1, 2, 3)]
    if step < 0:
        return [period for period in around if period.end <= scene.now][step]
    if step > 0:
        return [period for period in around if (period.start - scene.now).days > _SEASON_LEAD_DAYS][step - 1]
    return next(period for period in around if period.end > scene.now)


def _bare_weekday(match: re.Match[str], scene: Scene) -> Found:
    number = weekday_number(match["weekday"])
    if scene.anchor is None:
        return Found(*match.span(), weekday=number)
    if number == scene.today.weekday() and _IS_TODAY.search(scene.text, max(0, match.start() - 20), match.start()):
        return Found(*match.span(), period=cal.day(scene.today), weekday=number)
    past = scene.tense(*match.span()) < 0
    period = near_weekday(scene.today, number, -1) if past else near_weekday(scene.today + timedelta(days=1), number, 0)
    return Found(*match.span(), period=period, weekday=number)


def _season_at(match: re.Match[str], scene: Scene, number: int) -> Period:
    first = _FIRST_MONTHS[match["season"].lower()]
    return cal.season((first + 5) % 12 + 1 if scene.south else first, number)


def _season(match: re.Match[str], scene: Scene) -> Period | None:
    side = (match["side"] or "").lower()
    if match["year"]:
        return _season_at(match, scene, int(match["year"]))
    around = [_season_at(match, scene, scene.today.year + offset) for offset in (-2, -1, 0, 1, 2)]
    begun = [period for period in around if period.start <= scene.now]
    if side in {"last", "past"}:
        return [period for period in around if period.end <= scene.now][-1]
    if side == "next":
        return next(period for period in around if (period.start - scene.now).days > _SEASON_LEAD_DAYS)
    if not side:
        tense = scene.tense(*match.span())
        if tense < 0:
            return begun[-1]
    return next(period for period in around if period.end > scene.now)


def _nth_back(match: re.Match[str], scene: Scene) -> Period | None:
    low, _ = count(match["count"])
    if not bounded("year", low):
        return None
    if match["weekday"]:
        return cal.day(near_weekday(scene.today, weekday_number(match["weekday"]), -1).date, -7 * (low - 1))
    ended = [_season_at(match, scene, scene.today.year + offset) for offset in (-2, -1, 0)]
    latest = [period for period in ended if period.end <= scene.now][-1]
    return cal.season(latest.date.month, latest.date.year - low + 1)


def _hours(match: re.Match[str], scene: Scene) -> Period:
    offset, first, after = _HOURS[" ".join(match[0].lower().split())]
    return cal.hours(cal.day(scene.today, offset).date, first, after)


def _days(match: re.Match[str], scene: Scene) -> Period:
    return cal.day(scene.today, _DAYS[" ".join(match[0].lower().split())])


def _nothing(match: re.Match[str], _: Scene) -> Found:
    return Found(*match.span())


RULES: tuple[Rule, ...] = (
    Rule(pattern("|".join(sorted(map(str, _HOURS), key=len, reverse=True)).join(("(?:", ")"))), _hours),
    Rule(pattern("|".join(sorted(_DAYS, key=len, reverse=True)).join(("(?:", ")"))), _days),
    Rule(pattern(r"(?:earlier|later) today"), lambda _, scene: cal.day(scene.today)),
    Rule(pattern(r"(?:just|right) now"), lambda _, scene: cal.minute(scene.now)),
    Rule(
        pattern(r"the other (?:day|night|morning|evening)"),
        lambda _, scene: cal.between(scene.today - timedelta(days=7), scene.today, "week"),
    ),
    Rule(pattern(rf"(?P<count>{COUNT}) (?P<unit>{UNIT})(?P<half> and a half)? (?:ago|back)"), _ago),
    Rule(pattern(rf"(?P<count>{COUNT})(?P<half> and a half) (?P<unit>{UNIT}) ago"), _ago),
    Rule(pattern(r"(?:half an?|a half) (?P<unit>year|hour|decade|day) ago"), _half_ago),
    Rule(
        pattern(
            rf"(?:exactly )?(?P<count>{COUNT}) (?P<unit>day|week|fortnight|month|year)s? ago"
            rf" (?P<day>today|yesterday|tomorrow|(?:on |last |this )?{WEEKDAY})"
        ),
        _to_the_day,
    ),
    Rule(
        pattern(rf"(?:on )?(?P<day>today|tomorrow|{WEEKDAY}) (?P<unit>week|fortnight)(?! \d| of| from| after| before)"),
        _week_after,
    ),
    Rule(pattern(rf"(?P<count>{COUNT}) (?P<part>night|morning|evening|afternoon)s ago"), _part_ago),
    Rule(pattern(r"(?:over|at|on|during) the weekend"), _weekend),
    Rule(
        pattern(r"(?:around |about |at )?this time last (?P<unit>week|month|year)"),
        lambda m, s: cal.month(s.today, -12) if m["unit"].lower() == "year" else cal.unit(s.now, m["unit"].lower(), -1),
    ),
    Rule(pattern(rf"(?P<in>in )(?P<count>{COUNT}) (?P<unit>{UNIT})(?: time)?(?P<from> from (?:now|today))?"), _ahead),
    Rule(pattern(rf"(?P<in>)(?P<count>{COUNT}) (?P<unit>{UNIT})(?P<from> from (?:now|today))"), _ahead),
    Rule(
        pattern(rf"(?:the )?(?P<side>{'|'.join(_SIDES)}) (?P<unit>week|weekend|month|year|decade|fortnight)"),
        _sided_unit,
    ),
    Rule(
        pattern(r"(?:(?:in|over|during) )?the coming (?P<unit>week|month|year)"),
        lambda m, s: cal.unit(s.now, m["unit"], 1),
    ),
    Rule(
        pattern(rf"(?:the )?(?P<unit>week|weekend|month|year) before last(?! {_NAMED})"),
        lambda m, s: cal.unit(s.now, m["unit"], -2),
    ),
    Rule(pattern(r"(?:the )?(?P<unit>week|weekend|month|year) after next"), lambda m, s: cal.unit(s.now, m["unit"], 2)),
    Rule(pattern(r"(?<=of\s)the (?P<unit>week|month|year)"), lambda m, s: cal.unit(s.now, m["unit"], 0)),
    Rule(
        pattern(
            rf"(?P<in>for|in|over|during|within|throughout) the (?:past|last) (?:(?P<count>{COUNT}) )?(?P<unit>{UNIT})"
        ),
        _past,
    ),
    Rule(
        pattern(rf"(?:in|over|during|within) the (?:next|coming) (?P<count>{COUNT}) (?P<unit>{UNIT})"),
        _coming,
    ),
    Rule(
        pattern(
            r"(?:on )?(?P<side>this past|this coming|the coming|coming|last|past|this|next)"
            rf" (?P<weekday>{WEEKDAY}|{_SHORT})(?! of)"
        ),
        _sided_weekday,
    ),
    Rule(pattern(rf"(?:on )?(?P<weekday>{WEEKDAY})"), _bare_weekday),
    Rule(pattern(r"on (?P<weekday>(?-i:Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun))"), _bare_weekday),
    Rule(pattern(rf"(?P<count>{COUNT}) (?:(?P<season>{SEASON})|(?P<weekday>{WEEKDAY}))s ago"), _nth_back),
    Rule(
        pattern(rf"(?:(?:in|over|during) )?(?:the )?(?P<side>last|past|this|next) (?P<season>{SEASON})(?P<year>(?!))?"),
        _season,
    ),
    Rule(
        pattern(rf"(?:(?:in|over|during) )?(?:the )?(?P<side>)(?P<season>{SEASON})(?: of)?,? (?P<year>(?:19|20)\d\d)"),
        _season,
    ),
    Rule(pattern(rf"(?P<side>)(?:in|over|during|since) (?:the )?(?P<season>{SEASON})(?P<year>(?!))?"), _season),
    Rule(
        pattern(rf"(?:every|each|most|any|some|one) (?:{WEEKDAY}|{SEASON}|{UNIT}|morning|afternoon|evening|night)s?"),
        _nothing,
    ),
    Rule(pattern(rf"(?:on )?(?:{WEEKDAY})s"), _nothing),
    Rule(
        pattern(rf"for (?:(?:about|over|almost|nearly|around|another|more than) )?{COUNT}(?: more)? {UNIT}"), _nothing
    ),
    Rule(pattern(rf"{COUNT}[ -]{UNIT}[ -]olds?"), _nothing),
    Rule(
        pattern(r"(?:sunday school|sunday best|friday the 13th|good night|good morning|good evening|good afternoon)"),
        _nothing,
    ),
)
"""Each rule alone; of overlapping finds the first and longest counts. `_nothing` keeps other rules off."""
