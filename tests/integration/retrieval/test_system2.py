"""System-2 and the route `both` on the real server, by procedures and by plain Cypher."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from mnemo.config import HierarchySettings
from mnemo.errors import ProviderAuthError, ProviderTimeoutError, ProviderUnavailableError, RateLimitError
from mnemo.models.results import Usage
from mnemo.providers.base import Reranker  # noqa: TC001  # an annotation of a test
from mnemo.retrieval import hybrid, system2
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.selector import Choice, Selection
from mnemo.retrieval.system2 import NO_CATEGORIES, NOTHING_CHOSEN, System2
from mnemo.store.driver import Database
from mnemo.store.hierarchy import members as store
from mnemo.store.system2 import Option
from support.builders import CountingDatabase
from support.cypher import cypher
from support.small_memory import CHAT, START, ByName, WordEmbedder, builder, pipeline, remember

pytestmark = pytest.mark.slow


class Picking:
    """Selects by name; a name with a star is selected whole."""

    def __init__(self, *names: str, calls: int = 0) -> None:
        self.names = {name.removesuffix("*"): name.endswith("*") for name in names}
        self.offered: list[list[str]] = []
        self.calls = calls

    async def select(self, question: str, options: Sequence[Option], calls: int) -> Selection:  # noqa: ARG002  # the protocol's
        self.offered.append([option.name for option in options])
        choices = [Choice(option=o, whole=self.names[o.name] and o.layer > 0) for o in options if o.name in self.names]
        return Selection(choices=tuple(choices), by="llm", usage=Usage(calls=self.calls))


@pytest.fixture(params=["procedures", "plain"])
async def server(request: pytest.FixtureRequest, database: Database) -> AsyncIterator[Database]:
    """The server, used with and without the plugin."""
    async with await Database.open(database.endpoint) as opened:
        if request.param == "plain":
            opened._procedures = frozenset()
        else:
            assert {"mnemo.system2.layer", "mnemo.system2.gather"} <= opened.procedures
        yield opened


@pytest.fixture
async def memory(database: Database, group: str) -> str:
    await remember(database, group)
    await builder(database).build(group)
    return group


def asked(group: str, question: str = "Which instruments are there?", **fields: object) -> SearchRequest:
    return SearchRequest(group=group, question=question, **fields)  # type: ignore[arg-type]  # fields of a test


def walking(database: object, selector: object, **settings: object) -> System2:
    gatherer = CandidateGatherer(database, WordEmbedder())  # type: ignore[arg-type]  # stubs
    return System2(gatherer, selector, HierarchySettings(**settings))  # type: ignore[arg-type]  # fields of a test


async def test_layers_are_offered_one_at_a_time_and_shared_nodes_once(server: Database, memory: str) -> None:
    picking = Picking("Music", "Instruments", "Pets", "Lute")
    result = await system2.search(walking(server, picking), asked(memory))
    assert [sorted(names) for names in picking.offered] == [
        ["Music", "Speaker"],
        ["Instruments", "Pets"],
        ["Lute", "Piano", "Rex", "Tom", "Violin"],
    ]
    assert result.route == "system2"
    assert [(stage.layer, stage.offered, sorted(stage.chosen)) for stage in result.walk] == [
        (2, 2, ["Music"]),
        (1, 2, ["Instruments", "Pets"]),
        (0, 5, ["Lute"]),
    ]


async def test_selected_entity_adds_its_episodes_facts_and_neighbours(server: Database, memory: str) -> None:
    result = await system2.search(walking(server, Picking("Music", "Pets", "Rex")), asked(memory))
    assert {found.item.content for found in result.episodes} == {"Ana adopted Rex", "Rex chased Tom"}
    assert sorted(found.item.fact for found in result.edges) == ["Ana adopted Rex", "Rex chased Tom"]
    assert sorted(found.item.name for found in result.entities) == ["Ana", "Rex", "Tom"]
    assert {found.routes for found in (*result.episodes, *result.edges, *result.entities)} == {("system2",)}


async def test_category_selected_whole_adds_all_children_without_further_calls(server: Database, memory: str) -> None:
    picking = Picking("Music*")
    result = await system2.search(walking(server, picking), asked(memory))
    assert len(picking.offered) == 1
    assert [(found.item.name, found.item.leaves) for found in result.categories] == [("Music", 5)]
    assert {found.item.content for found in result.episodes} == {content for _, content in CHAT}
    assert result.walk[0].whole == ("Music",)


async def test_traversal_takes_one_round_trip_per_layer_and_two_more(server: Database, memory: str) -> None:
    counting = CountingDatabase(server)
    counting.procedures = server.procedures  # type: ignore[attr-defined]  # what a Database has
    walker = walking(counting, Picking("Music", "Pets", "Instruments", "Rex", "Lute"))
    await system2.search(walker, asked(memory))
    counting.calls.clear()
    await system2.search(walker, asked(memory))
    assert counting.calls.total() == 2 + 2


async def test_missing_hierarchy_falls_back_to_system1_with_a_note(server: Database, group: str) -> None:
    await remember(server, group)
    picking = Picking("Music")
    for search in (system2.search, hybrid.search):
        result = await search(walking(server, picking), asked(group, "Who adopted Rex?"))
        assert (result.route, result.walk, result.note) == ("system1", (), NO_CATEGORIES)
        assert result.episodes[0].item.content == "Ana adopted Rex"
        assert result.episodes[0].routes == ("system1",)
    assert picking.offered == []


async def test_empty_selection_falls_back_to_system1_with_a_note(server: Database, memory: str) -> None:
    for search in (system2.search, hybrid.search):
        result = await search(walking(server, Picking()), asked(memory, "Who adopted Rex?"))
        assert (result.route, [stage.chosen for stage in result.walk]) == ("system1", [()])
        assert result.note == NOTHING_CHOSEN
        assert result.episodes[0].item.content == "Ana adopted Rex"


async def test_an_empty_group_gives_an_empty_answer(server: Database, group: str) -> None:
    result = await hybrid.search(walking(server, Picking("Music")), asked(group))
    assert (result.route, result.episodes, result.context.text) == ("system1", (), "")


async def test_call_limit_ends_the_traversal_with_partial_results(server: Database, memory: str) -> None:
    picking = Picking("Music", "Pets", "Rex", calls=1)
    result = await system2.search(walking(server, picking, max_calls=2), asked(memory))
    assert len(picking.offered) == 2
    assert (result.truncated, result.usage.calls) == (True, 2)


async def test_nodes_above_the_limit_are_dropped_and_reported(server: Database, memory: str) -> None:
    picking = Picking("Music", "Pets", "Instruments", "Rex", "Lute", "Tom")
    result = await system2.search(walking(server, picking, max_nodes=2), asked(memory))
    assert result.truncated
    assert max(map(len, picking.offered)) == 2


async def test_time_limit_ends_the_traversal(server: Database, memory: str) -> None:
    class Slow(Picking):
        async def select(self, question: str, options: Sequence[Option], calls: int) -> Selection:
            if len(self.offered) == 1:
                import asyncio  # noqa: PLC0415  # only this test waits

                await asyncio.sleep(60)
            return await super().select(question, options, calls)

    result = await hybrid.search(walking(server, Slow("Music*", "Pets"), max_seconds=3.0), asked(memory))
    assert not result.truncated
    slow = Slow("Music", "Pets")
    result = await system2.search(walking(server, slow, max_seconds=3.0), asked(memory))
    assert (result.truncated, result.route, len(slow.offered)) == (True, "system1", 1)


class Failing(Picking):
    """Selects by name at the first layers, then fails."""

    def __init__(self, *names: str, layers: int, error: Exception) -> None:
        super().__init__(*names)
        self.layers, self.error = layers, error

    async def select(self, question: str, options: Sequence[Option], calls: int) -> Selection:
        if len(self.offered) == self.layers:
            raise self.error
        return await super().select(question, options, calls)


@pytest.mark.parametrize(
    "error",
    [
        ProviderUnavailableError("refused"),
        ProviderTimeoutError("no answer"),
        RateLimitError("429"),
        ProviderAuthError("key"),
    ],
)
async def test_failing_selector_falls_back_to_system1_with_the_reason(
    server: Database, memory: str, error: Exception
) -> None:
    for search in (system2.search, hybrid.search):
        result = await search(walking(server, Failing(layers=0, error=error)), asked(memory, "Who adopted Rex?"))
        assert (result.route, result.truncated) == ("system1", False)
        assert result.note == f"System-2 ended early: the selector failed: {error}; System-1 answered"
        assert result.episodes[0].item.content == "Ana adopted Rex"


async def test_selection_before_a_selector_failure_is_kept(server: Database, memory: str) -> None:
    failing = Failing("Music", "Pets*", "Instruments", layers=2, error=ProviderUnavailableError("refused"))
    result = await hybrid.search(walking(server, failing), asked(memory, "Who adopted Rex?"))
    assert (result.route, result.note is not None) == ("both", True)
    assert [found.item.name for found in result.categories] == ["Pets"]


async def test_complete_traversal_has_no_note(server: Database, memory: str) -> None:
    result = await hybrid.search(walking(server, Picking("Music", "Pets", "Rex")), asked(memory))
    assert result.note is None


async def test_as_of_hides_entities_mentioned_later(server: Database, memory: str) -> None:
    picking = Picking("Music", "Pets", "Instruments", "Rex", "Violin", "Tom")
    early = asked(memory, as_of=START + timedelta(days=2, hours=1))
    result = await system2.search(walking(server, picking), early)
    assert sorted(picking.offered[-1]) == ["Rex", "Tom", "Violin"]
    assert {found.item.content for found in result.episodes} == {
        "Ana adopted Rex",
        "Ben adopted Tom",
        "Ana plays Violin",
    }


async def test_evidence_includes_future_facts_unless_as_of_excludes_them(server: Database, memory: str) -> None:
    await cypher(
        server,
        "MATCH (edge:Edge {group: $group, fact: 'Ana adopted Rex'}) SET edge.valid_from = $at",
        group=memory,
        at=datetime(2200, 5, 1, tzinfo=UTC),
    )
    walker = walking(server, Picking("Music", "Pets", "Instruments", "Rex"))
    now = await system2.search(walker, asked(memory))
    then = await system2.search(walker, asked(memory, as_of=START + timedelta(days=30)))
    assert "Ana adopted Rex" in {found.item.fact for found in now.edges}
    assert "Ana adopted Rex" not in {found.item.fact for found in then.edges}


async def test_filters_exclude_episodes(server: Database, memory: str) -> None:
    result = await system2.search(walking(server, Picking("Music*")), asked(memory, speaker="Ben"))
    assert {found.item.content for found in result.episodes} == {"Ben adopted Tom", "Ben plays Piano", "Ana owns Lute"}


async def test_other_groups_are_never_seen(server: Database, memory: str, group: str) -> None:
    other = f"{group}-other"
    await remember(server, other, (("Zoe", "Zoe adopted Rex"), ("Zoe", "Zoe adopted Tom")))
    await builder(server).build(other)
    picking = Picking("Pets*", "Speaker*", "Music*")
    result = await system2.search(walking(server, picking), asked(other))
    assert {found.item.content for found in result.episodes} == {"Zoe adopted Rex", "Zoe adopted Tom"}
    assert sorted(picking.offered[0]) == ["Pets", "Speaker"]
    root = await store.find_root(server, memory, "categories")
    assert root is not None
    theirs = {m.node.uuid for m in await store.members(server, root, 100)}
    offered = {found.item.uuid for found in (*result.entities, *result.categories)}
    assert not offered & theirs


async def test_traversal_stays_in_the_generation_it_started_in(server: Database, memory: str) -> None:
    class Rebuilding(Picking):
        async def select(self, question: str, options: Sequence[Option], calls: int) -> Selection:
            if not self.offered:
                await builder(server, ByName({"All": ("Rex", "Tom")})).build(memory)
            return await super().select(question, options, calls)

    rebuilding = Rebuilding("Music", "Pets", "Rex")
    result = await system2.search(walking(server, rebuilding), asked(memory))
    assert [sorted(names) for names in rebuilding.offered] == [
        ["Music", "Speaker"],
        ["Instruments", "Pets"],
        ["Lute", "Rex", "Tom"],
    ]
    assert result.route == "system2"
    after = Picking()
    await system2.search(walking(server, after), asked(memory))
    assert "All" in after.offered[0]


async def test_new_entity_is_found_by_system2_immediately(server: Database, memory: str) -> None:
    from mnemo.hierarchy.categories.maintenance import CategoryMaintenance  # noqa: PLC0415  # beside the one test that needs it
    from support.small_memory import messages  # noqa: PLC0415  # the same

    growing = pipeline(server, place=CategoryMaintenance(builder(server)).place)
    await growing.acknowledge(memory, messages((("Ana", "Ana bought Violin-strings"),), session="later"))
    await growing.process(memory)
    result = await system2.search(
        walking(server, Picking("Music", "Instruments", "Pets", "Violin-strings")), asked(memory)
    )
    assert [found.item.content for found in result.episodes] == ["Ana bought Violin-strings"]


async def test_both_routes_are_merged_and_items_name_their_routes(server: Database, memory: str) -> None:
    result = await hybrid.search(walking(server, Picking("Music", "Pets", "Rex")), asked(memory, "Who adopted Rex?"))
    assert result.route == "both"
    brought = {found.item.content: found.routes for found in result.episodes}
    assert brought["Ana adopted Rex"] == ("system1", "system2")
    assert len(brought) == len(result.episodes) == 6
    boosted = {found.item.content for found in result.episodes if found.signals["hierarchy"] > 0}
    assert boosted == {"Ana adopted Rex", "Rex chased Tom"}


async def test_at_most_k_episodes_and_twice_as_many_entities_and_facts(server: Database, memory: str) -> None:
    for fusion in ("signals", "rrf"):
        walker = walking(server, Picking("Music*"), fusion=fusion)
        result = await hybrid.search(walker, asked(memory, k=2))
        assert (len(result.episodes), len(result.entities), len(result.edges)) == (2, 4, 4)
        assert (await system2.search(walker, asked(memory, k=1))).entities[2:] == ()


async def test_reciprocal_rank_fusion_sums_scores_of_both_routes(server: Database, memory: str) -> None:
    walker = walking(server, Picking("Music", "Pets", "Rex"), fusion="rrf")
    result = await hybrid.search(walker, asked(memory, "Who adopted Rex?"))
    best = result.episodes[0]
    assert (best.item.content, best.routes) == ("Ana adopted Rex", ("system1", "system2"))
    assert [each.score for each in result.episodes] == sorted((each.score for each in result.episodes), reverse=True)


async def test_each_type_is_reranked_separately(server: Database, memory: str) -> None:
    class ByLength:
        asked: tuple[int, ...] = ()

        async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:  # noqa: ARG002  # the protocol's
            self.asked = (*self.asked, len(texts))
            return [-len(text) for text in texts]

        async def close(self) -> None:
            return None

    by_length = ByLength()
    reranker: Reranker = by_length
    result = await hybrid.search(walking(server, Picking("Music*")), asked(memory, k=3), reranker)
    assert result.episodes[0].item.content == "Ana owns Lute"
    assert by_length.asked == (6, 7, 6)


async def test_children_descendants_and_evidence_are_described_procedures(database: Database, memory: str) -> None:
    names = ["layer", "children", "descendants", "evidence", "gather"]
    assert {f"mnemo.system2.{name}" for name in names} <= database.procedures
    assert memory
