"""Every `.cypher` file against the planner of the real server, and against the rule of groups."""

import re

import pytest

from mnemo.store.driver import Database
from mnemo.store.headers import misfits
from mnemo.store.queries import Query, all_queries, parse

LABELLED = re.compile(r"\(\s*\w*\s*:\s*(?:Episode|Entity|Edge|Category|Hierarchy|Tree|Version|TreeNode|Group)\b")
WITHOUT_GROUP = {
    "graph/groups": "lists the groups themselves, for the owner of the database",
    "ingestion/groups_pending": "lists the groups that have work, names and counts only",
    "reembed/count": "embeds all groups anew, for the owner of the database",
    "reembed/stale": "embeds all groups anew, for the owner of the database",
    "reembed/write": "embeds all groups anew, for the owner of the database",
}
WITHOUT_MEMORY = ("meta/", "migrations/")


async def test_every_header_fits_what_the_planner_says(database: Database) -> None:
    assert await misfits(database) == []


async def test_a_header_that_states_another_column_mode_or_syntax_is_told(database: Database) -> None:
    wrong = [
        parse("x/column", "// One.\n// mode: read\n// returns: other INTEGER\nRETURN 1 AS one"),
        parse("x/mode", "// Two.\n// mode: write\n// returns: one INTEGER\nRETURN 1 AS one"),
        parse("x/syntax", "// Three.\n// mode: read\nRETURNS 1"),
    ]
    lines = await misfits(database, wrong)
    assert [line.split()[0] for line in lines] == [
        "cypher/x/column.cypher",
        "cypher/x/mode.cypher",
        "cypher/x/syntax.cypher",
    ]


@pytest.mark.parametrize("query", [each for each in all_queries() if not each.name.startswith(WITHOUT_MEMORY)], ids=str)
def test_every_statement_about_memory_demands_the_group(query: Query) -> None:
    if query.name in WITHOUT_GROUP:
        assert "group" not in query.param_names
        return
    assert "group" in query.param_names
    assert "$group" in query.statement
