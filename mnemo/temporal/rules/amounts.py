"""An amount of time from now: three weeks ago, in half an hour, 2 years and 3 months ago, in 2 weeks' time.

A whole unit is meant wherever one is counted: `two weeks ago` is the ISO week (from Monday) that contains the day 14
days before, `three years ago` the calendar year. Of several units the smallest is meant: `2 years and 3 months ago` is
a month.
"""

import re
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Rule, TimeContext, TimeMatch, pattern, triggers
from mnemo.temporal.periods import Period
from mnemo.temporal.rules.counts import (
    AMOUNT,
    APPROXIMATELY,
    COUNT,
    UNIT,
    UNIT_WORDS,
    amount,
    away,
    bounded,
    count,
    unit_name,
)
from mnemo.temporal.rules.days import DAYS
from mnemo.temporal.rules.weekdays import WEEKDAY, near_weekday, weekday_number
from mnemo.temporal.tense import Direction
from mnemo.temporal.vocabulary import alternatives

__all__ = ["RULES"]


def _found(match: re.Match[str], period: Period | None) -> TimeMatch | None:
    """Return a match for the period, one unit coarser if the words say `about`."""
    if period is None:
        return None
    about = bool(match["about"] or match["or_so"])
    return TimeMatch(*match.span(), period=cal.coarser(period) if about else period, approximate=about)


