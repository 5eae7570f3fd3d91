"""Compiled Cypher compared with the naive evaluator: text cases, and 2,000 random queries on seeded random trees."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from mnemo.models.tree import QueryOptions, XPathResult
from mnemo.semxpath.compiler.scorers import CosineScorer
from mnemo.semxpath.language.printer import show
from mnemo.semxpath.language.syntax import Query
from mnemo.semxpath.trees.edits import Replace
from mnemo.semxpath.trees.executor import Address, Executor
from mnemo.semxpath.trees.memory import Trees
from mnemo.store.driver import Database
from support.embedders import HashEmbedder, cosine_score
from support.random_trees import RandomTree, as_json, random_query, random_tree, store_trees, varied
from support.tree_cases import Case, load
from support.tree_oracle import Options as OracleOptions
from support.tree_oracle import evaluate

pytestmark = pytest.mark.slow

CASES = [case for case in load("vectors.semxpath") if case.error is None]
FORMS, QUERIES_A_FORM, TREES = 105, 21, 80
"""The database plans each form of a query once, which takes most of the time."""


class TableScorer:
    """Scores from a function of subject and text."""

    def __init__(self, score) -> None:  # noqa: ANN001 - a scorer of the oracle
        self.score = score

    async def scores(self, text: str, subjects: Sequence[str]) -> Sequence[float]:
        return [self.score(subject, text) for subject in subjects]


def rows(result: XPathResult) -> list[tuple[str, float]]:
    return [(match.path, round(match.score, 9)) for match in result.matches]


@pytest.fixture(scope="module")
async def stored_group(database: Database) -> str:
    group = "test-vectors"
    case = CASES[0]
    trees = Trees(database, HashEmbedder(), group)
    if not await trees.list():
        first, *later = [root for _, root in case.history.versions]
        tree = trees.tree("T")
        await tree.create(first)
        for root in later:
            await tree.edit([Replace(query="/Itinerary", node=root)])
    return group


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
async def test_case_on_the_server(database: Database, stored_group: str, case: Case) -> None:
    trees = Trees(database, HashEmbedder(), stored_group, scorer=TableScorer(case.score))
    options = case.options
    result = await trees.tree("T").xpath(
        case.query,
        version=None if options.version is None else options.version + 1,
        all_versions=options.all_versions,
        options=QueryOptions(threshold=options.threshold, top_k=options.top_k, limit=options.limit),
    )
    named = [(match.attributes.get("name") or match.path, round(match.score, 9)) for match in result.matches]
    assert named == case.rows


def table_score(subject: str, text: str) -> float:
    """Return a score in eighths, with many ties and some zeros."""
    return sum(map(ord, subject + text)) % 9 / 8


async def test_random_queries_agree_with_the_oracle(database: Database, group: str) -> None:
    random = Random(20260101)  # noqa: S311 - seeded on purpose
    trees = [random_tree(random, f"t{index}") for index in range(TREES)]
    await store_trees(database, group, trees)
    cosine = CosineScorer(HashEmbedder())
    exact = Executor(database, cosine, TableScorer(table_score))
    stored = Executor(database, cosine)
    at_once = asyncio.Semaphore(4)
    outcomes: list[bool] = []

    async def compare(query: Query, tree: RandomTree, options: OracleOptions, *, by_vector: bool) -> None:
        score = cosine_score if by_vector else table_score
        expected = evaluate(query, tree.history, score, options)
        address = Address(
            group=group,
            tree=tree.name,
            version=None if options.version is None else options.version + 1,
            all_versions=options.all_versions,
        )
        cut = QueryOptions(threshold=options.threshold, top_k=options.top_k, limit=options.limit)
        async with at_once:
            result = await (stored if by_vector else exact).xpath(show(query), address, cut)
        got = rows(result)
        if by_vector:
            got, expected = sorted(got), sorted(expected)
        same = len(got) == len(expected) and all(
            one[0] == other[0] and math.isclose(one[1], other[1], abs_tol=2e-6 if by_vector else 2e-9)
            for one, other in zip(got, expected, strict=False)
        )
        assert same, f"{show(query)}\n{options}\n{as_json(tree)}\ngot {got}\nexpected {expected}"
        outcomes.append(bool(expected))

    async def form(index: int) -> None:
        own = Random(index)  # noqa: S311 - seeded on purpose
        query = random_query(own, matches=index % 3 > 0)
        by_vector = index % 6 == 1 and query.position is None
        options = OracleOptions(all_versions=own.random() < 0.15)
        if not by_vector:
            options.threshold = own.choice([None, None, 0.25])
            options.top_k = own.choice([None, None, 2])
            options.limit = own.choice([None, None, None, 3])
        for tree in own.sample(trees, QUERIES_A_FORM):
            named = replace(options, version=own.choice([None, 0]) if not options.all_versions else None)
            await compare(varied(own, query), tree, named, by_vector=by_vector)

    await asyncio.gather(*(form(index) for index in range(FORMS)))
    assert len(outcomes) >= 2_000
    assert sum(outcomes) > 0.3 * len(outcomes)
