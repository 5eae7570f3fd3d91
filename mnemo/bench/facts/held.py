"""Facts and entities of a memory in a form for comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemo.ingestion.resolution.types import EntityWrite, ResolvedFact
from mnemo.models.graph import Edge, Entity, Precision

__all__ = ["HeldEntity", "HeldFact", "held_entity", "held_fact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFact:
    """A fact stored in a memory."""

    subject: tuple[str, ...]
    """Names of the subject: the displayed one first, then aliases."""
    relation: str
    object: tuple[str, ...]
    """Names of the object in the same order; empty if there is none."""
    fact: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    """When it ceased to hold, or a dated event was over; None if it still holds."""
    precision: Precision = "unknown"
    sources: tuple[int, ...] = ()
    """Positions of the messages that state the fact, from 0, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldEntity:
    """An entity stored in a memory."""

    name: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name and the aliases."""
        return (self.name, *self.aliases)


def held_entity(entity: Entity | EntityWrite) -> HeldEntity:
    """Return an entity, stored or about to be stored, for comparison."""
    return HeldEntity(name=entity.name, aliases=entity.aliases, tags=entity.tags)


def held_fact(
    edge: Edge | ResolvedFact, entities: Mapping[str, Entity] | Mapping[str, EntityWrite], sources: Sequence[int]
) -> HeldFact:
    """Return a fact, stored or about to be stored, for comparison.

    Args:
        edge: The fact.
        entities: Entities by uuid, including subject and object.
        sources: Positions of the messages that state the fact, at least one, in any order.
    """
    subject, target = entities[edge.subject], entities[edge.object] if edge.object is not None else None
    return HeldFact(
        subject=(subject.name, *subject.aliases),
        relation=edge.relation,
        object=(target.name, *target.aliases) if target is not None else (),
        fact=edge.fact,
        valid_from=edge.valid_from,
        valid_to=edge.valid_to or (edge.event_end if isinstance(edge, Edge) else None),
        precision=edge.precision,
        sources=tuple(sorted(set(sources))),
    )
