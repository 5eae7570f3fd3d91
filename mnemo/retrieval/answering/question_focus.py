"""The focus of a question: the expected kind of answer, the people, the content words. Pure, English only.

Questions in other languages have the kind `thing` and all of their words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mnemo.retrieval.ranking.term_overlap import stem, words
from mnemo.store.lucene import STOPWORDS, fold

__all__ = ["AnswerKind", "Focus", "focus", "is_name_in"]

AnswerKind: TypeAlias = Literal["person", "place", "time", "number", "name", "occupation", "yes_no", "reason", "thing"]

_KINDS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    ("reason", re.compile(r"^\W*(?:why|how come)\b", re.IGNORECASE)),
    (
        "time",
        re.compile(
            r"^\W*(?:when|since when|until when|how long ago|what time|how soon)\b"
            r"|\b(?:what|which) (?:date|day|month|year|time|week|season)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|old|often|long|far|big|tall|high|heavy|large|deep|fast)\b"
            r"|^\W*what\b.*\b(?:pay|paid|cost|charge|charged|earn|weigh|weighs)\b"
            r"|\b(?:age|height|weight|price|cost|rent|salary|size|amount|number|score|percentage|temperature)\b",
            re.IGNORECASE,
        ),
    ),
    ("occupation", re.compile(r"\b(?:job|profession|occupation|for a living|work as)\b", re.IGNORECASE)),
    ("name", re.compile(r"\b(?:called|named|names?)\b", re.IGNORECASE)),
    ("person", re.compile(r"^\W*(?:\w+ )?(?:who|whom|whose|with whom)\b", re.IGNORECASE)),
    (
        "place",
        re.compile(
            r"^\W*(?:from |to )?where\b"
            r"|\b(?:what|which) (?:\w+ )?(?:city|town|country|place|village|state|street|area)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "yes_no",
        re.compile(
            r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)(?:n['’]?t)?\b",
            re.IGNORECASE,
        ),
    ),
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FRAME = _set(
    """
    kind type sort name names named called many much long old often far big tall high heavy large deep fast soon
    ago time day year after before over up out off month week thing things please tell know remember now currently
    still ever current exactly also which away one ones
    """
)
"""Words that say which kind of answer is asked for, not what it is about."""
_PAST = re.compile(r"\b(?:did|was|were|had|used to)\b", re.IGNORECASE)
_FIXED = re.compile(r"\bhow (?:high|tall|far|deep|wide|big|long)\b", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_OPENERS = _set(
    """
    what which who whom whose where when why how is are was were do does did has have had can could will would
    should may might in on at to for from with by of tell the and i
    """
)
_DATES = _set(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday
    """
)
"""Time words; the order of the items already takes them into account."""
_NO_TERMS = STOPWORDS | _DATES | _FRAME
_NO_NAMES = _DATES | frozenset(["i", "i'm", "i’m", "christmas", "easter", "tv", "ok", "dna", "gps", "ai"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What a question asks for."""

    kind: AnswerKind
    names: tuple[str, ...]
    """Names in the question, as written there, without possessives."""
    terms: tuple[str, ...]
    """Stems of its other content words, in order."""
    past: bool
    """Whether it asks about the past."""
    fixed: bool
    """Whether it asks for a measure that does not change, such as a height."""
    stems: frozenset[str]
    """Stems of all its words, and of all parts of the names of those it asks about: words that are no answer."""


def focus(question: str, known: Iterable[str] = ()) -> Focus:
    """Analyse a question.

    Args:
        question: As asked.
        known: Names of people, places and organisations in the memory; found in any case.
    """
    known = tuple(known)
    names = _names(question, known)
    full = [other for other in known if any(is_name_in(other, name) or is_name_in(name, other) for name in names)]
    parts = {stem(part) for name in (*names, *full) for part in _TOKEN.findall(name)}
    terms: dict[str, None] = {}
    for token in _TOKEN.findall(question):
        bare = _POSSESSIVE.sub("", token)
        one = stem(bare)
        if one not in parts and fold(bare) not in _NO_TERMS:
            terms[one] = None
    return Focus(
        kind=_kind(question),
        names=names,
        terms=tuple(terms),
        past=bool(_PAST.search(question)),
        fixed=bool(_FIXED.search(question)),
        stems=words(question) | parts,
    )


def _kind(question: str) -> AnswerKind:
    for kind, pattern in _KINDS:
        if pattern.search(question):
            return kind
    return "thing"


def is_name_in(name: str, text: str) -> bool:
    """Return whether a text has a name, or the first word of a name of several, as whole words in any case."""
    folded = f" {' '.join(_plain(token) for token in _TOKEN.findall(text))} "
    parts = [_plain(token) for token in _TOKEN.findall(name)]
    return bool(parts) and (f" {' '.join(parts)} " in folded or (len(parts) > 1 and f" {parts[0]} " in folded))


def _plain(token: str) -> str:
    return fold(_POSSESSIVE.sub("", token))


def _names(question: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return runs of capitalised words after the first word, and known names."""
    found: dict[str, str] = {}
    run: list[str] = []
    for place, match in enumerate(_TOKEN.finditer(question)):
        token = match[0]
        bare = _POSSESSIVE.sub("", token)
        opens = place == 0 and bare.lower() in _OPENERS
        if bare[:1].isupper() and not opens and bare.lower() not in _NO_NAMES:
            run.append(bare)
        else:
            _keep(found, run)
        if run and bare != token:
            _keep(found, run)
    _keep(found, run)
    for name in known:
        if is_name_in(name, question) and not any(_overlaps(name, other) for other in found.values()):
            _keep(found, [name])
    return tuple(found.values())


def _keep(found: dict[str, str], run: list[str]) -> None:
    if run:
        name = " ".join(run)
        found.setdefault(fold(name), name)
        run.clear()


def _overlaps(one: str, other: str) -> bool:
    return bool({fold(part) for part in one.split()} & {fold(part) for part in other.split()})
