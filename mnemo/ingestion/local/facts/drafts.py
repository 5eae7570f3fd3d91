"""The parts of a fact before it has its quote and time."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import Fact, said_at
from mnemo.ingestion.fact_times import format_time, timing_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemo.ingestion.local.clauses.predicates import Link
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["FactDraft", "build_fact"]


@dataclass(frozen=True, slots=True)
class FactDraft:
    """The parts of a fact."""

    link: Link
    subject: str
    object: str | None
    sentence: str
    span: tuple[int, int]
    """Offsets of its words in the message."""
    dates: Sequence[When]
    """The first one is the fact's time; the others are ignored."""


def build_fact(draft: FactDraft, episode: Episode) -> Fact:
    """Return the fact with its quote and time."""
    when = draft.dates[0] if draft.dates else None
    timing = timing_of(when)
    link = draft.link
    text = f"{draft.sentence} ({format_time(when, episode)})" if when is not None else draft.sentence
    return Fact(
        subject=draft.subject,
        relation=link.relation,
        object=draft.object,
        fact=text,
        episode=episode.uuid,
        quote=episode.content[slice(*draft.span)],
        start=draft.span[0],
        end=draft.span[1],
        said_at=said_at(episode),
        state=link.state,
        valid_from=None if link.state == "ends" else timing.start,
        valid_to=timing.start if link.state == "ends" else timing.end,
        when=when.phrase if when is not None else None,
        precision=when.precision if when is not None else "unknown",
        certain=link.certain,
        recurs=when.recurs if when is not None else None,
        replaces=link.replaces,
        topics=link.topics,
    )
