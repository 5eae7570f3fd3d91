"""Features of the wording of questions and messages: pure.

Each is a weak hint with its own weight in `mnemo.retrieval.ranking.fusion`. In a language that the word lists do not
cover they are simply absent.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from mnemo.text.patterns import lazy_pattern

__all__ = [
    "asks_name",
    "asks_number",
    "asks_when",
    "has_name",
    "has_number",
    "has_time",
    "is_question",
    "length",
    "speaks_of_self",
    "tells",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WHEN = lazy_pattern(
    r"^\W*(?:when|since when|until when|how long|how often|how (?:many|much) (?:time|days|weeks|months|years)"
    r"|(?:in|on|at|during|around|by|for|since)? ?(?:what|which) (?:date|day|month|year|time|week|season)"
    r"|wann|seit wann|wie lange|quand|cu[aá]ndo|quando|wanneer)\b|いつ|何[年月日]|什么时候|何时|언제",
    re.IGNORECASE,
)
_NUMBER = lazy_pattern(
    r"\bhow (?:many|much|old|often|long|far|big|tall)\b|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b"
    r"|いくつ|何[人回個]|多少|几"
)
_NAME = lazy_pattern(
    r"^\W*(?:who|whom|whose|where)\b|\b(?:called|named?|title[ds]?|name of)\b"
    r"|\b(?:what|which)\b(?: \w+){0,2} (?:book|movie|film|game|song|city|country|state|place|band|artist|author|brand"
    r"|company|restaurant|team|school|series|show|pet|dog|cat|app|language)s?\b"
    r"|^\W*(?:wer|wo|qui|où|qui[eé]n|d[oó]nde|chi|dove|quem|onde|wie)\b|誰|どこ|谁|哪里",
    re.IGNORECASE,
)
_TIME_WORDS = _set(
    """yesterday today tonight tomorrow ago last next since recently just day days week weeks weekend weekends month
    months year years monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december summer winter spring morning
    gestern heute morgen letzte letzten letzter letztes vor seit hier aujourd'hui demain dernier dernière depuis
    ayer hoy mañana pasado pasada ieri oggi domani scorso scorsa ontem hoje amanhã"""
)
_TIME_SIGNS = lazy_pattern(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|[昨今明][日天]|先[週月]|[去今]年|来[週月]|上周|上个月|어제|오늘|내일|\d+[年月日]"
)
_NUMBER_WORDS = _set(
    """one two three four five six seven eight nine ten eleven twelve dozen hundred thousand once twice couple
    first second third fourth fifth"""
)
_DIGITS = lazy_pattern(r"\d|[一二三四五六七八九十百千]")
_PROPER = lazy_pattern(r"(?<=[\w,;:] )[^\W\d_a-z][^\W\d_]*[a-zà-ÿ]|[\"“«「『]")
_SELF_WORDS = _set(
    """i i'm i've i'd i'll my me mine myself we we're we've our us ich mein meine meinen meiner mir mich wir unser
    unsere je moi mon ma mes nous yo mi mis nosotros io mio mia noi eu meu minha"""
)
_SELF_SIGNS = lazy_pattern(r"私|僕|俺|我|나는|저는|제가|\bj['’]")
_TELLS = lazy_pattern(
    r"\b(?:i|we)(?:['’](?:ve|m|re))?(?: (?:have|had|was|were|am|just|also|recently|finally)){0,3}"
    r" (?:\w+ed|went|took|got|made|did|bought|saw|found|been|started|met|won|had|gave|read)\b"
)
_WORDS = lazy_pattern(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_TRAILER = lazy_pattern(r"\s*\[[^\]]*\]\s*$")
_WIDE = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_LONG = 60
_MAX_CHARS = 4_000
"""Characters of a message that are read."""


def asks_when(question: str) -> bool:
    """Return whether a question asks for a time."""
    return bool(_WHEN.search(question))


def asks_number(question: str) -> bool:
    """Return whether a question asks for a number."""
    return bool(_NUMBER.search(question.lower()))


def asks_name(question: str) -> bool:
    """Return whether a question asks for the name of a person, a place or a thing."""
    return bool(_NAME.search(question))


def has_time(content: str) -> bool:
    """Return whether a message names a time."""
    return _features(content).time


def has_number(content: str) -> bool:
    """Return whether a message names a number."""
    return _features(content).number


def has_name(content: str) -> bool:
    """Return whether a message has a capitalised word after another word, or a quotation."""
    return _features(content).name


def speaks_of_self(content: str) -> bool:
    """Return whether a message uses the first person."""
    return _features(content).own


def tells(content: str) -> bool:
    """Return whether a message reports what its speaker did; English only."""
    return _features(content).tells


def is_question(content: str) -> bool:
    """Return whether a message ends with a question mark, ignoring brackets at its end."""
    text = _TRAILER.sub("", content) if content.rstrip().endswith("]") else content
    return text.rstrip().endswith(("?", "？", "؟"))  # noqa: RUF001  # full width and Arabic


def length(content: str) -> float:
    """Return a message's length in words, at most 60; two letters of a script without blanks count as a word."""
    wide = 0 if content.isascii() else len(_WIDE.findall(content))
    return float(min(_LONG, len(content.split()) + wide // 2))


@dataclass(frozen=True, slots=True)
class _Features:
    time: bool
    number: bool
    name: bool
    own: bool
    tells: bool


@lru_cache(maxsize=16_384)
def _features(content: str) -> _Features:
    """Compute all features of a message at once; the same messages return with other questions."""
    text = content[:_MAX_CHARS]
    lower = text.lower()
    words = frozenset(_WORDS.findall(lower.replace("’", "'")))
    return _Features(
        time=not words.isdisjoint(_TIME_WORDS) or bool(_TIME_SIGNS.search(text)),
        number=not words.isdisjoint(_NUMBER_WORDS) or bool(_DIGITS.search(text)),
        name=bool(_PROPER.search(text)),
        own=not words.isdisjoint(_SELF_WORDS) or bool(_SELF_SIGNS.search(text)),
        tells=bool(_TELLS.search(lower)),
    )
