"""Finds relationships of named people and pets: `my sister Odile`, `a dog called Biscuit`."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import ANIMALS, FEMALE, MALE, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

__all__ = ["Relationship", "gender_of", "is_animal", "name_beside", "relationships"]

_NAMING_PARTICIPLES = frozenset(["called", "named"])
_MAX_OWNER_DISTANCE = 4
"""Most words between an owner and what they own: my very good old friend."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """A named person or pet, and their relationship to an owner."""

    noun: Token
    """The relationship, such as sister or dog."""
    name: Token
    owner: Token | None
    """`my`, `our`, a name, or the subject of have; None without one."""
    first: Token
    """First token of the words that state it."""


def relationships(sentence: Span) -> Iterator[Relationship]:
    """Yield the relationships that a sentence names, in order of the names."""
    for noun in sentence:
        for name in name_beside(noun):
            owner = owner_before(noun) or _owner_of_object(noun)
            yield Relationship(noun, name, owner, owner if owner is not None and owner.i < noun.i else noun)


def name_beside(noun: Token) -> list[Token]:
    """Return the last token of each name directly after a noun for a person or pet."""
    if not _is_person_noun(noun):
        return []
    doc, index = noun.doc, noun.i + 1
    be = index + 1 < len(doc) and doc[index].lemma_ == "be" and doc[index + 1].lower_ in _NAMING_PARTICIPLES
    index += (
        2
        if be
        else 1
        if index < len(doc) and (doc[index].lower_ in _NAMING_PARTICIPLES or doc[index].text in {",", "("})
        else 0
    )
    if index >= len(doc) or not _is_name(doc[index]):
        return []
    name = _last_name_token(doc[index])
    after = name.i + 1
    closed = after >= len(doc) or doc[after].text in {",", ".", "!", ")", "and"}
    if doc[index - 1].text == "," and not closed:
        return []
    names = [name]
    while (
        noun.tag_ == "NNS"
        and after + 1 < len(doc)
        and doc[after].lower_ in {"and", ",", "&"}
        and _is_name(doc[after + 1])
    ):
        names.append(_last_name_token(doc[after + 1]))
        after = names[-1].i + 1
    return names


def gender_of(noun: str) -> str | None:
    """Return `he` or `she` for a relative's noun, None for others."""
    return "she" if noun in FEMALE else "he" if noun in MALE else None


def is_animal(noun: str) -> bool:
    """Return whether a noun names a kind of pet."""
    return noun in ANIMALS


def owner_before(noun: Token) -> Token | None:
    """Return the possessive before a noun: `my`, or `Ana` in `Ana's sister`; None without one."""
    for token in reversed(list(noun.doc[max(0, noun.i - _MAX_OWNER_DISTANCE) : noun.i])):
        if token.tag_ == "PRP$" or token.lower_ in {"my", "our", "your"}:
            return token
        if token.tag_ == "POS" and token.i:
            return token.nbor(-1)
        if token.pos_ in {"VERB", "AUX", "PUNCT", "ADP", "CCONJ", "NOUN"}:
            return None
    return None


def _is_person_noun(token: Token) -> bool:
    return token.lower_ in PEOPLE and token.pos_ in {"NOUN", "PROPN", "ADJ", "VERB"} and not token.text.isupper()


def _is_name(token: Token) -> bool:
    return token.pos_ == "PROPN" and token.text[:1].isupper() and token.ent_type_ not in {"DATE", "TIME"}


def _last_name_token(name: Token) -> Token:
    doc, index = name.doc, name.i
    while index + 1 < len(doc) and _is_name(doc[index + 1]) and doc[index].ent_type_ == doc[index + 1].ent_type_:
        index += 1
    return doc[index]


def _owner_of_object(noun: Token) -> Token | None:
    """Return the owner in `Ada has a daughter called Rita`."""
    while noun.dep_ == "conj" and noun.head.pos_ in {"NOUN", "PROPN"}:
        noun = noun.head
    verb = noun.head
    if noun.dep_ == "dobj" and verb.lemma_ in {"have", "get", "adopt", "buy", "own"}:
        return next((t for t in verb.children if t.dep_ == "nsubj"), None)
    return None
