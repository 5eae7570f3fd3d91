"""Recognises recalled text that comes back in a message, so that it is not stored again.

There are three signs. Layout: lines as `mnemo.retrieval.context` writes them, under its headings or with a number, a
date and a name; this needs no log of recalled text and works across processes. Numbers: two or more lines that start
as `[3] …`. Repetition: a sentence of which nearly all words, and all negations and numbers, occur in one recalled
sentence. The last two apply only to text that this process recalled (`mnemo.ingestion.intake.recall_log`).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from mnemo.ingestion.resolution.names import name_key
from mnemo.text.sentences import sentence_spans

__all__ = ["MIN_WORDS", "Words", "mask_echoes", "repeats", "words_of"]

Words: TypeAlias = frozenset[str]
"""The folded words of a sentence; pairs of characters in scripts without blanks."""

MIN_WORDS = 4
"""Shorter sentences (Yes, I do) are too generic to count as echoes."""
_CONTAINED = 0.9
_MARKED = re.compile(r"^\s*(?:[-*•]\s*)?\[\d{1,3}\]\s+\S")
_CITED = re.compile(r"\s*\[\d{1,3}\](?:\s*,?\s*\[\d{1,3}\])*")
_CJK = re.compile(r"[぀-ヿ一-鿿가-힣]")
_HEADING = re.compile(r"^\s*(?:Facts|People and things|Summaries|Messages):\s*$")
_FACT = re.compile(r"^\s*- \S.*\[\d{1,3}\]\s*$")
_ITEM = re.compile(r"^\s*- \S")
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


def mask_echoes(text: str, known: Sequence[Words]) -> str:
    """Return a message, of the same length, with recalled text replaced by blanks.

    Args:
        text: The message.
        known: The words of each recalled sentence; if empty, only the layout of a context is recognised.
    """
    lines = text.splitlines(keepends=True)
    layout = _context_lines(lines)
    numbered = bool(known) and sum(bool(_MARKED.match(line)) for line in lines) > 1
    done = []
    for index, line in enumerate(lines):
        is_echo = index in layout or (numbered and bool(_MARKED.match(line)))
        done.append(_blank(line) if is_echo else _mask_repeated(line, known))
    return "".join(done)


def repeats(sentence: str, known: Sequence[Words]) -> bool:
    """Return whether one recalled sentence contains nearly all words of a sentence."""
    raw = words_of(_CITED.sub("", sentence))
    if len(raw) < MIN_WORDS:
        return False
    words = raw - _PRONOUNS or raw
    decisive = {word for word in words if _DECISIVE.search(word)}
    return any(decisive <= other and len(words & other) >= _CONTAINED * len(words) for other in known)


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """Return the folded words of a text, or its character pairs in scripts without blanks."""
    key = name_key(text)
    if _CJK.search(key):
        dense = key.replace(" ", "")
        return frozenset(dense[index : index + 2] for index in range(len(dense) - 1))
    return frozenset(key.split())


def _context_lines(lines: Sequence[str]) -> set[int]:
    """Return the indices of a context's lines: quotes, headings, and the facts and other items under headings."""
    quotes = {index for index, line in enumerate(lines) if _QUOTE.match(line)}
    headings = [index for index, line in enumerate(lines) if _HEADING.match(line)]
    facts: set[int] = set()
    items: set[int] = set()
    for heading in headings:
        for index in range(heading + 1, len(lines)):
            if not _ITEM.match(lines[index]):
                break
            (facts if _FACT.match(lines[index]) else items).add(index)
    certain = quotes | facts
    return certain | items | set(headings) if certain else set()


def _mask_repeated(line: str, known: Sequence[Words]) -> str:
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
