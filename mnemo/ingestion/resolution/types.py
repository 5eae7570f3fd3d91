"""What resolution reads and returns: candidates and stored facts in, the writes of one window out."""

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
    "Settled",
    "StateLink",
    "Verdict",
    "Verdicts",
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
    """Cosine between mention and entity, -1 to 1; 0 if the vector search did not find it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedFact(Statement):
    """A fact between entities, stored or new: `subject` and `object` are uuids.

    The only shape of a fact from here to the database. `said_at` is the earliest time at which an episode
    states it.
    """

    uuid: str
    """Of its edge."""
    stored: bool = False
    """Whether the database has it already."""
    last_said_at: datetime | None = None
    """Latest time at which an episode states it; None is `said_at`."""
    stated_to: datetime | None = None
    """`valid_to` as stated, whatever other facts end it; set for new facts only."""
    similarity: float = 0.0
    """Cosine to the nearest new fact; 0 if the vector search did not find it."""

    @property
    def start(self) -> datetime:
        """When it began as far as is known: no later than it was said."""
        return self.valid_from or self.said_at

    @property
    def last_said(self) -> datetime:
        """Latest time at which an episode states it."""
        return self.last_said_at or self.said_at

    @classmethod
    def of(cls, fact: Fact, *, uuid: str, subject: str, target: str | None) -> "ResolvedFact":
        """Return an extracted fact with uuids for its names.

        Args:
            fact: As extracted.
            uuid: Of the edge to create if the fact is new.
            subject: Uuid of the subject's entity.
            target: Uuid of the object's entity, or None.
        """
        stated = {each.name: getattr(fact, each.name) for each in dataclasses.fields(Statement)}
        return cls(**{**stated, "uuid": uuid, "subject": subject, "object": target})


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuestion:
    """A case that the rules leave open: do these two mean the same?"""

    kind: Literal["entity", "fact"]
    new: str
    """The mention or fact of the window, as text."""
    known: str
    """The entity or fact that it may be, as text."""
    may_contradict: bool = False
    """Whether `contradicts` is allowed: facts with the same subject and relation only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """One verdict per question, in their order."""

    verdicts: tuple[Verdict, ...]
    usage: Usage = field(default_factory=Usage)


class Judge(Protocol):
    """Decides what the rules leave open."""

    async def decide(self, questions: Sequence[JudgeQuestion]) -> Verdicts:
        """Answer all questions in one call; never called without questions.

        Raises:
            ProviderError: The LLM failed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityWrite:
    """An entity to create or to add to."""

    uuid: str
    new: bool
    name: str
    """The stored name unless the entity is new."""
    key: str
    """`names.name_key(name)`."""
    aliases: tuple[str, ...]
    """Names used in this window, without `name` and the stored aliases."""
    tags: tuple[str, ...]
    """Tags from this window; the store keeps the first 5 of old and new."""
    summary: str
    """Empty keeps the stored one."""
    speaker: bool
    episodes: tuple[str, ...]
    """Uuids of the window's episodes to link with MENTIONS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """One fact rules out another from a moment on, whether or not that one had ended before."""

    by: str
    """Uuid of the fact that ends the other."""
    edge: str
    """Uuid of the fact that ends."""
    valid_to: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLink:
    """An episode states a fact, new or stored, in these words."""

    episode: str
    edge: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """A stored fact ceased to hold."""

    edge: str
    valid_to: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A stored fact of unknown start began no earlier than this, since something else held before."""

    edge: str
    valid_from: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Everything that a window writes, in one transaction."""

    entities: tuple[EntityWrite, ...]
    edges: tuple[ResolvedFact, ...]
    """New facts."""
    links: tuple[StateLink, ...]
    closings: tuple[Closing, ...]
    """Of stored facts; a new fact that ends has its end in `edges`."""
    openings: tuple[Opening, ...] = ()
    endings: tuple[Ending, ...] = ()
    """Which fact ends which, stored and new: forgetting a fact reopens what it alone ended."""
    confirmed: tuple[str, ...] = ()
    """Uuids of stored facts that were unsure and are now stated for certain."""
    usage: Usage = field(default_factory=Usage)
    """What the judge cost."""
