"""What rules of time expressions are made of: the scene they are read in, words for numbers, what they find."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property

from mnemo.temporal.periods import Period

__all__ = ["COUNT", "UNIT", "Found", "Rule", "Scene", "bounded", "count", "pattern", "unit_name"]

_NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_TENS = {
    word: 10 * number
    for number, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_WORDS: Mapping[str, tuple[int, int]] = {
    **{word: (number, number) for number, word in enumerate(_NUMBERS)},
    "a": (1, 1),
    "an": (1, 1),
    **{word: (number, number) for word, number in _TENS.items() if word != "twenty"},
    "hundred": (100, 100),
    "dozen": (12, 12),
    "few": (2, 5),
    "several": (2, 5),
    "couple": (2, 2),
}
COUNT = (
    rf"(?:\d{{1,4}}|(?:{'|'.join(_TENS)})(?:-| )(?:{'|'.join(_NUMBERS[1:10])})|"
    r"(?:half )?(?:an? |one )?(?:hundred|dozen)|"
    r"(?:a |the )?couple(?: of)?|(?:a |the )?few|several|an?|"
    + "|".join(sorted((w for w in _WORDS if len(w) > 2), key=len, reverse=True))  # noqa: PLR2004  # a and an stand before
    + ")"
)
"""A count, as a regular expression without groups."""

UNIT = r"(?:(?:second|minute|min|hour|hr|day|week|fortnight|weekend|month|quarter|year|yr|decade)s?|centur(?:y|ies))"
"""A unit, as a regular expression without groups."""

_SHORT = {"min": "minute", "hr": "hour", "yr": "year"}
_MAX_COUNT: Mapping[str, int] = {"minute": 100_000, "hour": 10_000, "day": 9_999, "week": 5_000, "fortnight": 2_000}
_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)?|hop(?:e|ing)|let's|can't wait|looking forward|see you|"
    r"want to|upcoming|would (?:like|love)|due|booked|scheduled|tomorrow)\b|\b\w+['\u2019]ll\b|"
    r"(?:\b(?:is|are|am)|['\u2019](?:s|re|m)) (?!been\b)\w+ing\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?!(?-i:(?<=[a-z,;] )[A-Z][a-z]))"  # the Met Office
    r"(?:was|were|had|did|didn't|wasn't|went|saw|met|got|took|made|came|ran|gave|told|said|found|left|bought|"
    r"began|started|ate|drank|flew|drove|rode|swam|won|lost|felt|thought|knew|kept|held|wrote|read|sang|spoke|sold|"
    r"sent|spent|taught|brought|caught|fell|broke|chose|grew|heard|hit|led|paid|put|slept|stood|threw|woke|wore|"
    r"became|built|cut|done|been|hurt|quit|sat|shot|last|ago|yesterday|"
    r"(?!(?:need|feed|seed|speed|bleed|weed|indeed|breed|proceed|succeed|exceed|hundred)\b)[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_PAST_EAST = re.compile(r"(?:まし|でし|っ|し|い|ん|け|え|れ|め|べ|き|ち|り)(?:た|だ)(?=\W|$)|[了过過]|(?:았|었|했|였)")
_FUTURE_EAST = re.compile(
    r"予定|つもり|(?:する|行く|いく|ます)(?=[。、\s]|$)|[会會将將]|打算|计划|計劃|(?:ㄹ|을|할) 거"
)
_CLAUSE_CHARS = 200
_AHEAD = re.compile(r"\b(?:until|till|til|by)\s{1,3}(?:the\s{1,3})?$", re.IGNORECASE)
_BEHIND = re.compile(r"\bsince\s{1,3}(?:the\s{1,3})?$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)|\n")


@dataclass(frozen=True)
class Scene:
    """A text with the local moment it was written at."""

    text: str
    anchor: datetime | None
    """Naive, local; None is unknown, and then only absolute dates resolve."""
    south: bool
    """Whether summer is in December."""
    month_first: bool
    """How `5/6/2023` is read."""

    @property
    def now(self) -> datetime:
        """The anchor, for rules that need one."""
        if self.anchor is None:
            raise LookupError
        return self.anchor

    @property
    def today(self) -> date:
        """The anchor's local day, for rules that need one."""
        return self.now.date()

    @cached_property
    def _ends(self) -> list[int]:
        return [match.end() for match in _SENTENCE_END.finditer(self.text)]

    def tense(self, start: int, end: int) -> int:
        """Tell the tense of the sentence around a span: 1 future, -1 past, by the nearest hint; 0 it does not say."""
        lead = self.text[max(0, start - 16) : start]
        if _AHEAD.search(lead) or _BEHIND.search(lead):
            return 1 if _AHEAD.search(lead) else -1
        before, after = bisect_right(self._ends, start), bisect_left(self._ends, end)
        first = self._ends[before - 1] if before else 0
        last = self._ends[after] if after < len(self._ends) else len(self.text)
        clause = self.text[max(first, start - _CLAUSE_CHARS) : start], self.text[end : min(last, end + _CLAUSE_CHARS)]
        if _eastern(self.text[start:end]):
            return bool(_FUTURE_EAST.search(clause[1])) - bool(_PAST_EAST.search(clause[1]))
        future, past = _distance(_FUTURE, *clause), _distance(_PAST, *clause)
        return (future < past) - (past < future)


def _eastern(text: str) -> bool:
    """Whether it has Chinese characters, kana or hangul, whose sentences end in their verb or its aspect."""
    return any("\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3" for character in text)


def _distance(hint: re.Pattern[str], before: str, after: str) -> int:
    """Return how many characters the nearest hint is away."""
    near = [len(before) - match.end() for match in hint.finditer(before)]
    return min([*near, *(match.start() for match in hint.finditer(after))], default=_CLAUSE_CHARS * 2)


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule found; without a period and a clock it only keeps other rules off its span."""

    start: int
    end: int
    period: Period | None = None
    clock: tuple[int, int] | None = None
    """Minutes of the day, from and up to; joined to a day beside it."""
    alone: bool = True
    """Whether the clock counts without a day beside it."""
    weekday: int | None = None
    """Joined to a week beside it; 0 is Monday."""
    sense: str = "at"


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what a match of it means; None or LookupError is nothing."""

    pattern: re.Pattern[str]
    make: Callable[[re.Match[str], Scene], Period | Found | None]


def pattern(text: str) -> re.Pattern[str]:
    """Compile a rule's pattern: whole words, any case, one space stands for any run of them (at most 3)."""
    spaced = re.sub(r" (?![*+?])", r"\\s{1,3}", text)
    return re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE)


def count(text: str) -> tuple[int, int]:
    """Return the least and most a count may mean: `a couple of` is 2, `a few` is 2 to 5."""
    words = [word for word in text.lower().replace("-", " ").split() if word not in {"of", "the"}]
    if words[0].isdigit():
        number = int(words[0])
        return number, number
    low, high = _WORDS[words[-1]]
    if words[0] in _TENS and len(words) > 1:
        return low + _TENS[words[0]], high + _TENS[words[0]]
    return (low // 2, high // 2) if words[0] == "half" else (low, high)


def unit_name(text: str) -> str:
    """Return the unit's name in the singular."""
    name = text.lower()
    name = "century" if name.startswith("centur") else name.removesuffix("s")
    return _SHORT.get(name, name)


def bounded(name: str, number: int) -> bool:
    """Whether a count of units is one that people mean; years and the like end at 500."""
    return number <= _MAX_COUNT.get(name, 500)
