import pytest

from mnemo.errors import SchemaError
from mnemo.store.queries import QueryColumn, all_queries, load_query, parse

GOOD = """// Facts of one group
// as they held.
//
// More words.
//
// mode:    read
// param:   group   STRING          whose memory
// param:   as_of   ZONED DATETIME  the moment
// param:   rows    LIST<MAP>
// returns: uuid    STRING
// returns: score   FLOAT           best first
CYPHER 25
MATCH (edge:Edge {group: $group})  // not a $comment
WHERE edge.at = $as_of AND edge.fact <> 'costs $5; less' AND edge.rows = $rows
RETURN edge.uuid AS uuid, 1.0 AS score
"""


def test_header_is_parsed() -> None:
    found = parse("graph/facts", GOOD)
    assert (found.name, found.summary, found.mode) == ("graph/facts", "Facts of one group as they held.", "read")
    assert found.params == (
        QueryColumn(name="group", type="STRING", text="whose memory"),
        QueryColumn(name="as_of", type="ZONED DATETIME", text="the moment"),
        QueryColumn(name="rows", type="LIST<MAP>"),
    )
    assert [column.name for column in found.returns] == ["uuid", "score"]
    assert found.param_names == {"group", "as_of", "rows"}


def test_the_statement_is_the_text_without_comment_lines() -> None:
    assert parse("x/y", GOOD).statement.startswith("CYPHER 25\nMATCH (edge:Edge")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("// One.\nRETURN 1", "mode: read"),
        ("// One.\n// mode: both\nRETURN 1", "mode: read"),
        ("// One.\n// mode: read\n// mode: write\nRETURN 1", "mode: read"),
        ("// mode: read\nRETURN 1", "the first line must say"),
        ("// One.\n// mode: read\n// param: x TEXT\nRETURN $x", "param: x TEXT"),
        ("// One.\n// mode: read\n// param: x LIST<STRING\nRETURN $x", "LIST<STRING"),
        ("// One.\n// mode: read\n// param: x STRING\n// param: x STRING\nRETURN $x", "duplicated"),
        ("// One.\n// mode: read\n// param: x STRING\nRETURN 1", "stated but not used: ['x']"),
        ("// One.\n// mode: read\nRETURN $x", "used but not stated: ['x']"),
        ("// One.\n// mode: read\n", "no statement"),
        ("// One.\n// mode: read\nRETURN 1; RETURN 2", "one statement"),
    ],
)
def test_malformed_file_is_named_in_the_error(text: str, problem: str) -> None:
    with pytest.raises(SchemaError) as caught:
        parse("graph/odd", text)
    assert "cypher/graph/odd.cypher" in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.parametrize("name", ["graph/none", "../pyproject", "/etc/passwd", "graph", ""])
def test_unknown_name_is_an_error(name: str) -> None:
    with pytest.raises(SchemaError, match="below cypher/"):
        load_query(name)


def test_every_file_is_found_by_its_name() -> None:
    names = [each.name for each in all_queries()]
    assert names == sorted(names)
    assert len(set(names)) == len(names) > 50
    assert load_query("graph/counts") is load_query("graph/counts")
