#!/usr/bin/env python3
"""Print the cost of a memtree insert at several sizes, on the configured server.

    scripts/bench/memtree_cost.py 1000 10000 50000

The group `bench/memtree` is deleted at the start and at the end.
"""

import asyncio
import sys
import time

from mnemo.bench.memtree.cost import NamingAggregator, NumberEmbedder, clustered, fill, measure
from mnemo.config import MemtreeSettings, load_settings
from mnemo.hierarchy.memtree.tree import Memtree
from mnemo.hierarchy.view import stats
from mnemo.store import forget
from mnemo.store.driver import Database
from mnemo.store.hierarchy import members as store

GROUP = "bench/memtree"
PROBES = 40
SETTINGS = MemtreeSettings(similarity_floor=0.0, batch=500)
HEAD = (
    f"{'leaves':>8}{'log2':>7}{'candidates':>12}{'depth':>7}{'route ms':>10}{'by level ms':>13}{'levels':>8}"
    f"{'insert ms':>11}{'trips':>7}{'bulk/s':>8}{'deepest':>9}{'root':>7}"
)


async def main(sizes: list[int]) -> None:
    """Grow one memtree through all sizes and measure at each."""
    vectors = clustered(sizes[-1] + len(sizes) * PROBES + 1, 384)
    async with await Database.open(load_settings()) as database:
        await forget.forget_group(database, GROUP)
        print(HEAD, flush=True)
        there = 0
        for size in sizes:
            await fill(database, GROUP, vectors, there, size)
            tree = Memtree(database, NumberEmbedder(vectors), NamingAggregator(), settings=SETTINGS)
            start = time.perf_counter()
            run = await tree.process(GROUP)
            rate = run.leaves / (time.perf_counter() - start)
            cost = await measure(database, GROUP, vectors, size, PROBES, SETTINGS)
            root = await store.find_root(database, GROUP, "memtree")
            found = stats(root, await store.members(database, root, 200_000)) if root else None
            print(
                f"{cost.leaves:>8,}{cost.log2_leaves:>7.1f}{cost.candidates:>12.0f}{cost.depth:>7.0f}"
                f"{cost.route_ms:>10.1f}{cost.levels_ms:>13.1f}{cost.levels:>8.0f}{cost.insert_ms:>11.1f}"
                f"{cost.round_trips:>7}{rate:>8.0f}{found.layers if found else 0:>9}"
                f"{found.root_children if found else 0:>7}",
                flush=True,
            )
            there = size + PROBES
        await forget.forget_group(database, GROUP)


if __name__ == "__main__":
    asyncio.run(main([int(size) for size in sys.argv[1:]] or [1_000, 10_000, 50_000]))
