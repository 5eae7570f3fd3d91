"""What resolution reads and gives: candidates and standing facts in, writes of one window out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from mnemo.models.graph import Precision
from mnemo.models.results import Usage

__all__ = [
    "Candidate",
    "Closing",
    "EdgeWrite",
    "Ending",
    "EntityWrite",
    "Judge",
    "Opening",
    "Question",
    "Settled",
    "Standing",
    "StateLink",
    "Verdict",
    "Verdicts",
]

Verdict: TypeAlias = Literal["same", "different", "contradicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A known entity that a mention may mean."""

    uuid: str
    name: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    tags: tuple[str, ...] = ()
    speaker: bool = False
    similarity: float = 0.0
    """Cosine between mention and entity, -1 to 1; 0 when it was not found by vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A known fact that a new one may repeat or end."""

    uuid: str
    subject: str
    """Uuid of an entity."""
    relation: str
    object: str | None
    """Uuid of an entity, or None."""
    fact: str
    valid_from: datetime | None
    """None is unknown (the store's sentinel read back as None)."""
    valid_to: datetime | None
    """None is open."""
    said_at: datetime
    """Earliest time at which an episode that states it was written (recorded, where unknown)."""
    last_said_at: datetime | None = None
    """Latest such time; None is `said_at`."""
    similarity: float = 0.0
    """Cosine to the new fact nearest to it; 0 when it was not found by vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that the rules leave open: do these two mean the same?"""

    kind: Literal["entity", "fact"]
    new: str
    """The mention or fact of the window, as text."""
    known: str
    """The entity or fact that it may be, as text."""
    may_contradict: bool = False
    """Whether contradicts is an answer: facts with the same subject and relation only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """One verdict a question, in their order."""

    verdicts: tuple[Verdict, ...]
    usage: Usage = field(default_factory=Usage)


class Judge(Protocol):
    """Decides what the rules leave open."""

    async def decide(self, questions: Sequence[Question]) -> Verdicts:
        """Answer all questions in one call; not called without questions.

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
    """The known name when it is not new."""
    key: str
    """`names.name_key(name)`."""
    aliases: tuple[str, ...]
    """Names seen in this window that differ from `name` and are not among the known aliases."""
    tags: tuple[str, ...]
    """Tags seen in this window; the store keeps the first 5 of old and new."""
    summary: str
    """Empty keeps the known one."""
    speaker: bool
    episodes: tuple[str, ...]
    """Uuids of the window's episodes to link with MENTIONS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeWrite:
    """A fact to create."""

    uuid: str
    subject: str
    relation: str
    object: str | None
    fact: str
    valid_from: datetime | None
    valid_to: datetime | None
    said_at: datetime
    when: str | None
    precision: Precision
    stated_to: datetime | None = None
    """`valid_to` as it was said, whatever other facts end it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """A fact rules out that another one holds from then on, whether or not it was over before."""

    by: str
    """Uuid of the fact that does so."""
    edge: str
    """Uuid of the fact that ends."""
    valid_to: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLink:
    """An episode states a fact, new or known, in these words."""

    episode: str
    edge: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """A known fact ceased to hold."""

    edge: str
    valid_to: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A known fact whose start was unknown began no earlier than this: something else held before."""

    edge: str
    valid_from: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """All that a window writes, in one transaction."""

    entities: tuple[EntityWrite, ...]
    edges: tuple[EdgeWrite, ...]
    links: tuple[StateLink, ...]
    closings: tuple[Closing, ...]
    """Of known facts; new ones are closed where they stand in `edges`."""
    openings: tuple[Opening, ...] = ()
    endings: tuple[Ending, ...] = ()
    """Why facts, known and new, end where they do: a fact that is forgotten reopens what it alone ended."""
    usage: Usage = field(default_factory=Usage)
    """What the judge cost."""
