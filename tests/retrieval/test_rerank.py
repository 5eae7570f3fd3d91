"""Reranking of results, one type at a time."""

from collections.abc import Sequence
from datetime import UTC, datetime

from mnemo.models.graph import Edge, Entity
from mnemo.models.results import Found
from mnemo.providers.factory import build_llm
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.rerank import LlmReranker, reranked
from support.builders import episode
from support.llm_server import LlmServer, Reply

NOW = datetime(2024, 1, 1, tzinfo=UTC)


class Longest:
    """A reranker that scores by length."""

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        assert question == "which?"
        return [float(len(text)) for text in texts]

    async def close(self) -> None:
        return None


def entity(name: str) -> Found[Entity]:
    return Found(item=Entity(uuid=name, group="g", name=name), score=1.0)


def edge(fact: str) -> Found[Edge]:
    made = Edge(
        uuid=fact, group="g", fact=fact, relation="is", subject="s", object=None, valid_from=None, valid_to=None,
        recorded_at=NOW,
    )  # fmt: skip
    return Found(item=made, score=1.0)


async def test_first_of_each_type_are_reordered_and_the_rest_follow() -> None:
    items = RankedItems(
        episodes=(Found(item=episode("a"), score=2.0), Found(item=episode("bb", 1), score=1.0)),
        entities=(entity("a"), entity("ccc"), entity("bb"), entity("dddd")),
        edges=(edge("x"), edge("yy")),
    )
    done = await reranked(Longest(), "which?", items, 3)
    assert [found.item.content for found in done.episodes] == ["bb", "a"]
    assert [found.item.name for found in done.entities] == ["ccc", "bb", "a", "dddd"]
    assert [found.item.fact for found in done.edges] == ["yy", "x"]
    assert (done.entities[0].signals, done.entities[3].signals) == ({"rerank": 3.0}, {})


async def test_ties_keep_their_order_and_an_empty_type_makes_no_call() -> None:
    done = await reranked(Longest(), "which?", RankedItems(entities=(entity("a"), entity("b"))), 5)
    assert [found.item.name for found in done.entities] == ["a", "b"]


async def test_llm_scores_each_numbered_text(llm: LlmServer) -> None:
    client = build_llm(llm.settings())
    assert client is not None
    llm.script(Reply.json({"scores": [{"number": 2, "relevance": 99}, {"number": 1, "relevance": 3}]}))
    assert await LlmReranker(client).scores("which?", ["a", "b", "c"]) == [3.0, 10.0, 0.0]
    assert "[2] b" in llm.requests[0].user
    await client.close()
