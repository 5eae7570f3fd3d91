"""How System-2 and the placing of entities grow: synthetic entities, real server, vectors that need no model.

    python scripts/bench/hierarchy_scale.py 1000 10000 100000

For each size: a group with that many entities, each with one episode, and a hierarchy by clusters of near vectors.
The median time of placing one entity, the sizes taken in turn so that each meets the same conditions, with its growth
from the first size to the last; then the median of the database part of a walk (in at most layers + 2 round trips).
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
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.system2 import System2
from mnemo.store import categories, forget
from mnemo.store.driver import Database
from mnemo.store.migrations import migrate

MODEL, DIMENSIONS = "local/e5-small-v2-q", 384
TOPIC = 12
"""Entities of one topic; topics stand in fields of twelve, and those in areas."""
SPREAD = (0.55, 0.45, 0.4)
PLACED = 110
"""Entities placed one by one."""
WALKS = 40
WARM = 10
"""First ones that do not count."""
ROWS = 1_000


class Made:
    """Vectors by name: area, field and topic, each nearer than the one before."""

    model, dimensions = MODEL, DIMENSIONS

    async def passages(self, texts: Sequence[str]) -> np.ndarray:
        """Return the vector of a name, or the mean of those of the members that a content lists."""
        return np.stack([self._content(text) for text in texts])

    async def questions(self, texts: Sequence[str]) -> np.ndarray:
        """Return vectors of names."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Do nothing."""

    def _content(self, text: str) -> np.ndarray:
        names = [word for word in text.replace(":", ",").split(",") if word.strip().startswith("e")] or [text]
        total = np.sum([vector(name.strip()) for name in names], axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)


class ByNearness:
    """Parts of near vectors, each a category."""

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:  # noqa: ARG002  # the protocol's
        """Return parts of at most twelve; none once there are few."""
        if len(items) <= 2 * TOPIC:
            return Categorisation(categories=())
        parts = split(np.stack([item.vector for item in items]), TOPIC)
        groups = tuple(
            ProposedCategory(name=", ".join(items[place].name for place in part[:3]), members=tuple(sorted(part)))
            for part in parts
        )
        return Categorisation(categories=groups, usage=Usage())


class Counting:
    """A database that counts and times its round trips."""

    def __init__(self, database: Database) -> None:
        """Keep the database."""
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
    """Return the unit vector of an entity's name, `e<number>`."""
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
class Standing:
    """A group with its hierarchy, and entities that it lacks yet."""

    size: int
    group: str
    numbers: Sequence[int]
    later: Sequence[str]
    layers: tuple[int, ...]


async def stand(database: Database, size: int) -> Standing:
    """Fill a group, build its hierarchy and add entities that are to be placed."""
    group = f"bench-scale-{uuid.uuid4().hex}"
    numbers = [int(n) for n in np.random.default_rng(size).permutation(size)]
    await fill(database, group, numbers[:-PLACED])
    builder = Builder(database=database, categoriser=ByNearness(), embedder=Made(), clock=SystemClock())
    start = time.perf_counter()
    built = await builder.build(group)
    print(f"{size:,} entities: built in {time.perf_counter() - start:.1f} s, layers {built.categories}", flush=True)
    later = await fill(database, group, numbers[-PLACED:])
    return Standing(size, group, numbers, later, built.categories)


async def placing(database: Database, standings: Sequence[Standing]) -> None:
    """Place entities one by one, one of each size in turn; print the medians and how they grow."""
    seconds: dict[int, list[float]] = {each.size: [] for each in standings}
    for place in range(PLACED):
        for each in standings:
            start = time.perf_counter()
            await categories.place(database, each.group, [each.later[place]], candidates=CANDIDATES)
            seconds[each.size].append(time.perf_counter() - start)
    medians = {size: statistics.median(taken[WARM:]) for size, taken in seconds.items()}
    for size, median in medians.items():
        print(f"placing one entity among {size:,}: median {1e3 * median:.1f} ms of {PLACED - WARM}")
    first, *_, last = medians.values() if len(medians) > 1 else [*medians.values()] * 2
    print(f"growth {last / first:.2f}", flush=True)


async def walking(database: Database, standing: Standing) -> None:
    """Walk by embedding; print round trips and the median of the database part."""
    counting = Counting(database)
    system2 = System2(counting, Made())  # type: ignore[arg-type]  # stubs
    seconds, trips = [], []
    for number in standing.numbers[:WALKS]:
        counting.calls.clear()
        counting.seconds = 0.0
        await system2.look(SearchRequest(group=standing.group, question=f"e{number}"))
        seconds.append(counting.seconds)
        trips.append(counting.calls.total())
    print(
        f"walking over {standing.size:,}: database part median {1e3 * statistics.median(seconds[WARM:]):.1f} ms, "
        f"{max(trips[1:])} round trips for {len(standing.layers)} layers",
        flush=True,
    )


async def main() -> None:
    """Measure the sizes that the arguments name."""
    standings: list[Standing] = []
    async with await Database.open(load_settings()) as database:
        await migrate(database, (MODEL, DIMENSIONS))
        try:
            for size in [int(text) for text in sys.argv[1:]] or [1_000, 10_000, 100_000]:
                standing = await stand(database, size)
                standings.append(standing)
            await placing(database, standings)
            for each in standings:
                await walking(database, each)
        finally:
            for each in standings:
                await forget.forget_group(database, each.group)


if __name__ == "__main__":
    asyncio.run(main())
