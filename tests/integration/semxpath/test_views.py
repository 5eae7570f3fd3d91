"""Queries on the whole memory as a tree, on the real server."""

from datetime import UTC, datetime

import pytest
from neo4j import GraphDatabase

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.errors import ArgumentError, QuerySchemaError
from mnemo.models.tree import QueryOptions
from mnemo.semxpath.views import MemoryView
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.embedders import HashEmbedder, vector

MAY, JUNE, JULY = (datetime(2023, month, 1, tzinfo=UTC) for month in (5, 6, 7))


def edge(name: str, fact: str, start: datetime, end: datetime = DISTANT_FUTURE, **more: object) -> dict:
    times = {"valid_from": start, "valid_to": end, "recorded_at": start, "retired_at": DISTANT_FUTURE, **more}
    return {"uuid": name, "fact": fact, "relation": "r", **times}


def episode(name: str, session: str, position: int, at: datetime, content: str) -> dict:
    return {"uuid": name, "session": session, "position": position, "visible_from": at, "content": content}


STATEMENT = """
UNWIND $episodes AS row CREATE (n:Episode) SET n = row, n.group = $group, n.source_id = row.uuid
WITH count(*) AS _
UNWIND $entities AS row CREATE (n:Entity) SET n = row, n.group = $group, n.name_key = toLower(row.name)
WITH count(*) AS _
UNWIND $edges AS row CREATE (n:Edge) SET n = row, n.group = $group
WITH count(*) AS _
MATCH (ana:Entity {uuid: $group + 'ana'}), (bob:Entity {uuid: $group + 'bob'}), (tea:Entity {uuid: $group + 'tea'})
MATCH (e:Edge {group: $group})
CREATE (e)-[:SUBJECT]->(ana)
FOREACH (_ IN CASE WHEN e.fact CONTAINS 'Bob' THEN [1] END | CREATE (e)-[:OBJECT]->(bob))
WITH DISTINCT ana, bob, tea
MATCH (m:Episode {group: $group})
FOREACH (_ IN CASE WHEN m.content CONTAINS 'tea' THEN [1] END | CREATE (m)-[:MENTIONS]->(tea))
WITH DISTINCT ana, bob, tea
CREATE (h:Hierarchy {uuid: $group + 'h', group: $group, kind: 'entities', current: true})
CREATE (people:Category {uuid: $group + 'people', group: $group, name: 'People', layer: 2})
CREATE (friends:Category {uuid: $group + 'friends', group: $group, name: 'Friends', layer: 1})
CREATE (speakers:Category {uuid: $group + 'speakers', group: $group, name: 'Speakers', layer: 1})
CREATE (h)-[:CONTAINS {position: 0}]->(people)-[:CONTAINS {position: 0}]->(friends)-[:CONTAINS {position: 0}]->(ana)
CREATE (people)-[:CONTAINS {position: 1}]->(speakers)-[:CONTAINS {position: 0}]->(ana)
CREATE (friends)-[:CONTAINS {position: 1}]->(bob)
"""


@pytest.fixture
def view(server_endpoint: Endpoint, database: Database, group: str) -> MemoryView:
    def own(rows: list[dict]) -> list[dict]:
        return [
            {
                **row,
                "uuid": group + row["uuid"],
                "embedding": vector(row.get("fact") or row.get("content") or row["name"]).tolist(),
            }
            for row in rows
        ]

    data = {
        "episodes": own(
            [
                episode("m1", "s1", 0, MAY, "I drink tea"),
                episode("m2", "s1", 1, MAY, "hello"),
                episode("m3", "s2", 0, JULY, "more tea"),
            ]
        ),
        "entities": own(
            [
                {"uuid": "ana", "name": "Ana", "tags": ["person", "baker"]},
                {"uuid": "bob", "name": "Bob", "tags": []},
                {"uuid": "tea", "name": "tea", "tags": ["drink"]},
            ]
        ),
        "edges": own(
            [
                edge("f1", "Ana works at Acme", MAY, JUNE),
                edge("f2", "Ana works at Birch", JUNE),
                edge("f3", "Ana knows Bob", DISTANT_PAST),
                edge("f4", "Ana is a pilot", MAY, retired_at=JUNE),
                edge("f5", "Ana flies to Oslo", datetime(2200, 5, 1, tzinfo=UTC)),
            ]
        ),
        "group": group,
    }
    auth = (server_endpoint.username, server_endpoint.password)
    with GraphDatabase.driver(server_endpoint.uri, auth=auth) as driver:
        driver.execute_query(STATEMENT, data, database_=server_endpoint.database)
    return MemoryView(database, HashEmbedder(), group)


