import asyncio

from mnemo.ingestion.lease import hold
from mnemo.ingestion.pipeline import Pipeline
from mnemo.ingestion.repository import IngestionRepository
from mnemo.models.graph import Message
from mnemo.models.results import Counts
from mnemo.providers.base import Embedder
from mnemo.store.driver import Database
from mnemo.store.owners import is_dead, new_owner
from support.builders import ScriptedExtractor

MESSAGES = [Message(content=f"Ana visited Place{n}", session="s") for n in range(60)]


async def test_concurrent_pipelines_process_each_window_once(
    database: Database, embedder: Embedder, group: str
) -> None:
    extractors = [ScriptedExtractor(), ScriptedExtractor()]
    pipelines = [Pipeline(database, embedder, extractor) for extractor in extractors]
    await pipelines[0].acknowledge(group, MESSAGES)
    results = await asyncio.gather(*(pipeline.process(group) for pipeline in pipelines))
    assert sum(result.done for result in results) == 60
    assert sum(len(extractor.windows) for extractor in extractors) == 3
    assert await pipelines[1].status(group) == Counts(done=60)


async def test_concurrent_writers_of_a_session_get_distinct_positions(
    database: Database, embedder: Embedder, group: str
) -> None:
    pipeline = Pipeline(database, embedder, ScriptedExtractor())
    added = await asyncio.gather(*(pipeline.acknowledge(group, [message]) for message in MESSAGES[:32]))
    assert sum(each.new for each in added) == 32
    upcoming = await IngestionRepository(database, embedder.model).upcoming(group, taken=[], context=4, limit=100)
    assert [episode.position for episode in upcoming.pending] == list(range(32))


async def test_lease_of_a_dead_process_is_taken_over_immediately(
    database: Database, embedder: Embedder, group: str
) -> None:
    repository = IngestionRepository(database, embedder.model)
    node, pid, _, token = new_owner().split("/")
    process = await asyncio.create_subprocess_exec("true")
    await process.wait()
    dead = f"{node}/{process.pid}/1.00/{token}"
    assert is_dead(dead)
    assert not is_dead(f"elsewhere/{process.pid}/1.00/{token}")
    assert not is_dead(f"{node}/{pid}/1.00/{token}")
    assert await repository.take_lease(group, dead, stale="", seconds=600) == dead
    async with asyncio.timeout(20), hold(repository, group) as owner:
        assert await repository.take_lease(group, "other", stale="", seconds=5) == owner
    assert await repository.take_lease(group, "other", stale="", seconds=5) == "other"
