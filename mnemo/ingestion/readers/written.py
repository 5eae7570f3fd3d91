"""Dates as people write them: 2025-03-09, 2025/03/09, 9 March 2025, Mar 9, 2025 6:30 PM, Sonntag, 9. März 2025.

Nothing is guessed: 03/04/2025 is a date only where the order of day and month is given. Month names are those of
English, German, Spanish, French, Italian, Portuguese and Dutch, whole or cut to three letters or more.
"""

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone

from mnemo.ingestion.readers.stamps import Stamp
from mnemo.ingestion.readers.times import from_epoch, from_iso
from mnemo.temporal.resolve import DateOrder

__all__ = ["DateOrder", "numeric_stamp", "parse_date"]


_MONTHS = (
    "january januar enero janvier gennaio janeiro januari",
    "february februar febrero fevrier febbraio fevereiro februari feb fev",
    "march marz maerz marzo mars marco maart mrt mar mrz",
    "april abril avril aprile apr abr avr",
    "may mai mayo maggio maio mei mag",
    "june juni junio juin giugno junho jun giu",
    "july juli julio juillet luglio julho jul juil lug",
    "august agosto aout augustus aug ago aou",
    "september septiembre setiembre septembre settembre setembro sept sep set",
    "october oktober octubre octobre ottobre outubro oct okt ott out",
    "november noviembre novembre novembro nov",
    "december dezember diciembre decembre dicembre dezembro dec dez dic",
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_MONTH |= {"jan": 1, "ene": 1, "gen": 1, "janv": 1, "fevr": 2, "febr": 2}
_CLOCK = (
    r"(?:[T,\s]*(?:at|um|a las|alle|as|om|\bà\b|a)?\s*(?P<clock>\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?)(?:\.\d+)?"
    r"(?:\s*(?P<half>[ap]\.?\s?m\.?))?(?:\s*(?:Uhr))?"
    r"(?:\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}))?(?:\s*\([A-Z]{2,5}\))?)?"
)
_WEEKDAY = r"(?:[^\W\d_]{2,12}(?:-feira)?\.?,?\s+)?"
_FORMS = tuple(
    re.compile(form + _CLOCK, re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})[/._-](?P<month>\d{1,2})[/._-](?P<day>\d{1,2})\.?",
        r"(?P<year>\d{4})[年년]\s?(?P<month>\d{1,2})[月월]\s?(?P<day>\d{1,2})[日일]",
        (
            rf"{_WEEKDAY}(?:le |el |il |der |den )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[\s-]*(?:de |of )?"
            r"(?P<name>[^\W\d_]{3,12})\.?,?[\s-]*(?:de |del )?(?P<year>\d{4})"
        ),
        rf"{_WEEKDAY}(?P<name>[^\W\d_]{{3,12}})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
        r"(?P<year>\d{4})[\s-]+(?P<name>[^\W\d_]{3,12})[\s-]+(?P<day>\d{1,2})",
        rf"{_WEEKDAY}(?P<numbers>\d{{1,2}}[/.-]\s?\d{{1,2}}[/.-]\s?(?:\d{{4}}|\d\d))",
    )
)
_LONGEST = 100
"""Characters of a date; longer texts are none."""
_SECONDS = re.compile(r"(?:\d{10}|\d{13})(?:\.\d+)?")
_DIGITS = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?")


def parse_date(text: str, order: DateOrder = "auto") -> datetime | None:
    """Return the date or time that a text is, naive where it names no zone; None where it is none or leaves a choice.

    Args:
        text: The whole value, such as a field of front matter.
        order: Of day and month in 03/04/2025. `auto` reads it only where one number is over 12, both are equal,
            or dots separate them, which always means the day first.
    """
    if len(text) > _LONGEST:
        return None
    clean = " ".join(unicodedata.normalize("NFKC", text).split()).strip("'\" ")
    if match := _DIGITS.fullmatch(clean):
        year, month, day, hour, minute, second = match.groups()
        return Stamp(f"{year}-{month}-{day}", f"{hour}:{minute}:{second or 0}").time("day-first")
    if _SECONDS.fullmatch(clean):
        return from_epoch(float(clean))
    if len(clean) > len("2025-03") and (found := from_iso(clean)) is not None:
        return found
    for form in _FORMS:
        if match := form.fullmatch(clean):
            return _time(match, order)
    return None


def numeric_stamp(text: str) -> Stamp | None:
    """Return the date and clock of a text such as 3/9/2025 6:21 PM, whose order is open; None for other texts."""
    if len(text) > _LONGEST:
        return None
    clean = " ".join(unicodedata.normalize("NFKC", text).split())
    match = _FORMS[-1].fullmatch(clean)
    if match is None:
        return None
    return Stamp(match["numbers"], (match["clock"] or "0:00").replace("h", ":"), match["half"])


def _time(match: re.Match[str], order: DateOrder) -> datetime | None:
    fields = match.groupdict()
    if fields.get("numbers"):
        return _with_zone(_numeric(match, order), fields.get("zone"))
    month = _month(fields["name"]) if fields.get("name") else int(fields["month"])
    if month is None:
        return None
    stamp = Stamp(f"{fields['year']}-{month}-{fields['day']}", _clock(fields), fields.get("half"))
    return _with_zone(stamp.time("day-first"), fields.get("zone"))


def _numeric(match: re.Match[str], order: DateOrder) -> datetime | None:
    stamp = Stamp(match["numbers"], _clock(match.groupdict()), match["half"])
    if order != "auto":
        return stamp.time(order)
    if not re.search(r"\d{4}", stamp.date):
        return None  # 25/03/09 may begin with its year
    day_first, month_first = stamp.time("day-first"), stamp.time("month-first")
    if "." in stamp.date or month_first is None:
        return day_first
    return month_first if day_first in {None, month_first} else None


def _clock(fields: dict[str, str]) -> str:
    return (fields.get("clock") or "0:00").replace("h", ":")


def _with_zone(found: datetime | None, zone: str | None) -> datetime | None:
    if found is None or not zone:
        return found
    if zone.upper() in {"Z", "UTC", "GMT"}:
        return found.replace(tzinfo=UTC)
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    offset = timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)
    return found.replace(tzinfo=timezone(offset)) if abs(offset) < timedelta(days=1) else found


def _month(name: str) -> int | None:
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
    return _MONTH.get(plain)
