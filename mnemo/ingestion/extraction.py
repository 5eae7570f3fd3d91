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
    """The episodes to extract from; at least one."""
    context: tuple[Episode, ...] = ()
    """Earlier episodes, oldest first: shown for understanding, never extracted from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity that a window mentions; each normalised name occurs once."""

    name: str
    """As first written; for a speaker, the speaker's name."""
    kind: Kind = "thing"
    tags: tuple[str, ...] = ()
    """At most 5, each of at most 3 words."""
    summary: str = ""
    aliases: tuple[str, ...] = ()
    """Other names for it in this window."""
    speaker: bool = False
    """Whether it wrote one of the window's episodes."""
    episodes: tuple[str, ...] = ()
    """Uuids of the window's episodes that mention it or that it wrote, in order; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a fact says and when it holds, wherever it comes from."""

    subject: str
    """Name of one of the extraction's mentions; after resolution the uuid of an entity."""
    relation: str
    """Snake case; the canonical name if `resolution.relations` has one."""
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
    """When it stopped holding; None if it still holds or the end is unknown."""
    when: str | None = None
    """The time phrase, such as last Saturday."""
    precision: Precision = "unknown"
    certain: bool = True
    """False if the text hedges it; shown as unsure."""
    recurs: Literal["yearly"] | None = None
    """Set for yearly events, such as a birthday."""
    replaces: bool = False
    """Whether the text says that it replaces an earlier value (moved to, switched to, X, not Y)."""
    topics: tuple[str, ...] = ()
    """What it ends, in words such as running or lost wallet; ends the stored facts about any of them. Never stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Statement):
    """A statement extracted from one episode, with its quote."""

    episode: str
    """Uuid of the episode that states it."""
    quote: str
    """The words that state it: `content[start:end]` of the episode."""
    start: int
    """Offset of the quote in the episode's content."""
    end: int
    """Offset after the quote; greater than `start`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The result of extracting one window. Every name in a fact is the name of a mention."""

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
    """Return when an episode was written, or when it was recorded if that is unknown."""
    return episode.occurred_at or episode.recorded_at
