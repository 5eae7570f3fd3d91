"""A process that imports a large tree until it is killed: `python -m support.killable_import URI PASSWORD DB GROUP N`.

A line is printed after each transaction.
"""

import asyncio
import sys

from mnemo.bench.trees.sizes import built
from mnemo.models.progress import Progress
from mnemo.semxpath.trees.memory import Trees
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.embedders import HashEmbedder


def _report(progress: Progress) -> None:
    sys.stdout.write(f"{progress.stage} {progress.done} of {progress.total}\n")
    sys.stdout.flush()


async def main(uri: str, password: str, database: str, group: str, nodes: str) -> None:
    """Import to the end."""
    async with await Database.open(Endpoint(uri=uri, password=password, database=database)) as opened:
        await Trees(opened, HashEmbedder(), group).tree("large").create(built(int(nodes)), on_progress=_report)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
