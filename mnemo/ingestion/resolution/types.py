"""Input and output of resolution: candidates and stored facts in, a window's writes out."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from mnemo.ingestion.extraction import Fact, Statement
from mnemo.models.results import Usage

__all__ = [
    "Closing",
    "Ending",
    "EntityCandidate",
    "EntityWrite",
    "Judge",
    "JudgeQuestion",
    "Opening",
    "ResolvedFact",
    "StateLink",
    "Verdict",
    "Verdicts",
    "WindowWrites",
]

Verdict: TypeAlias = Literal["same", "different", "contradicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityCandidate:
    """A stored entity that a mention may refer to."""

    uuid: str
    name: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    tags: tuple[str, ...] = ()
    speaker: bool = False
    similarity: float = 0.0
    """Cosine between mention and entity, -1 to 1; 0 if the vector search did not find the entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedFact(Statement):
    """A stored or new fact between entities; `subject` and `object` are uuids.

    `said_at` is the earliest time at which an episode states it.
    """

    uuid: str
    """Uuid of its edge."""
    stored: bool = False
    """Whether it is already in the database."""
    last_said_at: datetime | None = None
    """Latest time at which an episode states it; None means `said_at`."""
    stated_to: datetime | None = None
    """`valid_to` as stated, regardless of facts that end it; set for new facts only."""
    similarity: float = 0.0
    """Cosine to the nearest new fact; 0 if the vector search did not find it."""

    @property
    def start(self) -> datetime:
        """Its known start: `valid_from`, else `said_at`."""
        return self.valid_from or self.said_at

    @property
    def last_said(self) -> datetime:
        """Latest time at which an episode states it."""
        return self.last_said_at or self.said_at

    @classmethod
    def of(cls, fact: Fact, *, uuid: str, subject: str, target: str | None) -> "ResolvedFact":
        """Return an extracted fact with uuids for its names.

        Args:
            fact: The extracted fact.
            uuid: Of the edge to create if the fact is new.
            subject: Uuid of the subject's entity.
            target: Uuid of the object's entity, or None.
        """
        stated = {each.name: getattr(fact, each.name) for each in dataclasses.fields(Statement)}
        return cls(**{**stated, "uuid": uuid, "subject": subject, "object": target})


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuestion:
    """A question that the rules cannot decide: do these two mean the same?"""

    kind: Literal["entity", "fact"]
    new: str
    """The window's mention or fact, as text."""
    known: str
    """The entity or fact it is compared with, as text."""
    may_contradict: bool = False
    """Whether `contradicts` is allowed: facts with the same subject and relation only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """One verdict per question, in order."""

    verdicts: tuple[Verdict, ...]
    usage: Usage = field(default_factory=Usage)


class Judge(Protocol):
    """Decides what the rules cannot."""

    async def decide(self, questions: Sequence[JudgeQuestion]) -> Verdicts:
        """Answer all questions, at least one, in one call.

        Raises:
            ProviderError: The LLM failed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityWrite:
    """An entity to create or update."""

    uuid: str
    new: bool
    name: str
    """The stored name, or the new one if the entity is new."""
    key: str
    """`names.name_key(name)`."""
    aliases: tuple[str, ...]
    """Names used in this window, without `name` and the stored aliases."""
    tags: tuple[str, ...]
    """Tags from this window; the store keeps the first 5 of stored and new tags."""
    summary: str
    """If empty, the stored one stays."""
    speaker: bool
    episodes: tuple[str, ...]
    """Uuids of the window's episodes to link with MENTIONS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """One fact ends another at a moment, even if that one had already ended."""

    by: str
    """Uuid of the fact that ends the other."""
    edge: str
    """Uuid of the ended fact."""
    valid_to: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLink:
    """The words with which an episode states a new or stored fact."""

    episode: str
    edge: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The new end of a stored fact."""

    edge: str
    valid_to: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The new start of a stored fact whose start was unknown: before it, another value held."""

    edge: str
    valid_from: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowWrites:
    """Everything that a window writes in one transaction."""

    entities: tuple[EntityWrite, ...]
    edges: tuple[ResolvedFact, ...]
    """New facts."""
    links: tuple[StateLink, ...]
    closings: tuple[Closing, ...]
    """New ends of stored facts; a new fact has its end in `edges`."""
    openings: tuple[Opening, ...] = ()
    endings: tuple[Ending, ...] = ()
    """Which fact ends which, stored and new; if a fact is forgotten, what only it ended is open again."""
    confirmed: tuple[str, ...] = ()
    """Uuids of stored facts that were unsure and are now stated for certain."""
    usage: Usage = field(default_factory=Usage)
    """Usage of the judge."""
