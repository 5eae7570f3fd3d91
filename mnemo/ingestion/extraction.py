"""Input and output of extractors: windows in, mentions and facts out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from mnemo.models.graph import Episode, Precision
from mnemo.models.results import Usage

__all__ = ["Extraction", "Extractor", "Fact", "Kind", "Mention", "State", "Statement", "Window", "said_at"]

Kind: TypeAlias = Literal["person", "place", "organisation", "event", "thing", "topic"]
State: TypeAlias = Literal["begins", "holds", "ends", "happened"]
"""Whether a fact begins or ends at its time, holds when said, or happened once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Episodes of one group to extract from, in order, and those just before them."""

    group: str
    episodes: tuple[Episode, ...]
    """At least one; extracted from."""
    context: tuple[Episode, ...] = ()
    """Earlier ones, oldest first; read for meaning, never extracted from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity as a window names it; each normalised name occurs once."""

    name: str
    """As written where it was first named; a speaker's own name for a speaker."""
    kind: Kind = "thing"
    tags: tuple[str, ...] = ()
    """At most 5, each of at most 3 words."""
    summary: str = ""
    aliases: tuple[str, ...] = ()
    """Other names for it in this window."""
    speaker: bool = False
    """Whether it wrote one of the window's episodes."""
    episodes: tuple[str, ...] = ()
    """Uuids of the window's episodes that name it or that it wrote, in order, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a fact says and when it holds, wherever it comes from."""

    subject: str
    """Name of one of the extraction's mentions; after resolution the uuid of an entity."""
    relation: str
    """Snake case, canonical where `relations` knows it."""
    object: str | None
    """Like `subject`; None for a fact about the subject alone."""
    fact: str
    """A self-contained sentence, in the language of the conversation."""
    said_at: datetime
    """When the episode was written, or recorded if that is unknown; aware, UTC. Orders facts."""
    state: State = "holds"
    valid_from: datetime | None = None
    """When it began to hold or happened, aware, UTC; None is unknown."""
    valid_to: datetime | None = None
    """When it ceased to hold; None is still holding or unknown."""
    when: str | None = None
    """The words that say when, such as last Saturday."""
    precision: Precision = "unknown"
    certain: bool = True
    """False if the words leave it open whether it is so; shown as unsure."""
    recurs: Literal["yearly"] | None = None
    """Set for what comes back every year, such as a birthday."""
    replaces: bool = False
    """Whether the words say that it replaces the former value (moved to, switched to, X, not Y)."""
    topics: tuple[str, ...] = ()
    """What it says is over, any of them, such as running or lost wallet: ends the facts that say so. Never stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Statement):
    """A statement found in one episode, with its quote."""

    episode: str
    """Uuid of the episode that states it."""
    quote: str
    """Its words: equal to `content[start:end]` of that episode."""
    start: int
    """Characters before the quote."""
    end: int
    """Characters up to the end of the quote; more than `start`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What one window gave. Every name in a fact is the name of a mention."""

    mentions: tuple[Mention, ...] = ()
    facts: tuple[Fact, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    """How many parts of a reply were dropped, by reason, such as quote_not_found; see `llm.validate`."""
    usage: Usage = field(default_factory=Usage)


class Extractor(Protocol):
    """Finds entities and facts in a window."""

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes state; an empty extraction if they state nothing.

        Raises:
            ProviderError: The LLM failed; nothing is known about the window.
        """
        ...


def said_at(episode: Episode) -> datetime:
    """Return when an episode was written, or recorded where that is unknown."""
    return episode.occurred_at or episode.recorded_at
