"""Runs the text cases on the oracle, which verifies the oracle itself."""

import pytest

from mnemo.errors import QueryError, QuerySchemaError, QuerySyntaxError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.printer import show
from mnemo.semxpath.language.validate import check, tree_vocabulary
from mnemo.semxpath.schema import infer, merge
from support.tree_cases import Case, load
from support.tree_oracle import evaluate

CASES = load("vectors.semxpath")


def names(case: Case, rows: list[tuple[str, float]]) -> list[tuple[str, float]]:
    by_path = {}
    for index, (_, root) in enumerate(case.history.versions, start=1):
        by_path |= _names(root, f"/Version[{index}]")
    return [(by_path.get(path, path), score) for path, score in rows]


def _names(node: TreeNode, path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for child in node.children:
        counts[child.type] = counts.get(child.type, 0) + 1
        own = f"{path}/{child.type}[{counts[child.type]}]"
        found[own] = child.attributes["name"]
        found |= _names(child, own)
    return found


def run(case: Case) -> list[tuple[str, float]]:
    query = parse(case.query)
    roots = [root for _, root in case.history.versions]
    schema = infer(roots[0])
    for root in roots[1:]:
        schema = merge(schema, infer(root))
    check(query, tree_vocabulary(schema))
    assert parse(show(query)) == query
    return names(case, evaluate(query, case.history, case.score, case.options))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case_on_the_oracle(case: Case) -> None:
    if case.error is None:
        assert run(case) == case.rows
        return
    kind, offset, words = case.error
    with pytest.raises(QueryError, match=words) as caught:
        run(case)
    assert isinstance(caught.value, QuerySyntaxError if kind == "syntax" else QuerySchemaError)
    assert caught.value.offset == offset
    assert caught.value.query == case.query
