"""The memtree on the real server, with the route found by the plugin and without it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemo.config import MemtreeSettings, Settings
from mnemo.errors import MalformedReplyError, ProviderUnavailableError
from mnemo.hierarchy.memtree.aggregate import AggregateRequest
from mnemo.hierarchy.memtree.descent import find_route
from mnemo.hierarchy.memtree.thresholds import DescentRule, min_cosines
from mnemo.hierarchy.memtree.tree import FEW, Memtree
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.hierarchy import Hierarchy
from mnemo.store import graph
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from mnemo.store.hierarchy import members
from support.memtrees import (
    COSINE,
    JoiningAggregator,
    NameEmbedder,
    NothingExtractor,
    Watched,
    add,
    apart,
    at_angle,
    broken,
    forget,
    grown,
    outline,
)
from support.paths import CHILD_PATH

pytestmark = pytest.mark.slow

ALIKE = {"a": at_angle(1.0), "b": at_angle(0.8), "d": at_angle(0.95, axis=2), "far": [0.0, 0.0, 0.0, 1.0]}
STEPS = ("hierarchy/find", "memtree/pending", "memtree/route", "memtree/write")


class CrashError(Exception):
    """Simulates a crash of the process."""


@pytest.fixture(scope="module")
async def bare(server_endpoint: Endpoint) -> AsyncIterator[Database]:
    """The same database, used without the plugin."""
    end = server_endpoint
    neo4j = {"uri": end.uri, "username": end.username, "password": end.password, "database": end.database}
    async with await Database.open(Settings.model_validate({"neo4j": {**neo4j, "plugin": "never"}})) as opened:
        yield opened


@pytest.fixture(params=["procedure", "levels"])
def either(request: pytest.FixtureRequest, database: Database, bare: Database) -> Database:
    return database if request.param == "procedure" else bare


async def test_first_insert_is_a_leaf_under_the_bare_root_without_a_call(either: Database, group: str) -> None:
    _, aggregator = await grown(either, NameEmbedder(ALIKE), group, ["a"])
    assert await outline(either, group) == "a"
    assert aggregator.asked == []


async def test_far_text_becomes_a_sibling_and_near_text_splits_the_leaf(either: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE)
    _, aggregator = await grown(either, embedder, group, ["a", "far", "b"])
    assert await outline(either, group) == "(a b) far"
    assert aggregator.asked == [AggregateRequest(content="a", texts=("b",), before=1, leaves=2)]
    assert await broken(either, embedder, group) == []


@pytest.mark.parametrize(("cosine", "drawn"), [(0.4, "(a x)"), (0.39999, "a x")])
async def test_similarity_of_exactly_the_threshold_descends(
    either: Database, group: str, cosine: float, drawn: str
) -> None:
    await grown(either, NameEmbedder({"a": at_angle(1.0), "x": at_angle(cosine)}), group, ["a", "x"])
    assert await outline(either, group) == drawn


async def test_first_created_wins_a_tie(either: Database, group: str) -> None:
    vectors = {"a": [1.0], "b": [0.0, 1.0], "x": [0.6, 0.6, 0.52915026]}
    await grown(either, NameEmbedder(vectors), group, ["b", "a", "x"])
    assert await outline(either, group) == "(b x) a"


async def test_all_ancestors_are_aggregated_concurrently_with_their_leaf_counts(either: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE)
    tree, aggregator = await grown(either, embedder, group, ["a", "b"])
    aggregator.asked.clear()
    await add(either, embedder, group, ["d"])
    run = await tree.process(group)
    assert await outline(either, group) == "((a d) b)"
    assert aggregator.asked == [
        AggregateRequest(content="a+b", texts=("d",), before=2, leaves=3),
        AggregateRequest(content="a", texts=("d",), before=1, leaves=2),
    ]
    assert (aggregator.most_at_once, run.usage.calls, run.leaves) == (2, 2, 1)
    assert await broken(either, embedder, group) == []


async def test_published_formula_inserts_nothing_below_depth_three(database: Database, group: str) -> None:
    names = [f"s{number}" for number in range(7)]
    embedder = NameEmbedder({name: [1.0] for name in names})
    await grown(database, embedder, group, names, MemtreeSettings(similarity_floor=0.0, normaliser=1.0))
    assert await outline(database, group) == "((s0 s2 s3 s4 s5 s6) s1)"
    assert await broken(database, embedder, group) == []


async def test_known_message_makes_no_second_leaf_but_a_new_one_with_the_same_text_does(
    database: Database, group: str
) -> None:
    embedder = NameEmbedder(ALIKE)
    tree, _ = await grown(database, embedder, group, ["a", "a"])
    assert await outline(database, group) == "a"
    await add(database, embedder, group, ["a", "a"])
    await tree.process(group)
    assert await outline(database, group) == "(a a)"


async def test_insert_with_a_failing_llm_is_rolled_back_and_retried(either: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE)
    tree, aggregator = await grown(either, embedder, group, ["a", "b"])
    before = await outline(either, group)
    aggregator.fails["d"] = ProviderUnavailableError("down")
    uuids = await add(either, embedder, group, ["d"])
    run = await tree.process(group)
    assert (run.leaves, run.stopped) == (0, "ProviderUnavailableError: down")
    assert await outline(either, group) == before
    aggregator.fails.clear()
    assert (await tree.process(group)).leaves == len(uuids)
    assert await outline(either, group) == "((a d) b)"
    assert await broken(either, embedder, group) == []


async def test_refused_text_waits_while_the_others_are_inserted(database: Database, group: str) -> None:
    names = [f"s{number}" for number in range(12)]
    embedder = NameEmbedder({name: [1.0] for name in names})
    aggregator = JoiningAggregator()
    aggregator.fails["s7"] = MalformedReplyError("empty twice")
    tree = Memtree(database, embedder, aggregator, settings=COSINE)
    uuids = await add(database, embedder, group, names)
    run = await tree.process(group)
    assert (run.leaves, run.left, run.stopped) == (11, 1, None)
    assert run.reasons == {uuids[7]: "MalformedReplyError: empty twice"}
    aggregator.fails.clear()
    assert (await tree.process(group)).leaves == 1
    assert await broken(database, embedder, group) == []


@pytest.mark.parametrize(
    ("gone", "drawn"),
    [
        (["d"], "(a b) far"),
        (["b"], "(a d) far"),
        (["a", "b"], "d far"),
        (["far"], "((a d) b)"),
        (["a", "d", "b"], "far"),
    ],
)
async def test_category_left_with_one_child_is_replaced_by_it(
    database: Database, group: str, gone: Sequence[str], drawn: str
) -> None:
    embedder = NameEmbedder(ALIKE)
    tree, _ = await grown(database, embedder, group, ["a", "b", "d", "far"])
    assert await outline(database, group) == "((a d) b) far"
    page = await members.members(database, await _root(database, group), 100)
    uuids = {member.node.text: member.node.uuid for member in page if hasattr(member.node, "text")}
    await forget(database, tree, group, [uuids[name] for name in gone])
    assert await outline(database, group) == drawn
    assert await broken(database, embedder, group) == []


async def test_moved_subtree_gets_its_new_depth_at_all_levels(database: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE | {"e": at_angle(0.97, axis=2)})
    tree, _ = await grown(database, embedder, group, ["a", "b", "d", "e"])
    assert await outline(database, group) == "((a (d e)) b)"
    page = await members.members(database, await _root(database, group), 100)
    (leaf,) = [member.node.uuid for member in page if getattr(member.node, "text", "") == "b"]
    await forget(database, tree, group, [leaf])
    assert await outline(database, group) == "(a (d e))"
    assert await broken(database, embedder, group) == []


async def test_leaf_is_forgotten_even_if_the_llm_fails(database: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE)
    tree, aggregator = await grown(database, embedder, group, ["a", "b", "d"])
    page = await members.members(database, await _root(database, group), 100)
    (leaf,) = [member.node.uuid for member in page if getattr(member.node, "text", "") == "d"]
    aggregator.fails["a"] = ProviderUnavailableError("down")
    await forget(database, tree, group, [leaf])
    (category,) = [
        member.node
        for member in await members.members(database, await _root(database, group), 9)
        if not hasattr(member.node, "text")
    ]
    assert category.content == "a b"  # an extract in place of the LLM's summary


async def test_plugin_finds_the_route_in_one_round_trip(database: Database, bare: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE)
    await grown(database, embedder, group, ["a", "b", "d"])
    await add(database, embedder, group, ["far"])
    watched = Watched(database)
    run = await Memtree(watched, embedder, JoiningAggregator(), settings=COSINE).process(group)
    assert dict(watched.calls) == dict.fromkeys(STEPS, 1)
    assert run.candidates == 1
    levels = Watched(bare)
    thresholds = min_cosines(DescentRule())
    await find_route(levels, await _root(bare, group), embedder.vector("a"), thresholds)
    assert levels.calls["memtree/step"] == 3


async def test_procedure_levels_and_memory_copy_give_the_same_tree(
    database: Database, bare: Database, group: str
) -> None:
    vectors = apart(40)
    embedder = NameEmbedder(vectors)
    drawn = []
    for name, one, count in (("p", database, 1), ("l", bare, 1), ("m", database, 40)):
        own = f"{group}-{name}"
        tree = Memtree(
            one, embedder, JoiningAggregator(), settings=MemtreeSettings(similarity_floor=0.0, aggregate="insert")
        )
        texts = list(vectors)
        for start in range(0, len(texts), count):
            await add(one, embedder, own, texts[start : start + count])
            await tree.process(own)
        assert await broken(one, embedder, own) == []
        drawn.append(await outline(one, own))
    assert drawn[0] == drawn[1] == drawn[2]
    assert drawn[0].count("(") > 5


async def test_batch_writes_each_content_once(database: Database, group: str) -> None:
    embedder = NameEmbedder(apart(60))
    aggregator = JoiningAggregator()
    tree = Memtree(database, embedder, aggregator, settings=COSINE)
    await add(database, embedder, group, list(apart(60)))
    run = await tree.process(group)
    page = await members.members(database, await _root(database, group), 1000)
    categories = {member.node.uuid for member in page if not hasattr(member.node, "text")}
    assert (run.leaves, len(aggregator.asked)) == (60, len(categories))
    assert await broken(database, embedder, group) == []


async def test_memory_copy_is_dropped_after_a_concurrent_write(database: Database, group: str) -> None:
    names = list(apart(3 * (FEW + 2)))
    embedder = NameEmbedder(apart(len(names)))
    trees = [Memtree(database, embedder, JoiningAggregator(), settings=COSINE) for _ in range(2)]
    for turn in range(3):
        await add(database, embedder, group, names[turn * (FEW + 2) : (turn + 1) * (FEW + 2)])
        await trees[turn % 2].process(group)
    assert await broken(database, embedder, group) == []


async def test_concurrent_writers_give_a_valid_tree(database: Database, group: str) -> None:
    vectors = apart(32)
    embedder = NameEmbedder(vectors)
    trees = [Memtree(database, embedder, JoiningAggregator(), settings=COSINE) for _ in range(4)]

    async def write(number: int, name: str) -> int:
        await add(database, embedder, group, [name])
        return (await trees[number % 4].process(group)).leaves

    taken = await asyncio.gather(*(write(number, name) for number, name in enumerate(vectors)))
    assert sum(taken) == 32
    assert await broken(database, embedder, group) == []


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
async def test_crash_at_any_step_neither_loses_nor_duplicates_leaves(
    database: Database, group: str, step: str, when: str
) -> None:
    embedder = NameEmbedder(ALIKE)
    await grown(database, embedder, group, ["a", "b"])
    await add(database, embedder, group, ["d"])
    watched = Watched(database)
    getattr(watched, when)[step] = CrashError()
    with pytest.raises(CrashError):
        await Memtree(watched, embedder, JoiningAggregator(), settings=COSINE).process(group)
    await Memtree(database, embedder, JoiningAggregator(), settings=COSINE).process(group)
    assert await outline(database, group) == "((a d) b)"
    assert await broken(database, embedder, group) == []


async def test_crash_while_forgetting_deletes_all_or_nothing(database: Database, group: str) -> None:
    embedder = NameEmbedder(ALIKE)
    tree, _ = await grown(database, embedder, group, ["a", "b", "d"])
    page = await members.members(database, await _root(database, group), 100)
    (leaf,) = [member.node.uuid for member in page if getattr(member.node, "text", "") == "d"]
    watched = Watched(database)
    watched.before["memtree/write"] = CrashError()
    with pytest.raises(CrashError):
        await forget(watched, tree, group, [leaf])
    assert await outline(database, group) == "((a d) b)"
    await forget(database, tree, group, [leaf])
    assert await outline(database, group) == "(a b)"
    assert await broken(database, embedder, group) == []


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_invariants_hold_after_any_order_of_inserts_and_deletes(database: Database, data: st.DataObject) -> None:
    group = f"test-tree-{data.draw(st.uuids())}"
    vectors = apart(40, seed=data.draw(st.integers(0, 9)))
    embedder = NameEmbedder(vectors)
    tree = Memtree(database, embedder, JoiningAggregator(), settings=COSINE)
    waiting, there = list(vectors), dict[str, str]()
    for _ in range(data.draw(st.integers(2, 5))):
        coming = waiting[: data.draw(st.integers(0, 12))]
        waiting = waiting[len(coming) :]
        if coming:
            there.update(zip(coming, await add(database, embedder, group, coming), strict=True))
            await tree.process(group)
        leaving = data.draw(st.lists(st.sampled_from(sorted(there)), unique=True)) if there else []
        if leaving:
            await forget(database, tree, group, [there.pop(name) for name in leaving])
        assert await broken(database, embedder, group) == []


@pytest.mark.parametrize("start", [0, 1])
async def test_killed_process_leaves_a_valid_tree(
    database: Database, group: str, server_endpoint: Endpoint, start: int
) -> None:
    end, first = server_endpoint, start
    for delay in (0.0, 0.004, 0.012):
        command = ("-m", "support.killable_tree", end.uri, end.password, end.database, group, str(first))
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": CHILD_PATH}
        )
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode() for _ in range(5)]
        await asyncio.sleep(delay)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        assert lines[-1].startswith("acknowledged")
        first = int(lines[-1].split()[1]) + 12
    embedder = NameEmbedder(apart(300))
    await Pipeline(database, embedder, NothingExtractor()).process(group)
    await Memtree(database, embedder, JoiningAggregator(), settings=COSINE).process(group)
    assert await broken(database, embedder, group) == []
    assert (await graph.list_episodes(database, group)).total >= 9


async def _root(database: Database, group: str) -> Hierarchy:
    root = await members.find_root(database, group, "memtree")
    assert root is not None
    return root
