"""Measures System-2 and the placement of entities by size: synthetic entities on a real server, no model.

    python scripts/bench/hierarchy_scale.py 1000 10000 100000

Each size is a group of that many entities, each with one episode, and a hierarchy of clusters of near vectors.
Prints the median time to place one entity (the sizes alternate, so that all meet the same conditions) and its growth
from the first size to the last; then the median database time of a walk (at most layers + 2 round trips).
Groups are deleted at the end.
"""

import asyncio
import statistics
import sys
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mnemo.clock import SystemClock
from mnemo.config import load_settings
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.categoriser import Categorisation, Item, ProposedCategory, ReplyCache
from mnemo.hierarchy.categories.clustering import split
from mnemo.hierarchy.categories.placement import CANDIDATES
from mnemo.models.results import Usage
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.system2 import System2
from mnemo.store import forget
from mnemo.store.driver import Database
from mnemo.store.hierarchy import categories
from mnemo.store.migrations import migrate

MODEL, DIMENSIONS = "local/e5-small-v2-q", 384
TOPIC = 12
"""Entities per topic; twelve topics form a field, and fields form areas."""
SPREAD = (0.55, 0.45, 0.4)
PLACED = 110
"""Number of entities placed one by one."""
WALKS = 40
WARM = 10
"""Warm-up placements that are not counted."""
ROWS = 1_000


class SyntheticEmbedder:
    """Embeds names by area, field and topic: the more they share, the nearer they are."""

    model, dimensions = MODEL, DIMENSIONS

    async def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the vector of a name, or the mean vector of the members that a content lists."""
        return np.stack([self._content(text) for text in texts])

    async def questions(self, texts: Sequence[str]) -> np.ndarray:
        """Return the vectors of names."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Do nothing."""

    def _content(self, text: str) -> np.ndarray:
        names = [word for word in text.replace(":", ",").split(",") if word.strip().startswith("e")] or [text]
        total = np.sum([vector(name.strip()) for name in names], axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)


class NearestCategoriser:
    """Makes categories of near vectors."""

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:  # noqa: ARG002  # required by the protocol
        """Return categories of at most twelve members; none if there are few items."""
        if len(items) <= 2 * TOPIC:
            return Categorisation(categories=())
        parts = split(np.stack([item.vector for item in items]), TOPIC)
        groups = tuple(
            ProposedCategory(name=", ".join(items[place].name for place in part[:3]), members=tuple(sorted(part)))
            for part in parts
        )
        return Categorisation(categories=groups, usage=Usage())


class TimedDatabase:
    """A database that counts and times its round trips."""

    def __init__(self, database: Database) -> None:
        """Wrap a database."""
        self._database, self.procedures = database, database.procedures
        self.calls: Counter[str] = Counter()
        self.seconds = 0.0

    async def run(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run one query."""
        start = time.perf_counter()
        try:
            return await self._database.run(name, **params)
        finally:
            self.calls[name] += 1
            self.seconds += time.perf_counter() - start


def vector(name: str) -> np.ndarray:
    """Return the unit vector of an entity named `e<number>`."""
    number = int("".join(character for character in name if character.isdigit()) or 0)
    topic, field = number // TOPIC, number // TOPIC**2
    parts = [np.random.default_rng(seed).standard_normal(DIMENSIONS) for seed in ((1, field), (2, topic), (3, number))]
    total = sum(weight * part / np.linalg.norm(part) for weight, part in zip(SPREAD, parts, strict=True))
    return (total / np.linalg.norm(total)).astype(np.float32)


async def fill(database: Database, group: str, numbers: Sequence[int]) -> list[str]:
    """Write entities, each with an episode that mentions it; return their uuids."""
    uuids = []
    for start in range(0, len(numbers), ROWS):
        rows = [
            {
                "uuid": str(uuid.uuid4()),
                "episode": str(uuid.uuid4()),
                "name": f"e{number}",
                "vector": vector(f"e{number}"),
            }
            for number in numbers[start : start + ROWS]
        ]
        await database.run("bench/entities", group=group, model=MODEL, rows=rows)
        uuids += [row["uuid"] for row in rows]
    return uuids


@dataclass(frozen=True, slots=True)
class BuiltGroup:
    """A group with its hierarchy, and entities still to be placed."""

    size: int
    group: str
    numbers: Sequence[int]
    later: Sequence[str]
    layers: tuple[int, ...]


async def build_group(database: Database, size: int) -> BuiltGroup:
    """Fill a group, build its hierarchy and add entities to place."""
    group = f"bench-scale-{uuid.uuid4().hex}"
    numbers = [int(n) for n in np.random.default_rng(size).permutation(size)]
    await fill(database, group, numbers[:-PLACED])
    builder = Builder(
        database=database, categoriser=NearestCategoriser(), embedder=SyntheticEmbedder(), clock=SystemClock()
    )
    start = time.perf_counter()
    built = await builder.build(group)
    print(f"{size:,} entities: built in {time.perf_counter() - start:.1f} s, layers {built.categories}", flush=True)
    later = await fill(database, group, numbers[-PLACED:])
    return BuiltGroup(size, group, numbers, later, built.categories)


async def placing(database: Database, groups: Sequence[BuiltGroup]) -> None:
    """Place entities one by one, alternating sizes; print medians and growth."""
    seconds: dict[int, list[float]] = {each.size: [] for each in groups}
    for place in range(PLACED):
        for each in groups:
            start = time.perf_counter()
            await categories.place(database, each.group, [each.later[place]], candidates=CANDIDATES)
            seconds[each.size].append(time.perf_counter() - start)
    medians = {size: statistics.median(taken[WARM:]) for size, taken in seconds.items()}
    for size, median in medians.items():
        print(f"placing one entity among {size:,}: median {1e3 * median:.1f} ms of {PLACED - WARM}")
    first, *_, last = medians.values() if len(medians) > 1 else [*medians.values()] * 2
    print(f"growth {last / first:.2f}", flush=True)


async def walking(database: Database, built_group: BuiltGroup) -> None:
    """Walk by embedding; print round trips and the median database time."""
    counting = TimedDatabase(database)
    system2 = System2(CandidateGatherer(counting, SyntheticEmbedder()))  # type: ignore[arg-type]  # stubs
    seconds, trips = [], []
    for number in built_group.numbers[:WALKS]:
        counting.calls.clear()
        counting.seconds = 0.0
        await system2.gather(SearchRequest(group=built_group.group, question=f"e{number}"))
        seconds.append(counting.seconds)
        trips.append(counting.calls.total())
    print(
        f"walking over {built_group.size:,}: database part median {1e3 * statistics.median(seconds[WARM:]):.1f} ms, "
        f"{max(trips[1:])} round trips for {len(built_group.layers)} layers",
        flush=True,
    )


async def main() -> None:
    """Measure the sizes given as arguments."""
    groups: list[BuiltGroup] = []
    async with await Database.open(load_settings()) as database:
        await migrate(database, (MODEL, DIMENSIONS))
        try:
            for size in [int(text) for text in sys.argv[1:]] or [1_000, 10_000, 100_000]:
                built_group = await build_group(database, size)
                groups.append(built_group)
            await placing(database, groups)
            for each in groups:
                await walking(database, each)
        finally:
            for each in groups:
                await forget.forget_group(database, each.group)


if __name__ == "__main__":
    asyncio.run(main())
