"""Ingestion by an LLM: calls, outages, runaway replies, and replies that must not block a group."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from mnemo.config import IngestionSettings
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.ingestion.llm.judge import LlmJudge
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Message
from mnemo.models.progress import Progress
from mnemo.models.results import Counts
from mnemo.providers.base import Embedder, Llm
from mnemo.providers.factory import build_llm
from mnemo.store.driver import Database
from mnemo.store.records import episode
from support.llm_server import LlmServer, Reply, Request

NAMES = ["Sam Lee", "Samuel Lee", "Birch Labs", "Birch Lab"]
MESSAGES = [Message(content=f"{NAMES[n % 4]} came by on visit {n}.", session="s", speaker="Ana") for n in range(40)]


def reply(request: Request) -> Reply:
    """Play an LLM that extracts each visitor and judges all pairs as different."""
    if request.schema_name == "JudgeReply":
        return Reply.json({"verdicts": [{"number": number, "verdict": "different"} for number in range(1, 61)]})
    lines = [line for line in request.user.splitlines() if " came by on visit " in line and "earlier" not in line]
    said = {name: [n for n, line in enumerate(lines, 1) if f"{name} came" in line] for name in NAMES}
    entities = [
        {"name": name, "kind": "thing", "tags": [], "summary": "", "aliases": [], "messages": numbers}
        for name, numbers in said.items()
        if numbers
    ]
    return Reply.json({"entities": entities, "facts": []})


@pytest.fixture
async def model(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings({"max_retries": 0}))
    assert built is not None
    yield built
    await built.close()


async def test_fast_profile_makes_at_most_two_calls_a_window(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    llm.handle(reply)
    settings = IngestionSettings(profile="fast", window=20)
    extractor, judge = LlmExtractor(model, settings), LlmJudge(model)
    pipeline = Pipeline(database, embedder, extractor, judge=judge, settings=settings)
    await pipeline.acknowledge(group, MESSAGES)
    processed = await pipeline.process(group)
    assert await pipeline.status(group) == Counts(done=40)
    assert processed.stopped is None
    assert 2 <= llm.chats <= 4
    assert processed.usage.calls == llm.chats


async def test_only_the_message_that_breaks_the_llm_fails(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    def fails_at_37(request: Request) -> Reply:
        asked = any("visit 37." in text for _, text in request.messages)
        return Reply.text("sorry, no") if asked else reply(request)

    llm.handle(fails_at_37)
    pipeline = Pipeline(database, embedder, LlmExtractor(model, IngestionSettings()))
    messages = [Message(content=f"Sam Lee came by on visit {n}.", session="s", speaker="Ana") for n in range(100)]
    added = await pipeline.acknowledge(group, messages)
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (99, 1, 0)
    assert list(processed.reasons) == [added.uuids[37]]
    llm.handle(reply)
    assert (await pipeline.retry(group)).done == 1


async def test_unreachable_llm_leaves_all_pending(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    llm.handle(lambda _: Reply.error(500))
    pipeline = Pipeline(database, embedder, LlmExtractor(model, IngestionSettings()))
    await pipeline.acknowledge(group, MESSAGES)
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (0, 0, 40)
    assert processed.stopped is not None
    llm.handle(reply)
    assert (await pipeline.process(group)).done == 40


HOMES = [Message(content=f"I live in Town{n}.", session="s", speaker=f"Person{n}") for n in range(24)]
RUNAWAY = Reply.cut('{"entities": [' + '{"name": "Ann", "kind": "person"}, ' * 60)


def found(_: Request) -> Reply:
    """Play an LLM that finds nothing."""
    return Reply.json({"entities": [], "facts": []})


async def test_window_with_a_runaway_reply_is_read_by_the_local_extractor(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    llm.handle(lambda _: RUNAWAY)
    pipeline = Pipeline(
        database, embedder, LlmExtractor(model, IngestionSettings()), judge=LlmJudge(model), fallback=LocalExtractor()
    )
    added = await pipeline.acknowledge(group, HOMES)
    seen: list[Progress] = []
    processed = await pipeline.process(group, seen.append)
    assert (processed.done, processed.failed, processed.pending, processed.fallback) == (24, 0, 0, 24)
    assert (llm.chats, processed.edges, processed.stopped) == (2, 24, None)
    assert replace(seen[-1], counts={}) == Progress(stage="write", done=24, total=24)
    assert seen[-1].counts["fallback"] == 24
    (row,) = await database.run("graph/get_episodes", group=group, uuids=[added.uuids[0]])
    assert episode(row["item"]).reason is not None
    assert str(episode(row["item"]).reason).startswith("RunawayReplyError: prompt extract: the reply repeats itself")


async def test_window_with_a_runaway_reply_stays_pending_without_a_fallback(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    llm.handle(lambda request: RUNAWAY if "Town3." in request.user else found(request))
    settings = IngestionSettings(window=6, context=0)
    pipeline = Pipeline(database, embedder, LlmExtractor(model, settings), settings=settings)
    await pipeline.acknowledge(group, HOMES)
    processed = await pipeline.process(group)
    assert (processed.done, processed.failed, processed.pending) == (18, 0, 6)
    assert "repeats itself" in str(processed.stopped)
    llm.handle(found)
    assert (await pipeline.process(group)).done == 6


async def test_llm_is_not_asked_again_after_three_runaway_windows(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    llm.handle(lambda _: RUNAWAY)
    settings = IngestionSettings(window=2)
    pipeline = Pipeline(database, embedder, LlmExtractor(model, settings), settings=settings, fallback=LocalExtractor())
    await pipeline.acknowledge(group, HOMES)
    processed = await pipeline.process(group)
    assert (processed.done, processed.fallback, llm.chats) == (24, 24, 3)


def odd(**fields: Any) -> dict[str, Any]:
    """Build a fact of message 1 with invalid fields."""
    plain = {"message": 1, "subject": "Ana", "relation": "likes", "object": None, "state": "holds"}
    return plain | {"fact": "Ana likes tea", "quote": "I like tea", "when": None} | fields


ODD_REPLIES = [
    {"entities": [], "facts": [odd(fact="Ana likes tea \ud83d", relation="\udfff")]},
    {"entities": [{"name": "tea\u0000", "tags": ["\u0000"], "summary": "\u0000", "messages": [1]}], "facts": [odd()]},
    {"entities": [{"name": "tea " * 5000, "messages": [1]}], "facts": [odd(object="tea " * 5000)]},
    {"entities": [{"name": "tea", "tags": ["t" * 9000] * 500, "aliases": ["tea " + "x" * 9000] * 50}], "facts": []},
    {"entities": [], "facts": [odd(fact="tea " * 30_000, relation="likes " * 9000)]},
    {"entities": [], "facts": [odd(relation="", fact="\u200b")]},
    {"entities": [], "facts": [odd(relation="*:~^)(/\\ AND OR", object="tea*:~^)(/")]},
    {"entities": [{"name": "", "messages": [10**30]}], "facts": [odd(message=10**30)]},
    {"entities": [{"name": "tea", "messages": list(range(5000))}], "facts": [odd()] * 3000},
    {"facts": {"message": 1}},
    [],
    "tea",
    None,
]


async def test_no_reply_blocks_its_group(
    database: Database, embedder: Embedder, group: str, llm: LlmServer, model: Llm
) -> None:
    settings = IngestionSettings(window=1)
    pipeline = Pipeline(database, embedder, LlmExtractor(model, settings), judge=LlmJudge(model), settings=settings)
    for number, reply in enumerate(ODD_REPLIES):
        llm.handle(lambda _, reply=reply: Reply.json(reply))  # type: ignore[misc]  # bound at once
        await pipeline.acknowledge(group, [Message(content=f"I like tea {number}", session="s", speaker="Ana")])
        processed = await pipeline.process(group)
        assert (processed.done + processed.failed, processed.pending, processed.stopped) == (1, 0, None), reply
    llm.handle(lambda _: Reply.json({"entities": [], "facts": [odd(fact="Ana likes tea a lot")]}))
    await pipeline.acknowledge(group, [Message(content="I like tea", session="s", speaker="Ana")])
    assert (await pipeline.process(group)).done == 1
