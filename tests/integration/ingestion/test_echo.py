"""Recalled text that comes back is stored but not extracted; neither are system prompts."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from mnemo import AsyncMemory, Message
from mnemo.models.graph import Role
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of

SAID = datetime(2024, 6, 3, 9, tzinfo=UTC)
TALK = [
    Message(content="I moved to Porto in April. I work at Quillfeather.", speaker="Ada", session="s", occurred_at=SAID),
    Message(content="My sister Zoe adopted a parrot named Biscuit last week.", speaker="Ada", session="s"),
]


@pytest.fixture
async def memory(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder, group: str
) -> AsyncIterator[AsyncMemory]:
    assert database.version
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder) as opened:
        yield opened


async def learnt(memory: AsyncMemory) -> tuple[int, int]:
    """Return the numbers of entities and facts."""
    return (await memory.list("entities")).total, (await memory.list("edges", as_of="ever")).total


@pytest.mark.parametrize("role", ["assistant", "tool", "user"])
async def test_repeated_context_adds_nothing(memory: AsyncMemory, role: Role) -> None:
    await memory.add(TALK)
    before = await learnt(memory)
    shown = (await memory.search("Where does Ada live, and who has a parrot?")).context.text
    assert "Porto" in shown
    added = await memory.add(Message(content=shown, role=role, speaker="Helper", session="s"))
    assert added.processed is not None
    assert (added.new, added.processed.done) == (1, 1)
    assert await learnt(memory) == before


async def test_repeated_answer_adds_nothing(memory: AsyncMemory) -> None:
    await memory.add(TALK)
    before = await learnt(memory)
    text = (await memory.ask("Who adopted a parrot?")).text
    assert "Biscuit" in text
    await memory.add(Message(content=text, role="assistant", speaker="Helper", session="s"))
    assert await learnt(memory) == before


async def test_repeated_facts_add_nothing(memory: AsyncMemory) -> None:
    await memory.add(TALK)
    before = await learnt(memory)
    facts = [found.item.fact for found in (await memory.search("Zoe and her parrot")).edges]
    assert facts
    await memory.add(Message(content=". ".join(facts), role="assistant", speaker="Helper", session="s"))
    assert await learnt(memory) == before


async def test_another_process_recognises_a_context_by_its_layout(
    memory: AsyncMemory, server_endpoint: Endpoint, embedder: LocalEmbedder, group: str
) -> None:
    await memory.add(TALK)
    before = await learnt(memory)
    shown = (await memory.search("Where does Ada live?")).context.text
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder) as other:
        await other.add(Message(content=shown, role="assistant", speaker="Helper", session="s"))
        assert await learnt(other) == before


async def test_episode_found_while_pending_is_not_its_own_echo(memory: AsyncMemory) -> None:
    await memory.add(TALK, when="later")
    assert (await memory.search("Porto Quillfeather parrot Biscuit")).episodes
    await memory.process()
    assert "Quillfeather" in {entity.name for entity in (await memory.list("entities")).items}


@pytest.mark.parametrize("extract", [False, True])
async def test_a_system_prompt_is_stored_and_read_only_when_asked(
    server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder, group: str, *, extract: bool
) -> None:
    assert database.version
    settings = settings_of(server_endpoint, ingestion={"extract_system": extract})
    async with AsyncMemory(settings, group=group, embedder=embedder) as memory:
        prompt = "You are Helper, the assistant of Birch Bank. Birch Bank has offices in Austin."
        added = await memory.add(Message(content=prompt, role="system"))
        assert added.processed is not None
        assert added.processed.done == 1
        assert ((await learnt(memory)) != (0, 0)) is extract
        assert (await memory.search("Birch Bank")).episodes[0].item.content == prompt
