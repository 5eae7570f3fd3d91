"""A process that ingests until it is killed: `python -m support.killable_ingest URI PASSWORD DB GROUP FILE PAUSE_AT`.

It prints a line after each stage, and waits forever once `PAUSE_AT` episodes are done.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemo.config import Settings
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Message
from mnemo.models.progress import Progress
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint


def timed(lines: Sequence[str]) -> list[Message]:
    """Return one message per line, a minute apart."""
    start = datetime(2023, 5, 8, tzinfo=UTC)
    return [
        Message(content=line, session="s", speaker="Ana", occurred_at=start + timedelta(minutes=number))
        for number, line in enumerate(lines)
    ]


async def main(uri: str, password: str, database: str, group: str, file: str, pause_at: str) -> None:
    """Acknowledge one message per line, then process them."""
    where, _, stage = pause_at.partition(":")

    def report(progress: Progress) -> None:
        sys.stdout.write(f"{progress.stage} {progress.done}\n")
        sys.stdout.flush()
        if progress.done >= int(where) and progress.stage == stage:
            time.sleep(3600)

    lines = await asyncio.to_thread(Path(file).read_text)
    embedder = LocalEmbedder(Settings().cache_dir)
    async with await Database.open(Endpoint(uri=uri, password=password, database=database)) as opened:
        pipeline = Pipeline(opened, embedder, LocalExtractor())
        await pipeline.acknowledge(group, timed(lines.splitlines()))
        await pipeline.process(group, report)
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
