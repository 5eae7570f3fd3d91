"""Queries through the vector index return the same results as exact scoring."""

import pytest

from mnemo.bench.trees.sizes import build_tree
from mnemo.models.tree import QueryOptions
from mnemo.semxpath.compiler.scorers import CosineScorer
from mnemo.semxpath.trees.edits import Delete, Update
from mnemo.semxpath.trees.executor import Address, Executor
from mnemo.semxpath.trees.memory import TreeMemory, Trees
from mnemo.store.driver import Database
from support.embedders import HashEmbedder

GROUP = "test-index"


@pytest.fixture(scope="module")
async def book(database: Database) -> TreeMemory:
    trees = Trees(database, HashEmbedder(), GROUP)
    tree = trees.tree("book")
    if not await trees.list():
        await tree.create(build_tree(300))
        await tree.edit([Delete(query="/Part[1]")])
        await tree.edit([Update(query="/Part[1]/Chapter[1]", attributes={"topic": "new"})])
    return tree


def executors(database: Database) -> tuple[Executor, Executor]:
    cosine = CosineScorer(HashEmbedder())
    return Executor(database, cosine, index_from=1), Executor(database, cosine)


@pytest.mark.parametrize(
    ("query", "cut"),
    [
        ("//Item[node ~= 'a']", {"top_k": 10}),
        ("//*[node ~= 'b']", {"top_k": 5}),
        ("/Part/Chapter/Section/Item[node ~= 'c']", {"top_k": 7}),
        ("/Book/Part//Item[node ~= 'd'][@topic = 'river']", {"top_k": 3}),
        ("//Chapter//Item[node ~= 'e']", {"top_k": 10, "threshold": 0.52}),
        ("(//Item[node ~= 'f'])[3]", {}),
        ("(//Item[node ~= 'f'])[2:4]", {}),
        ("//Item[node ~= 'g']", {"limit": 4}),
    ],
)
async def test_index_returns_the_same_as_exact_scoring(
    database: Database, book: TreeMemory, query: str, cut: dict[str, float]
) -> None:
    assert book.name == "book"
    by_index, exactly = executors(database)
    for version in (None, 1, 2):
        address = Address(group=GROUP, tree="book", version=version)
        options = QueryOptions(**cut)  # type: ignore[arg-type]  # values of mixed types
        explained = await by_index.explain(query, address, options)
        assert "nearest from the vector index" in explained.choice
        assert "SEARCH" in explained.statement
        one = await by_index.xpath(query, address, options)
        other = await exactly.xpath(query, address, options)
        assert [(match.path, match.score) for match in one.matches] == [
            (match.path, match.score) for match in other.matches
        ]


async def test_hits_in_other_versions_do_not_shorten_the_result(database: Database, group: str) -> None:
    tree = Trees(database, HashEmbedder(), group).tree("t")
    await tree.create(build_tree(16))
    for turn in range(12):
        every = [Update(query="//Item", attributes={"name": "same", "turn": turn % 2})]
        await tree.edit(every)
    by_index, exactly = executors(database)
    address = Address(group=group, tree="t")
    options = QueryOptions(top_k=16)
    query = "//Item[node ~= 'Item. name: same']"
    one, other = await by_index.xpath(query, address, options), await exactly.xpath(query, address, options)
    assert len(one.matches) == len(other.matches) == 16
    assert {match.path for match in one.matches} == {match.path for match in other.matches}


@pytest.mark.parametrize(
    ("query", "cut", "why"),
    [
        ("//Item", {}, "no semantic match"),
        ("//Item[node ~= 'a']", {}, "needs a limit"),
        ("//Item[1][node ~= 'a']", {"top_k": 3}, "needs a limit"),
        ("//Chapter[node ~= 'x']/Section/Item[node ~= 'a']", {"top_k": 3}, "needs a limit"),
        ("//Item[name ~= 'a']", {"top_k": 3}, "needs a limit"),
        ("//Item[not node ~= 'a']", {"top_k": 3}, "needs a limit"),
        ("(//Item[node ~= 'a'])[-1]", {"top_k": 3}, "needs a limit"),
        ("/Version//Item[node ~= 'a']", {"top_k": 3}, "all versions"),
    ],
)
async def test_other_queries_are_scored_exactly(
    database: Database, book: TreeMemory, query: str, cut: dict[str, int], why: str
) -> None:
    assert book.name == "book"
    by_index, _ = executors(database)
    explained = await by_index.explain(query, Address(group=GROUP, tree="book"), QueryOptions(**cut))
    assert why in explained.choice
    assert "SEARCH" not in explained.statement
