"""Compiles a query whose candidates come from the vector index; pure."""

from collections.abc import Mapping
from typing import Any

from mnemo.models.tree import QueryOptions
from mnemo.semxpath.compiler.core import Compiled, result_clauses, statement_text
from mnemo.semxpath.compiler.expressions import Scores, expression, similarity
from mnemo.semxpath.compiler.planner import IndexSearch
from mnemo.semxpath.compiler.source import Params, QueryFrame
from mnemo.semxpath.compiler.tree_source import TreeSource
from mnemo.semxpath.language.syntax import Expr, Query

__all__ = ["compile_indexed"]

_FRAME = QueryFrame(0, frozenset({"node"}), ordered=True)


def compile_indexed(
    query: Query,
    source: TreeSource,
    scores: Scores,
    search: IndexSearch,
    given: Mapping[str, Any],
    options: QueryOptions,
) -> Compiled:
    """Compile a query that starts from the nearest nodes in the vector index.

    Args:
        query: Query that `planner.choose` found suitable for the index.
        source: Source of the addressed version.
        scores: Vector of the semantic match.
        search: Index search chosen by the planner.
        given: Parameters used by the clauses: group, tree, uuid (of the tree) and, if given, version.
        options: Limits of the result.

    Returns:
        As `compile_query`, with two more columns: `fetched`, the number of nodes from the index, and `lowest`, the
        lowest score among them. Rows may be missing if the index returned `search.fetched` nodes, the result has
        fewer rows than `search.needed`, and `lowest` is not below the threshold.
    """
    params = Params(given)
    vector = params.add(scores[search.match])
    last = search.steps[-1]
    typed = "" if last.test is None else f" AND c0.type = {params.add(last.test)}"
    score = similarity(vector, "c0.embedding", "", table=False)
    lines = [
        source.matched(),
        "CALL () {",
        "MATCH (c0:TreeNode)",
        f"SEARCH c0 IN (VECTOR INDEX tree_node_embedding FOR {vector}",
        f"WHERE c0.group = $group AND c0.tree = $uuid{typed} LIMIT {params.add(search.fetched)})",
        f"WITH c0, {score} AS s0 ORDER BY s0 DESC",
        "RETURN collect({c: c0, s: s0}) AS hits",
        "}",
        "CALL (shown, root, hits) {",
        "UNWIND hits AS hit",
        f"WITH shown, root, hit.c AS c0, hit.s AS s0{_where(search, source, params)}",
        "CALL (root, c0) {",
        *_climb(search, params),
        "}",
        "WITH c0 AS n0, s0, [shown] + q0 AS o0",
    ]
    order, row = source.finish(_FRAME)
    lines += [*result_clauses(query, params, _FRAME, order, options), source.collected(row)]
    lines[-1] += ", size(hits) AS fetched, coalesce(last(hits).s, 0.0) AS lowest"
    return Compiled(statement=statement_text(lines), params=params.values, semantic=True)


def _where(search: IndexSearch, source: TreeSource, params: Params) -> str:
    def never(expr: Expr) -> str:
        raise AssertionError(expr)

    def attribute(name: str) -> str:
        return source.attribute(params, "hit.c", name)

    tests = [f"{expression(condition, never, attribute, params.add)} = 1.0" for condition in search.filters]
    return f" WHERE {' AND '.join(tests)}" if tests else ""


def _climb(search: IndexSearch, params: Params) -> list[str]:
    """Return clauses that match the path upwards from a hit: a node has fewer parents than children."""
    lines = []
    below = "c0"
    places: list[str] = []
    for index, step in reversed(list(enumerate(search.steps))):
        above = f"x{index}"
        link = f"-[l{index}:CHILD]->" if step.axis == "child" else f" (()-[l{index}:CHILD]->())+ "
        test = search.steps[index - 1].test if index else None
        if index == 0:
            where = f" WHERE {above} = root"
        else:
            where = "" if test is None else f" WHERE {above}.type = {params.add(test)}"
        lines.append(f"MATCH ({above}:TreeNode){link}({below}){where}")
        places.insert(0, f"[l{index}]" if step.axis == "child" else f"l{index}")
        below = above
    lines.append(f"RETURN {' + '.join(places)} AS q0 LIMIT 1")
    return lines
