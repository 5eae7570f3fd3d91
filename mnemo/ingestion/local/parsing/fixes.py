"""Corrects parser errors in base forms and names, and finds quotations and who said them."""

from __future__ import annotations  # importing spaCy takes a second

import re
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import DISLIKE_VERBS, FILLERS, LIKE_VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Span, Token

__all__ = ["fix_parse", "quotations", "quoted_speaker"]

_SHORT_STEM = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$")
"""One vowel between consonants: such a verb doubles its last letter before -ed and -ing (hop, hopped).

A form without the doubling comes from a verb in -e: hated.
"""
_QUOTES = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”")
_TRANSITIVE_VERBS = LIKE_VERBS | DISLIKE_VERBS | {"stand", "bear"}
_DESIGNATOR = re.compile(
    r"(?<![\w-])(?:[A-Z]\w*|[a-z]{1,2}[A-Z]\w*)(?:[ -]|\s?#|\sNo\.\s?)\d+(?:\.\d+)*[A-Za-z]{0,2}(?:-\d+)*"
    r"(?![\w:/%°€$]|[.,]\d)"
)
"""A name with a number that is part of it: Ticket 4712, Python 3.11, GPT-4o, iPhone 13."""
_STREET_NUMBER = re.compile(r"(?<![\w.,-])\d{1,5}[a-zA-Z]?(?= [A-Z])")
_GENDERED_TITLES = frozenset(["mr", "mrs", "ms", "miss", "mr.", "mrs.", "ms."])
_STREETS = frozenset(["street", "st", "st.", "road", "rd", "avenue", "ave", "lane", "drive", "square", "boulevard"])
_TIME_LABELS = frozenset(["DATE", "TIME"])
_SAYING_VERBS = frozenset(["say", "tell", "shout", "whisper", "announce", "reply", "answer", "admit", "declare"])


def fix_parse(doc: Doc) -> Doc:
    """Correct base forms (`hated` is from hate, not hat), objects and names in place; return the same document."""
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
    doc.ents = tuple(part for entity in doc.ents for part in _split_names(entity))
    named = [*_designators(doc), *_addresses(doc), *_titled(doc)]
    for span in named:
        _set_entity(doc, span)
    return doc


def _split_names(entity: Span) -> Iterator[Span]:
    """Split two names read as one: Acme, Birch in `switched from Acme to Birch`, but not Road to Perdition."""
    start = entity.start
    for token in entity:
        apart = token.lower_ in {"to", "for"} and token.head.i < entity.start and start < token.i < entity.end - 1
        if apart:
            yield _label_span(entity.doc, start, token.i, entity.label_)
            start = token.i + 1
    yield entity if start == entity.start else _label_span(entity.doc, start, entity.end, entity.label_)


def _set_entity(doc: Doc, span: Span) -> None:
    """Make a span one entity, replacing the entities it overlaps."""
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
        count_attribute = after is not None and after.pos_ in {"NOUN", "ADJ", "PROPN", "SYM"} and len(span) > 1
        counts = count_attribute and after is not None and after.ent_type_ not in _TIME_LABELS
        calendar = span[0].ent_type_ in _TIME_LABELS or any(
            t.ent_type_ in {"MONEY", "PERCENT", "QUANTITY"} for t in span
        )
        if not counts and not calendar and span[0].lower_ not in FILLERS:
            yield span


def _addresses(doc: Doc) -> Iterator[Span]:
    """Yield streets with the number before them: 12 Oak Street."""
    for entity in doc.ents:
        street = entity.label_ == "FAC" or entity[-1].lower_ in _STREETS
        if street and entity.start and _STREET_NUMBER.match(f"{doc[entity.start - 1].text} X"):
            yield _label_span(doc, entity.start - 1, entity.end, "FAC")


def _label_span(doc: Doc, start: int, end: int, label: str) -> Span:
    first, last = doc[start], doc[end - 1]
    span: Span = doc.char_span(first.idx, last.idx + len(last), label=label)  # type: ignore[assignment]  # whole tokens
    return span


def _titled(doc: Doc) -> Iterator[Span]:
    """Yield people with their title, which tells Mr. Brown from Mrs. Brown."""
    for entity in doc.ents:
        if entity.label_ == "PERSON" and len(entity) == 1 and entity.start:
            title = doc[entity.start - 1]
            if title.lower_ in _GENDERED_TITLES:
                yield _label_span(doc, title.i, entity.end, "PERSON")


def _wants_object(token: Token) -> bool:
    """Return whether it directly follows a verb that needs an object and has none."""
    verb = token.head
    bare = verb.lemma_ in _TRANSITIVE_VERBS and not any(
        t.dep_ in {"dobj", "ccomp", "xcomp", "prep"} for t in verb.children
    )
    return bare and token.i == verb.i + 1


def quotations(doc: Doc) -> list[tuple[int, int]]:
    """Return the offsets of the opening and closing mark of each quotation, in order."""
    return [(match.start(), match.end() - 1) for match in _QUOTES.finditer(doc.text)]


def quoted_speaker(doc: Doc, quote: tuple[int, int]) -> Token | None:
    """Return who is quoted: the subject of the nearest verb of saying before the quotation or right after it.

    None if there is no such verb or it has no subject.
    """
    before = [token for token in doc if token.idx < quote[0]]
    after = [token for token in doc if token.idx > quote[1]][:4]
    for token in (*reversed(before), *after):
        if token.lemma_ in _SAYING_VERBS and token.pos_ == "VERB":
            return next(_subjects(token), None)
    return None


def _subjects(verb: Token) -> Iterator[Token]:
    while True:
        yield from (child for child in verb.children if child.dep_ == "nsubj")
        if verb.dep_ != "conj":
            return
        verb = verb.head
