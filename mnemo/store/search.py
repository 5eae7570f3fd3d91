"""Searches all indexes of a group for a question: one statement, one round trip."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.models.embedding_text import session_key, speaker_key
from mnemo.models.tree import Vector
from mnemo.store.driver import Database, Row
from mnemo.store.lucene import text_query

__all__ = ["KNOWN", "CandidateRows", "Filters", "SearchQuery", "gather"]


_ANY = ["", "\U0010ffff"]
_FIELDS = {"episodes": ("content",), "entities": ("name", "aliases", "tags", "summary"), "edges": ("fact",)}
_SCAN = 4
_MOST = 1_000
KNOWN = DISTANT_PAST + timedelta(days=1)
"""The first moment that counts as known: just after the sentinel of an unknown time."""
_PROCEDURE = "mnemo.search.gather"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a search may return; None is no bound."""

    as_of: datetime
    """The moment by which facts must not have ended."""
    visible_until: datetime | None = None
    """Episodes written later and facts that began later are left out; None shows all, also facts to come."""
    session: str | None = None
    speaker: str | None = None
    since: datetime | None = None
    """Episodes written then or later; with a bound on either side, those of unknown time are left out."""
    until: datetime | None = None
    """Episodes written before then."""

    @property
    def by_time(self) -> bool:
        """Whether full text has to read more hits than it returns, because times are filtered afterwards."""
        return self.since is not None or self.until is not None or self.visible_until is not None

    @property
    def narrow(self) -> bool:
        """Whether any filter on episodes is set."""
        return self.by_time or self.session is not None or self.speaker is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A question, ready for the indexes."""

    group: str
    text: str
    """The whole question."""
    bare: str
    """The question without the names of those asked about."""
    bare_vector: Vector
    whole_vector: Vector
    limit: int
    """Most hits of each index, 1 to 1,000."""
    filters: Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRows:
    """Rows by type, in no particular order; cypher/search/gather.cypher documents their keys."""

    episodes: list[Row] = field(default_factory=list)
    entities: list[Row] = field(default_factory=list)
    edges: list[Row] = field(default_factory=list)
    people: list[Row] = field(default_factory=list)


async def gather(database: Database, query: SearchQuery) -> CandidateRows:
    """Search the indexes of a group: by the plugin's procedure if it is installed, else by the same plain statement.

    Raises:
        StoreError: See its kinds.
    """
    params = _params(query)
    if _PROCEDURE in database.procedures:
        rows = await database.run("search/gather_by_procedure", params=params)
    else:
        rows = await database.run("search/gather", **params)
    gathered = CandidateRows(**rows[0]) if rows else CandidateRows()
    if not params["named"]:
        for row in gathered.episodes:
            row["whole"] = row["bare"]
    return gathered


def question_params(query: SearchQuery) -> dict[str, Any]:
    """Return the parameters of statements that compare a group's memory with a question."""
    filters = query.filters
    return {
        "group": query.group,
        "bare": query.bare_vector,
        "whole": query.whole_vector,
        "text": query.text.lower(),
        "as_of": filters.as_of,
        "begun_by": filters.visible_until or DISTANT_FUTURE,
        "visible_until": filters.visible_until or DISTANT_FUTURE,
        "since": filters.since or (DISTANT_PAST if filters.until is None else KNOWN),
        "until": filters.until or DISTANT_FUTURE,
        "sessions": _ANY if filters.session is None else [session_key(filters.session)] * 2,
        "speakers": _ANY if filters.speaker is None else [speaker_key(filters.speaker)] * 2,
    }


def _params(query: SearchQuery) -> dict[str, Any]:
    return {
        **question_params(query),
        "texts": _texts(query),
        "narrow": query.filters.narrow,
        "named": query.bare != query.text,
        "limit": query.limit,
        "timed": query.filters.visible_until is not None,
        "item_limit": query.limit if query.filters.visible_until is None else min(_MOST, query.limit * _SCAN),
        "scan": query.limit * (_SCAN**2 if query.filters.by_time else _SCAN),
    }


def _texts(query: SearchQuery) -> Mapping[str, str]:
    keys = {
        "session_key": None if query.filters.session is None else session_key(query.filters.session),
        "speaker_key": None if query.filters.speaker is None else speaker_key(query.filters.speaker),
    }
    filters = {key: value for key, value in keys.items() if value is not None}
    return {
        "episodes": text_query(query.group, query.bare, _FIELDS["episodes"], filters=filters),
        "entities": text_query(query.group, query.text, _FIELDS["entities"]),
        "edges": text_query(query.group, query.text, _FIELDS["edges"]),
    }
