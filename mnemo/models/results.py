"""Results of the calls of a memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, TypeAlias, TypeVar

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.hierarchy import Category

__all__ = [
    "Added",
    "Answer",
    "Citation",
    "Context",
    "Counts",
    "Forgotten",
    "Found",
    "GroupInfo",
    "Page",
    "Passage",
    "Processed",
    "Route",
    "SearchResult",
    "Usage",
    "WalkLayer",
]

Route: TypeAlias = Literal["system1", "system2", "both", "memtree"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Cost of a call."""

    calls: int = 0
    """Requests to the LLM, repeated ones included."""
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum of both."""
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[T]):
    """One result of a search."""

    item: T
    score: float
    """0 to 1, higher is better: how sure it is that this answers; comparable between searches, by type and route."""
    routes: tuple[Route, ...] = ("system1",)
    sources: tuple[str, ...] = ()
    """Uuids of the episodes that it comes from, oldest first; for an episode its own uuid."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """The parts of the score, by signal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Text to give to an LLM, within a token budget."""

    text: str
    tokens: int
    """Counted offline; at most `budget`."""
    budget: int
    sources: tuple[str, ...]
    """Uuids of the episodes quoted or cited, in order of their marks [1], [2], …"""
    truncated: bool
    """Whether a result was left out to stay within the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkLayer:
    """One layer of a walk down the categories."""

    layer: int
    """Layer of the nodes offered; 0 is the entities."""
    offered: int
    chosen: tuple[str, ...]
    """Names, in the order of selection."""
    whole: tuple[str, ...] = ()
    """Names of the chosen categories that were taken with everything in them."""
    by: Literal["llm", "embedding"] = "embedding"
    calls: int = 0
    """Requests to the LLM, repeated ones included."""
    skipped: int = 0
    """Selections of the LLM that match nothing offered."""
    fallbacks: int = 0
    """Parts of the layer selected by embedding, because the reply of the LLM could not be parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A fact or a message that answers a question."""

    edge: str | None
    """Uuid of the fact; None for a message."""
    sources: tuple[str, ...]
    """Uuids of the episodes that it rests on, oldest first; the message's own uuid for a message."""
    score: float
    """0 to 1: how sure it is that it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Result of a search, best first within each type."""

    question: str
    group: str
    route: Route
    episodes: tuple[Found[Episode], ...]
    entities: tuple[Found[Entity], ...]
    edges: tuple[Found[Edge], ...]
    context: Context
    usage: Usage = Usage()
    truncated: bool = False
    cited: tuple[Episode, ...] = ()
    """Episodes that facts of the context come from and that are not among `episodes`."""
    categories: tuple[Found[Category], ...] = ()
    """Inner nodes of a hierarchy."""
    walk: tuple[WalkLayer, ...] = ()
    """How System-2 walked down the categories, from the top; empty if it took no part."""
    note: str | None = None
    """What the caller should know about the route: why System-2 ended early, or why System-1 answered instead."""
    passages: tuple[Passage, ...] = ()
    """What answers the question, best first, if `ask` wanted it; empty if nothing does."""
    moment: datetime | None = None
    """The moment for which facts were read: `as_of`, else now; aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The source that a mark in an answer refers to."""

    mark: int
    """The number in brackets, from 1."""
    episode: Episode
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer to a question, with its sources."""

    question: str
    text: str
    by: Literal["llm", "extract", "none"]
    """`llm` wrote it from the context; `extract` is the facts and quotes that answer best, shown as such; `none` means
    that nothing in memory answers the question."""
    citations: tuple[Citation, ...]
    result: SearchResult
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What `add` stored; stored messages are never lost."""

    group: str
    uuids: tuple[str, ...]
    """Uuids of the episodes in the order of the messages; a long message has one per chunk."""
    new: int
    """Episodes that were not stored before."""
    known: int
    """Episodes that were stored already; they stay as they are."""
    processed: "Processed | None" = None
    """Result of processing; None if that was left for later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Episodes of a group by state."""

    pending: int = 0
    done: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupInfo:
    """A group as it is listed."""

    name: str
    episodes: int
    pending: int
    """Episodes that wait to be processed."""
    failed: int
    """Episodes that could not be processed; see `retry`."""
    entities: int
    edges: int
    """Facts, ended ones included."""
    last: datetime | None
    """When the latest dated episode was written, aware, UTC; None if no time is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processed:
    """Result of processing pending episodes."""

    done: int = 0
    failed: int = 0
    pending: int = 0
    """Episodes left for a later run; see `stopped`."""
    stopped: str | None = None
    """Why episodes were left pending, such as an LLM that is down; None if none were."""
    entities: int = 0
    edges: int = 0
    usage: Usage = Usage()
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Reason by uuid of each failed episode."""
    leaves: int = 0
    """Episodes inserted into the memtree."""
    leafless: int = 0
    """Episodes that could not be inserted, kept for the next run; `reasons` or `stopped` say why."""
    fallback: int = 0
    """Episodes among `done` that the local extractor read, because the LLM's reply ran away."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Parts of the LLM's replies that were dropped, by reason: `no_such_message`, `quote_not_found`, `unknown_name`,
    `not_a_name`, `copied_example`, `unreadable`, `repeated`, `tag`."""
    unjudged: int = 0
    """Windows whose uncertain matches were kept apart, because the reply of the judge could not be parsed."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time by stage; stages overlap, so the sum may exceed the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Deleted nodes by kind."""

    episodes: int = 0
    entities: int = 0
    edges: int = 0
    categories: int = 0
    trees: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list in a stable order."""

    items: tuple[T, ...]
    total: int
    cursor: str | None
    """Cursor of the next page; None on the last page."""
