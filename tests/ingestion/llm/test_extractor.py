"""Extraction by an LLM over real HTTP, and validation of its replies."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from mnemo.config import IngestionSettings
from mnemo.errors import MalformedReplyError
from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.ingestion.llm.judge import LlmJudge
from mnemo.ingestion.resolution.resolver import resolve_window
from mnemo.ingestion.resolution.types import EntityCandidate, JudgeQuestion
from mnemo.models.graph import Episode
from mnemo.providers.base import Llm
from mnemo.providers.factory import build_llm
from support.builders import episode
from support.llm_server import LlmServer, Reply


def said(content: str, place: int = 0, speaker: str | None = "Ana", **changes: Any) -> Episode:
    return replace(episode(content, place), speaker=speaker, **changes)


def window(*episodes: Episode, context: tuple[Episode, ...] = ()) -> Window:
    return Window(group="g", episodes=episodes, context=context)


def entity(name: str, *messages: int, **fields: Any) -> dict[str, Any]:
    return {"name": name, "kind": "thing", "tags": [], "summary": "", "aliases": [], "messages": messages} | fields


def fact(quote: str, subject: str = "Ana", target: str | None = "Birch", **fields: Any) -> dict[str, Any]:
    return {
        "message": 1,
        "subject": subject,
        "relation": "works_at",
        "object": target,
        "state": "begins",
        "fact": f"{subject} joined {target}",
        "quote": quote,
        "when": None,
    } | fields


@pytest.fixture
async def model(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings())
    assert built is not None
    yield built
    await built.close()


async def read(
    model: Llm, llm: LlmServer, seen: Window, *facts: dict[str, Any], entities: tuple[Any, ...] = ()
) -> Extraction:
    llm.script(Reply.json({"entities": entities, "facts": facts}))
    return await LlmExtractor(model, IngestionSettings()).extract(seen)


JOINED = said("I joined Birch last week. Who else?")


async def test_fact_carries_its_quote_span_and_resolved_date(model: Llm, llm: LlmServer) -> None:
    extraction = await read(model, llm, window(JOINED), fact("i joined  BIRCH last week", when="last week"))
    (found,) = extraction.facts
    assert found.quote == "I joined Birch last week" == JOINED.content[found.start : found.end]
    assert (found.relation, found.state, found.when, found.precision) == ("works_at", "begins", "last week", "week")
    assert found.valid_from == datetime(2023, 5, 1, tzinfo=UTC)
    assert found.fact == "Ana joined Birch (week of 2023-05-01)"
    assert extraction.dropped == {}
    assert extraction.usage.calls == 1


async def test_quote_missing_from_its_message_is_rejected_and_counted(model: Llm, llm: LlmServer) -> None:
    extraction = await read(model, llm, window(JOINED), fact("I joined Oak"), fact("", fact="x"))
    assert extraction.facts == ()
    assert extraction.dropped == {"quote_not_found": 2}


async def test_name_from_the_prompt_example_is_rejected(model: Llm, llm: LlmServer) -> None:
    extraction = await read(
        model,
        llm,
        window(JOINED),
        fact("I joined Birch", subject="Quenby Vasthorpe"),
        fact("I joined Birch", target="Drumloch Bindery"),
        fact("I joined Birch", fact="Ana joined Birch with Quenby"),
        entities=(entity("Drumloch Bindery", 1),),
    )
    assert extraction.facts == ()
    assert [mention.name for mention in extraction.mentions] == ["Ana"]
    assert extraction.dropped == {"copied_example": 4}


async def test_name_that_is_not_in_the_window_is_rejected(model: Llm, llm: LlmServer) -> None:
    extraction = await read(
        model, llm, window(JOINED), fact("I joined Birch", target="Zorblax"), entities=(entity("Oak", 1),)
    )
    assert extraction.facts == ()
    assert extraction.dropped == {"unknown_name": 2}


async def test_names_from_the_context_are_allowed_but_context_is_not_extracted(model: Llm, llm: LlmServer) -> None:
    before = said("Birch is hiring", speaker="Ben")
    seen = window(said("I start there on Monday", 1), context=(before,))
    extraction = await read(
        model, llm, seen, fact("I start there"), fact("Birch is hiring", subject="Birch", target=None)
    )
    assert [(found.object, found.quote) for found in extraction.facts] == [("Birch", "I start there")]
    assert extraction.dropped == {"quote_not_found": 1}
    assert "[earlier] Ben" in llm.requests[0].user


@pytest.mark.parametrize("name", ["I", "me", "User", "the user", "ana"])
async def test_i_me_and_user_refer_to_the_speaker(model: Llm, llm: LlmServer, name: str) -> None:
    extraction = await read(model, llm, window(JOINED), fact("I joined Birch", subject=name))
    assert [found.subject for found in extraction.facts] == ["Ana"]


async def test_speakers_are_always_entities(model: Llm, llm: LlmServer) -> None:
    extraction = await read(model, llm, window(said("Hi", 0), said("Hello", 1, speaker="Ben")))
    assert [(mention.name, mention.speaker, len(mention.episodes)) for mention in extraction.mentions] == [
        ("Ana", True, 1),
        ("Ben", True, 1),
    ]


async def test_message_numbers_out_of_range_are_ignored_and_counted(model: Llm, llm: LlmServer) -> None:
    extraction = await read(
        model, llm, window(JOINED), fact("I joined Birch", message=7), entities=(entity("Birch", 0, 1, 99),)
    )
    assert extraction.dropped == {"no_such_message": 3}
    assert [mention.name for mention in extraction.mentions] == ["Ana", "Birch"]


async def test_tags_are_limited_to_five_of_three_words(model: Llm, llm: LlmServer) -> None:
    tags = ["a b c d", "One", "two", "three", "four", "five", "six"]
    extraction = await read(model, llm, window(JOINED), entities=(entity("Birch", 1, tags=tags),))
    assert extraction.mentions[1].tags == ("one", "two", "three", "four", "five")
    assert extraction.dropped == {"tag": 2}


async def test_time_missing_from_the_message_is_dropped(model: Llm, llm: LlmServer) -> None:
    extraction = await read(model, llm, window(JOINED), fact("I joined Birch", when="yesterday"))
    assert (extraction.facts[0].when, extraction.facts[0].valid_from) == (None, None)


async def test_message_without_a_time_leaves_the_date_unknown(model: Llm, llm: LlmServer) -> None:
    seen = window(replace(JOINED, occurred_at=None))
    extraction = await read(model, llm, seen, fact("I joined Birch", when="last week"))
    assert (extraction.facts[0].valid_from, extraction.facts[0].when) == (None, "last week")
    assert extraction.facts[0].said_at == JOINED.recorded_at


async def test_day_phrases_use_the_local_day_of_the_message(model: Llm, llm: LlmServer) -> None:
    auckland = said(
        "I joined Birch yesterday", occurred_at=datetime(2023, 5, 7, 12, 30, tzinfo=UTC), zone="Pacific/Auckland"
    )
    extraction = await read(model, llm, window(auckland), fact("I joined Birch yesterday", when="yesterday"))
    assert extraction.facts[0].fact == "Ana joined Birch (2023-05-07)"
    assert extraction.facts[0].valid_from == datetime(2023, 5, 6, 12, 0, tzinfo=UTC)


async def test_system_messages_are_read_only_when_asked(model: Llm, llm: LlmServer) -> None:
    prompt = said("You are a helpful bot of Acme", speaker=None, role="system")
    assert await LlmExtractor(model, IngestionSettings()).extract(window(prompt)) == Extraction()
    assert llm.chats == 0
    llm.script(Reply.json({"entities": [entity("Acme", 1)], "facts": []}))
    extraction = await LlmExtractor(model, IngestionSettings(extract_system=True)).extract(window(prompt))
    assert [mention.name for mention in extraction.mentions] == ["Acme"]


async def test_fast_profile_makes_one_call_and_one_more_for_uncertain_items(model: Llm, llm: LlmServer) -> None:
    seen = window(*(said(f"I joined Birch{n}", n) for n in range(20)))
    facts = [fact(f"I joined Birch{n}", target=f"Birch{n}", message=n + 1) for n in range(20)]
    llm.script(Reply.json({"entities": [], "facts": facts}))
    llm.script(Reply.json({"verdicts": [{"number": 1, "verdict": "same"}]}))
    extraction = await LlmExtractor(model, IngestionSettings()).extract(seen)
    assert len(extraction.facts) == 20
    near = [(EntityCandidate(uuid=f"u{n}", name=f"company {n}", similarity=0.0),) for n in range(21)]
    near[0] = (EntityCandidate(uuid="ann", name="Annika", similarity=0.99),)
    writes = await resolve_window(extraction, near, [], LlmJudge(model), lambda item: f"new {item!r}")
    assert llm.chats == 2
    assert extraction.usage.calls + writes.usage.calls == 2


async def test_paper_profile_makes_a_reflection_call(model: Llm, llm: LlmServer) -> None:
    llm.script(Reply.json({"entities": [], "facts": [fact("I joined Birch")]}))
    llm.script(
        Reply.json({"entities": [], "facts": [fact("Who else?", target=None, relation="asks"), fact("I joined Birch")]})
    )
    extraction = await LlmExtractor(model, IngestionSettings(profile="paper")).extract(window(JOINED))
    assert [found.relation for found in extraction.facts] == ["works_at", "asks"]
    assert (llm.chats, extraction.usage.calls) == (2, 2)
    assert "- Ana joined Birch" in llm.requests[1].user


async def test_unknown_kind_and_state_become_defaults(model: Llm, llm: LlmServer) -> None:
    odd = entity("Birch", 1, kind="Company")
    extraction = await read(model, llm, window(JOINED), fact("I joined Birch", state="past"), entities=(odd,))
    assert extraction.mentions[1].kind == "thing"
    assert (extraction.facts[0].relation, extraction.facts[0].state) == ("worked_at", "happened")
    assert llm.chats == 1


async def test_two_unreadable_replies_are_an_error(model: Llm, llm: LlmServer) -> None:
    llm.script(Reply.text("I would rather not."), Reply.text("Still not."))
    with pytest.raises(MalformedReplyError):
        await LlmExtractor(model, IngestionSettings()).extract(window(JOINED))


async def test_judge_answers_in_order_and_defaults_to_different(model: Llm, llm: LlmServer) -> None:
    questions = [JudgeQuestion(kind="entity", new="a", known="b")] * 3 + [
        JudgeQuestion(kind="fact", new="a", known="b", may_contradict=True)
    ]
    verdicts = [(4, "contradicts"), (1, "same"), (2, "contradicts"), (9, "same")]
    llm.script(Reply.json({"verdicts": [{"number": number, "verdict": verdict} for number, verdict in verdicts]}))
    decided = await LlmJudge(model).decide(questions)
    assert decided.verdicts == ("same", "different", "different", "contradicts")
    assert decided.usage.calls == 1


async def test_japanese_facts_stay_in_japanese(model: Llm, llm: LlmServer) -> None:
    seen = window(said("私は昨日、東京タワーに行きました。", speaker="田中"))
    visit = fact(
        "東京タワーに行きました",
        subject="田中さん",
        target="東京タワー",
        relation="visited",
        state="happened",
        fact="田中は東京タワーに行った",
        when="昨日",
    )
    extraction = await read(model, llm, seen, visit)
    assert [(found.subject, found.object, found.fact) for found in extraction.facts] == [
        ("田中", "東京タワー", "田中は東京タワーに行った (2023-05-07)")
    ]
