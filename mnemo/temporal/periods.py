"""Stretches of the local calendar: days, ISO weeks, weekends, months, seasons, years. Naive local times only."""

import calendar
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from mnemo.models.graph import Precision

__all__ = [
    "UNITS",
    "Period",
    "add_months",
    "ago",
    "between",
    "coarser",
    "day",
    "hours",
    "minute",
    "month",
    "quarter",
    "season",
    "shift",
    "shift_years",
    "third",
    "unit",
    "week",
    "week_beside",
    "weekday",
    "weekend",
    "year",
]

UNITS = (
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "fortnight",
    "weekend",
    "month",
    "quarter",
    "year",
    "decade",
    "century",
)
"""What can be counted."""

FIRST_YEAR, LAST_YEAR = 1000, 2999

_COARSER: dict[str, Precision] = {"day": "week", "week": "month", "month": "season", "season": "year"}


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open stretch of local time."""

    start: datetime
    end: datetime
    precision: Precision

    @property
    def date(self) -> date:
        """Its first day."""
        return self.start.date()

    def plausible(self) -> bool:
        """Whether it lies in the years 1000 to 2999 and does not end before it starts."""
        return self.start.year >= FIRST_YEAR and self.end.year <= LAST_YEAR and self.start < self.end


def _midnight(moment: date) -> datetime:
    return datetime.combine(moment, time())


def between(first: date, after: date, precision: Precision) -> Period:
    """Return the days from `first` up to, not including, `after`."""
    return Period(_midnight(first), _midnight(after), precision)


def minute(moment: datetime) -> Period:
    """Return the minute of that moment."""
    start = moment.replace(second=0, microsecond=0, tzinfo=None)
    return Period(start, start + timedelta(minutes=1), "minute")


def hours(moment: date, first: int, after: int) -> Period:
    """Return hours of a day; over 24 are those of the next."""
    start = _midnight(moment)
    return Period(start + timedelta(hours=first), start + timedelta(hours=after), "day")


def coarser(period: Period) -> Period:
    """Return the same days with the next coarser precision; minutes and years stay, nothing is coarser than these."""
    return Period(period.start, period.end, _COARSER.get(period.precision, period.precision))


def shift_years(period: Period, years: int) -> Period:
    """Return the same days of the year that many years later; 29 February becomes the 28th in other years."""
    start, end = (
        datetime.combine(add_months(moment.date(), 12 * years), moment.time()) for moment in (period.start, period.end)
    )
    return Period(start, end, period.precision)


def day(moment: date, offset: int = 0) -> Period:
    """Return the day that many days later."""
    first = _plain(moment) + timedelta(days=offset)
    return between(first, first + timedelta(days=1), "day")


def week(moment: date, offset: int = 0) -> Period:
    """Return the ISO week, from Monday, that many weeks later."""
    monday = _plain(moment) + timedelta(days=7 * offset - moment.weekday())
    return between(monday, monday + timedelta(days=7), "week")


def weekend(moment: date, offset: int = 0) -> Period:
    """Return Saturday and Sunday of the ISO week that many weeks later."""
    saturday = week(moment, offset).date + timedelta(days=5)
    return between(saturday, saturday + timedelta(days=2), "day")


def month(moment: date, offset: int = 0) -> Period:
    """Return the calendar month that many months later."""
    first = add_months(moment.replace(day=1), offset)
    return between(first, add_months(first, 1), "month")


def year(number: int) -> Period:
    """Return the calendar year."""
    return between(date(number, 1, 1), date(number + 1, 1, 1), "year")


def season(first_month: int, number: int) -> Period:
    """Return the three months from that month of that year; a winter begins in December of its year."""
    first = date(number, first_month, 1)
    return between(first, add_months(first, 3), "season")


def quarter(number: int, index: int) -> Period:
    """Return a quarter of a year, 0 is the first; indices before and after count on into other years."""
    return season(index % 4 * 3 + 1, number + index // 4)


def weekday(moment: date, number: int) -> Period:
    """Return that weekday, 0 is Monday, of the ISO week of a day."""
    return day(week(moment).date, number)


def add_months(moment: date, months: int) -> date:
    """Return the same day that many months later, or the month's last day where it has no such day."""
    index = moment.year * 12 + moment.month - 1 + months
    number, first = divmod(index, 12)
    last = calendar.monthrange(number, first + 1)[1]
    return date(number, first + 1, min(moment.day, last))


def unit(moment: datetime, name: str, offset: int) -> Period:
    """Return the whole unit of `UNITS` that many units later, the one of the moment for 0."""
    if name in {"second", "minute", "hour"}:
        return minute(moment + timedelta(seconds=offset * {"second": 1, "minute": 60, "hour": 3600}[name]))
    if name == "day":
        return day(moment, offset)
    if name in {"week", "fortnight"}:
        return week(moment, offset * (2 if name == "fortnight" else 1))
    if name in {"weekend", "month"}:
        return (weekend if name == "weekend" else month)(moment, offset)
    if name == "quarter":
        return quarter(moment.year, (moment.month - 1) // 3 + offset)
    return year(moment.year + offset * {"decade": 10, "century": 100}.get(name, 1))


def ago(moment: datetime, name: str, low: int, high: int) -> Period:
    """Return the unit `low` units later, or all from `low` to `high` (negative is earlier) one precision coarser."""
    if low == high:
        return unit(moment, name, low)
    first, last = unit(moment, name, min(low, high)), unit(moment, name, max(low, high))
    return Period(first.start, last.end, _COARSER.get(name, first.precision))


def shift(base: Period, name: str, count: int) -> Period:
    """Return the period that many units after (before, if negative) another.

    Weeks from a day are counted to the day: `a week from Friday` is a Friday. Months and years are whole ones.
    """
    if name in {"week", "fortnight"} and base.precision == "day":
        return day(base.date, count * (14 if name == "fortnight" else 7))
    if count > 0 and name == "day":
        return day((base.end - timedelta(minutes=1)).date(), count)
    return unit(base.start, name, count)


def week_beside(base: Period, side: int) -> Period:
    """Return the seven days before (-1) or after (1) a period."""
    first = base.date - timedelta(days=7) if side < 0 else base.end.date()
    return between(first, first + timedelta(days=7), "week")


def third(base: Period, which: int) -> Period | None:
    """Return the first (0), middle (1) or last (2) part of a week, month, season or year; None of anything else."""
    first = base.date
    if base.precision == "month":
        cuts = [first, first.replace(day=11), first.replace(day=21), base.end.date()]
        return between(cuts[which], cuts[which + 1], "week")
    if base.precision in {"year", "season"}:
        months = (base.end.year - first.year) * 12 + base.end.month - first.month
        step = months // 3
        start = add_months(first, which * step)
        return between(start, add_months(start, step), "season" if base.precision == "year" else "month")
    if base.precision == "week":
        offsets = (0, 2, 4, 7)
        return Period(
            base.start + timedelta(days=offsets[which]), base.start + timedelta(days=offsets[which + 1]), "week"
        )
    return None


def _plain(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
