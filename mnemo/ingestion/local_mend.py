"""What the small parser gets wrong for reasons of spelling, put right: base forms, and who speaks in quotes."""

from __future__ import annotations  # spaCy is imported by who parses: it takes a second

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Token

__all__ = ["mend", "quoted", "sayer"]

_SHORT_STEM = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$")
"""One vowel between consonants: such a verb doubles its last letter before -ed and -ing (hop, hopped)."""
_QUOTES = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”")
_SAYING = frozenset(["say", "tell", "shout", "whisper", "announce", "reply", "answer", "admit", "declare"])


def mend(doc: Doc) -> Doc:
    """Correct base forms in place: `hated` is of hate, not of hat, which would make hatted."""
    for token in doc:
        stem = token.lemma_.lower()
        if token.pos_ == "VERB" and _SHORT_STEM.match(stem) and token.lower_ in {f"{stem}ed", f"{stem}ing"}:
            token.lemma_ = f"{stem}e"
    return doc


def quoted(doc: Doc) -> list[tuple[int, int]]:
    """Return where quotes stand: offsets of their first and last marks, in order."""
    return [(match.start(), match.end() - 1) for match in _QUOTES.finditer(doc.text)]


def sayer(doc: Doc, quote: tuple[int, int]) -> Token | None:
    """Return who is said to have said a quote: the subject of the nearest verb of saying, before it or right after.

    None when nobody is.
    """
    before = [token for token in doc if token.idx < quote[0]]
    after = [token for token in doc if token.idx > quote[1]][:4]
    for token in (*reversed(before), *after):
        if token.lemma_ in _SAYING and token.pos_ == "VERB":
            return next(_subjects(token), None)
    return None


def _subjects(verb: Token) -> Iterator[Token]:
    while True:
        yield from (child for child in verb.children if child.dep_ == "nsubj")
        if verb.dep_ != "conj":
            return
        verb = verb.head
