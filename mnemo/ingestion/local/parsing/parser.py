"""Parses messages with well-known names substituted for rare ones, which the small parser would misread.

`Odile lives in Aalst` is parsed as `Anna lives in Paris`; the resulting document has the original words, each name as
one token labelled with its kind.
"""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.parsing.fixes import fix_parse
from mnemo.providers import spacy_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spacy.tokens import Doc

    from mnemo.ingestion.local.names.window_names import NameSpan, WindowNames

__all__ = ["parse"]

_BATCH = 32
_WELL_KNOWN = {
    "person": ("Anna", "Peter", "Mary", "Tom", "Susan", "Paul"),
    "place": ("Paris", "London", "Boston", "Berlin"),
    "organisation": ("Microsoft", "Toyota", "Siemens"),
}
_LABELS = {"person": "PERSON", "place": "GPE", "organisation": "ORG"}


def parse(texts: Iterable[str], names: WindowNames) -> Iterator[Doc]:
    """Yield a parsed and corrected document per text, in order; a name of known kind is one token."""
    texts_list = list(texts)
    spans = [names.spans(text) for text in texts_list]
    substituted = (_with_well_known_names(text, name_spans) for text, name_spans in zip(texts_list, spans, strict=True))
    parsed = spacy_model.load().pipe(substituted, batch_size=_BATCH)
    for text, name_spans, doc in zip(texts_list, spans, parsed, strict=True):
        if not name_spans:
            yield fix_parse(doc)
        elif _each_is_a_token(name_spans, doc):
            yield fix_parse(_with_original_names(text, name_spans, doc))
        else:
            yield fix_parse(spacy_model.load()(text))


def _with_well_known_names(text: str, spans: Sequence[NameSpan]) -> str:
    parts, done = [], 0
    for index, span in enumerate(spans):
        parts += [text[done : span.start], _well_known_name(spans, index)]
        done = span.end
    return "".join([*parts, text[done:]])


def _well_known_name(spans: Sequence[NameSpan], index: int) -> str:
    """Return the well-known name that replaces `spans[index]`."""
    well_known = _WELL_KNOWN[spans[index].kind]
    return well_known[index % len(well_known)]


def _each_is_a_token(spans: Sequence[NameSpan], doc: Doc) -> bool:
    """Return whether every substituted name is a token by itself, unlike in `¢Anna`."""
    lengths = {token.idx: len(token) for token in doc}
    return all(lengths.get(start) == len(_well_known_name(spans, index)) for start, index in _starts(spans).items())


def _with_original_names(text: str, spans: Sequence[NameSpan], doc: Doc) -> Doc:
    """Return the same analysis with the original words of the text."""
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
        ents=_labels(doc, {offset: spans[index].kind for offset, index in starts.items()}),
    )


def _starts(spans: Sequence[NameSpan]) -> dict[int, int]:
    """Return the index of each name's span by the name's offset in the parsed text."""
    starts, shift = {}, 0
    for index, span in enumerate(spans):
        starts[span.start + shift] = index
        shift += len(_well_known_name(spans, index)) - (span.end - span.start)
    return starts


def _labels(doc: Doc, kinds: dict[int, str]) -> list[str]:
    """Return the entity label of each token in the IOB scheme; a substituted name is an entity by itself."""
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
