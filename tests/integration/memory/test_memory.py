import asyncio
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from mnemo import AsyncMemory, Memory, Message, Progress
from mnemo.config import Settings
from mnemo.errors import ArgumentError, ConfigError, GroupError, NotFoundError, StoreUnavailableError
from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.results import Counts, Forgotten
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.clocks import FixedClock
from support.memories import settings_of

SAID = datetime(2023, 5, 8, 9, tzinfo=UTC)
MESSAGES = [
    Message(content="I moved to Lisbon last week.", speaker="Ana", session="s", occurred_at=SAID),
    Message(content="I work at Acme Robotics.", speaker="Bruno", session="s", occurred_at=SAID),
    Message(content="I adopted a cat named Miso.", speaker="Ana", session="t", occurred_at=SAID),
]


@pytest.fixture
async def memory(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder, group: str
) -> AsyncIterator[AsyncMemory]:
    assert database.version
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder) as opened:
        yield opened


async def test_added_message_is_found_with_its_source(memory: AsyncMemory) -> None:
    added = await memory.add(MESSAGES)
    assert added.processed is not None
    assert (added.new, added.processed.done, added.processed.failed) == (3, 3, 0)
    result = await memory.search("Where does Ana live?")
    assert result.episodes[0].item.uuid == added.uuids[0]
    assert any("Lisbon" in found.item.fact for found in result.edges)
    assert "[1]" in result.context.text
    answer = await memory.ask("Where does Ana live?")
    assert answer.by == "extract"
    assert "Lisbon" in answer.text


async def test_unprocessed_message_is_found_by_full_text_immediately(memory: AsyncMemory) -> None:
    added = await memory.add(MESSAGES, when="later")
    assert added.processed is None
    assert await memory.status() == Counts(pending=3)
    found = [each.item.uuid for each in (await memory.search("Acme Robotics")).episodes]
    assert added.uuids[1] in found
    assert (await memory.process()).done == 3
    assert await memory.status() == Counts(done=3)


async def test_string_and_dict_get_the_current_time_and_message_keeps_unknown_time(
    server_endpoint: Endpoint, embedder: LocalEmbedder, group: str
) -> None:
    clock = FixedClock(datetime(2026, 3, 5, 9, 30, tzinfo=UTC))
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder, clock=clock) as memory:
        given = [
            "Zoe plays the cello.",
            {"role": "user", "content": "So do I.", "name": "Ben"},
            Message(content="Why?"),
        ]
        added = await memory.add(given, when="later")
        episodes = [await memory.get(uuid) for uuid in added.uuids]
    assert all(isinstance(episode, Episode) for episode in episodes)
    seen = [(each.content, each.role, each.speaker, each.occurred_at) for each in episodes if isinstance(each, Episode)]
    assert seen == [
        ("Zoe plays the cello.", "user", None, clock.moment),
        ("So do I.", "user", "Ben", clock.moment),
        ("Why?", "user", None, None),
    ]


async def test_invalid_message_is_rejected_and_nothing_is_stored(memory: AsyncMemory) -> None:
    with pytest.raises(ArgumentError, match="message 1 must be a string, a Message or a dict, got int"):
        await memory.add(["a", 7])  # type: ignore[list-item]  # the test is about it
    assert await memory.status() == Counts()


async def test_groups_are_listed_with_their_counts(memory: AsyncMemory, group: str) -> None:
    await memory.add(MESSAGES)
    await memory.add("Bruno likes tea.", group=f"{group}-other", when="later")
    found = {each.name: each for each in await memory.groups() if each.name.startswith(group)}
    own, other = found[group], found[f"{group}-other"]
    assert list(found) == [group, f"{group}-other"]
    assert (own.episodes, own.pending, own.failed, own.last) == (3, 0, 0, SAID)
    assert (own.entities, own.edges) == ((await memory.list("entities")).total, (await memory.list("edges")).total)
    assert (other.episodes, other.pending, other.entities, other.edges) == (1, 1, 0, 0)


async def test_warm_loads_the_models(memory: AsyncMemory) -> None:
    await memory.warm()
    added = await memory.add(MESSAGES[0])
    assert added.processed is not None
    assert added.processed.done == 1


async def test_progress_of_add_counts_its_episodes(memory: AsyncMemory) -> None:
    seen: list[Progress] = []
    await memory.add(MESSAGES, on_progress=seen.append)
    assert {each.stage for each in seen} == {"process"}
    assert (seen[-1].done, seen[-1].total) == (3, 3)


async def test_lists_are_pages_with_a_total(memory: AsyncMemory) -> None:
    await memory.add(MESSAGES)
    first = await memory.list("episodes", limit=2)
    second = await memory.list("episodes", limit=2, cursor=first.cursor)
    assert (first.total, len(first.items), len(second.items), second.cursor) == (3, 2, 1, None)
    entities = await memory.list("entities")
    assert {item.name for item in entities.items if isinstance(item, Entity)} >= {"Ana", "Bruno", "Lisbon"}
    now = await memory.list("edges")
    before = await memory.list("edges", as_of=datetime(2020, 1, 1, tzinfo=UTC))
    assert any(isinstance(item, Edge) and "Lisbon" in item.fact for item in now.items)
    assert not any(isinstance(item, Edge) and "Lisbon" in item.fact for item in before.items)
    assert (await memory.list("edges", as_of="ever")).total >= now.total
    edge = now.items[0]
    assert await memory.get(edge.uuid) == edge


