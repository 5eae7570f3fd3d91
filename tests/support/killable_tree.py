"""A process that adds messages to a memtree until killed: `python -m support.killable_tree URI PASSWORD DB GROUP N`.

Messages from the Nth on are added one by one, or twelve at a time if N is odd. It prints a line
before and after each insert.
"""

import asyncio
import sys

from mnemo.hierarchy.memtree.tree import Memtree
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.memtrees import COSINE, JoiningAggregator, NameEmbedder, add, apart

COUNT = 300
"""Number of names with vectors."""


async def main(uri: str, password: str, database: str, group: str, start: str) -> None:
    """Add messages until there are no names left."""
    embedder, first = NameEmbedder(apart(COUNT)), int(start)
    size = 12 if first % 2 else 1
    async with await Database.open(Endpoint(uri=uri, password=password, database=database)) as opened:
        tree = Memtree(opened, embedder, JoiningAggregator(), settings=COSINE)
        for number in range(first, COUNT - size, size):
            await add(opened, embedder, group, [f"n{each}" for each in range(number, number + size)])
            sys.stdout.write(f"acknowledged {number + size}\n")
            sys.stdout.flush()
            await tree.process(group)
            sys.stdout.write(f"inserted {number + size}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
