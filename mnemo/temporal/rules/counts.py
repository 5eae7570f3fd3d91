"""Counts and units in English: `a couple of`, `twenty-five`, `yrs`, `half an hour`, `2 years and 3 months`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.periods import Period
from mnemo.temporal.vocabulary import NUMBERS, TENS, alternatives

__all__ = [
    "AMOUNT",
    "APPROXIMATELY",
    "COUNT",
    "UNIT",
    "UNIT_WORDS",
    "Amount",
    "amount",
    "away",
    "bounded",
    "count",
    "half_away",
    "unit_name",
]

_WORDS: Mapping[str, tuple[int, int]] = {
    **{word: (number, number) for word, number in {**NUMBERS, **TENS}.items()},
    "zero": (0, 0),
    "a": (1, 1),
    "an": (1, 1),
    "hundred": (100, 100),
    "dozen": (12, 12),
    "few": (2, 5),
    "several": (2, 5),
    "couple": (2, 2),
}
_ONES = alternatives(word for word, number in NUMBERS.items() if number < 10)  # noqa: PLR2004  # twenty-one to -nine
COUNT = (
    rf"(?:\d{{1,4}}|(?:{alternatives(TENS)})(?:-| )(?:{_ONES})|"
    r"(?:half )?(?:an? |one )?(?:hundred|dozen)|"
    r"(?:a |the )?couple(?: of)?|(?:a |the )?few|several|an?|" + alternatives({**NUMBERS, **TENS, "zero": 0}) + ")"
)
"""A count, as a regular expression without groups."""

_UNITS: Mapping[str, str] = {
    **{name: name for name in cal.UNITS},
    **{f"{name}s": name for name in cal.UNITS if name != "century"},
    "centuries": "century",
    **dict.fromkeys(("sec", "secs"), "second"),
    **dict.fromkeys(("min", "mins"), "minute"),
    **dict.fromkeys(("hr", "hrs"), "hour"),
    **dict.fromkeys(("wk", "wks"), "week"),
    **dict.fromkeys(("wknd", "wknds", "wkend", "wkends"), "weekend"),
    **dict.fromkeys(("mth", "mths", "mos"), "month"),
    **dict.fromkeys(("yr", "yrs"), "year"),
}
UNIT = f"(?:{alternatives(_UNITS)})"
"""A unit, as a regular expression without groups."""
UNIT_WORDS = frozenset(_UNITS)

APPROXIMATELY = (
    r"(?:(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|~|some|like|maybe|probably|at least|"
    r"at most|close to|not quite|(?:(?:just|a bit|a little|well|slightly) )?(?:over|under)|"
    r"(?:(?:just|a bit|a little|slightly) )?(?:more|less) than) ?)"
)
"""What makes an amount approximate, with the blank after it."""

AMOUNT = (
    rf"(?:half an? {UNIT}|a half {UNIT}|(?:(?:a|three)(?: |-))?quarters? of an hour|\d{{1,3}}\.5 {UNIT}|"
    rf"{COUNT} and a half {UNIT}|{COUNT} {UNIT} and a half|{COUNT} {UNIT}(?:(?:,| and|, and)? {COUNT} {UNIT}){{0,3}})"
)
"""An amount of time, as a regular expression without groups."""
_PART = re.compile(rf"({COUNT})\s{{1,3}}({UNIT})(?!\w)".replace(" ", r"\s{1,3}"), re.IGNORECASE)
_MAX_COUNT: Mapping[str, int] = {"minute": 100_000, "hour": 10_000, "day": 9_999, "week": 5_000, "fortnight": 2_000}
_SECONDS: Mapping[str, int] = {"second": 1, "minute": 60, "hour": 3600}
_DAYS: Mapping[str, int] = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
_MONTHS: Mapping[str, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of time."""

    parts: tuple[tuple[int, int, str], ...]
    """Least count, most count and unit, as they are said: 2 years and 3 months are two parts."""
    half: bool = False
    """Whether half of the last unit is added."""


def count(text: str) -> tuple[int, int]:
    """Return the least and most a count may mean: `a couple of` is 2, `a few` is 2 to 5."""
    words = [word for word in text.lower().replace("-", " ").split() if word not in {"of", "the"}]
    if words[0].isdigit():
        number = int(words[0])
        return number, number
    low, high = _WORDS[words[-1]]
    if words[0] in TENS and len(words) > 1:
        return low + TENS[words[0]], high + TENS[words[0]]
    return (low // 2, high // 2) if words[0] == "half" else (low, high)


def unit_name(text: str) -> str:
    """Return the unit's name in the singular."""
    return _UNITS[text.lower()]


def bounded(name: str, number: int) -> bool:
    """Return whether a count of units is plausible; years and longer units end at 500."""
    return number <= _MAX_COUNT.get(name, 500)


def amount(text: str) -> Amount:
    """Read a match of `AMOUNT`.

    Raises:
        LookupError: It has a word that is no count or unit.
    """
    words = text.lower().replace("-", " ").split()
    if words[-3:] == ["of", "an", "hour"]:
        minutes = 45 if words[0] == "three" else 15
        return Amount(((minutes, minutes, "minute"),))
    if "half" in words[:2] and "dozen" not in words:
        return Amount(((0, 0, unit_name(words[2])),), half=True)
    if words[0].endswith(".5"):
        whole = int(words[0][:-2])
        return Amount(((whole, whole, unit_name(words[1])),), half=True)
    half = "and a half" in " ".join(words)
    plain = " ".join(words).replace(" and a half", "")
    parts = tuple((*count(number), unit_name(unit)) for number, unit in _PART.findall(plain))
    return Amount(parts, half)


def away(now: datetime, said: Amount, sign: int) -> Period | None:
    """Return the time that lies an amount before (-1) or after (1) a moment, in whole units; None if out of range.

    Two weeks before is the week that contains the day 14 days before; two years and three months before is that
    month. Halves are known to the next smaller unit.
    """
    if not said.parts or not all(bounded(name, high) for _, high, name in said.parts):
        return None
    low, high, name = said.parts[0]
    if said.half:
        return half_away(now, name, low, sign)
    if len(said.parts) == 1:
        return cal.ago(now, name, sign * low, sign * high)
    months = sum(number * _MONTHS.get(unit, 0) for number, _, unit in said.parts)
    days = sum(number * _DAYS.get(unit, 0) for number, _, unit in said.parts)
    seconds = sum(number * _SECONDS.get(unit, 0) for number, _, unit in said.parts)
    moment = datetime.combine(cal.add_months(now.date(), sign * months), time(now.hour, now.minute))
    return cal.unit(moment + sign * timedelta(days=days, seconds=seconds), said.parts[-1][2], 0)


def half_away(now: datetime, name: str, number: int, sign: int) -> Period | None:
    """Return the time that lies a number and a half units away, in the next smaller unit; None for other units."""
    smaller = {"year": ("month", 12), "hour": ("minute", 60), "day": ("hour", 24), "decade": ("year", 10)}
    if name in {"month", "week"}:
        days = number * 30 + 15 if name == "month" else number * 7 + 3
        return cal.week(now.date() + timedelta(days=sign * days))
    if name == "century":
        return cal.year(now.year + sign * (number * 100 + 50))
    if name not in smaller:
        return None
    small, factor = smaller[name]
    return cal.unit(now, small, sign * (number * factor + factor // 2))
