"""Pages, counts and forgetting on the real server."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.errors import ArgumentError
from mnemo.models.embedding_text import speaker_key
from mnemo.models.results import Forgotten
from mnemo.store import forget, graph
from mnemo.store.driver import Database
from support.cypher import cypher

START = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


async def remember(database: Database, group: str, number: int, session: str = "s", speaker: str = "Ana") -> None:
    """Store episodes e0, e1, … of a session."""
    rows = [
        {
            "source_id": f"{session}{at}",
            "session": session,
            "properties": {
                "uuid": f"{group}-{session}{at}",
                "group": group,
                "source_id": f"{session}{at}",
                "session": session,
                "content": f"message {at}",
                "speaker": speaker,
                "speaker_key": speaker_key(speaker),
                "occurred_at": START + timedelta(minutes=at),
                "visible_from": START + timedelta(minutes=at),
                "recorded_at": START,
                "status": "pending",
            },
        }
        for at in range(number)
    ]
    await database.run("ingestion/acknowledge", group=group, rows=rows)


async def know(database: Database, group: str, facts: list[dict[str, Any]]) -> None:
    """Write facts with uuid, by (episodes), subject, object and optional times."""
    rows = [
        {
            "valid_from": DISTANT_PAST,
            "valid_to": DISTANT_FUTURE,
            "stated_to": fact.get("stated_to", fact.get("valid_to", DISTANT_FUTURE)),
            "recorded_at": START + timedelta(seconds=at),
            **fact,
            "by": [f"{group}-{name}" for name in fact["by"]],
        }
        for at, fact in enumerate(facts)
    ]
    await cypher(
        database,
        "UNWIND $rows AS row "
        "CREATE (edge:Edge {uuid: $group + '-' + row.uuid, group: $group, fact: row.uuid, relation: 'is', "
        "  subject: $group + '-' + row.subject, object: $group + '-' + row.object, valid_from: row.valid_from, "
        "  valid_to: row.valid_to, stated_to: row.stated_to, recorded_at: row.recorded_at, retired_at: $never}) "
        "MERGE (subject:Entity {group: $group, name_key: row.subject}) "
        "SET subject.uuid = $group + '-' + row.subject, subject.name = row.subject "
        "MERGE (object:Entity {group: $group, name_key: row.object}) "
        "SET object.uuid = $group + '-' + row.object, object.name = row.object "
        "CREATE (edge)-[:SUBJECT]->(subject), (edge)-[:OBJECT]->(object) "
        "WITH row, edge, subject, object UNWIND row.by AS uuid MATCH (episode:Episode {uuid: uuid}) "
        "MERGE (episode)-[:STATES {quote: 'message', start: 0, end: 7}]->(edge) "
        "MERGE (episode)-[:MENTIONS]->(subject) MERGE (episode)-[:MENTIONS]->(object)",
        rows=rows,
        group=group,
        never=DISTANT_FUTURE,
    )


async def test_pages_contain_every_episode_once_in_order(database: Database, group: str) -> None:
    await remember(database, group, 25)
    seen, cursor, pages = [], None, 0
    while cursor is not None or not pages:
        page = await graph.list_episodes(database, group, cursor=cursor, limit=10)
        assert page.total == 25
        seen += [item.position for item in page.items]
        cursor, pages = page.cursor, pages + 1
    assert (seen, pages) == (list(range(25)), 3)


async def test_last_full_page_has_no_cursor(database: Database, group: str) -> None:
    await remember(database, group, 10)
    assert (await graph.list_episodes(database, group, limit=10)).cursor is None


async def test_pages_are_stable_while_episodes_are_added(database: Database, group: str) -> None:
    await remember(database, group, 4)
    first = await graph.list_episodes(database, group, limit=3)
    await remember(database, group, 6)
    second = await graph.list_episodes(database, group, cursor=first.cursor, limit=3)
    assert [item.position for item in (*first.items, *second.items)] == [0, 1, 2, 3, 4, 5]


async def test_episodes_are_listed_by_status_and_session(database: Database, group: str) -> None:
    await remember(database, group, 3)
    await remember(database, group, 2, session="t")
    await cypher(database, "MATCH (n:Episode {uuid: $u}) SET n.status = 'failed'", u=f"{group}-t1")
    failed = await graph.list_episodes(database, group, status="failed")
    assert [item.uuid for item in failed.items] == [f"{group}-t1"]
    assert (await graph.list_episodes(database, group, session="t")).total == 2
    assert (await graph.list_episodes(database, group, session="t", status="failed")).total == 1


@pytest.mark.parametrize("cursor", ["", "x", "WzFd", "bnVsbA", "eyJhIjoxfQ", "é"])
async def test_cursor_of_another_list_is_refused(database: Database, group: str, cursor: str) -> None:
    with pytest.raises(ArgumentError, match="cursor"):
        await graph.list_entities(database, group, cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 1001])
async def test_a_limit_out_of_range_is_refused(database: Database, group: str, limit: int) -> None:
    with pytest.raises(ArgumentError, match="limit"):
        await graph.list_edges(database, group, limit=limit)


async def test_entities_are_ordered_by_name_and_facts_by_time_recorded(database: Database, group: str) -> None:
    await remember(database, group, 1)
    await know(
        database,
        group,
        [{"uuid": f"f{at}", "by": ["s0"], "subject": f"n{9 - at}", "object": "z"} for at in range(5)],
    )
    page = await graph.list_entities(database, group, limit=4)
    rest = await graph.list_entities(database, group, limit=4, cursor=page.cursor)
    assert [item.name for item in (*page.items, *rest.items)] == ["n5", "n6", "n7", "n8", "n9", "z"]
    first = await graph.list_edges(database, group, limit=2)
    second = await graph.list_edges(database, group, limit=9, cursor=first.cursor)
    assert [item.fact for item in (*first.items, *second.items)] == ["f0", "f1", "f2", "f3", "f4"]
    assert first.total == second.total == 5
    about = await graph.list_edges(database, group, entity=f"{group}-n9")
    assert [item.fact for item in about.items] == ["f0"]


async def test_facts_are_listed_as_they_held_at_a_moment(database: Database, group: str) -> None:
    await remember(database, group, 1)
    turn = datetime(2023, 6, 1, tzinfo=UTC)
    await know(
        database,
        group,
        [
            {"uuid": "acme", "by": ["s0"], "subject": "a", "object": "acme", "valid_to": turn},
            {"uuid": "birch", "by": ["s0"], "subject": "a", "object": "birch", "valid_from": turn},
        ],
    )
    for moment, facts in (
        (turn - timedelta(days=1), ["acme"]),
        (turn, ["birch"]),
        (turn + timedelta(days=1), ["birch"]),
    ):
        page = await graph.list_edges(database, group, between=(moment, moment))
        assert [item.fact for item in page.items] == facts
    everything = (await graph.list_edges(database, group)).items
    assert [(item.valid_from, item.valid_to) for item in everything] == [(None, turn), (turn, None)]


async def test_nodes_are_returned_in_the_requested_order_from_one_group(database: Database, group: str) -> None:
    await remember(database, group, 3)
    uuids = [f"{group}-s2", "none", f"{group}-s0"]
    assert [item.uuid for item in await graph.episodes(database, group, uuids)] == [f"{group}-s2", f"{group}-s0"]
    assert await graph.episodes(database, group + "x", uuids) == []


async def test_sources_of_a_fact_are_ordered_oldest_first(database: Database, group: str) -> None:
    await remember(database, group, 3)
    await know(database, group, [{"uuid": "f", "by": ["s2", "s1"], "subject": "a", "object": "b"}])
    found = await graph.sources(database, group, [f"{group}-f"])
    assert [(item.episode, item.quote, item.start, item.end) for item in found] == [
        (f"{group}-s1", "message", 0, 7),
        (f"{group}-s2", "message", 0, 7),
    ]
    assert await graph.sources(database, "other", [f"{group}-f"]) == []


async def test_speakers_and_sessions_are_counted(database: Database, group: str) -> None:
    await remember(database, group, 2, speaker="ana")
    await remember(database, group, 3, session="t", speaker="Ana")
    await remember(database, group, 1, session="u", speaker="Bo")
    assert [(item.speaker, item.episodes) for item in await graph.speakers(database, group)] == [("Ana", 5), ("Bo", 1)]
    assert [(item.session, item.episodes, item.ended) for item in await graph.sessions(database, group)] == [
        ("s", 2, START + timedelta(minutes=1)),
        ("t", 3, START + timedelta(minutes=2)),
        ("u", 1, START),
    ]
    assert next(found.episodes for found in await graph.groups(database) if found.name == group) == 6


async def test_forgetting_a_message_deletes_what_only_it_supports(database: Database, group: str) -> None:
    await remember(database, group, 3)
    await know(
        database,
        group,
        [
            {"uuid": "alone", "by": ["s1"], "subject": "a", "object": "gone"},
            {"uuid": "shared", "by": ["s0", "s1"], "subject": "a", "object": "b"},
        ],
    )
    gone = await forget.forget_episodes(database, group, [f"{group}-s1"])
    assert gone.forgotten == Forgotten(episodes=1, edges=1, entities=1)
    assert gone.entities == {f"{group}-a", f"{group}-b"}
    assert [item.name for item in (await graph.list_entities(database, group)).items] == ["a", "b"]
    assert await graph.residue(database, group) == {}
    chain = await cypher(
        database, "MATCH (a:Episode {group: $g})-[:NEXT]->(b) RETURN a.position AS a, b.position AS b", g=group
    )
    assert chain == [{"a": 0, "b": 2}]
    assert (await forget.forget_episodes(database, group, [f"{group}-s1"])).forgotten == Forgotten()


async def test_interval_ends_at_the_first_remaining_fact_that_closes_it(database: Database, group: str) -> None:
    await remember(database, group, 3)
    early, late = START + timedelta(days=1), START + timedelta(days=2)
    held = {"subject": "a", "by": ["s0"], "valid_to": early}
    await know(
        database,
        group,
        [
            {"uuid": "open", "object": "b", **held, "stated_to": DISTANT_FUTURE},
            {"uuid": "stated", "object": "c", **held, "stated_to": early},
            {"uuid": "other", "object": "d", **held, "stated_to": DISTANT_FUTURE},
            {"uuid": "first", "by": ["s1"], "subject": "a", "object": "e"},
            {"uuid": "second", "by": ["s2"], "subject": "a", "object": "f"},
        ],
    )
    await cypher(
        database,
        "UNWIND $rows AS row MATCH (e:Edge {uuid: $g + '-' + row.by}), (f:Edge {uuid: $g + '-' + row.edge}) "
        "CREATE (e)-[:ENDS {valid_to: row.at}]->(f)",
        g=group,
        rows=[
            {"by": by, "edge": edge, "at": at}
            for by, at in (("first", early), ("second", late))
            for edge in ("open", "stated")
        ],
    )
    for episode, end in (("s1", late), ("s2", None)):
        await forget.forget_episodes(database, group, [f"{group}-{episode}"])
        found = await graph.edges(database, group, [f"{group}-{name}" for name in ("open", "stated", "other")])
        assert [edge.valid_to for edge in found] == [end, early, early]


async def test_empty_categories_are_deleted_upwards_and_others_reported(database: Database, group: str) -> None:
    await remember(database, group, 2)
    await know(
        database,
        group,
        [
            {"uuid": "f", "by": ["s0"], "subject": "a", "object": "a2"},
            {"uuid": "g", "by": ["s1"], "subject": "b", "object": "b"},
        ],
    )
    await cypher(
        database,
        "MATCH (a:Entity {uuid: $g + '-a'}), (a2:Entity {uuid: $g + '-a2'}), (b:Entity {uuid: $g + '-b'}) "
        "CREATE (h:Hierarchy {uuid: $g + '-h', group: $g})-[:CONTAINS]->(top:Category {uuid: $g + '-top', group: $g}), "
        "(top)-[:CONTAINS]->(:Category {uuid: $g + '-mid', group: $g})-[:CONTAINS]->"
        "(low:Category {uuid: $g + '-low', group: $g}), (low)-[:CONTAINS]->(a), (low)-[:CONTAINS]->(a2), "
        "(top)-[:CONTAINS]->(b)",
        g=group,
    )
    gone = await forget.forget_session(database, group, "none")
    assert gone.forgotten == Forgotten()
    gone = await forget.forget_episodes(database, group, [f"{group}-s0"])
    assert gone.forgotten == Forgotten(episodes=1, edges=1, entities=2, categories=2)
    assert gone.categories == {f"{group}-top"}
    assert await graph.residue(database, group) == {}


async def test_long_session_is_forgotten_completely_and_another_stays(database: Database, group: str) -> None:
    await remember(database, group, 450)
    await remember(database, group, 2, session="t")
    await know(
        database,
        group,
        [
            {"uuid": f"f{at}", "by": [f"s{at}", f"s{at + 1}"], "subject": f"n{at}", "object": "x"}
            for at in range(0, 440, 9)
        ],
    )
    gone = await forget.forget_session(database, group, "s")
    assert gone.forgotten == Forgotten(episodes=450, edges=49, entities=50)
    assert (await graph.counts(database, group)).episodes == 2
    assert await graph.residue(database, group) == {}


async def test_forgetting_a_group_keeps_other_groups(database: Database, group: str) -> None:
    other = group + "x"
    for each in (group, other):
        await remember(database, each, 3)
        await know(database, each, [{"uuid": "f", "by": ["s0"], "subject": "a", "object": "b"}])
    await cypher(
        database, "CREATE (:Tree {uuid: $g, group: $g, name: 't'})-[:X]->(:TreeNode {uuid: $g, group: $g})", g=group
    )
    assert await forget.forget_group(database, group) == Forgotten(episodes=3, entities=2, edges=1, trees=1)
    assert await cypher(database, "MATCH (n {group: $g}) RETURN labels(n) AS l", g=group) == []
    assert (await graph.counts(database, other)).episodes == 3
    assert await graph.residue(database, other) == {}


async def test_residue_names_each_kind(database: Database, group: str) -> None:
    await cypher(
        database,
        "CREATE (:Edge {uuid: $g, group: $g, object: 'x'}), (:Entity {uuid: $g, group: $g, name_key: 'n'}), "
        "(:Category {uuid: $g, group: $g}), (:Episode {uuid: $g, group: $g, status: 'done'})-[:NEXT]->"
        "(:Episode {uuid: $g + 'x', group: $g + 'x'})",
        g=group,
    )
    assert await graph.residue(database, group) == {
        "category outside any hierarchy": 1,
        "category that holds nothing": 1,
        "entity that nothing mentions": 1,
        "fact without a subject": 1,
        "fact without an episode that states it": 1,
        "fact without its object": 1,
        "processed episode without an embedding": 1,
        "tie to another group": 1,
    }


async def test_nodes_edited_by_hand_can_still_be_read(database: Database, group: str) -> None:
    await remember(database, group, 3)
    await know(database, group, [{"uuid": "f", "by": ["s0"], "subject": "a", "object": "b"}])
    await cypher(
        database,
        "MATCH (n:Episode {uuid: $e}) REMOVE n.content, n.status, n.recorded_at SET n.metadata = 'not JSON' "
        "WITH 1 AS one MATCH (n:Entity {uuid: $a}) SET n.name = 'Ann', n.tags = null "
        "WITH 1 AS one MATCH (n:Entity {uuid: $b}) DETACH DELETE n "
        "WITH 1 AS one MATCH (n:Edge {uuid: $f}) REMOVE n.relation, n.object",
        e=f"{group}-s1",
        a=f"{group}-a",
        b=f"{group}-b",
        f=f"{group}-f",
    )
    assert [item.content for item in (await graph.list_episodes(database, group)).items] == [
        "message 0",
        "",
        "message 2",
    ]
    assert [item.name for item in (await graph.list_entities(database, group)).items] == ["Ann"]
    assert [item.object for item in (await graph.list_edges(database, group)).items] == [None]
    assert (await forget.forget_session(database, group, "s")).forgotten.episodes == 3
    assert await graph.residue(database, group) == {}


async def test_32_writers_of_one_message_and_one_name_create_one_of_each(database: Database, group: str) -> None:
    await asyncio.gather(*(remember(database, group, 2) for _ in range(32)))
    page = await graph.list_episodes(database, group)
    assert [item.position for item in page.items] == [0, 1]