def _ago(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    return _found(match, away(scene.now, amount(match["amount"]), -1))


def _ahead(match: re.Match[str], scene: TimeContext) -> TimeMatch | None:
    """In two weeks; not in a past sentence, where it is how long something took."""
    if match["in"] and not match["from"] and scene.direction(match.span()) == Direction.PAST:
        return None
    return _found(match, away(scene.now, amount(match["amount"]), 1))


def _past(match: re.Match[str], scene: TimeContext) -> Period | TimeMatch | None:
    """The past three years: when they began after `for`, all of them otherwise."""
    low, high = count(match["count"]) if match["count"] else (1, 1)
    name = unit_name(match["unit"])
    if not bounded(name, high):
        return None
    if match["in"].lower() == "for":
        period = cal.ago(scene.now, name, -low, -high)
        about = bool(match["about"])
        return TimeMatch(
            *match.span(), period=cal.coarser(period) if about else period, sense="since", approximate=about
        )
    first = cal.add_months(scene.today, -high * 12) if name == "year" else _days_before(scene, name, high)
    after = cal.day(scene.today).end.date()
    return cal.between(first, after, cal.unit(scene.now, name, 0).precision)


def _coming(match: re.Match[str], scene: TimeContext) -> Period | None:
    """In the next three months, within two weeks: from today on."""
    _, high = count(match["count"])
    name = unit_name(match["unit"])
    if not bounded(name, high):
        return None
    if match["within"] and scene.direction(match.span()) == Direction.PAST:
        return None
    last = cal.unit(scene.now, name, high)
    return Period(cal.day(scene.today).start, last.end, last.precision)


def _days_before(scene: TimeContext, name: str, number: int) -> date:
    if name == "month":
        return cal.add_months(scene.today, -number)
    days = {"week": 7, "fortnight": 14, "weekend": 7, "decade": 3652}.get(name, 1)
    return scene.today - timedelta(days=days * number)


def _counted_from(base: date, name: str, number: int) -> Period:
    """Return the day that many units after a day, to the day."""
    if name in {"month", "year"}:
        return cal.day(cal.add_months(base, number * (12 if name == "year" else 1)))
    return cal.day(base, number * {"week": 7, "fortnight": 14}.get(name, 1))


def _to_the_day(match: re.Match[str], scene: TimeContext) -> Period | None:
    """Six months ago today, a week ago last Friday."""
    number, name = count(match["count"])[0], unit_name(match["unit"])
    if not bounded(name, number):
        return None
    text = match["day"].lower()
    day = cal.day(scene.today, DAYS[text]) if text in DAYS else near_weekday(scene.today, _weekday(text), -1)
    return _counted_from(day.date, name, -number)


def _on_the_day(match: re.Match[str], scene: TimeContext) -> Period | None:
    """A week tomorrow, two weeks on Friday, a week yesterday, a week last Friday."""
    number, name = count(match["count"])[0], unit_name(match["unit"])
    if not bounded(name, number):
        return None
    text = " ".join(match["day"].lower().split())
    if text in DAYS:
        back = DAYS[text] < 0 or (DAYS[text] == 0 and scene.direction(match.span()) == Direction.PAST)
        return _counted_from(cal.day(scene.today, DAYS[text]).date, name, -number if back else number)
    if text.startswith("last "):
        return _counted_from(near_weekday(scene.today, _weekday(text), -1).date, name, -number)
    base = near_weekday(scene.today + timedelta(days=1), _weekday(text), 1 if text.startswith("next ") else 0)
    return _counted_from(base.date, name, number)


def _weekday(text: str) -> int:
    return weekday_number(text.rsplit(maxsplit=1)[-1])


def _week_after(match: re.Match[str], scene: TimeContext) -> Period:
    """Monday week, tomorrow fortnight: that day, and as long again."""
    text, days = match["day"].lower(), 14 if match["unit"].lower() == "fortnight" else 7
    if text in DAYS:
        return cal.day(scene.today, DAYS[text] + days)
    return cal.day(near_weekday(scene.today + timedelta(days=1), weekday_number(text), 0).date, days)


_OR_SO = r"(?P<or_so> or so| or thereabouts)?"
_ABOUT = rf"(?P<about>{APPROXIMATELY})?"
_NAMED_DAY = alternatives(day for day in DAYS if " " not in day)
_UNITS = triggers(UNIT_WORDS)

RULES: tuple[Rule, ...] = (
    Rule(pattern(rf"{_ABOUT}(?P<amount>{AMOUNT}){_OR_SO} (?:ago|back)"), _ago, triggers("ago back")),
    Rule(
        pattern(
            rf"(?P<in>in ){_ABOUT}(?P<amount>{AMOUNT}){_OR_SO}(?:['\u2019]s? time| time)?(?P<from> from (?:now|today))?"
        ),
        _ahead,
        _UNITS,
    ),
    Rule(
        pattern(rf"(?P<in>){_ABOUT}(?P<amount>{AMOUNT}){_OR_SO}(?P<from> from (?:now|today))"),
        _ahead,
        triggers("now today"),
    ),
    Rule(
        pattern(
            rf"(?:exactly )?(?P<count>{COUNT}) (?P<unit>day|week|fortnight|month|year)s? ago"
            rf" (?P<day>today|yesterday|tomorrow|(?:on |last |this )?{WEEKDAY})"
        ),
        _to_the_day,
        triggers("ago"),
    ),
    Rule(
        pattern(
            rf"(?:in )?(?P<count>{COUNT}) (?P<unit>week|wk|fortnight)s?"
            rf" (?:(?:on |from )?(?P<day>{_NAMED_DAY}|last {WEEKDAY}|next {WEEKDAY}|(?<=on\s|om\s){WEEKDAY}))"
        ),
        _on_the_day,
        triggers("week weeks wk wks fortnight fortnights"),
    ),
    Rule(
        pattern(rf"(?:on )?(?P<day>{_NAMED_DAY}|{WEEKDAY}) (?P<unit>week|fortnight)(?! \d| of| from| after| before)"),
        _week_after,
        triggers("week fortnight"),
    ),
    Rule(
        pattern(
            r"(?P<in>for|in|over|during|within|throughout) "
            rf"(?P<about>{APPROXIMATELY})?the (?:past|last) (?:(?P<count>{COUNT}) )?(?P<unit>{UNIT})"
        ),
        _past,
        _UNITS,
    ),
    Rule(
        pattern(
            rf"(?:(?:in|over|during|within) the (?:next|coming)|(?P<within>within)) (?P<count>{COUNT}) (?P<unit>{UNIT})"
        ),
        _coming,
        _UNITS,
    ),
)
"""Rules of this kind. Of overlapping matches, the first and longest counts."""
