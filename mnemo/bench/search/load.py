"""Puts made-up facts into a database, for mnemo and for graphiti-core, and takes them out again."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from mnemo.bench.search.synthetic import Facts
from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.models.embedding_text import session_key, speaker_key
from mnemo.models.group import text_key
from mnemo.models.progress import OnProgress, Progress
from mnemo.store.driver import Database

__all__ = ["PREFIX", "clear", "load", "load_graphiti", "uuid_of"]

PREFIX = "bench-search/"
_START = datetime(2020, 1, 1, tzinfo=UTC)
_BATCH = 1_000
_SESSION = 20
_CLEARED = 5_000


def uuid_of(group: str, number: int) -> str:
    """Return the uuid of a group's fact."""
    return f"{group}/{number}"


async def load(database: Database, facts: Facts, groups: Sequence[str], on_progress: OnProgress) -> None:
    """Write facts, a stretch of equal length into each group; what a group holds already is not looked for.

    Raises:
        StoreError: See its kinds.
    """
    share = len(facts.texts) // len(groups)
    done = 0
    rows = (
        row
        for place, group in enumerate(groups)
        for row in _rows(facts, group, range(place * share, (place + 1) * share))
    )
    while batch := list(itertools.islice(rows, _BATCH)):
        await database.run("bench/load", rows=batch, past=DISTANT_PAST, future=DISTANT_FUTURE)
        done += len(batch)
        on_progress(Progress(stage="load", done=done, total=share * len(groups)))
    await database.run_all([("bench/chain", {"group": group}) for group in groups])
    await database.run("meta/await_indexes", seconds=600)


async def load_graphiti(database: Database, facts: Facts, group: str, on_progress: OnProgress) -> None:
    """Write the same facts as graphiti-core keeps them.

    Raises:
        StoreError: See its kinds.
    """
    rows = (_graphiti_row(facts, group, number) for number in range(len(facts.texts)))
    done = 0
    while batch := list(itertools.islice(rows, _BATCH)):
        await database.run("bench/load_graphiti", rows=batch)
        done += len(batch)
        on_progress(Progress(stage="load graphiti", done=done, total=len(facts.texts)))
    await database.run("meta/await_indexes", seconds=600)


async def clear(database: Database) -> int:
    """Delete all that benchmarks left; return how many nodes that were.

    Raises:
        StoreError: See its kinds.
    """
    total = 0
    while number := (await database.run("bench/clear", prefix=PREFIX.rstrip("/"), limit=_CLEARED))[0]["number"]:
        total += number
    return total


def _rows(facts: Facts, group: str, numbers: range) -> Iterator[dict[str, Any]]:
    key, nobody = text_key(group), speaker_key(None)
    for place, number in enumerate(numbers):
        session = f"s{place // _SESSION}"
        yield {
            "group": group,
            "group_key": key,
            "number": place,
            "uuid": uuid_of(group, place),
            "text": facts.texts[number],
            "subject": facts.subjects[number],
            "session": session,
            "session_key": session_key(session),
            "speaker_key": nobody,
            "at": _START + timedelta(minutes=place),
            "vector": facts.vectors[number],
        }


def _graphiti_row(facts: Facts, group: str, number: int) -> dict[str, Any]:
    return {
        "group": group,
        "uuid": uuid_of(group, number),
        "text": facts.texts[number],
        "subject": facts.subjects[number],
        "object": facts.texts[number].rsplit(" ", 1)[-1],
        "at": _START + timedelta(minutes=number),
        "embedding": facts.vectors[number].tolist(),
    }