async def test_filters_of_another_kind_are_rejected(memory: AsyncMemory) -> None:
    with pytest.raises(ArgumentError, match="session cannot filter entities"):
        await memory.list("entities", session="s")  # type: ignore[call-overload]  # what a caller may do
    with pytest.raises(ArgumentError, match="kind must be one of episodes, entities, edges, got 'facts'"):
        await memory.list("facts")  # type: ignore[call-overload]  # what a caller may do


async def test_forgotten_items_are_deleted(memory: AsyncMemory, group: str) -> None:
    added = await memory.add(MESSAGES)
    assert (await memory.forget(added.uuids[0])).episodes == 1
    with pytest.raises(NotFoundError):
        await memory.get(added.uuids[0])
    assert (await memory.forget(session="t")).episodes == 1
    assert (await memory.forget(group=group)).episodes == 1
    assert await memory.status() == Counts()
    assert await memory.forget(group=group) == Forgotten()


async def test_several_items_are_forgotten_in_one_call(memory: AsyncMemory) -> None:
    added = await memory.add(MESSAGES)
    assert (await memory.forget([*added.uuids[:2], "nobody's"])).episodes == 2
    assert (await memory.status()).done == len(added.uuids) - 2
    with pytest.raises(NotFoundError):
        await memory.forget(added.uuids[:2])


async def test_forget_requires_exactly_one_target(memory: AsyncMemory) -> None:
    with pytest.raises(ArgumentError, match="nothing was deleted"):
        await memory.forget()
    with pytest.raises(ArgumentError, match="nothing was deleted"):
        await memory.forget("a", session="b")
    with pytest.raises(NotFoundError):
        await memory.forget("no-such-uuid")


async def test_closed_memory_can_be_used_again(memory: AsyncMemory) -> None:
    await memory.add(MESSAGES, when="later")
    await memory.close()
    await memory.close()
    assert await memory.status() == Counts(pending=3)


async def test_32_concurrent_writes_of_one_message_store_one(memory: AsyncMemory) -> None:
    added = await asyncio.gather(*(memory.add(MESSAGES[0]) for _ in range(32)))
    assert sum(each.new for each in added) == 1
    assert {each.uuids for each in added} == {added[0].uuids}
    assert all(each.processed and each.processed.failed == 0 for each in added)
    assert await memory.status() == Counts(done=1)
    assert (await memory.list("edges")).total == 1
    assert {item.name for item in (await memory.list("entities")).items if isinstance(item, Entity)} == {
        "Ana",
        "Lisbon",
    }


async def test_missing_server_is_a_typed_error_and_memory_recovers(embedder: LocalEmbedder) -> None:
    nowhere = Endpoint(uri="bolt://127.0.0.1:9", password="x")
    async with AsyncMemory(settings_of(nowhere), embedder=embedder) as memory:
        for _ in range(2):
            with pytest.raises(StoreUnavailableError):
                await memory.status()


async def test_extraction_by_llm_without_an_llm_is_refused(server_endpoint: Endpoint, embedder: LocalEmbedder) -> None:
    settings = settings_of(server_endpoint, ingestion={"extractor": "llm"})
    async with AsyncMemory(settings, embedder=embedder) as memory:
        with pytest.raises(ConfigError, match="no LLM"):
            await memory.status()


def test_group_is_checked_before_anything_is_opened() -> None:
    with pytest.raises(GroupError):
        AsyncMemory(Settings(), group="")


async def test_sync_memory_works_inside_a_running_loop_and_from_several_threads(
    memory: AsyncMemory, server_endpoint: Endpoint, group: str
) -> None:
    await memory.add(MESSAGES)
    seen: list[Counts] = []
    with Memory(settings_of(server_endpoint), group=group) as waiting:
        assert waiting.status() == Counts(done=3)
        threads = [threading.Thread(target=lambda: seen.append(waiting.status())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [Counts(done=3)] * 4
        waiting.close()
        assert waiting.search("Lisbon").episodes
    assert not [thread for thread in threading.enumerate() if thread.name == "mnemo-memory"]


async def test_sync_memory_called_from_its_progress_callback_is_an_error(
    memory: AsyncMemory, server_endpoint: Endpoint, group: str
) -> None:
    assert await memory.status() == Counts()
    with Memory(settings_of(server_endpoint), group=group) as waiting:
        with pytest.raises(ArgumentError, match="from its own progress callback"):
            waiting.add(MESSAGES, on_progress=lambda _: waiting.status() and None)
        assert waiting.process().done == 3


async def test_time_of_recording_never_goes_back_although_the_clock_does(
    server_endpoint: Endpoint, embedder: LocalEmbedder, group: str
) -> None:
    clock = FixedClock(datetime(2024, 5, 1, tzinfo=UTC))
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder, clock=clock) as memory:
        await memory.add(Message(content="I live in Trieste.", speaker="Ines"))
        clock.moment = datetime(2024, 4, 1, tzinfo=UTC)
        await memory.add(Message(content="I live in Ghent.", speaker="Ines"))
        earlier, later = (await memory.list()).items
    assert (earlier.content, later.content) == ("I live in Trieste.", "I live in Ghent.")
    assert earlier.recorded_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert later.recorded_at == earlier.recorded_at + timedelta(microseconds=1)
