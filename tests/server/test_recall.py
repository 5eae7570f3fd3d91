"""What is drawn of an answer."""

from dataclasses import replace
from datetime import UTC, datetime

from mnemo.models.graph import Edge, Entity
from mnemo.models.results import Answer, Citation, Context, Found, SearchResult, Usage, WalkLayer
from mnemo.server.recall import reply_of
from support.builders import episode

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def edge(place: int, *sources: str) -> Found[Edge]:
    item = Edge(
        uuid=f"f{place}",
        group="g",
        fact="x",
        relation="r",
        subject="e0",
        object=None,
        valid_from=None,
        valid_to=None,
        recorded_at=NOW,
    )
    return Found(item=item, score=1.0 / (place + 1), sources=sources)


def answer(edges: list[Found[Edge]], cited: list[str]) -> Answer:
    result = SearchResult(
        question="Who?",
        group="g",
        route="both",
        episodes=(),
        entities=tuple(Found(item=Entity(uuid=f"e{n}", group="g", name="x"), score=1.0) for n in range(6)),
        edges=tuple(edges),
        context=Context(text="c", tokens=1, budget=50, sources=("m0", "m1"), truncated=True),
        usage=Usage(calls=2, input_tokens=10, output_tokens=1),
        walk=(
            WalkLayer(layer=2, offered=3, chosen=("World",)),
            WalkLayer(layer=1, offered=3, chosen=("Pets", "World")),
            WalkLayer(layer=0, offered=3, chosen=("Biscuit",)),
        ),
    )
    citations = tuple(
        Citation(mark=mark, episode=replace(episode("x"), uuid=uuid), quote="x") for mark, uuid in enumerate(cited, 1)
    )
    usage = Usage(calls=1, input_tokens=5, output_tokens=4)
    return Answer(question="Who?", text="Ann [1].", by="llm", citations=citations, result=result, usage=usage)


def test_facts_behind_the_answer_come_first_and_few_others_follow() -> None:
    reply = reply_of(answer([edge(n, f"m{n}") for n in range(7)], ["m5", "m2"]))
    assert reply.edges == ["f2", "f5", "f0", "f1"]
    assert reply.episodes == ["m5", "m2", "m0", "m1"]
    assert reply.entities == ["e0", "e1", "e2", "e3"]


def test_at_most_eight_facts_behind_the_answer_are_drawn() -> None:
    reply = reply_of(answer([edge(n, "m0", f"m{n}") for n in range(12)], ["m0"]))
    assert reply.edges == [f"f{n}" for n in range(8)]
    assert reply.episodes == ["m0"]


def test_categories_are_those_entered_each_once_without_entities() -> None:
    assert reply_of(answer([], [])).categories == ["World", "Pets"]


def test_cost_and_truncation_are_reported() -> None:
    reply = reply_of(answer([], []))
    assert (reply.calls, reply.tokens, reply.truncated, reply.answer, reply.by) == (3, 20, True, "Ann [1].", "llm")
