"""The System-2 procedures with invalid arguments return an error or nothing, never data of another group."""

from collections.abc import Mapping
from typing import Any

import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import Neo4jError

from mnemo.store.driver import Database
from support.cypher import cypher
from support.small_memory import START, builder, remember


@pytest.fixture
async def memory(database: Database, group: str) -> str:
    await remember(database, group)
    await builder(database).build(group)
    return group


def called(database: Database, call: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Call a procedure as Neo4j Browser does."""
    end = database.endpoint
    auth = (end.username, end.password)
    with GraphDatabase.driver(end.uri, auth=auth, notifications_min_severity="OFF") as driver:
        return [
            dict(record)
            for record in driver.execute_query(call, dict(params), database_=end.database).records  # type: ignore[arg-type]  # a test's own text
        ]


async def uuids(database: Database, group: str, label: str) -> list[str]:
    rows = await cypher(
        database,
        "MATCH (n:$($label)) WHERE n.group = $group RETURN n.uuid AS uuid ORDER BY uuid",
        label=label,
        group=group,
    )
    return [row["uuid"] for row in rows]


CALLS = {
    "children": "CALL mnemo.system2.children($group, $uuids, $as_of)",
    "descendants": "CALL mnemo.system2.descendants($group, $uuids, $as_of)",
    "evidence": "CALL mnemo.system2.evidence($group, $uuids, $as_of)",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("group_", [None, ""])
async def test_missing_group_is_rejected(database: Database, call: str, group_: str | None) -> None:
    with pytest.raises(Neo4jError, match="group must be a non-empty string"):
        called(database, call, {"group": group_, "uuids": [], "as_of": None})


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("group_", ["*", "' OR 1=1 //", "test-", "nobody"])
async def test_unknown_group_is_empty(database: Database, memory: str, call: str, group_: str) -> None:
    theirs = [*await uuids(database, memory, "Category"), *await uuids(database, memory, "Entity")]
    assert called(database, call, {"group": group_, "uuids": theirs, "as_of": None}) == []


async def test_uuids_of_another_group_give_nothing(database: Database, memory: str, group: str) -> None:
    other = f"{group}-other"
    await remember(database, other, (("Zoe", "Zoe adopted Rex"), ("Zoe", "Zoe adopted Tom")))
    await builder(database).build(other)
    theirs = [*await uuids(database, memory, "Category"), *await uuids(database, memory, "Entity")]
    for call in CALLS.values():
        assert called(database, call, {"group": other, "uuids": theirs, "as_of": None}) == []


async def test_empty_selection_gives_no_evidence_and_the_top_layer(database: Database, memory: str) -> None:
    given = {"group": memory, "uuids": [], "as_of": None}
    assert called(database, CALLS["descendants"], given) == called(database, CALLS["evidence"], given) == []
    assert sorted(row["name"] for row in called(database, CALLS["children"], given)) == ["Music", "Speaker"]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_invalid_or_too_many_uuids_are_rejected(database: Database, call: str) -> None:
    with pytest.raises(Neo4jError, match="uuids must be a list, got null"):
        called(database, call, {"group": "g", "uuids": None, "as_of": None})
    with pytest.raises(Neo4jError, match="uuids must be at most 1000, got 1001"):
        called(database, call, {"group": "g", "uuids": ["x"] * 1001, "as_of": None})
    assert called(database, call, {"group": "g", "uuids": ["x"] * 1000, "as_of": None}) == []
    assert called(database, call, {"group": "g", "uuids": ["", "*", None], "as_of": None}) == []


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("as_of", ["2024-03-01", 5, True, START.replace(tzinfo=None)])
async def test_invalid_time_is_rejected(database: Database, call: str, as_of: object) -> None:
    with pytest.raises(Neo4jError, match="asOf must be a datetime with a zone"):
        called(database, call, {"group": "g", "uuids": [], "as_of": as_of})


@pytest.mark.parametrize(("name", "key"), [("layer", "parents"), ("gather", "entities"), ("gather", "categories")])
async def test_the_parameters_of_a_statement_are_checked(database: Database, name: str, key: str) -> None:
    call = f"CALL mnemo.system2.{name}($params)"
    empty: dict[str, Any] = {"group": "g", "parents": [], "entities": [], "categories": []}
    for params, said in (
        (None, "params must be a map, got null"),
        ({}, "group must be a non-empty string"),
        ({**empty, "group": 7}, "group must be a non-empty string"),
        ({**empty, key: None}, f"{key} must be a list"),
        ({**empty, key: "x"}, f"{key} must be a list"),
        ({**empty, key: ["x"] * 10_001}, f"{key} must be a list of at most 10000 uuids"),
        (empty, "Expected parameter"),
    ):
        with pytest.raises(Neo4jError, match=said):
            called(database, call, {"params": params})


async def test_facts_hold_from_their_start_or_first_statement(database: Database, memory: str) -> None:
    ana = (await cypher(database, "MATCH (e:Entity {group: $g, name: 'Ana'}) RETURN e.uuid AS uuid", g=memory))[0]
    given = {"group": memory, "uuids": [ana["uuid"]], "as_of": START.replace(day=2)}
    rows = called(database, CALLS["evidence"], given)
    assert [row["node"]["fact"] for row in rows if row["kind"] == "fact"] == ["Ana adopted Rex"]
    assert [row["node"]["name"] for row in rows if row["kind"] == "neighbour"] == ["Rex"]
    await cypher(
        database,
        "MATCH (e:Edge {group: $g, fact: 'Ana plays Violin'}) SET e.valid_from = $then",
        g=memory,
        then=START.replace(month=1),
    )
    rows = called(database, CALLS["evidence"], given)
    assert {row["node"]["fact"] for row in rows if row["kind"] == "fact"} == {"Ana adopted Rex", "Ana plays Violin"}
