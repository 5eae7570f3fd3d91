"""Deletes episodes, sessions and groups, with the facts, entities and categories that only they support."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mnemo.errors import ConflictError
from mnemo.models.results import Forgotten
from mnemo.store.driver import Call, Database, Row

__all__ = ["ForgetResult", "Prelude", "forget_episodes", "forget_group", "forget_session"]

Prelude: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[Call]]]
"""Returns calls to run before the deletion of some episodes, in the same transaction."""

_BATCH = 200
_CONFLICTS = 64
_PAUSE_S = 0.05
_GROUP_BATCH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetResult:
    """What was deleted, and what remains but was derived from it."""

    forgotten: Forgotten
    entities: frozenset[str] = field(default_factory=frozenset)
    """Uuids of remaining entities that a deleted episode mentioned; their summaries may be outdated."""
    categories: frozenset[str] = field(default_factory=frozenset)
    """Uuids of remaining categories that contained a deleted node; their texts may be outdated."""


async def _no_calls(_: Sequence[str]) -> Sequence[Call]:
    return ()


async def forget_episodes(db: Database, group: str, uuids: Sequence[str], prelude: Prelude = _no_calls) -> ForgetResult:
    """Delete episodes with the facts, entities and categories that only they support.

    A fact that was closed only by a deleted episode is reopened. Unknown uuids are ignored, so an interrupted call can
    be repeated.

    Args:
        db: Database to write.
        group: Group of the episodes.
        uuids: The episodes.
        prelude: Returns the calls that remove the episodes from the memtree; called again after a conflict.

    Raises:
        ConflictError: 64 attempts conflicted with other writers.
        StoreError: See its kinds; earlier batches of 200 episodes stay deleted.
    """
    total: Counter[str] = Counter()
    touched: set[str] = set()
    holders: set[str] = set()
    for start in range(0, len(uuids), _BATCH):
        batch = list(uuids[start : start + _BATCH])
        row = await _forget_batch(db, group, batch, prelude)
        touched.update(row.pop("touched"))
        holders.update(row.pop("holders"))
        total.update(row)
    deleted, kept = await _forget_categories(db, group, holders)
    deleted += total.pop("categories", 0)
    return ForgetResult(
        forgotten=Forgotten(**total, categories=deleted), entities=frozenset(touched), categories=frozenset(kept)
    )


async def forget_session(db: Database, group: str, session: str, prelude: Prelude = _no_calls) -> ForgetResult:
    """Delete all episodes of a session; see `forget_episodes`."""
    row = await db.run("graph/session_uuids", group=group, session=session)
    return await forget_episodes(db, group, [item["uuid"] for item in row], prelude)


async def forget_group(db: Database, group: str) -> Forgotten:
    """Delete a whole group with its trees and hierarchies, 2,000 nodes of a label per transaction.

    Raises:
        StoreError: See its kinds; call again to continue.
    """
    total: Counter[str] = Counter()
    while True:
        row = (await db.run("graph/forget_group", group=group, limit=_GROUP_BATCH))[0]
        others = row.pop("others")
        total.update(row)
        if not others and not any(row.values()):
            return Forgotten(**total)


async def _forget_batch(db: Database, group: str, batch: list[str], prelude: Prelude) -> Row:
    conflicts = 0
    while True:
        calls = [*(await prelude(batch)), ("graph/forget_episodes", {"group": group, "uuids": batch})]
        try:
            rows = await db.run_guarded(calls)
        except ConflictError:
            conflicts += 1
            if conflicts == _CONFLICTS:
                raise
            await asyncio.sleep(_PAUSE_S)
        else:
            return rows[-1][0] | {"categories": sum(len(params.get("gone", ())) for _, params in calls)}


async def _forget_categories(db: Database, group: str, holders: set[str]) -> tuple[int, set[str]]:
    """Delete empty categories upwards; return how many, and which of the holders and their parents remain."""
    deleted: set[str] = set()
    seen, pending = set(holders), set(holders)
    while pending:
        row = (await db.run("graph/forget_categories", group=group, uuids=sorted(pending)))[0]
        deleted.update(row["deleted"])
        pending = set(row["parents"])
        seen |= pending
    return len(deleted), seen - deleted
