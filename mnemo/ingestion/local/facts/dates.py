"""The date of a clause, read by its tense: the start of a state, or the time of an event."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.fact_times import whens
from mnemo.ingestion.resolution.relations import is_lasting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.clauses.predicates import Link
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["dates_of", "is_beside"]

_MOVING = frozenset(["move", "push", "reschedule", "postpone", "bring"])
_SCHEDULED = frozenset(["start", "begin", "leave", "fly", "arrive", "open", "end", "land"])
"""Verbs whose present tells what is planned: school starts in May."""
_DAY_OF_MONTH = re.compile(r"\b(?:to|until|till) (the \d{1,2}(?:st|nd|rd|th)(?: of \w+)?)")


def dates_of(clause: Clause, span: tuple[int, int], dates: Sequence[When], episode: Episode) -> list[When]:
    """Return the first date of a clause, or nothing; a future one if the clause looks ahead.

    Args:
        clause: What is said.
        span: Its offsets in the message.
        dates: Of the whole message.
        episode: The message.
    """
    inside = [when for when in dates if span[0] <= when.span[0] and when.span[1] <= span[1]][:1]
    if not _looks_ahead(clause):
        return inside
    return [_ahead(when, episode) for when in inside] or _moved_to(span, episode)


def is_beside(link: Link, dates: Sequence[When], now: datetime) -> bool:
    """Return whether a date in a present-tense statement says when it applies, not since when."""
    at = bool(dates) and dates[0].sense == "at" and dates[0].start <= now
    return at and is_lasting(link.relation) and link.state == "holds"


def _looks_ahead(clause: Clause) -> bool:
    """Return whether a clause is about the future: will go, is moving in October, has been moved to 19 March."""
    verb = clause.verb
    if clause.modal == "will" or (verb.tag_ in {"VBZ", "VBP"} and verb.lemma_ in _SCHEDULED):
        return True
    if verb.lemma_ in _MOVING:
        moved = [t for t in verb.children if t.lower_ in {"to", "until", "till"}]
        if any(c.ent_type_ in {"DATE", "TIME", "CARDINAL", "ORDINAL"} for t in moved for c in t.subtree):
            return True
    present = any(t.dep_ == "aux" and t.tag_ in {"VBP", "VBZ"} for t in (*clause.helpers, *verb.children))
    return verb.tag_ == "VBG" and present and not any(t.lower_ == "been" for t in verb.children)


def _ahead(when: When, episode: Episode) -> When:
    """Return the next occurrence of an ambiguous date: moving in October means the coming October."""
    if when.start >= said_at(episode) or re.search(r"\d{4}", when.phrase):
        return when
    again = whens(f"It will be {when.phrase}.", episode)
    return replace(again[0], span=when.span, phrase=when.phrase) if again and again[0].start > when.start else when


def _moved_to(span: tuple[int, int], episode: Episode) -> list[When]:
    """Return the day of the month to which something is moved: postponed to the 15th."""
    found = _DAY_OF_MONTH.search(episode.content[slice(*span)])
    if found is None:
        return []
    place = (span[0] + found.start(1), span[0] + found.end(1))
    again = whens(f"It will be on {found[1]}.", episode)[:1]
    return [replace(when, span=place, phrase=found[1]) for when in again]
