"""Deletes episodes, sessions and groups, and whatever rested on them alone."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mnemo.errors import ConflictError
from mnemo.models.results import Forgotten
from mnemo.store.driver import Call, Database, Row

__all__ = ["Forgetting", "Prelude", "forget_episodes", "forget_group", "forget_session"]

Prelude: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[Call]]]
"""Gives the calls that must be made in the transaction that deletes some episodes, before it does."""

_BATCH = 200
_CONFLICTS = 64
_PAUSE_S = 0.05
_GROUP_BATCH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What was deleted, and what drew on it and stays."""

    forgotten: Forgotten
    entities: frozenset[str] = field(default_factory=frozenset)
    """Uuids of entities that stay and that a deleted episode mentioned: their summaries drew on it."""
    categories: frozenset[str] = field(default_factory=frozenset)
    """Uuids of categories that stay and held a deleted node, or a deleted category: theirs too."""


async def _nothing(_: Sequence[str]) -> Sequence[Call]:
    return ()


async def forget_episodes(db: Database, group: str, uuids: Sequence[str], prelude: Prelude = _nothing) -> Forgetting:
    """Delete episodes with the facts, entities and categories that rested on them alone.

    A fact's interval that only a deleted episode had closed is open again. Uuids that are not there
    count for nothing, so a call that was cut off may be repeated.

    Args:
        db: Where.
        group: Whose memory.
        uuids: Of the episodes.
        prelude: Takes them out of what is kept beside the graph; asked again while its calls are refused.

    Raises:
        ConflictError: They were refused 64 times.
        StoreError: See its kinds; batches of 200 episodes before may be deleted.
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
    return Forgetting(
        forgotten=Forgotten(**total, categories=deleted), entities=frozenset(touched), categories=frozenset(kept)
    )


async def forget_session(db: Database, group: str, session: str, prelude: Prelude = _nothing) -> Forgetting:
    """Delete all episodes of a session, as `forget_episodes` does."""
    row = await db.run("graph/session_uuids", group=group, session=session)
    return await forget_episodes(db, group, [item["uuid"] for item in row], prelude)


async def forget_group(db: Database, group: str) -> Forgotten:
    """Delete everything of a group, trees and hierarchies too, 2,000 nodes of a label a transaction.

    Raises:
        StoreError: See its kinds; call it again to go on.
    """
    total: Counter[str] = Counter()
    while True:
        row = (await db.run("graph/forget_group", group=group, limit=_GROUP_BATCH))[0]
        others = row.pop("others")
        total.update(row)
        if not others and not any(row.values()):
            return Forgotten(**total)


async def _forget_batch(db: Database, group: str, batch: list[str], prelude: Prelude) -> Row:
    refusals = 0
    while True:
        calls = [*(await prelude(batch)), ("graph/forget_episodes", {"group": group, "uuids": batch})]
        try:
            rows = await db.run_guarded(calls)
        except ConflictError:
            refusals += 1
            if refusals == _CONFLICTS:
                raise
            await asyncio.sleep(_PAUSE_S)
        else:
            return rows[-1][0] | {"categories": sum(len(params.get("gone", ())) for _, params in calls)}


async def _forget_categories(db: Database, group: str, holders: set[str]) -> tuple[int, set[str]]:
    """Delete emptied categories upwards; return how many, and those of the holders and their parents that stay."""
    deleted: set[str] = set()
    seen, pending = set(holders), set(holders)
    while pending:
        row = (await db.run("graph/forget_categories", group=group, uuids=sorted(pending)))[0]
        deleted.update(row["deleted"])
        pending = set(row["parents"])
        seen |= pending
    return len(deleted), seen - deleted
