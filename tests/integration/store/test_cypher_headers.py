"""Every `.cypher` file matches the real server's planner and filters by group."""

import re

import pytest

from mnemo.store.driver import Database
from mnemo.store.headers import header_violations
from mnemo.store.queries import CypherQuery, all_queries, parse

LABELS = "Episode|Entity|Edge|Category|Hierarchy|Tree|Version|TreeNode|TreeStage|Group"
START = re.compile(rf"(?:MATCH|MERGE)\s+\((\w+):(?:{LABELS})\b[|\w]*\s*(\{{[^}}]*\}})?\s*\)(-|<-)?")
FROM_A_NODE_OF_THE_GROUP = {
    "ingestion/candidates": {"episode"},
    "tree/copy_root": {"tree"},
    "tree/delete_version": {"later"},
}
"""Patterns that start from a node already matched by its group."""
WITHOUT_GROUP = {
    "bench/clear": "deletes what a benchmark made, by the prefix of its groups",
    "bench/load": "writes synthetic rows, each with its group",
    "bench/load_graphiti": "writes synthetic rows, each with its group",
    "bench/ping": "touches no memory",
    "graph/groups": "lists the groups themselves, for the owner of the database",
    "ingestion/groups_pending": "lists the groups that have work, names and counts only",
    "reembed/count": "re-embeds all groups, for the owner of the database",
    "reembed/stale": "re-embeds all groups, for the owner of the database",
    "reembed/write": "re-embeds all groups, for the owner of the database",
}
"""Statements over all groups, with the reason."""
WITHOUT_MEMORY = ("meta/", "migrations/")


async def test_every_header_matches_the_planner(database: Database) -> None:
    assert await header_violations(database) == []


async def test_header_with_a_wrong_column_mode_or_syntax_is_reported(database: Database) -> None:
    wrong = [
        parse("x/column", "// One.\n// mode: read\n// returns: other INTEGER\nRETURN 1 AS one"),
        parse("x/mode", "// Two.\n// mode: write\n// returns: one INTEGER\nRETURN 1 AS one"),
        parse("x/syntax", "// Three.\n// mode: read\nRETURNS 1"),
    ]
    lines = await header_violations(database, wrong)
    assert [line.split()[0] for line in lines] == [
        "cypher/x/column.cypher",
        "cypher/x/mode.cypher",
        "cypher/x/syntax.cypher",
    ]


MEMORY = [each for each in all_queries() if not each.name.startswith(WITHOUT_MEMORY)]


@pytest.mark.parametrize("query", MEMORY, ids=[each.name for each in MEMORY])
def test_every_statement_about_memory_filters_by_group(query: CypherQuery) -> None:
    if query.name in WITHOUT_GROUP:
        assert "group" not in query.param_names
        return
    assert query.param_names & {"group", "params"}
    for variable, properties, _ in START.findall(query.statement):
        filtered = re.search(r"\bgroup: (?:\$group|row\.group)", properties) or re.search(
            rf"\b{variable}\.group = (?:\$group|row\.group)", query.statement
        )
        assert filtered or variable in FROM_A_NODE_OF_THE_GROUP.get(query.name, set()), variable
