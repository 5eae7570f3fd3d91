"""The memtree through the SDK and the command line."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mnemo.cli import app
from mnemo.config import Settings
from mnemo.memory import AsyncMemory
from mnemo.models.graph import Message
from mnemo.providers.base import Embedder
from mnemo.retrieval import memtree
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.request import SearchRequest
from mnemo.store import graph
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.llm_server import LlmServer, Reply
from support.memtrees import NameEmbedder, at_angle, grown

TALK = [
    Message(
        content="I moved to Lisbon in spring.", speaker="Ana", session="s", occurred_at=datetime(2025, 3, 1, tzinfo=UTC)
    ),
    Message(
        content="In spring I moved to Lisbon.", speaker="Ben", session="s", occurred_at=datetime(2025, 3, 2, tzinfo=UTC)
    ),
    Message(
        content="My dog likes the beach.", speaker="Ana", session="t", occurred_at=datetime(2025, 3, 3, tzinfo=UTC)
    ),
]


def settings(end: Endpoint, **sections: object) -> Settings:
    neo4j = {"uri": end.uri, "username": end.username, "password": end.password, "database": end.database}
    return Settings.model_validate({"neo4j": neo4j, "llm": {"provider": "none"}, **sections})


@pytest.fixture
async def memory(server_endpoint: Endpoint, embedder: Embedder, group: str) -> AsyncIterator[AsyncMemory]:
    async with AsyncMemory(settings(server_endpoint), group=group, embedder=embedder) as opened:
        yield opened


async def test_add_grows_the_memtree_and_forget_prunes_it(memory: AsyncMemory, database: Database, group: str) -> None:
    added = await memory.add(TALK)
    assert added.processed is not None
    assert (added.processed.leaves, added.processed.leafless) == (3, 0)
    view = await memory.hierarchy()
    assert view is not None
    assert (view.stats.leaves, view.stats.categories, view.stats.inserts) == (3, 1, 3)
    gone = await memory.forget(added.uuids[0])
    assert (gone.episodes, gone.categories) == (1, 1)
    assert await graph.residue(database, group) == {}
    await memory.forget(session="t")
    await memory.forget(session="s")
    view = await memory.hierarchy()
    assert view is not None
    assert view.branches == ()


async def test_memtree_catches_up_when_it_is_enabled_again(
    server_endpoint: Endpoint, embedder: Embedder, group: str
) -> None:
    off = settings(server_endpoint, memtree={"enabled": False})
    async with AsyncMemory(off, group=group, embedder=embedder) as memory:
        added = await memory.add(TALK)
        assert added.processed is not None
        assert added.processed.leaves == 0
        assert await memory.hierarchy() is None
    async with AsyncMemory(settings(server_endpoint), group=group, embedder=embedder) as memory:
        assert (await memory.process()).leaves == 3


async def test_memtree_route_finds_leaves_and_summaries_with_their_sources(memory: AsyncMemory) -> None:
    added = await memory.add(TALK)
    found = await memory.search("Who moved to Lisbon?", route="memtree", k=3)
    assert found.route == "memtree"
    assert {each.item.uuid for each in found.episodes} >= set(added.uuids[:2])
    assert found.episodes[0].routes == ("memtree",)
    assert found.context.tokens <= found.context.budget
    only = await memory.search("Who moved to Lisbon?", route="memtree", k=3, speaker="ben")
    assert [each.item.uuid for each in only.episodes] == [added.uuids[1]]
    then = await memory.search("Who moved to Lisbon?", route="memtree", as_of=datetime(2025, 3, 1, 12, tzinfo=UTC))
    assert [each.item.uuid for each in then.episodes] == [added.uuids[0]]
    answer = await memory.ask("Who moved to Lisbon?", route="memtree")
    assert answer.citations


@pytest.mark.parametrize("mode", ["collapsed", "traversal"])
async def test_threshold_and_k_limit_the_results(database: Database, group: str, mode: str) -> None:
    vectors = {
        "a": at_angle(1.0),
        "b": at_angle(0.8),
        "d": at_angle(0.95, axis=2),
        "far": [0.0, 0.0, 0.0, 1.0],
        "?": [1.0],
    }
    embedder = NameEmbedder(vectors)
    await grown(database, embedder, group, ["a", "b", "d", "far"])

    async def names(k: int, least: float) -> list[str]:
        options = memtree.MemtreeOptions(mode=mode, least_cosine=least)  # type: ignore[arg-type]  # pytest's parameters
        request = SearchRequest(group=group, question="?", k=k)
        found = await memtree.search(CandidateGatherer(database, embedder), request, options)
        return [*(each.item.content for each in found.episodes), *(each.item.content for each in found.categories)]

    assert await names(10, 0.9) == ["a", "d"]
    assert await names(1, 0.0) == ["a"]
    assert await names(10, 0.5) == ["a", "d", "b"]


async def test_summary_cites_its_leaves(database: Database, group: str) -> None:
    vectors = {"a": at_angle(0.9), "b": [0.9, -0.43588989], "?": [1.0]}
    embedder = NameEmbedder(vectors)
    await grown(database, embedder, group, ["a", "b"])
    request = SearchRequest(group=group, question="?", k=1)
    options = memtree.MemtreeOptions(least_cosine=0.95)
    found = await memtree.search(CandidateGatherer(database, embedder), request, options)
    assert found.episodes == ()
    (summary,) = found.categories
    assert summary.item.content == "a+b"
    assert len(summary.sources) == 2
    assert {episode.content for episode in found.cited} == {"a", "b"}


async def test_group_without_a_memtree_finds_nothing(memory: AsyncMemory) -> None:
    assert (await memory.search("anything", route="memtree")).episodes == ()
    assert await memory.hierarchy() is None


async def test_episodes_wait_for_the_memtree_while_the_llm_fails(
    server_endpoint: Endpoint, embedder: Embedder, group: str, llm: LlmServer
) -> None:
    llm.script(Reply(status=500))
    down = llm.settings(
        {"max_retries": 0},
        neo4j=settings(server_endpoint).neo4j,
        ingestion={"extractor": "local"},
        memtree={"summaries": "llm"},
    )
    async with AsyncMemory(down, group=group, embedder=embedder) as memory:
        added = await memory.add(TALK)
        assert added.processed is not None
        assert (added.processed.done, added.processed.leaves) == (3, 1)  # the first needs no call
        assert (added.processed.stopped or "").startswith("ProviderUnavailableError")
        llm.handle(lambda _: Reply.text("Two people moved to Lisbon."))
        run = await memory.process()
        assert (run.leaves, run.usage.calls) == (2, 1)
        view = await memory.hierarchy()
        assert view is not None
        assert view.stats.calls == 1


@pytest.mark.usefixtures("database")
def test_commands_show_the_memtree(server_endpoint: Endpoint, group: str, tmp_path: Path) -> None:
    end = server_endpoint
    env = {
        "NEO4J_URI": end.uri,
        "NEO4J_USERNAME": end.username,
        "NEO4J_PASSWORD": end.password,
        "NEO4J_DATABASE": end.database,
        "MNEMO_GROUP": group,
        "MNEMO_LLM__PROVIDER": "none",
    }
    text = tmp_path / "notes.md"
    text.write_text("# Trip\n\n" + "We went to Lisbon by train. The trams were full. " * 60)
    runner = CliRunner(env=env)
    assert runner.invoke(app, ["ingest", str(text), "--profile", "documents"]).exit_code == 0
    shown = runner.invoke(app, ["hierarchy", "stats", "--kind", "memtree", "--json"])
    assert json.loads(shown.stdout)["leaves"] >= 2
    assert "leaves" in runner.invoke(app, ["hierarchy", "show"]).stdout
    html = tmp_path / "memtree.html"
    assert runner.invoke(app, ["hierarchy", "show", "--html", str(html)]).exit_code == 0
    assert "Lisbon" in html.read_text()
    assert runner.invoke(app, ["search", "Lisbon", "--route", "memtree"]).exit_code == 0
    assert runner.invoke(app, ["hierarchy", "stats", "-g", "nobody"]).exit_code == 1
    assert runner.invoke(app, ["hierarchy", "stats", "--kind", "x"]).exit_code == 1
