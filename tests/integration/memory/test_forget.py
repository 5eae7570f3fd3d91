"""Forgetting undoes exactly the effects of the forgotten messages, also during concurrent writes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemo import AsyncMemory, Message
from mnemo.config import IngestionSettings
from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Edge
from mnemo.models.results import Counts
from mnemo.providers.base import Embedder
from mnemo.providers.local import LocalEmbedder
from mnemo.store import forget, graph
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.builders import ScriptedExtractor
from support.memories import settings_of

START = datetime(2024, 1, 10, 9, tzinfo=UTC)
Hook = Callable[[], Awaitable[object]]


@pytest.fixture
async def memory(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder, group: str
) -> AsyncIterator[AsyncMemory]:
    assert database.version
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder) as opened:
        yield opened


def said(*contents: str) -> list[Message]:
    """Build messages of one person, a month apart."""
    return [
        Message(content=content, speaker="Ada", session="s", occurred_at=START + timedelta(days=30 * number))
        for number, content in enumerate(contents)
    ]


async def current(memory: AsyncMemory, relation: str) -> list[str]:
    """Return the facts of a relation that hold now."""
    page = await memory.list("edges")
    return [edge.fact for edge in page.items if isinstance(edge, Edge) and edge.relation == relation]


@pytest.mark.parametrize("batch", [1, 9])
async def test_interval_extends_over_a_forgotten_home(memory: AsyncMemory, batch: int) -> None:
    messages = said("I live in Glasgow.", "I now live in Porto.", "I now live in Lisbon.")
    uuids: list[str] = []
    for start in range(0, len(messages), batch):
        uuids += (await memory.add(messages[start : start + batch])).uuids
    assert await current(memory, "lives_in") == ["Ada now lives in Lisbon"]
    await memory.forget(uuids[1])
    assert await current(memory, "lives_in") == ["Ada now lives in Lisbon"]
    await memory.forget(uuids[2])
    assert await current(memory, "lives_in") == ["Ada lives in Glasgow"]


async def test_fact_with_remaining_support_still_ends_another(memory: AsyncMemory) -> None:
    added = await memory.add(said("I live in Glasgow.", "I now live in Porto.", "I now live in Porto."))
    await memory.forget(added.uuids[1])
    assert await current(memory, "lives_in") == ["Ada now lives in Porto"]
    await memory.forget(added.uuids[2])
    assert await current(memory, "lives_in") == ["Ada lives in Glasgow"]


async def test_forgetting_a_message_restores_the_earlier_opinion(memory: AsyncMemory) -> None:
    added = await memory.add(said("I love coffee.", "I hate coffee."))
    assert (await current(memory, "likes"), await current(memory, "dislikes")) == ([], ["Ada hates coffee"])
    await memory.forget(added.uuids[1])
    assert (await current(memory, "likes"), await current(memory, "dislikes")) == (["Ada loves coffee"], [])


async def test_job_is_current_again_when_leaving_it_is_forgotten(memory: AsyncMemory) -> None:
    added = await memory.add(said("I work at Quillfeather.", "I quit Quillfeather."))
    assert await current(memory, "works_at") == []
    await memory.forget(added.uuids[1])
    assert await current(memory, "works_at") == ["Ada works at Quillfeather"]


class Interrupted:
    """A database that runs a callback before the first run of a query."""

    def __init__(self, database: Database, query: str, hook: Hook) -> None:
        self._database = database
        self._query: str | None = query
        self._hook = hook

    async def run(self, query_name: str, /, **params: Any) -> list[dict[str, Any]]:
        if query_name == self._query:
            self._query = None
            await self._hook()
        return await self._database.run(query_name, **params)


LINES = [f"Ana met Friend{number}" for number in range(12)]
SETTINGS = IngestionSettings(window=4, context=1)


@pytest.mark.parametrize("query", ["ingestion/pending", "ingestion/candidates", "ingestion/write"])
@pytest.mark.parametrize("gone", [[0], [1, 2], [0, 1, 2, 3], [5], [3, 4, 11]])
async def test_episodes_forgotten_while_their_window_is_in_flight_leave_nothing(
    database: Database, embedder: Embedder, group: str, query: str, gone: list[int]
) -> None:
    first = Pipeline(database, embedder, ScriptedExtractor(), settings=SETTINGS)
    messages = [Message(content=line, session="s", speaker="Ana") for line in LINES]
    uuids = (await first.acknowledge(group, messages)).uuids

    async def hook() -> None:
        await forget.forget_episodes(database, group, [uuids[place] for place in gone])

    interrupted = Interrupted(database, query, hook)
    pipeline = Pipeline(interrupted, embedder, ScriptedExtractor(), settings=SETTINGS)  # type: ignore[arg-type]  # a fake
    processed = await pipeline.process(group)
    kept = [line for place, line in enumerate(LINES) if place not in gone]
    assert (processed.done, processed.failed, processed.pending) == (len(kept), 0, 0)
    assert await first.status(group) == Counts(done=len(kept))
    page = await graph.list_edges(database, group, between=(START, datetime(2030, 1, 1, tzinfo=UTC)))
    assert sorted(edge.fact for edge in page.items) == sorted(kept)
    assert await graph.residue(database, group) == {}


@pytest.mark.parametrize("query", ["ingestion/pending", "ingestion/candidates", "ingestion/write"])
async def test_a_group_forgotten_while_it_is_processed_leaves_nothing(
    database: Database, embedder: Embedder, group: str, query: str
) -> None:
    messages = [Message(content=line, session="s", speaker="Ana") for line in LINES]
    await Pipeline(database, embedder, ScriptedExtractor()).acknowledge(group, messages)

    async def hook() -> None:
        await forget.forget_group(database, group)

    interrupted = Interrupted(database, query, hook)
    pipeline = Pipeline(interrupted, embedder, ScriptedExtractor(), settings=SETTINGS)  # type: ignore[arg-type]  # a fake
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (0, 0, 0)
    assert await pipeline.status(group) == Counts()
    assert (await graph.list_entities(database, group)).total == 0
    assert await graph.residue(database, group) == {}


async def test_group_forgotten_and_refilled_during_a_run_is_processed(
    database: Database, embedder: Embedder, group: str
) -> None:
    messages = [Message(content=line, session="s", speaker="Ana") for line in LINES]
    first = Pipeline(database, embedder, ScriptedExtractor())
    await first.acknowledge(group, messages)

    async def hook() -> None:
        await forget.forget_group(database, group)
        await first.acknowledge(group, messages[:6])

    interrupted = Interrupted(database, "ingestion/write", hook)
    pipeline = Pipeline(interrupted, embedder, ScriptedExtractor(), settings=SETTINGS)  # type: ignore[arg-type]  # a fake
    await pipeline.process(group)
    assert await first.status(group) == Counts(done=6)
    assert await graph.residue(database, group) == {}


async def test_forgetting_during_a_run_leaves_no_residue(database: Database, embedder: Embedder, group: str) -> None:
    class Slow(ScriptedExtractor):
        async def extract(self, window: Window) -> Extraction:
            await asyncio.sleep(0.01)
            return await super().extract(window)

    pipeline = Pipeline(database, embedder, Slow(), settings=IngestionSettings(window=3))
    lines = [f"Person{number % 7} met Friend{number % 5}" for number in range(45)]
    added = await pipeline.acknowledge(group, [Message(content=line, session="s") for line in lines])

    async def forgetting() -> None:
        for uuid in added.uuids[::3]:
            await forget.forget_episodes(database, group, [uuid])

    processed, _ = await asyncio.gather(pipeline.process(group), forgetting())
    assert (processed.failed, processed.pending) == (0, 0)
    assert await pipeline.status(group) == Counts(done=30)
    assert await graph.residue(database, group) == {}
