import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.pipeline import Pipeline
from mnemo.ingestion.progress import STAGES, IngestionStage
from mnemo.models.graph import Message
from mnemo.models.progress import Progress
from mnemo.models.results import Counts
from mnemo.providers.base import Embedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from mnemo.store.owners import LEASE_S
from support.builders import ScriptedExtractor
from support.killable_ingest import timed
from support.paths import CHILD_PATH
from support.snapshot import snapshot

pytestmark = pytest.mark.slow

SENTENCES = [
    f"{who} {what} {where}."
    for where in ("Lisbon", "the old library", "Acme Robotics", "Lake Como", "New York City", "Oslo", "Birch Labs")
    for who in ("Ana", "Bruno", "Carla")
    for what in ("moved to", "works at", "visited", "loves")
]
MESSAGES = timed(SENTENCES)


class CrashError(Exception):
    """Stands in for any error that ends the process."""


class Crash:
    """A progress callback that raises at the nth report of a stage."""

    def __init__(self, stage: IngestionStage, times: int) -> None:
        self._stage = stage
        self._left = times

    def __call__(self, progress: Progress) -> None:
        self._left -= progress.stage == self._stage
        if self._left == 0 and progress.stage == self._stage:
            raise CrashError


async def test_run_with_a_crash_at_every_step_has_the_same_result(
    database: Database, embedder: Embedder, group: str, server_endpoint: Endpoint
) -> None:
    pipeline = Pipeline(database, embedder, LocalExtractor())
    await pipeline.acknowledge(group, MESSAGES)
    for stage in STAGES:
        if stage != "embed":
            with pytest.raises(CrashError):
                await pipeline.process(group, Crash(stage, 1))
    assert (await pipeline.status(group)).pending > 0
    await pipeline.process(group)
    twin = f"{group}-twin"
    await pipeline.acknowledge(twin, MESSAGES)
    await pipeline.process(twin)
    assert await snapshot(server_endpoint, group) == await snapshot(server_endpoint, twin)


async def test_only_the_interrupted_window_is_processed_again(
    database: Database, embedder: Embedder, group: str
) -> None:
    extractor = ScriptedExtractor()
    pipeline = Pipeline(database, embedder, extractor)
    messages = [Message(content=f"Ana visited Place{n}", session="s") for n in range(100)]
    await pipeline.acknowledge(group, messages)
    with pytest.raises(CrashError):
        await pipeline.process(group, Crash("settle", 3))
    assert await pipeline.status(group) == Counts(done=40, pending=60)
    await pipeline.process(group)
    read = [window.episodes[0].position for window in extractor.windows]
    assert read == [0, 20, 40, 60, 40, 60, 80]


@pytest.mark.parametrize("pause_at", ["0:extract", "0:settle", "20:write", "40:candidates"])
async def test_killed_process_loses_and_duplicates_nothing(  # fixtures, and where the process is killed
    database: Database, embedder: Embedder, group: str, server_endpoint: Endpoint, tmp_path: Path, pause_at: str
) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(SENTENCES))
    victim = await start(server_endpoint, group, file, pause_at)
    await reach(victim, pause_at)
    os.kill(victim.pid, signal.SIGKILL)
    await victim.wait()
    pipeline = Pipeline(database, embedder, LocalExtractor())
    assert (await pipeline.status(group)).pending > 0
    loop = asyncio.get_running_loop()
    before = loop.time()
    await pipeline.process(group)
    assert loop.time() - before < LEASE_S
    twin = f"{group}-twin"
    await pipeline.acknowledge(twin, MESSAGES)
    await pipeline.process(twin)
    assert await snapshot(server_endpoint, group) == await snapshot(server_endpoint, twin)


async def start(endpoint: Endpoint, group: str, file: Path, pause_at: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "support.killable_ingest",
        endpoint.uri,
        endpoint.password,
        endpoint.database,
        group,
        str(file),
        pause_at,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": CHILD_PATH},
    )


async def reach(victim: asyncio.subprocess.Process, pause_at: str) -> None:
    where, _, stage = pause_at.partition(":")
    assert victim.stdout is not None
    while True:
        line = (await victim.stdout.readline()).decode().split()
        assert line, "the process ended before it was killed"
        if line[0] == stage and int(line[1]) >= int(where):
            return