async def found(view: MemoryView, query: str, *, as_of: datetime | None = None, **cut: int) -> list[str]:
    result = await view.xpath(query, as_of=as_of, options=QueryOptions(**cut))
    return [
        str(match.attributes.get("fact") or match.attributes.get("content") or match.attributes.get("name"))
        for match in result.matches
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("/Session", ["s1", "s2"]),
        ("/Session[-1]/Episode", ["more tea"]),
        ("/Session[1]/Episode[2]", ["hello"]),
        ("//Session/Episode[1]", ["I drink tea", "more tea"]),
        ("/Category", ["People"]),
        ("//Category", ["People", "Friends", "Speakers"]),
        ("/Category/Category[1]/Entity", ["Ana", "Bob"]),
        ("/Category//Entity", ["Ana", "Bob"]),
        ("/Entity", ["tea"]),
        ("//Entity", ["Ana", "Bob", "tea"]),
        ('//Entity[@name = "Ana"]/Edge', ["Ana knows Bob", "Ana works at Birch", "Ana flies to Oslo"]),
        ('//Entity[@name = "Bob"]/Edge', ["Ana knows Bob"]),
        ('//Entity/Edge[@valid_from >= "2023-06-01"]', ["Ana works at Birch", "Ana flies to Oslo"]),
        ('//Edge[@valid_from < "2023-06-01"]', []),
        ('//Entity[@tags contains "baker"]', ["Ana"]),
        ('//Entity[@name = "tea"]/Episode', ["I drink tea", "more tea"]),
        ('//Category[@name = "Friends"]//Edge', ["Ana knows Bob", "Ana works at Birch", "Ana flies to Oslo"]),
        ("//Entity[exists(/Edge)]", ["Ana", "Bob"]),
        ("/Memory/Session[@episodes = 2]", ["s1"]),
        ("/Category/Edge", []),
        ("/Session/*", ["I drink tea", "hello", "more tea"]),
        ("(//Episode)[-1]", ["more tea"]),
    ],
)
async def test_paths_follow_the_structure_of_the_memory(view: MemoryView, query: str, names: list[str]) -> None:
    assert await found(view, query) == names


async def test_as_of_shows_the_memory_at_that_time(view: MemoryView) -> None:
    middle_of_may = datetime(2023, 5, 15, tzinfo=UTC)
    assert await found(view, '//Entity[@name = "Ana"]/Edge', as_of=middle_of_may) == [
        "Ana knows Bob",
        "Ana works at Acme",
    ]
    assert await found(view, "/Session", as_of=middle_of_may) == ["s1"]
    with pytest.raises(ArgumentError, match="time zone"):
        await view.xpath("//Edge", as_of=middle_of_may.replace(tzinfo=None))


async def test_matches_are_sorted_by_score_in_one_round_trip(view: MemoryView) -> None:
    result = await view.xpath(
        '//Entity[node ~= "Ana"]/Edge[fact ~= "Ana works at Birch"]', options=QueryOptions(top_k=1)
    )
    assert [match.attributes["fact"] for match in result.matches] == ["Ana works at Birch"]
    assert result.matches[0].score == pytest.approx(1.0, abs=1e-6)
    assert result.round_trips == 1
    assert (await found(view, '/Session[-1]/Episode[content ~= "more tea"]'))[0] == "more tea"
    assert (await found(view, '//Entity[name ~= "Bob"]'))[0] == "Bob"


async def test_path_of_a_match_finds_the_same_node(view: MemoryView) -> None:
    for match in (await view.xpath("//*")).matches:
        assert [one.uuid for one in (await view.xpath(match.path)).matches] == [match.uuid]


async def test_another_group_sees_nothing(view: MemoryView, database: Database, group: str) -> None:
    assert view is not None
    other = MemoryView(database, HashEmbedder(), group + "x")
    assert (await other.xpath("//*")).matches == ()


async def test_unknown_names_are_errors_with_suggestions(view: MemoryView) -> None:
    with pytest.raises(QuerySchemaError, match="`Entity`"):
        await view.xpath("//entity")
    with pytest.raises(QuerySchemaError, match="`valid_from`"):
        await view.xpath("//Edge[@valid = 1]")
