"""Facts about relationships of named people and pets: Odile is Ada's sister."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.names.entities import NamedEntity, entity_of, owner_name, pronoun_referent
from mnemo.ingestion.local.names.people import is_animal, relationships

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

    from mnemo.ingestion.local.clauses.rendering import Participants
    from mnemo.ingestion.local.collector import WindowCollector

__all__ = ["RelationshipFact", "naming_facts", "relationship_facts"]

_MAX_DISTANCE = 6
"""Most messages between an animal's mention and its naming."""
_NAMING = frozenset(["call", "name"])


@dataclass(frozen=True, slots=True)
class RelationshipFact:
    """A relationship between two entities, with its sentence and its tokens."""

    owner: str
    noun: str
    name: str
    sentence: str
    entities: tuple[NamedEntity, ...]
    first: Token
    last: Token
    tokens: tuple[int, ...] = ()
    """Indices of the noun and the name."""


def relationship_facts(
    sentence: Span, participants: Participants, collector: WindowCollector
) -> Iterator[RelationshipFact]:
    """Yield the relationships in a sentence with a known owner, in order of the names."""
    for relationship in relationships(sentence):
        owner = _owner(relationship.owner, participants, collector)
        entity = entity_of(relationship.name, participants, collector.speakers)
        if entity is None:
            continue
        noun = relationship.noun.lemma_.lower()
        kind = _with_kind(entity, noun)
        if owner is None or owner == entity.name:
            continue
        yield RelationshipFact(
            owner,
            noun,
            kind.name,
            f"{kind.name} is {owner}'s {noun}",
            (kind,),
            relationship.first,
            relationship.name,
            (relationship.noun.i, relationship.name.i),
        )


def naming_facts(sentence: Span, collector: WindowCollector, index: int) -> Iterator[RelationshipFact]:
    """Yield the names given to an animal mentioned earlier: `We called him Pickle`.

    Args:
        sentence: The sentence.
        collector: Holds the animal without a name; it is cleared if it gets one.
        index: Of the message in its window.
    """
    if not collector.unnamed_animal or index - collector.unnamed_animal[3] > _MAX_DISTANCE:
        return
    owner, noun, description, _ = collector.unnamed_animal
    names = [name for verb in sentence if verb.lemma_.lower() in _NAMING for name in _given_names(verb)]
    for name in names:
        entity = _with_kind(NamedEntity(name.text, "thing"), noun)
        breed = description.removeprefix(f"{owner}'s ")
        label = breed.rstrip("s") if breed.endswith("s") and noun in breed else breed
        yield RelationshipFact(
            owner, noun, entity.name, f"{entity.name} is {owner}'s {label}", (entity,), name.sent[0], name, (name.i,)
        )
    if names:
        collector.unnamed_animal = None


def _given_names(verb: Token) -> list[Token]:
    """Return the names after a naming verb or noun: called him Pickle, they're called Salt and Vinegar."""
    doc = verb.doc
    index = verb.i + 1
    while index < len(doc) and (
        doc[index].lower_ in {"him", "her", "it", "them", "is", "are"} or doc[index].text in {"'s", ":"}
    ):
        index += 1
    found = []
    while index < len(doc) and doc[index].pos_ == "PROPN":
        found.append(doc[index])
        index += 1
        if index + 1 < len(doc) and doc[index].lower_ in {"and", ",", "&"} and doc[index + 1].pos_ == "PROPN":
            index += 1
    return found


def _with_kind(entity: NamedEntity, noun: str) -> NamedEntity:
    kind = "thing" if is_animal(noun) else "person"
    return NamedEntity(entity.name, kind, (kind, noun))  # type: ignore[arg-type]  # both are kinds


def _owner(owner: Token | None, participants: Participants, collector: WindowCollector) -> str | None:
    if owner is None:
        return None
    if owner.lower_ in {"his", "her", "he", "she"}:
        found = collector.discourse.resolve(
            {"his": "he", "her": "she"}.get(owner.lower_, owner.lower_), collector.index
        )
        return found.name if found is not None else None
    if owner.tag_ == "PRP$" or owner.pos_ == "PRON":
        return pronoun_referent(owner.lower_, participants)
    entity = entity_of(owner, participants, collector.speakers)
    return entity.name if entity is not None else owner_name(owner, participants)
