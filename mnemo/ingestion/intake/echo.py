"""Recognises recalled text that comes back as a message, so that it is not learnt again.

Three signs. Layout: the lines of a context as `mnemo.retrieval.context` writes them, under its headings
or with a mark, a date and a name; these need no log of what was recalled and work across processes. Marks:
two or more lines that begin as `[3] …`. Repetition: a sentence whose words, nearly all of them, occur in
one recalled sentence, its negations and numbers included. The last two count only for what this process
recalled (`mnemo.ingestion.intake.recall_log`).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from mnemo.ingestion.resolution.names import name_key
from mnemo.text.sentences import sentence_spans

__all__ = ["MIN_WORDS", "Words", "masked", "repeats", "words_of"]

Words: TypeAlias = frozenset[str]
"""The folded words of a sentence; pairs of characters in scripts without blanks."""

MIN_WORDS = 4
"""Shorter sentences (Yes, I do) are too generic to count as echoes."""
_CONTAINED = 0.9
_MARKED = re.compile(r"^\s*(?:[-*•]\s*)?\[\d{1,3}\]\s+\S")
_CITED = re.compile(r"\s*\[\d{1,3}\](?:\s*,?\s*\[\d{1,3}\])*")
_CJK = re.compile(r"[぀-ヿ一-鿿가-힣]")
_HEAD = re.compile(r"^\s*(?:Facts|People and things|Summaries|Messages):\s*$")
_FACT = re.compile(r"^\s*- \S.*\[\d{1,3}\]\s*$")
_THING = re.compile(r"^\s*- \S")
_QUOTE = re.compile(
    r"^\s*\[\d{1,3}\] (?:undated|[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d(?: [A-Za-z][\w/+-]*)?), [^:\n]{1,120}: "
)
_DECISIVE = re.compile(r"\d|^(?:not?|never|none|nobody|nothing|neither|nor|without|cannot|\w+nt|longer|anymore)$")
_PRONOUNS = frozenset(
    [
        *("i", "you", "he", "she", "they", "we", "it", "me", "him", "them", "us", "my", "your", "his", "her"),
        *("their", "our", "its", "am", "is", "are", "was", "were"),
    ]
)


def masked(text: str, known: Sequence[Words]) -> str:
    """Return a message of the same length with blanks in place of recalled text.

    Args:
        text: The message.
        known: Words of recalled sentences; without any, only the layout of a context is recognised.
    """
    lines = text.splitlines(keepends=True)
    layout = _layout(lines)
    numbered = bool(known) and sum(bool(_MARKED.match(line)) for line in lines) > 1
    done = []
    for place, line in enumerate(lines):
        given_back = place in layout or (numbered and bool(_MARKED.match(line)))
        done.append(_blank(line) if given_back else _unrepeated(line, known))
    return "".join(done)


def repeats(sentence: str, known: Sequence[Words]) -> bool:
    """Return whether one recalled sentence says everything that a sentence says."""
    raw = words_of(_CITED.sub("", sentence))
    if len(raw) < MIN_WORDS:
        return False
    words = raw - _PRONOUNS or raw
    decisive = {word for word in words if _DECISIVE.search(word)}
    return any(decisive <= other and len(words & other) >= _CONTAINED * len(words) for other in known)


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """Return the folded words of a text; pairs of characters in scripts without blanks."""
    key = name_key(text)
    if _CJK.search(key):
        dense = key.replace(" ", "")
        return frozenset(dense[place : place + 2] for place in range(len(dense) - 1))
    return frozenset(key.split())


def _layout(lines: Sequence[str]) -> set[int]:
    """Return the indexes of lines of a context: quotes, cited facts under a heading, the heading, and other items."""
    quotes = {place for place, line in enumerate(lines) if _QUOTE.match(line)}
    heads = [place for place, line in enumerate(lines) if _HEAD.match(line)]
    facts: set[int] = set()
    things: set[int] = set()
    for head in heads:
        for place in range(head + 1, len(lines)):
            if not _THING.match(lines[place]):
                break
            (facts if _FACT.match(lines[place]) else things).add(place)
    sure = quotes | facts
    return sure | things | set(heads) if sure else set()


def _unrepeated(line: str, known: Sequence[Words]) -> str:
    if not known:
        return line
    for start, piece in _sentences(line):
        if repeats(piece, known):
            line = f"{line[:start]}{_blank(piece)}{line[start + len(piece) :]}"
    return line


def _sentences(line: str) -> Iterator[tuple[int, str]]:
    for start, end in sentence_spans(line):
        yield start, line[start:end]


def _blank(text: str) -> str:
    return "".join(character if character in "\r\n" else " " for character in text)
