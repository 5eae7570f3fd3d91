"""What the verbs return."""

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
    """What a call cost."""

    calls: int = 0
    """Requests to an LLM, repeats included."""
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Return what both cost together."""
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[T]):
    """One thing that a search found."""

    item: T
    score: float
    """0 to 1, higher is better: how sure it is that this answers; comparable between searches, by type and route."""
    routes: tuple[Route, ...] = ("system1",)
    sources: tuple[str, ...] = ()
    """Uuids of the episodes that it rests on, oldest first; an episode's own uuid for an episode."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """What the score is made of, by signal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Text to put before an LLM, within a token budget."""

    text: str
    tokens: int
    """By the offline counter; at most `budget`."""
    budget: int
    sources: tuple[str, ...]
    """Uuids of the episodes quoted or cited, in order of their marks [1], [2], …"""
    truncated: bool
    """Whether something found was left out for the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkLayer:
    """One layer of a walk down the hierarchy over entities."""

    layer: int
    """Of what was offered; 0 is the entities."""
    offered: int
    chosen: tuple[str, ...]
    """Names, in the order in which they were chosen."""
    whole: tuple[str, ...] = ()
    """Names of the chosen categories of which everything was taken."""
    by: Literal["llm", "embedding"] = "embedding"
    calls: int = 0
    """Requests to an LLM, repeats included."""
    skipped: int = 0
    """Choices of the LLM that nothing offered has as uuid or name."""
    fallbacks: int = 0
    """Parts of the layer that were chosen by embedding because the LLM's reply could not be read."""


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
    """What a question brought, best first for each type."""

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
    """Episodes that facts of the context rest on and that are not among `episodes`."""
    categories: tuple[Found[Category], ...] = ()
    """Inner nodes of a hierarchy."""
    walk: tuple[WalkLayer, ...] = ()
    """How System-2 went down the hierarchy, from the top; empty where it took no part."""
    note: str | None = None
    """What the caller should know about the route: why System-2 ended early, or why System-1 answered instead."""
    passages: tuple[Passage, ...] = ()
    """What answers the question, best first, if `ask` wanted it; empty if nothing does."""
    moment: datetime | None = field(default=None, compare=False)
    """The moment for which facts were read: `as_of`, else now; aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """What a mark in an answer points at."""

    mark: int
    """The number in brackets, from 1."""
    episode: Episode
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The reply to a question, with its sources."""

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
    """What `add` acknowledged: stored, and never lost from here on."""

    group: str
    uuids: tuple[str, ...]
    """Episodes in the order of the messages; one a chunk for a long message."""
    new: int
    """Episodes that were not there before."""
    known: int
    """Episodes that were there already and were left as they are."""
    processed: "Processed | None" = None
    """What became of them; None when processing was left for later."""


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
    """What became of pending episodes."""

    done: int = 0
    failed: int = 0
    pending: int = 0
    """Left for a later run; see `stopped`."""
    stopped: str | None = None
    """Why some were left pending, such as an LLM that is down; None when none were."""
    entities: int = 0
    edges: int = 0
    usage: Usage = Usage()
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Uuid of each failed episode to why."""
    leaves: int = 0
    """Episodes that the online tree took in."""
    leafless: int = 0
    """Episodes that it could not take in, kept for the next run; `reasons` or `stopped` say why."""
    unjudged: int = 0
    """Windows whose uncertain cases were kept apart because the judge's reply could not be read."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Where the time went, by stage; stages overlap, so that they may add up to more than the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How many nodes of each kind were deleted."""

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
    """Hand it back for the next page; None after the last."""
