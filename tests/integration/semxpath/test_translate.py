"""Natural-language requests on trees, translated by rules and by an LLM with scripted replies."""

import json
from collections.abc import AsyncIterator

import pytest

from mnemo.bench.trees.requests import run
from mnemo.errors import ArgumentError, NotFoundError, QuerySchemaError
from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from mnemo.providers.local import LocalEmbedder
from mnemo.samples.domains import DOMAINS, DomainName, domain
from mnemo.semxpath.natural_language.translate import Translator
from mnemo.semxpath.trees.memory import TreeMemory, Trees
from mnemo.store.driver import Database
from support.embedders import HashEmbedder
from support.llm_server import LlmServer, Reply

LEAST_BY_RULES: dict[DomainName, int] = {"trip": 13, "todo": 14, "meals": 11}


@pytest.fixture
async def trip(database: Database, group: str) -> TreeMemory:
    tree = Trees(database, HashEmbedder(), group).tree("trip")
    sample = domain("trip")
    await tree.import_(sample.text, sample.format_name)
    return tree


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings())
    assert built is not None
    yield built
    await built.close()


async def names(tree: TreeMemory, query: str) -> list[str]:
    return [match.attributes["name"] for match in (await tree.xpath(query)).matches]


@pytest.mark.parametrize("name", DOMAINS)
async def test_gold_plans_from_an_llm_give_the_gold_results(
    database: Database, group: str, embedder: LocalEmbedder, llm: LlmServer, client: Llm, name: DomainName
) -> None:
    sample = domain(name)
    replies = {gold.words: gold.reply for gold in sample.requests}
    llm.handle(lambda request: Reply.json(dict(replies[request.user])))
    rows = await run(Trees(database, embedder, group), sample, Translator(client))
    assert [row.words for row in rows if not row.right] == []
    assert len(rows) == 15
    assert sum(row.subtree_tokens for row in rows) < 0.2 * sum(row.tree_tokens for row in rows)


@pytest.mark.parametrize("name", DOMAINS)
async def test_rules_answer_most_simple_requests(
    database: Database, group: str, embedder: LocalEmbedder, name: DomainName
) -> None:
    rows = await run(Trees(database, embedder, group), domain(name), Translator(None))
    assert sum(row.right for row in rows) >= LEAST_BY_RULES[name]


async def test_invalid_query_is_sent_back_once_with_the_error(trip: TreeMemory, llm: LlmServer, client: Llm) -> None:
    llm.script(
        Reply.json({"kind": "read", "query": "/Day[2]/Restaurants"}),
        Reply.json({"kind": "read", "query": "/Day[2]/Restaurant"}),
    )
    outcome = await Translator(client).ask(trip, "where do we eat on day 2?")
    assert outcome.result is not None
    assert [match.attributes["name"] for match in outcome.result.matches] == ["Pastelaria do Rio", "Ponto Final"]
    assert outcome.request.usage.calls == 2
    assert "did you mean `Restaurant`" in llm.requests[-1].user
    assert "Restaurant x20" in llm.requests[0].system


async def test_second_invalid_query_is_an_error(trip: TreeMemory, llm: LlmServer, client: Llm) -> None:
    llm.script(*[Reply.json({"kind": "read", "query": "/Hotel"})] * 2)
    with pytest.raises(QuerySchemaError, match="unknown type"):
        await Translator(client).ask(trip, "hotels?")


async def test_dry_run_shows_changes_without_making_them(trip: TreeMemory) -> None:
    translator = Translator(None)
    shown = await translator.preview(trip, "move the Museu do Azulejo to day 8")
    assert shown.version is None
    assert shown.diff is not None
    assert [(change.kind, change.path) for change in shown.diff.changes] == [("moved", "/Day[8]/Place[3]")]
    assert len(await trip.log()) == 1
    done = await translator.act(trip, "move the Museu do Azulejo to day 8")
    assert done.diff is not None
    assert done.diff.changes == shown.diff.changes
    assert (await trip.log())[-1].request == "move the Museu do Azulejo to day 8"


async def test_dry_run_shows_the_same_changes_as_the_edit(trip: TreeMemory) -> None:
    translator = Translator(None)
    for words in (
        "add a restaurant Time Out Market to day 10",
        "rename Essência to Essência Garden",
        "set the price of MAAT to 12",
        "delete the places on day 3",
        "cancel the fado dinner on day 1",
    ):
        shown = await translator.preview(trip, words)
        done = await translator.act(trip, words)
        assert shown.diff is not None
        assert done.diff is not None
        assert shown.diff.changes == done.diff.changes != ()


async def test_reverts_to_the_version_before_a_change(trip: TreeMemory) -> None:
    translator = Translator(None)
    await translator.act(trip, "cancel the fado dinner on day 1")
    await translator.act(trip, "delete the places on day 3")
    shown = await translator.preview(trip, "undo")
    assert shown.diff is not None
    assert [(change.kind, change.path) for change in shown.diff.changes] == [
        ("added", "/Day[3]/Place[1]"),
        ("added", "/Day[3]/Place[2]"),
    ]
    back = await translator.act(trip, "go back to version 1")
    assert (back.base, back.version.number if back.version else 0) == (1, 4)
    assert "Fado na Cave" in await names(trip, "/Day[1]/Restaurant")
    with pytest.raises(NotFoundError, match="no version matches"):
        await translator.act(trip, "go back to version 77")


async def test_reads_an_earlier_version(trip: TreeMemory, llm: LlmServer, client: Llm) -> None:
    await Translator(None).act(trip, "cancel the fado dinner on day 1")
    llm.script(
        Reply.json(
            {
                "kind": "read",
                "query": "/Day[1]/Restaurant",
                "version_query": '/Version[request ~= "cancel the fado dinner"]',
                "before": True,
            }
        )
    )
    outcome = await Translator(client).ask(trip, "where did we eat before I cancelled the fado dinner?")
    assert outcome.result is not None
    assert (outcome.base, len(outcome.result.matches)) == (1, 2)


async def test_request_that_no_rule_matches_is_an_error_with_examples(trip: TreeMemory) -> None:
    translator = Translator(None)
    for words in ("sing me a song", "x" * 10):
        with pytest.raises(ArgumentError, match="no LLM is configured"):
            await translator.ask(trip, words)
    with pytest.raises(ArgumentError, match="1 to 4,000"):
        await translator.ask(trip, "x" * 5000)
    with pytest.raises(ArgumentError, match="would change the tree"):
        await translator.ask(trip, "cancel the fado dinner on day 1")


async def test_incomplete_plan_is_sent_back(trip: TreeMemory, llm: LlmServer, client: Llm) -> None:
    move = {"kind": "move", "query": "//Place[@name = 'MAAT']"}
    llm.script(
        Reply.json({"kind": "edit", "edits": [move]}),
        Reply.json({"kind": "edit", "edits": [{**move, "parent": "/Day[1]", "position": 1}]}),
    )
    outcome = await Translator(client).act(trip, "MAAT first thing on day 1")
    assert outcome.version is not None
    assert (await names(trip, "/Day[1]/Place"))[0] == "MAAT"
    assert json.loads(llm.requests[-1].body["messages"][-2]["content"])["kind"] == "edit"
