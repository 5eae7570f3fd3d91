"""Time expressions of a message, resolved against the message's own time and zone, never today's clock.

Every result is a half-open interval of instants, cut on the local calendar of the zone, with the unit it is known to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from mnemo.models.graph import Precision
from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Sense, TimeContext, TimeMatch
from mnemo.temporal.rules import compound
from mnemo.temporal.rules.registry import INDEX

__all__ = ["DateOrder", "Sense", "When", "resolve"]

DateOrder: TypeAlias = Literal["auto", "day-first", "month-first"]

_SOUTH = re.compile(
    r"Australia/|Antarctica/|America/(?:Argentina/|Sao_Paulo|Santiago|Montevideo|Asuncion|Buenos_Aires|La_Paz|Lima)|"
    r"Pacific/(?:Auckland|Chatham|Fiji)|Africa/(?:Johannesburg|Harare|Maputo|Windhoek|Gaborone)|Indian/Mauritius"
)
_MONTH_FIRST = re.compile(
    r"US/|America/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Juneau|Indiana/|Kentucky/|"
    r"North_Dakota/)|Pacific/Honolulu"
)


@dataclass(frozen=True, slots=True)
class When:
    """A time expression and what it means."""

    phrase: str
    """The words as written in the text."""
    start: datetime
    """The first instant, in UTC, cut on the local calendar."""
    end: datetime
    """The first instant after it, in UTC."""
    precision: Precision
    """The unit it is known to; a part of a day, such as last night, is known to the day."""
    span: tuple[int, int]
    """Offsets of the phrase: text[span[0]:span[1]]."""
    sense: Sense = "at"
    """How the interval relates to what happened: it is when it was (`at`), when it began (`since`) or ended (`until`),
    all that it lasted (`during`), or a bound."""
    recurs: Literal["yearly"] | None = None
    """`yearly` for a day of the year that comes back, such as a birthday; the interval is then the next or last one."""
    approximate: bool = False
    """Whether the text says about, nearly or the like: the interval is the best guess, its precision one coarser."""


def resolve(text: str, anchor: datetime | None, zone: ZoneInfo, *, dates: DateOrder = "auto") -> list[When]:
    """Find the time expressions of a text and what they mean.

    English as people write it, typing errors and abbreviations included, with the basics of Spanish, French, German,
    Portuguese, Italian, Dutch, Russian, Japanese, Chinese and Korean; ISO, numeric and written dates.

    A date without a year, and a weekday, is the one in the direction of its sentence's tense.

    Args:
        text: What was said; any text.
        anchor: When it was said: aware, or naive and local to `zone`. None: only what needs no anchor resolves.
        zone: The zone of who said it; days, weeks and months are cut there.
        dates: How `5/6/2023` is read; `auto` is by the zone: month first in the United States, else day first.

    Returns:
        In order of the text, without overlap; empty if there are none. A duration (`for 4 years`) is no moment and is
        left out, unless a perfect makes it a start (`have lived here for 4 years`). What comes back (`on Tuesdays`) is
        no single moment and is left out too, but a day of every year (`every year on 4 May`) is given with `recurs`.
    """
    rules = INDEX.candidates(text)
    if not rules:
        return []
    scene = TimeContext(text, _local(anchor, zone), bool(_SOUTH.match(zone.key or "")), _month_first(dates, zone))
    candidates = (found for rule in rules for found in rule.matches(scene))
    found = compound.joined(_leftmost_longest(candidates), scene)
    return [when for one in found if (when := _when(one, text, zone))]


def _local(anchor: datetime | None, zone: ZoneInfo) -> datetime | None:
    if anchor is None:
        return None
    try:
        local = anchor if anchor.tzinfo is None else anchor.astimezone(zone)
    except OverflowError:
        return None
    inside = cal.FIRST_YEAR <= local.year <= cal.LAST_YEAR
    return local.replace(tzinfo=None) if inside else None


def _month_first(dates: DateOrder, zone: ZoneInfo) -> bool:
    return bool(_MONTH_FIRST.match(zone.key or "")) if dates == "auto" else dates == "month-first"


def _leftmost_longest(candidates: Iterator[TimeMatch]) -> list[TimeMatch]:
    """Keep what does not overlap: the leftmost first, of those the longest."""
    kept: list[TimeMatch] = []
    for one in sorted(candidates, key=lambda found: (found.start, -found.end, found.period is not None)):
        if one.start < one.end and (not kept or one.start >= kept[-1].end):
            kept.append(one)
    return kept


def _when(found: TimeMatch, text: str, zone: ZoneInfo) -> When | None:
    period = found.period
    if period is None or not period.plausible():
        return None
    start, end = (moment.replace(tzinfo=zone).astimezone(UTC) for moment in (period.start, period.end))
    if end <= start:  # a day that a zone skipped
        end = start + timedelta(minutes=1)
    phrase = text[found.start : found.end]
    return When(phrase, start, end, period.precision, found.span, found.sense, found.recurs, found.approximate)
