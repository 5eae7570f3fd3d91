"""Decides whether dates are day first or month first, from all dates of a file."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from mnemo.ingestion.readers.files.source import format_error

__all__ = ["Order", "Stamp", "decide"]

Order: TypeAlias = Literal["day-first", "month-first"]

_ORDERS: tuple[Order, Order] = ("day-first", "month-first")
_SLACK = timedelta(days=1)
_PIVOT = 2000
_NOON = 12


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date and a time as written."""

    date: str
    clock: str
    half: str | None = None
    """AM or PM as written, None on a 24-hour clock."""

    @property
    def shown(self) -> str:
        """Both as written."""
        return " ".join(filter(None, (self.date, self.clock, self.half)))

    @property
    def numbers(self) -> tuple[int, int, int]:
        """The date's three numbers as written."""
        first, second, third = (int(part) for part in re.findall(r"\d+", self.date))
        return first, second, third

    @property
    def year_first(self) -> bool:
        """Whether the order is year, month, day: the first number has three digits or more."""
        return len(re.findall(r"\d+", self.date)[0]) > 2  # noqa: PLR2004  # a day or month has two digits

    def time(self, order: Order) -> datetime | None:
        """Return the naive local time in that order of day and month; None if there is no such date."""
        first, second, third = self.numbers
        if self.year_first:
            year, month, day = first, second, third
        elif order == "day-first":
            day, month, year = first, second, third
        else:
            month, day, year = first, second, third
        hour, minute, second_of_minute = (int(part) for part in re.split(r"[:.]", self.clock + ":0")[:3])
        try:
            return datetime(  # noqa: DTZ001  # local to the reading zone
                year + _PIVOT if year < 100 else year,  # noqa: PLR2004  # two digits are of this century
                month,
                day,
                self._hour(hour),
                minute,
                second_of_minute,
            )
        except ValueError:
            return None

    def _hour(self, hour: int) -> int:
        if self.half is None:
            return hour
        if not 1 <= hour <= _NOON:
            return hour
        afternoon = self.half[0] in "Pp" or self.half in {"午後", "下午", "오후"}
        return hour % _NOON + (_NOON if afternoon else 0)


@dataclass(slots=True)
class _Evidence:
    """How well the messages so far fit one order."""

    impossible: bool = False
    backwards: int = 0
    latest: datetime | None = field(default=None)

    def see(self, time: datetime | None) -> None:
        if time is None:
            self.impossible = True
            return
        if self.latest is not None and time < self.latest - _SLACK:
            self.backwards += 1
        self.latest = time


def decide(stamps: Iterable[Stamp], file: str) -> Order:
    """Return the order of day and month that fits all stamps.

    By impossible dates, else by messages that would go back in time, else dots mean day first. Stamps that
    read the same in both orders, or have the year first, leave it open and need no decision.

    Raises:
        ReaderError: No order fits, or both do.
    """
    evidence = {order: _Evidence() for order in _ORDERS}
    same, dotted = True, True
    for stamp in stamps:
        times = {order: stamp.time(order) for order in _ORDERS}
        same = same and len(set(times.values())) == 1
        dotted = dotted and "." in stamp.date
        for order, time in times.items():
            evidence[order].see(time)
    day, month = (evidence[order] for order in _ORDERS)
    if same or (day.impossible and month.impossible):
        return "day-first"
    if day.impossible != month.impossible:
        return "month-first" if day.impossible else "day-first"
    if day.backwards != month.backwards:
        return "month-first" if day.backwards > month.backwards else "day-first"
    if dotted:
        return "day-first"
    raise format_error(
        file,
        "its dates fit day-first and month-first; say which with dates='day-first' or dates='month-first' (--dates)",
    )
