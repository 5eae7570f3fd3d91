"""What the indexes hold for a question: one statement, one round trip."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.models.embedding_text import session_key, speaker_key
from mnemo.store.driver import Database, Row
from mnemo.store.lucene import text_query

__all__ = ["KNOWN", "Filters", "Gathered", "Wanted", "gather"]

Vector: TypeAlias = NDArray[np.float32]

_ANY = ["", "\U0010ffff"]
_FIELDS = {"episodes": ("content",), "entities": ("name", "aliases", "tags", "summary"), "edges": ("fact",)}
_SCAN = 4
_MOST = 1_000
KNOWN = DISTANT_PAST + timedelta(days=1)
"""Later than what stands for an unknown time."""
_PROCEDURE = "mnemo.search.gather"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What counts at all; None is no bound."""

    as_of: datetime
    """The moment at which facts must hold."""
    visible_until: datetime | None = None
    """Episodes written later are not there yet."""
    session: str | None = None
    speaker: str | None = None
    since: datetime | None = None
    """Episodes written then or later; with a bound on either side, those of unknown time are left out."""
    until: datetime | None = None
    """Episodes written before then."""

    @property
    def by_time(self) -> bool:
        """Whether full text has to look at more than it returns."""
        return self.since is not None or self.until is not None or self.visible_until is not None

    @property
    def narrow(self) -> bool:
        """Whether any episode of the group may be left out."""
        return self.by_time or self.session is not None or self.speaker is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
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
class Gathered:
    """Rows by type, in no order that counts; see cypher/search/gather.cypher for their keys."""

    episodes: list[Row] = field(default_factory=list)
    entities: list[Row] = field(default_factory=list)
    edges: list[Row] = field(default_factory=list)
    people: list[Row] = field(default_factory=list)


async def gather(database: Database, wanted: Wanted) -> Gathered:
    """Ask the indexes of a group, by the plugin's procedure where it is there, else by the same plain statement.

    Raises:
        StoreError: See its kinds.
    """
    params = _params(wanted)
    if _PROCEDURE in database.procedures:
        rows = await database.run("search/gather_by_procedure", params=params)
    else:
        rows = await database.run("search/gather", **params)
    gathered = Gathered(**rows[0]) if rows else Gathered()
    if not params["named"]:
        for row in gathered.episodes:
            row["whole"] = row["bare"]
    return gathered


def asked(wanted: Wanted) -> dict[str, Any]:
    """Return the parameters that every statement takes which compares a group's memory with a question."""
    filters = wanted.filters
    return {
        "group": wanted.group,
        "bare": wanted.bare_vector,
        "whole": wanted.whole_vector,
        "text": wanted.text.lower(),
        "as_of": filters.as_of,
        "begun_by": filters.visible_until or DISTANT_FUTURE,
        "visible_until": filters.visible_until or DISTANT_FUTURE,
        "since": filters.since or (DISTANT_PAST if filters.until is None else KNOWN),
        "until": filters.until or DISTANT_FUTURE,
        "sessions": _ANY if filters.session is None else [session_key(filters.session)] * 2,
        "speakers": _ANY if filters.speaker is None else [speaker_key(filters.speaker)] * 2,
    }


def _params(wanted: Wanted) -> dict[str, Any]:
    return {
        **asked(wanted),
        "texts": _texts(wanted),
        "narrow": wanted.filters.narrow,
        "named": wanted.bare != wanted.text,
        "limit": wanted.limit,
        "timed": wanted.filters.visible_until is not None,
        "told": wanted.limit if wanted.filters.visible_until is None else min(_MOST, wanted.limit * _SCAN),
        "scan": wanted.limit * (_SCAN**2 if wanted.filters.by_time else _SCAN),
    }


def _texts(wanted: Wanted) -> Mapping[str, str]:
    keys = {
        "session_key": None if wanted.filters.session is None else session_key(wanted.filters.session),
        "speaker_key": None if wanted.filters.speaker is None else speaker_key(wanted.filters.speaker),
    }
    filters = {key: value for key, value in keys.items() if value is not None}
    return {
        "episodes": text_query(wanted.group, wanted.bare, _FIELDS["episodes"], filters=filters),
        "entities": text_query(wanted.group, wanted.text, _FIELDS["entities"]),
        "edges": text_query(wanted.group, wanted.text, _FIELDS["edges"]),
    }
