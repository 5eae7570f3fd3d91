"""Chooses the date of a clause and resolves it by the clause's tense."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.fact_times import find_times
from mnemo.ingestion.resolution.relations import is_lasting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.clauses.predicates import Link
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["dates_of", "is_point_in_time"]

_RESCHEDULE_VERBS = frozenset(["move", "push", "reschedule", "postpone", "bring"])
_SCHEDULE_VERBS = frozenset(["start", "begin", "leave", "fly", "arrive", "open", "end", "land"])
"""Verbs whose present tense is about a plan: school starts in May."""
_DAY_OF_MONTH = re.compile(r"\b(?:to|until|till) (the \d{1,2}(?:st|nd|rd|th)(?: of \w+)?)")


def dates_of(clause: Clause, span: tuple[int, int], dates: Sequence[When], episode: Episode) -> list[When]:
    """Return the first date of a clause, or nothing; a clause about the future gets the next such date.

    Args:
        clause: The clause.
        span: Its offsets in the message.
        dates: All dates of the message.
        episode: The message.
    """
    inside = [when for when in dates if span[0] <= when.span[0] and when.span[1] <= span[1]][:1]
    if not _is_future(clause):
        return inside
    return [_next_occurrence(when, episode) for when in inside] or _new_day(span, episode)


def is_point_in_time(link: Link, dates: Sequence[When], now: datetime) -> bool:
    """Return whether the date of a lasting state only says when it was true, not when it began."""
    is_past_point = bool(dates) and dates[0].sense == "at" and dates[0].start <= now
    return is_past_point and is_lasting(link.relation) and link.state == "holds"


def _is_future(clause: Clause) -> bool:
    """Return whether a clause is about the future: will go, is moving in October, has been moved to 19 March."""
    verb = clause.verb
    if clause.modal == "will" or (verb.tag_ in {"VBZ", "VBP"} and verb.lemma_ in _SCHEDULE_VERBS):
        return True
    if verb.lemma_ in _RESCHEDULE_VERBS:
        moved = [t for t in verb.children if t.lower_ in {"to", "until", "till"}]
        if any(c.ent_type_ in {"DATE", "TIME", "CARDINAL", "ORDINAL"} for t in moved for c in t.subtree):
            return True
    present = any(t.dep_ == "aux" and t.tag_ in {"VBP", "VBZ"} for t in (*clause.auxiliaries, *verb.children))
    return verb.tag_ == "VBG" and present and not any(t.lower_ == "been" for t in verb.children)


def _next_occurrence(when: When, episode: Episode) -> When:
    """Return the next occurrence of an ambiguous date: moving in October means the coming October."""
    if when.start >= said_at(episode) or re.search(r"\d{4}", when.phrase):
        return when
    resolved = find_times(f"It will be {when.phrase}.", episode)
    return (
        replace(resolved[0], span=when.span, phrase=when.phrase)
        if resolved and resolved[0].start > when.start
        else when
    )


def _new_day(span: tuple[int, int], episode: Episode) -> list[When]:
    """Return the day of the month to which something is rescheduled: postponed to the 15th."""
    found = _DAY_OF_MONTH.search(episode.content[slice(*span)])
    if found is None:
        return []
    phrase_span = (span[0] + found.start(1), span[0] + found.end(1))
    resolved = find_times(f"It will be on {found[1]}.", episode)[:1]
    return [replace(when, span=phrase_span, phrase=found[1]) for when in resolved]
