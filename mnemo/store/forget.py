"""Deletes episodes, sessions and groups, and whatever rested on them alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemo.models.results import Forgotten
from mnemo.store.driver import Database

__all__ = ["Forgetting", "forget_episodes", "forget_group", "forget_session"]

_BATCH = 200
_GROUP_BATCH = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What was deleted, and what drew on it and stays."""

    forgotten: Forgotten
    entities: frozenset[str] = field(default_factory=frozenset)
    """Uuids of entities that stay and that a deleted episode mentioned: their summaries drew on it."""
    categories: frozenset[str] = field(default_factory=frozenset)
    """Uuids of categories that stay and held a deleted node, or a deleted category: theirs too."""


async def forget_episodes(db: Database, group: str, uuids: Sequence[str]) -> Forgetting:
    """Delete episodes with the facts, entities and categories that rested on them alone.

    A fact's interval that only a deleted episode had closed is open again. Uuids that are not there
    count for nothing, so a call that was cut off may be repeated.

    Raises:
        StoreError: See its kinds; batches of 200 episodes before may be deleted.
    """
    total: Counter[str] = Counter()
    touched: set[str] = set()
    holders: set[str] = set()
    for start in range(0, len(uuids), _BATCH):
        batch = list(uuids[start : start + _BATCH])
        row = (await db.run("graph/forget_episodes", group=group, uuids=batch))[0]
        touched.update(row.pop("touched"))
        holders.update(row.pop("holders"))
        total.update(row)
    deleted, kept = await _forget_categories(db, group, holders)
    return Forgetting(
        forgotten=Forgotten(**total, categories=deleted), entities=frozenset(touched), categories=frozenset(kept)
    )


async def forget_session(db: Database, group: str, session: str) -> Forgetting:
    """Delete all episodes of a session, as `forget_episodes` does."""
    row = await db.run("graph/session_uuids", group=group, session=session)
    return await forget_episodes(db, group, [item["uuid"] for item in row])


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
