"""Facts and entities as a memory holds them, for comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemo.ingestion.resolution.types import EntityWrite, ResolvedFact
from mnemo.models.graph import Edge, Entity, Precision

__all__ = ["HeldEntity", "HeldFact", "held_entity", "held_fact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFact:
    """A fact as a memory holds it."""

    subject: tuple[str, ...]
    """Names of its subject: the shown one first, then aliases."""
    relation: str
    object: tuple[str, ...]
    """The same of its object; empty for none."""
    fact: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    precision: Precision = "unknown"
    sources: tuple[int, ...] = ()
    """Places of the messages that state it in the conversation, from 0, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldEntity:
    """An entity as a memory holds it."""

    name: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return its name and its aliases."""
        return (self.name, *self.aliases)


def held_entity(entity: Entity | EntityWrite) -> HeldEntity:
    """Return an entity, stored or about to be, for comparison."""
    return HeldEntity(name=entity.name, aliases=entity.aliases, tags=entity.tags)


def held_fact(
    edge: Edge | ResolvedFact, entities: Mapping[str, Entity] | Mapping[str, EntityWrite], sources: Sequence[int]
) -> HeldFact:
    """Return a fact, stored or about to be, for comparison.

    Args:
        edge: The fact.
        entities: Its subject and object among them, by uuid.
        sources: Places of the messages that state it; in any order, at least one.
    """
    subject, target = entities[edge.subject], entities[edge.object] if edge.object is not None else None
    return HeldFact(
        subject=(subject.name, *subject.aliases),
        relation=edge.relation,
        object=(target.name, *target.aliases) if target is not None else (),
        fact=edge.fact,
        valid_from=edge.valid_from,
        valid_to=edge.valid_to,
        precision=edge.precision,
        sources=tuple(sorted(set(sources))),
    )
