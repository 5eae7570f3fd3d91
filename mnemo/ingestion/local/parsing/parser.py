"""Parses messages with well-known names in place of rare ones, which the small parser would misread.

`Odile lives in Aalst` is read as `Anna lives in Paris`; the result has the words of the message again, each name as
one token with its kind.
"""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.parsing.fixes import mend
from mnemo.providers import spacy_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spacy.tokens import Doc

    from mnemo.ingestion.local.names.window_names import NameSpan, WindowNames

__all__ = ["parse"]

_BATCH = 32
_KNOWN = {
    "person": ("Anna", "Peter", "Mary", "Tom", "Susan", "Paul"),
    "place": ("Paris", "London", "Boston", "Berlin"),
    "organisation": ("Microsoft", "Toyota", "Siemens"),
}
_LABELS = {"person": "PERSON", "place": "GPE", "organisation": "ORG"}


def parse(texts: Iterable[str], names: WindowNames) -> Iterator[Doc]:
    """Yield one parsed and corrected document per text, in order; a name of known kind is one token."""
    kept = list(texts)
    spans = [names.spans(text) for text in kept]
    read = (_with_known_names(text, own) for text, own in zip(kept, spans, strict=True))
    parsed = spacy_model.load().pipe(read, batch_size=_BATCH)
    for text, own, doc in zip(kept, spans, parsed, strict=True):
        if not own:
            yield mend(doc)
        elif _each_is_a_token(own, doc):
            yield mend(_with_own_names(text, own, doc))
        else:
            yield mend(spacy_model.load()(text))


def _with_known_names(text: str, spans: Sequence[NameSpan]) -> str:
    parts, done = [], 0
    for number, span in enumerate(spans):
        parts += [text[done : span.start], _known_name(spans, number)]
        done = span.end
    return "".join([*parts, text[done:]])


def _known_name(spans: Sequence[NameSpan], number: int) -> str:
    """Return the well-known name that replaces the name of this number."""
    known = _KNOWN[spans[number].kind]
    return known[number % len(known)]


def _each_is_a_token(spans: Sequence[NameSpan], doc: Doc) -> bool:
    """Return whether the tokenizer kept every known name apart from the characters around it, unlike in `¢Anna`."""
    lengths = {token.idx: len(token) for token in doc}
    return all(lengths.get(start) == len(_known_name(spans, number)) for start, number in _starts(spans).items())


def _with_own_names(text: str, spans: Sequence[NameSpan], doc: Doc) -> Doc:
    """Return the same analysis over the words of the text itself."""
    from spacy.tokens import Doc as NewDoc  # noqa: PLC0415  # importing spaCy takes a second

    starts = _starts(spans)
    words = [
        text[spans[starts[token.idx]].start : spans[starts[token.idx]].end] if token.idx in starts else token.text
        for token in doc
    ]
    return NewDoc(
        doc.vocab,
        words=words,
        spaces=[bool(token.whitespace_) for token in doc],
        tags=["NNP" if token.idx in starts else token.tag_ for token in doc],
        pos=["PROPN" if token.idx in starts else token.pos_ for token in doc],
        morphs=[str(token.morph) for token in doc],
        lemmas=[word if token.idx in starts else token.lemma_ for word, token in zip(words, doc, strict=True)],
        heads=[token.head.i for token in doc],
        deps=[token.dep_ for token in doc],
        ents=_labels(doc, {place: spans[number].kind for place, number in starts.items()}),
    )


def _starts(spans: Sequence[NameSpan]) -> dict[int, int]:
    """Return the offsets of the known names in the parsed text, with the numbers of their spans."""
    starts, shift = {}, 0
    for number, span in enumerate(spans):
        starts[span.start + shift] = number
        shift += len(_known_name(spans, number)) - (span.end - span.start)
    return starts


def _labels(doc: Doc, kinds: dict[int, str]) -> list[str]:
    """Return entity labels by token in the IOB scheme; a name of known kind is an entity by itself."""
    labels: list[str] = []
    inside = ""
    for token in doc:
        if token.idx in kinds:
            labels.append(f"B-{_LABELS[kinds[token.idx]]}")
            inside = ""
        elif token.ent_type_:
            begins = token.ent_iob_ == "B" or inside != token.ent_type_
            labels.append(f"{'B' if begins else 'I'}-{token.ent_type_}")
            inside = token.ent_type_
        else:
            labels.append("O")
            inside = ""
    return labels
