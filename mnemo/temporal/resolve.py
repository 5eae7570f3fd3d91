"""When was it? Time expressions of a message, resolved against the message's own time and zone, never today's clock.

Every result is a half-open interval of instants, cut on the local calendar of the zone, with the unit it is known to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias, cast
from zoneinfo import ZoneInfo

from mnemo.models.graph import Precision
from mnemo.temporal import absolute, cjk, compound, european, holidays, relative
from mnemo.temporal import periods as cal
from mnemo.temporal.grammar import Found, Rule, Scene

__all__ = ["DateOrder", "Sense", "When", "resolve"]

Sense: TypeAlias = Literal["at", "since", "until", "before", "after", "during"]
DateOrder: TypeAlias = Literal["auto", "day-first", "month-first"]

_RULES: tuple[Rule, ...] = (
    *relative.RULES,
    *absolute.RULES,
    *holidays.RULES,
    *european.RULES,
    *cjk.RULES,
)
_SOUTH = re.compile(
    r"Australia/|Antarctica/|America/(?:Argentina/|Sao_Paulo|Santiago|Montevideo|Asuncion|Buenos_Aires|La_Paz|Lima)|"
    r"Pacific/(?:Auckland|Chatham|Fiji)|Africa/(?:Johannesburg|Harare|Maputo|Windhoek|Gaborone)|Indian/Mauritius"
)
_MONTH_FIRST = re.compile(
    r"US/|America/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Juneau|Indiana/|Kentucky/|"
    r"North_Dakota/)|Pacific/Honolulu"
)


_HINT = re.compile(
    r"\d|[\u3000-\u9fff\u0400-\u04ff\uac00-\ud7a3]|\b(?:ontem|anteontem|hoje|amanhã|fim|há|ieri|\w*oggi|domani|dopodomani|fa|"
    r"gisteren\w*|eergisteren|vandaag|overmorgen|geleden|atrás|stamattina|stasera|vanavond|anoche|antier|"
    r"\w*(?:semana|settiman|verano|verão|primavera|printemps|automne|hiver|invierno|inverno|outono|otoño|autunno|"
    r"estate|sommer|herbst|frühling|zomer|herfst)\w*|été|lente|weken|maand\w*|jaar|mese|mesi|mês|anno|ano|anni|anos|"
    r"giorn\w|dag|dagen|lunes|martes|miércoles|jueves|viernes|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|\w*(?:feira|dì)|\w+(?:tag|dag)|sabato|domenica|sábado|"
    r"(?:gennaio|febbraio|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|maio|junho|julho|setembro|"
    r"outubro|dezembro|mei|mars|april|maart|märz|junio|julio|juin|juillet|juli|diciembre|oktober)|"
    r"seconds?|century|centuries|quarter|tmrw|tmr|yday|ago|back|yesterday|today|tomorrow|tonight|now|days?|night|morning|evening|afternoon|"
    r"weeks?|weekends?|fortnight|months?|years?|decade|minutes?|hours?|noon|midnight|spring|summer|autumn|fall|winter|"
    r"mon|tues?|wed|thurs?|fri|\w+day|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sept?\w*|oct\w*|nov\w*|"
    r"dec\w*|christmas|xmas|year|valentine|patrick|fools|juneteenth|halloween|thanksgiving|easter|silvester|"
    r"nochevieja|weihnachten|noël|navidad|ayer|hoy|anteayer|mañana|semanas?|mes(?:es)?|años?|hace|dentro|hier|"
    r"aujourd|demain|semaine|jour|mois|an(?:née|s)?|dans|ce|gestern|vorgestern|heute|morgen|übermorgen|\w*woche\w*|"
    r"monat\w*|jahr\w*|vor|tag|d[ií]a|pasado|próximo|dernier|prochain|letzten|vergangenen|nächsten|days|seasons?|summers|winters|"
    r"januar|février|mai|août|ao\w*|enero|janvier|avril|abril|ag\w*|märz|mayo|\w+s ago)",
    re.IGNORECASE,
)
"""Something that every rule's match contains; most messages have none of it and are done with one search."""


@dataclass(frozen=True, slots=True)
class When:
    """A time expression and what it means."""

    phrase: str
    """The words, as they stand in the text."""
    start: datetime
    """The first instant, in UTC, cut on the local calendar."""
    end: datetime
    """The first instant after it, in UTC."""
    precision: Precision
    """The unit it is known to; a part of a day, such as last night, is known to the day."""
    span: tuple[int, int]
    """Where the phrase stands: text[span[0]:span[1]]."""
    sense: Sense = "at"
    """Whether the interval is when it was, all that it lasted (`during`), when it began (`since`), ended (`until`), or
    a bound."""


def resolve(text: str, anchor: datetime | None, zone: ZoneInfo, *, dates: DateOrder = "auto") -> list[When]:
    """Find the time expressions of a text and what they mean.

    English, with the basics of Spanish, French, German, Portuguese, Italian, Dutch, Russian, Japanese, Chinese and
    Korean; ISO, numeric and written dates.

    Args:
        text: What was said; any text.
        anchor: When it was said: aware, or naive and local to `zone`. None: only what needs no anchor resolves.
        zone: The zone of who said it; days, weeks and months are cut there.
        dates: How `5/6/2023` is read; `auto` is by the zone: month first in the United States, else day first.

    Returns:
        In order of the text, without overlap; empty if there are none. A duration (`for 4 years`) is no moment
        and not among them; `for the past 4 years` is, as when they began.
    """
    if not _HINT.search(text):
        return []
    scene = Scene(text, _local(anchor, zone), bool(_SOUTH.match(zone.key or "")), _month_first(dates, zone))
    found = compound.joined(_leftmost_longest(_candidates(scene)), scene)
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


def _candidates(scene: Scene) -> Iterator[Found]:
    """Yield what each rule finds; a date that does not exist is nothing."""
    for rule in _RULES:
        for match in rule.pattern.finditer(scene.text):
            try:
                made = rule.make(match, scene)
            except ValueError:
                made = Found(*match.span())  # no such date, and so none of its parts
            except (LookupError, OverflowError, StopIteration):
                continue  # no anchor, or beyond all calendars
            if isinstance(made, Found):
                yield made
            elif made is not None and made.plausible():
                yield Found(*match.span(), period=made)


def _leftmost_longest(candidates: Iterator[Found]) -> list[Found]:
    """Keep what does not overlap: the leftmost first, of those the longest."""
    kept: list[Found] = []
    for one in sorted(candidates, key=lambda found: (found.start, -found.end, found.period is not None)):
        if one.start < one.end and (not kept or one.start >= kept[-1].end):
            kept.append(one)
    return kept


def _when(found: Found, text: str, zone: ZoneInfo) -> When | None:
    period = found.period
    if period is None or not period.plausible():
        return None
    start, end = (moment.replace(tzinfo=zone).astimezone(UTC) for moment in (period.start, period.end))
    if end <= start:  # a day that a zone skipped
        end = start + timedelta(minutes=1)
    phrase = text[found.start : found.end]
    return When(phrase, start, end, period.precision, (found.start, found.end), cast("Sense", found.sense))
