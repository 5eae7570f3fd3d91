"""Corrects errors of the small parser that come from spelling: base forms, names, and speakers of quotes."""

from __future__ import annotations  # importing spaCy takes a second

import re
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import DISLIKING, FILLERS, LIKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Span, Token

__all__ = ["mend", "quoted", "sayer"]

_SHORT_STEM = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$")
"""One vowel between consonants: such a verb doubles its last letter before -ed and -ing (hop, hopped)."""
_QUOTES = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”")
_NEEDING = LIKING | DISLIKING | {"stand", "bear"}
_DESIGNATOR = re.compile(
    r"(?<![\w-])(?:[A-Z]\w*|[a-z]{1,2}[A-Z]\w*)(?:[ -]|\s?#|\sNo\.\s?)\d+(?:\.\d+)*[A-Za-z]{0,2}(?:-\d+)*"
    r"(?![\w:/%°€$]|[.,]\d)"
)
"""A name and the number that is part of it: Ticket 4712, Python 3.11, GPT-4o, iPhone 13."""
_STREET_NUMBER = re.compile(r"(?<![\w.,-])\d{1,5}[a-zA-Z]?(?= [A-Z])")
_GENDERED = frozenset(["mr", "mrs", "ms", "miss", "mr.", "mrs.", "ms."])
_STREETS = frozenset(["street", "st", "st.", "road", "rd", "avenue", "ave", "lane", "drive", "square", "boulevard"])
_CALENDAR = frozenset(["DATE", "TIME"])
_SAYING = frozenset(["say", "tell", "shout", "whisper", "announce", "reply", "answer", "admit", "declare"])


def mend(doc: Doc) -> Doc:
    """Correct base forms in place: `hated` comes from hate, not from hat, which would give hatted."""
    for token in doc:
        stem = token.lemma_.lower()
        if (
            token.pos_ == "VERB"
            and _SHORT_STEM.match(stem)
            and token.lower_ in {f"{stem}ed", f"{stem}ing", f"{stem}es"}
        ):
            token.lemma_ = f"{stem}e"
        if token.dep_ == "advmod" and token.pos_ == "ADJ" and _wants_object(token):
            token.pos_, token.tag_, token.dep_ = "NOUN", "NN", "dobj"  # I can't stand cilantro
    doc.ents = tuple(part for entity in doc.ents for part in _parted(entity))
    named = [*_designators(doc), *_addresses(doc), *_titled(doc)]
    for span in named:
        _name(doc, span)
    return doc


def _parted(entity: Span) -> Iterator[Span]:
    """Split two names that were read as one: Acme, Birch in `switched from Acme to Birch`, not Road to Perdition."""
    start = entity.start
    for token in entity:
        apart = token.lower_ in {"to", "for"} and token.head.i < entity.start and start < token.i < entity.end - 1
        if apart:
            yield _labelled(entity.doc, start, token.i, entity.label_)
            start = token.i + 1
    yield entity if start == entity.start else _labelled(entity.doc, start, entity.end, entity.label_)


def _name(doc: Doc, span: Span) -> None:
    """Make a span one entity, replacing those that it overlaps."""
    others = [entity for entity in doc.ents if entity.end <= span.start or entity.start >= span.end]
    doc.ents = (*others, span)
    if span.root.pos_ == "NUM":
        span.root.pos_ = "PROPN"


def _designators(doc: Doc) -> Iterator[Span]:
    for match in _DESIGNATOR.finditer(doc.text):
        span = doc.char_span(*match.span(), label="PRODUCT", alignment_mode="expand")
        if span is None or len(span) == 0 or span[0].pos_ not in {"PROPN", "NOUN"}:
            continue
        after = doc[span.end] if span.end < len(doc) else None
        counted = after is not None and after.pos_ in {"NOUN", "ADJ", "PROPN", "SYM"} and len(span) > 1
        counts = counted and after is not None and after.ent_type_ not in _CALENDAR
        calendar = span[0].ent_type_ in _CALENDAR or any(t.ent_type_ in {"MONEY", "PERCENT", "QUANTITY"} for t in span)
        if not counts and not calendar and span[0].lower_ not in FILLERS:
            yield span


def _addresses(doc: Doc) -> Iterator[Span]:
    """Return a street with the number before it: 12 Oak Street."""
    for entity in doc.ents:
        street = entity.label_ == "FAC" or entity[-1].lower_ in _STREETS
        if street and entity.start and _STREET_NUMBER.match(f"{doc[entity.start - 1].text} X"):
            yield _labelled(doc, entity.start - 1, entity.end, "FAC")


def _labelled(doc: Doc, start: int, end: int, label: str) -> Span:
    first, last = doc[start], doc[end - 1]
    span: Span = doc.char_span(first.idx, last.idx + len(last), label=label)  # type: ignore[assignment]  # whole tokens
    return span


def _titled(doc: Doc) -> Iterator[Span]:
    """Return Mr. Brown with his title, without which he would be Mrs. Brown."""
    for entity in doc.ents:
        if entity.label_ == "PERSON" and len(entity) == 1 and entity.start:
            title = doc[entity.start - 1]
            if title.lower_ in _GENDERED:
                yield _labelled(doc, title.i, entity.end, "PERSON")


def _wants_object(token: Token) -> bool:
    """Return whether it is the last word after a verb that only an object can complete."""
    verb = token.head
    bare = verb.lemma_ in _NEEDING and not any(t.dep_ in {"dobj", "ccomp", "xcomp", "prep"} for t in verb.children)
    return bare and token.i == verb.i + 1


def quoted(doc: Doc) -> list[tuple[int, int]]:
    """Return the offsets of the first and last marks of each quotation, in order."""
    return [(match.start(), match.end() - 1) for match in _QUOTES.finditer(doc.text)]


def sayer(doc: Doc, quote: tuple[int, int]) -> Token | None:
    """Return who is quoted: the subject of the nearest verb of saying, before the quote or right after it.

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
