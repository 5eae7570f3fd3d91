"""System-1 on a real server."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from mnemo.errors import ArgumentError, GroupError
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Message
from mnemo.models.results import SearchResult
from mnemo.providers.base import Embedder
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.system1 import search
from mnemo.store.driver import Database
from mnemo.store.search import Filters, SearchQuery, gather
from support.builders import ScriptedExtractor
from support.cypher import cypher

START = datetime(2023, 5, 8, 12, 0, tzinfo=UTC)
CHAT = (
    ("Ana", "Ana adopted Rex"),
    ("Ben", "Ben paints boats"),
    ("Ana", "What colour do you like for them?"),
    ("Ben", "Always a deep green, it looks calm"),
    ("Ana", "Ana visited Lisbon"),
    ("Ben", "Ben visited Lisbon"),
)


def messages(chat: tuple[tuple[str, str], ...] = CHAT, session: str = "s") -> list[Message]:
    return [
        Message(content=text, speaker=who, session=session, occurred_at=START + timedelta(days=day), zone="UTC")
        for day, (who, text) in enumerate(chat)
    ]


@pytest.fixture
async def pipeline(database: Database, embedder: Embedder) -> Pipeline:
    return Pipeline(database, embedder, ScriptedExtractor())


@pytest.fixture
async def memory(pipeline: Pipeline, group: str) -> str:
    await pipeline.acknowledge(group, messages())
    await pipeline.process(group)
    return group


@pytest.fixture
async def plain(database: Database) -> AsyncIterator[Database]:
    """The same server, used without the plugin."""
    async with await Database.open(database.endpoint) as opened:
        opened._procedures = frozenset()
        yield opened


def contents(result: SearchResult) -> list[str]:
    return [found.item.content for found in result.episodes]


async def ask(database: Database, embedder: Embedder, group: str, question: str, **fields: object) -> SearchResult:
    request = SearchRequest(group=group, question=question, **fields)  # type: ignore[arg-type]  # fields of a test
    return await search(CandidateGatherer(database, embedder), request)


async def test_best_episode_is_by_the_person_asked_about(database: Database, embedder: Embedder, memory: str) -> None:
    assert contents(await ask(database, embedder, memory, "Did Ben go to Lisbon?"))[0] == "Ben visited Lisbon"
    assert contents(await ask(database, embedder, memory, "Did Ana go to Lisbon?"))[0] == "Ana visited Lisbon"


async def test_facts_and_entities_come_with_their_episodes(database: Database, embedder: Embedder, memory: str) -> None:
    result = await ask(database, embedder, memory, "Who adopted Rex?")
    by_content = {found.item.content: found.item.uuid for found in result.episodes}
    assert result.edges[0].item.fact == "Ana adopted Rex"
    assert result.edges[0].sources == (by_content["Ana adopted Rex"],)
    rex = next(found for found in result.entities if found.item.name == "Rex")
    assert rex.sources == (by_content["Ana adopted Rex"],)
    assert result.route == "system1"
    assert result.episodes[0].sources == (result.episodes[0].item.uuid,)


async def test_neighbour_without_the_question_words_is_found(
    database: Database, embedder: Embedder, memory: str
) -> None:
    assert "Always a deep green, it looks calm" in contents(
        await ask(database, embedder, memory, "What colour does Ben paint boats in?", k=3)
    )


async def test_result_is_the_same_by_procedure_and_by_plain_cypher(
    database: Database, plain: Database, embedder: Embedder, memory: str
) -> None:
    assert "mnemo.search.gather" in database.procedures
    for question in ("Who paints boats?", "Ana Lisbon", "When did Ben visit Lisbon in May 2023?"):
        for fields in ({}, {"speaker": "Ana"}, {"since": START + timedelta(days=3)}, {"as_of": START}):
            by_procedure = await ask(database, embedder, memory, question, **fields)
            assert by_procedure == await ask(plain, embedder, memory, question, **fields)


async def test_second_search_of_a_group_makes_one_round_trip_with_the_same_result(
    database: Database, embedder: Embedder, memory: str
) -> None:
    first = await ask(database, embedder, memory, "Did Ben go to Lisbon?")
    assert await ask(database, embedder, memory, "Did Ben go to Lisbon?") == first


async def test_pending_episode_is_found_by_full_text(
    database: Database, embedder: Embedder, pipeline: Pipeline, memory: str
) -> None:
    await pipeline.acknowledge(memory, messages((("Ana", "The zeppelin landed"),), session="later"))
    result = await ask(database, embedder, memory, "zeppelin")
    found = next(each for each in result.episodes if each.item.content == "The zeppelin landed")
    assert found.item.status == "pending"
    assert found.signals["meaning"] == 0.0


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"speaker": "Ben"}, {"Ben paints boats", "Always a deep green, it looks calm", "Ben visited Lisbon"}),
        ({"speaker": "ben "}, {"Ben paints boats", "Always a deep green, it looks calm", "Ben visited Lisbon"}),
        ({"session": "other"}, set()),
        ({"since": START + timedelta(days=4)}, {"Ana visited Lisbon", "Ben visited Lisbon"}),
        ({"until": START + timedelta(days=1)}, {"Ana adopted Rex"}),
        ({"as_of": START + timedelta(days=1)}, {"Ana adopted Rex", "Ben paints boats"}),
        ({"session": "s", "speaker": "Ana", "since": START + timedelta(days=3)}, {"Ana visited Lisbon"}),
    ],
)
async def test_filters_exclude_other_episodes(
    database: Database, embedder: Embedder, memory: str, fields: dict[str, object], expected: set[str]
) -> None:
    assert set(contents(await ask(database, embedder, memory, "Lisbon boats Rex", **fields))) == expected


async def test_undated_episode_is_excluded_only_by_a_time_range(
    database: Database, embedder: Embedder, pipeline: Pipeline, group: str
) -> None:
    await pipeline.acknowledge(group, [Message(content="A note about kites", speaker="Ana")])
    await pipeline.process(group)
    assert contents(await ask(database, embedder, group, "kites")) == ["A note about kites"]
    assert contents(await ask(database, embedder, group, "kites", until=START)) == []


async def test_k_bounds_each_type(database: Database, embedder: Embedder, memory: str) -> None:
    result = await ask(database, embedder, memory, "Lisbon", k=1)
    assert (len(result.episodes), len(result.entities), len(result.edges)) == (1, 2, 2)


async def test_empty_group_gives_an_empty_result(database: Database, embedder: Embedder, group: str) -> None:
    result = await ask(database, embedder, group, "anything?")
    assert (result.episodes, result.entities, result.edges, result.context.text) == ((), (), (), "")


async def test_blank_question_and_bad_group_are_refused(database: Database, embedder: Embedder, group: str) -> None:
    with pytest.raises(ArgumentError, match="must not be blank"):
        await ask(database, embedder, group, " \n\t")
    with pytest.raises(GroupError):
        await ask(database, embedder, "", "anything?")


@pytest.mark.parametrize(
    "question",
    [
        '"boats" AND (paints OR',
        "paints~2 boats* content:/x/ [a TO b] -Ben +Ana ^3 \\",
        "🎨 boats 🚤?",
        "boats " * 300,
        "paints boats " + "word%d " * 300 % tuple(range(300)),
        "boats' OR 1=1 //",
        "the what of",
    ],
)
async def test_any_question_is_treated_as_text(
    database: Database, embedder: Embedder, memory: str, question: str
) -> None:
    assert "Ben paints boats" in contents(await ask(database, embedder, memory, question))


async def test_japanese_question_finds_japanese_chat(
    database: Database, embedder: Embedder, pipeline: Pipeline, group: str
) -> None:
    chat = (
        ("田中", "昨日、京都で紅葉を見ました"),
        ("佐藤", "いいですね。私は大阪で働いています"),
        ("田中", "来月は犬を飼う予定です"),
    )
    await pipeline.acknowledge(group, messages(chat))
    await pipeline.process(group)
    result = await ask(database, embedder, group, "佐藤さんはどこで働いていますか？")  # noqa: RUF001  # Japanese
    assert contents(result)[0] == "いいですね。私は大阪で働いています"


async def test_group_with_a_similar_name_or_content_is_never_seen(
    database: Database, embedder: Embedder, pipeline: Pipeline, group: str
) -> None:
    others = (f"{group}x", f"{group}*", group[:-1])
    for other in others:
        await pipeline.acknowledge(other, messages((("Mallory", "Mallory hid treasure"),)))
        await pipeline.process(other)
    await pipeline.acknowledge(group, messages((("Ana", "Ana hid apples"),)))
    await pipeline.process(group)
    result = await ask(database, embedder, group, "What did Mallory hide?", k=50)
    assert contents(result) == ["Ana hid apples"]
    assert {found.item.fact for found in result.edges} == {"Ana hid apples"}
    assert "Mallory" not in {found.item.name for found in result.entities}


async def test_ended_fact_is_found_as_of_a_time_when_it_held(
    database: Database, embedder: Embedder, memory: str
) -> None:
    await database.run("bench/close_fact", group=memory, fact="Ana adopted Rex", at=START + timedelta(days=10))
    now = await ask(database, embedder, memory, "Who adopted Rex?")
    then = await ask(database, embedder, memory, "Who adopted Rex?", as_of=START + timedelta(days=9))
    assert "Ana adopted Rex" not in {found.item.fact for found in now.edges}
    assert "Ana adopted Rex" in {found.item.fact for found in then.edges}


@pytest.mark.parametrize("side", ["database", "plain"])
async def test_future_fact_is_found_and_marked_but_not_as_of_an_earlier_time(
    database: Database, plain: Database, embedder: Embedder, memory: str, side: str
) -> None:
    searched = database if side == "database" else plain
    await cypher(
        database,
        "MATCH (edge:Edge {group: $group, fact: 'Ana adopted Rex'}) SET edge.valid_from = $at, edge.precision = 'day'",
        group=memory,
        at=datetime(2200, 5, 1, tzinfo=UTC),
    )
    now = await ask(searched, embedder, memory, "Who adopted Rex?")
    assert "Ana adopted Rex" in {found.item.fact for found in now.edges}
    assert "- Ana adopted Rex (to come: 2200-05-01)" in now.context.text
    then = await ask(searched, embedder, memory, "Who adopted Rex?", as_of=START + timedelta(days=9))
    assert "Ana adopted Rex" not in {found.item.fact for found in then.edges}


async def test_facts_have_their_properties(database: Database, embedder: Embedder, memory: str) -> None:
    await cypher(
        database,
        "MATCH (edge:Edge {group: $group, fact: 'Ana adopted Rex'}) SET edge += $properties",
        group=memory,
        properties={"certain": False, "event": True, "event_end": START, "recurs": "yearly"},
    )
    found = (await ask(database, embedder, memory, "Who adopted Rex?")).edges
    (edge,) = (each.item for each in found if each.item.fact == "Ana adopted Rex")
    assert (edge.certain, edge.event, edge.event_end, edge.recurs) == (False, True, START, "yearly")


async def test_scores_are_comparable_and_min_score_cuts(database: Database, embedder: Embedder, memory: str) -> None:
    whole = await ask(database, embedder, memory, "Who adopted Rex?")
    several = (whole.episodes, whole.entities, whole.edges)
    assert all(0.0 < found.score <= 1.0 for each in several for found in each)
    assert [found.score for found in whole.edges] == sorted((found.score for found in whole.edges), reverse=True)
    least = whole.episodes[0].score
    cut = await ask(database, embedder, memory, "Who adopted Rex?", min_score=least)
    assert all(found.score >= least for each in (cut.episodes, cut.entities, cut.edges) for found in each)
    assert cut.episodes[0].item.content == "Ana adopted Rex"


async def test_single_hit_has_a_score(database: Database, embedder: Embedder, pipeline: Pipeline, group: str) -> None:
    await pipeline.acknowledge(group, messages((("Ana", "Ana adopted Rex"),)))
    await pipeline.process(group)
    result = await ask(database, embedder, group, "Who adopted Rex?")
    assert [found.score > 0.05 for found in result.episodes] == [True]


async def test_index_filters_find_all_facts_of_a_small_group(
    database: Database, embedder: Embedder, pipeline: Pipeline, group: str
) -> None:
    """All facts of a small group are found among many similar facts of other groups."""
    for number in range(30):
        await pipeline.acknowledge(f"{group}-{number}", messages((("Ana", "Ana visited Lisbon"),) * 3))
    await pipeline.process([f"{group}-{number}" for number in range(30)])
    await pipeline.acknowledge(group, messages(tuple(("Ana", f"Ana visited Lisbon{n}") for n in range(20))))
    await pipeline.process(group)
    result = await ask(database, embedder, group, "Ana visited Lisbon", k=20)
    assert len(result.episodes) == 20
    assert len(result.edges) == 20


async def test_every_hit_of_the_indexes_is_returned_once(database: Database, embedder: Embedder, memory: str) -> None:
    vector = (await embedder.questions(["Lisbon"]))[0]
    query = SearchQuery(
        group=memory,
        text="Lisbon",
        bare="Lisbon",
        bare_vector=vector,
        whole_vector=vector,
        limit=50,
        filters=Filters(as_of=datetime.now(UTC)),
    )
    rows = await gather(database, query)
    for several in (rows.episodes, rows.entities, rows.edges):
        uuids = [row["uuid"] for row in several]
        assert len(uuids) == len(set(uuids))
    by_content = {row["content"]: row for row in rows.episodes}
    passage = (await embedder.passages(["Ben: Ben visited Lisbon"]))[0]
    exact = (1 + float(np.dot(passage, vector))) / 2
    assert by_content["Ben visited Lisbon"]["bare"] == pytest.approx(exact, abs=1e-5)
    assert by_content["Ana adopted Rex"]["words"] == 0.0
    assert by_content["Ana visited Lisbon"]["words"] > 0.0


async def test_hand_edited_property_of_another_type_breaks_no_search(
    database: Database, embedder: Embedder, memory: str
) -> None:
    await cypher(
        database,
        "MATCH (n:Episode {group: $group}) WHERE n.content STARTS WITH 'Ben visited' "
        "SET n.occurred_at = localdatetime('2024-05-01T12:00'), n.speaker = 7, n.position = 'first', n.metadata = 3, "
        "n.zone = 1, n.recorded_at = date('2024-05-02') "
        "WITH count(*) AS one MATCH (n:Entity {group: $group}) SET n.tags = 'a', n.aliases = [1, 2] "
        "WITH count(*) AS one MATCH (n:Entity {group: $group, name: 'Rex'}) SET n.name = 7 "
        "WITH count(*) AS one MATCH (n:Edge {group: $group}) SET n.recorded_at = '2024-05-02', n.when = 5",
        group=memory,
    )
    result = await ask(database, embedder, memory, "Who visited Lisbon on 1 May 2024?")
    found = next(each.item for each in result.episodes if each.item.content == "Ben visited Lisbon")
    assert found.occurred_at == datetime(2024, 5, 1, 12, tzinfo=UTC)
    assert found.recorded_at == datetime(2024, 5, 2, tzinfo=UTC)
    assert (found.speaker, found.position, found.zone, found.metadata) == ("7", 0, "1", {})
    assert {each.item.recorded_at for each in result.edges} == {datetime(2024, 5, 2, tzinfo=UTC)}
    assert {each.item.tags for each in result.entities} == {("a",)}


async def test_undated_fact_is_unknown_before_it_was_said(database: Database, embedder: Embedder, memory: str) -> None:
    await cypher(
        database,
        "MATCH (n:Edge {group: $group}) SET n.valid_from = "
        "datetime(CASE n.fact WHEN 'Ben visited Lisbon' THEN '2023-05-01T00:00Z' ELSE '0001-01-01T00:00Z' END)",
        group=memory,
    )

    async def known(**fields: object) -> tuple[set[str], set[str]]:
        found = await ask(database, embedder, memory, "Ana Ben Lisbon Rex boats", **fields)
        return {each.item.fact for each in found.edges}, {each.item.name for each in found.entities}

    facts, things = await known()
    assert facts == {text for _, text in CHAT}
    assert things >= {"Ana", "Ben", "Rex", "Lisbon"}
    facts, things = await known(as_of=START + timedelta(days=1, hours=1))
    assert facts == {"Ana adopted Rex", "Ben paints boats", "Ben visited Lisbon"}
    assert "Lisbon" not in things
