from collections.abc import AsyncIterator

import pytest

from mnemo import AsyncMemory, Message
from mnemo.config import Settings
from mnemo.errors import GroupError, MnemoError, NotFoundError
from mnemo.models.results import Counts
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint

SECRET = "The vault code is zebra-4711."
REFUSED = ["", " ", " a", "a\n", "a\x00b", "\ud800", "x" * 201, 7, b"a"]
LITERAL = ["*", "' OR 1=1", '" OR group:*', "a}) DETACH DELETE n //", "../x", "$group", "группа", "😀", "a AND b", "\\"]


@pytest.fixture
async def memory(server_endpoint: Endpoint, database: Database, embedder: LocalEmbedder) -> AsyncIterator[AsyncMemory]:
    assert database.version
    neo4j = {"uri": server_endpoint.uri, "username": server_endpoint.username, "password": server_endpoint.password}
    settings = Settings.model_validate({"neo4j": neo4j, "llm": {"provider": "none"}})
    async with AsyncMemory(settings, embedder=embedder) as opened:
        yield opened


@pytest.mark.parametrize("name", REFUSED)
async def test_invalid_groups_are_refused_by_every_method(memory: AsyncMemory, name: str) -> None:
    for call in (
        lambda: memory.add("x", group=name),
        lambda: memory.process([name]),
        lambda: memory.retry(group=name),
        lambda: memory.status(group=name),
        lambda: memory.search("x", group=name),
        lambda: memory.ask("x", group=name),
        lambda: memory.list(group=name),
        lambda: memory.get("x", group=name),
        lambda: memory.forget("x", group=name),
        lambda: memory.forget(session="x", group=name),
        lambda: memory.forget(group=name),
        lambda: memory.add_file(__file__, group=name),
        lambda: memory.hierarchy(group=name),
        lambda: memory.build_hierarchy(group=name),
        lambda: memory.refresh_hierarchy(group=name),
        lambda: memory.check_hierarchy(group=name),
        lambda: memory.xpath("/", group=name),
        lambda: memory.tree("t", group=name),
        lambda: memory.trees(group=name),
    ):
        with pytest.raises(GroupError):
            await call()


@pytest.mark.parametrize("name", [*LITERAL, "prefix", "prefi", "prefixed"])
async def test_unusual_group_names_are_literal_and_isolated(memory: AsyncMemory, group: str, name: str) -> None:
    owner, other = group, f"{group}{name}" if name.startswith("prefi") else name
    owner = f"{group}prefix" if name.startswith("prefi") and name != "prefix" else owner
    await memory.forget(group=other)
    added = await memory.add(Message(content=SECRET, speaker="Ana", session="s"), group=owner)
    uuids = [
        *added.uuids,
        *(item.uuid for item in (await memory.list("entities", group=owner)).items),
        *(item.uuid for item in (await memory.list("edges", group=owner)).items),
    ]
    for uuid in uuids:
        for call in (memory.get, memory.forget):
            with pytest.raises(NotFoundError) as caught:
                await call(uuid, group=other)
            assert "zebra" not in str(caught.value)
            assert owner not in str(caught.value)
    result = await memory.search("vault code zebra", group=other)
    assert (result.episodes, result.entities, result.edges, result.context.text) == ((), (), (), "")
    for kind in ("episodes", "entities", "edges"):
        assert (await memory.list(kind, group=other)).total == 0  # type: ignore[arg-type]  # literals of a loop
    assert (await memory.forget(session="s", group=other)).episodes == 0
    assert (await memory.forget(group=other)).episodes == 0
    assert await memory.status(group=owner) == Counts(done=1)
    assert (await memory.search("vault code zebra", group=owner)).episodes[0].item.content == SECRET


async def test_same_source_id_in_two_groups_is_two_messages(memory: AsyncMemory, group: str) -> None:
    message = Message(content=SECRET, source_id="1")
    first = await memory.add(message, group=group, when="later")
    second = await memory.add(message, group=f"{group}2", when="later")
    assert (first.new, second.new) == (1, 1)
    assert first.uuids != second.uuids


async def test_contents_stay_out_of_logs_and_errors(
    memory: AsyncMemory, group: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO"):
        await memory.add(SECRET, group=group)
        await memory.search("zebra vault", group=group)
        with pytest.raises(MnemoError) as caught:
            await memory.add([Message(content=SECRET), Message(content=SECRET, zone="Mars/Olympus")], group=group)
    assert "zebra" not in caplog.text
    assert "zebra" not in str(caught.value)
