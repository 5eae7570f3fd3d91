from collections.abc import AsyncIterator

import pytest

from mnemo.config import IngestionSettings
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.ingestion.llm.judge import LlmJudge
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Message
from mnemo.models.results import Counts
from mnemo.providers.base import Embedder, Llm
from mnemo.providers.factory import build_llm
from mnemo.store.driver import Database
from support.llm_server import LlmServer, Reply, Request

NAMES = ["Sam Lee", "Samuel Lee", "Birch Labs", "Birch Lab"]
MESSAGES = [Message(content=f"{NAMES[n % 4]} came by on visit {n}.", session="s", speaker="Ana") for n in range(40)]


def reply(request: Request) -> Reply:
    """Play an LLM that names who came by, and takes all pairs for different."""
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


async def test_message_that_makes_the_llm_fail_fails_alone(
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


async def test_llm_that_is_down_leaves_all_pending(
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
