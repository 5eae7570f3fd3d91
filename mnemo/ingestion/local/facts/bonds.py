"""Facts about relationships: who a named person or pet is to whom."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.names.entities import NamedEntity, entity_of, meant_by, owner_name
from mnemo.ingestion.local.names.people import bonds, is_animal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

    from mnemo.ingestion.local.clauses.rendering import Cast
    from mnemo.ingestion.local.gathering import Gathering

__all__ = ["BondFact", "bond_facts", "name_given"]

_REACH = 6
"""Messages back in which an animal without a name may have been got."""
_NAMING = frozenset(["call", "name"])


@dataclass(frozen=True, slots=True)
class BondFact:
    """A relationship of two entities, with its sentence and where it is said."""

    owner: str
    noun: str
    name: str
    sentence: str
    entities: tuple[NamedEntity, ...]
    first: Token
    last: Token
    tokens: tuple[int, ...] = ()
    """Indices of the words that make the bond."""


def bond_facts(sentence: Span, cast: Cast, gathering: Gathering) -> Iterator[BondFact]:
    """Yield the relationships in a sentence whose owner is known, in order of the names."""
    for bond in bonds(sentence):
        owner = _owner(bond.owner, cast, gathering)
        entity = entity_of(bond.name, cast, gathering.speakers)
        if entity is None:
            continue
        noun = bond.noun.lemma_.lower()
        kind = _typed(entity, noun)
        if owner is None or owner == entity.name:
            continue
        yield BondFact(
            owner,
            noun,
            kind.name,
            f"{kind.name} is {owner}'s {noun}",
            (kind,),
            bond.first,
            bond.name,
            (bond.noun.i, bond.name.i),
        )


def name_given(sentence: Span, gathering: Gathering, place: int) -> Iterator[BondFact]:
    """Yield the names given to an animal mentioned before: `We called him Pickle`."""
    if not gathering.unnamed or place - gathering.unnamed[3] > _REACH:
        return
    owner, noun, words, _ = gathering.unnamed
    names = [name for verb in sentence if verb.lemma_.lower() in _NAMING for name in _given(verb)]
    for name in names:
        entity = _typed(NamedEntity(name.text, "thing"), noun)
        breed = words.removeprefix(f"{owner}'s ")
        label = breed.rstrip("s") if breed.endswith("s") and noun in breed else breed
        yield BondFact(
            owner, noun, entity.name, f"{entity.name} is {owner}'s {label}", (entity,), name.sent[0], name, (name.i,)
        )
    if names:
        gathering.unnamed = None


def _given(verb: Token) -> list[Token]:
    """Return the names given by a naming verb or noun: called him Pickle, they're called Salt and Vinegar."""
    doc = verb.doc
    place = verb.i + 1
    while place < len(doc) and (
        doc[place].lower_ in {"him", "her", "it", "them", "is", "are"} or doc[place].text in {"'s", ":"}
    ):
        place += 1
    found = []
    while place < len(doc) and doc[place].pos_ == "PROPN":
        found.append(doc[place])
        place += 1
        if place + 1 < len(doc) and doc[place].lower_ in {"and", ",", "&"} and doc[place + 1].pos_ == "PROPN":
            place += 1
    return found


def _typed(entity: NamedEntity, noun: str) -> NamedEntity:
    kind = "thing" if is_animal(noun) else "person"
    return NamedEntity(entity.name, kind, (kind, noun))  # type: ignore[arg-type]  # both are kinds


def _owner(owner: Token | None, cast: Cast, gathering: Gathering) -> str | None:
    if owner is None:
        return None
    if owner.lower_ in {"his", "her", "he", "she"}:
        found = gathering.discourse.meant_by(
            {"his": "he", "her": "she"}.get(owner.lower_, owner.lower_), gathering.place
        )
        return found.name if found is not None else None
    if owner.tag_ == "PRP$" or owner.pos_ == "PRON":
        return meant_by(owner.lower_, cast)
    entity = entity_of(owner, cast, gathering.speakers)
    return entity.name if entity is not None else owner_name(owner, cast)
