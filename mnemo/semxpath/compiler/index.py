"""Compiles a query whose candidates come from the vector index: nearest first, then their places; pure."""

from collections.abc import Mapping
from typing import Any

from mnemo.semxpath.compiler.core import Compiled, QueryOptions, ending, joined
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
    """Compile a query for the index.

    Args:
        query: As `strategy.choose` saw it.
        source: The version.
        scores: The vector of the semantic match.
        search: What to ask the index.
        given: Parameters that clauses name: group, tree, uuid (of the tree) and, if given, version.
        options: How the result is cut.

    Returns:
        As `compile_query`, with two columns more: `fetched`, how many the index gave, and `lowest`, the
        score of the last of them. The result is complete unless `fetched` is what was asked for, fewer
        rows than wanted came, and `lowest` is not below the threshold.
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
        f"WITH shown, root, hit.c AS c0, hit.s AS s0{_filtered(search, source, params)}",
        "CALL (root, c0) {",
        *_climb(search, params),
        "}",
        "WITH c0 AS n0, s0, [shown] + q0 AS o0",
    ]
    order, row = source.finish(_FRAME)
    lines += [*ending(query, params, _FRAME, order, options), source.collected(row)]
    lines[-1] += ", size(hits) AS fetched, coalesce(last(hits).s, 0.0) AS lowest"
    return Compiled(statement=joined(lines), params=params.values, semantic=True)


def _filtered(search: IndexSearch, source: TreeSource, params: Params) -> str:
    def never(expr: Expr) -> str:
        raise AssertionError(expr)

    def attribute(name: str) -> str:
        return source.attribute(params, "hit.c", name)

    tests = [f"{expression(found, never, attribute, params.add)} = 1.0" for found in search.filters]
    return f" WHERE {' AND '.join(tests)}" if tests else ""


def _climb(search: IndexSearch, params: Params) -> list[str]:
    """Walk up from a hit, a step at a time: a node has few parents, the root many children."""
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
