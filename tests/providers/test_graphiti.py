import logging
import subprocess
import sys
from collections.abc import AsyncIterator

import numpy as np
import pytest
from pydantic import BaseModel

from mnemo.errors import ConfigError, MalformedReplyError, ProviderError, ProviderTimeoutError, RateLimitError
from mnemo.providers.base import Chat, Prompt
from mnemo.providers.graphiti import GraphitiEmbedder, GraphitiLlm, GraphitiReranker, load_client
from support.llm_server import LlmServer, Reply, Request, vector_of
from support.paths import ROOT

SECRET = "Ada moved to Lisbon"
PROMPT = Prompt(name="extract", chats=(Chat(role="system", content="List names."), Chat(role="user", content=SECRET)))


class Names(BaseModel):
    names: list[str]


@pytest.fixture(autouse=True)
def address(llm: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the address of the server for the factories."""
    monkeypatch.setenv("SCRIPTED_LLM", llm.base_url)


@pytest.fixture(params=["generic", "openai"])
async def client(request: pytest.FixtureRequest, address: None) -> AsyncIterator[GraphitiLlm]:  # noqa: ARG001  # sets the address
    llm = GraphitiLlm(load_client(f"support.graphiti_clients:{request.param}", "a test"), timeout_s=5)
    yield llm
    await llm.close()


async def test_reply_is_parsed_into_the_model(llm: LlmServer, client: GraphitiLlm) -> None:
    llm.script(Reply.json({"names": ["Ada"]}))
    reply = await client.complete(PROMPT, Names)
    assert reply.value == Names(names=["Ada"])
    assert reply.usage.calls == 1
    assert reply.usage.input_tokens >= 8
    assert SECRET in llm.requests[0].user
    assert client.model == "gpt-4.1-mini"


async def test_text_reply_is_returned(llm: LlmServer, client: GraphitiLlm) -> None:
    llm.script(Reply.json({"text": " In Lisbon. "}))
    assert (await client.write(PROMPT)).value == "In Lisbon."


async def test_reply_that_does_not_fit_is_requested_once_more(llm: LlmServer, client: GraphitiLlm) -> None:
    llm.script(Reply.json({"people": 3}), Reply.json({"names": ["Ada"]}))
    assert (await client.complete(PROMPT, Names)).value.names == ["Ada"]
    assert llm.chats == 2


async def test_two_invalid_replies_raise_an_error_with_their_usage(llm: LlmServer, client: GraphitiLlm) -> None:
    llm.handle(lambda _: Reply.json({"people": 3}))
    with pytest.raises(MalformedReplyError) as caught:
        await client.complete(PROMPT, Names)
    assert getattr(caught.value.usage, "calls", 0) == 2


async def test_hanging_client_times_out(llm: LlmServer) -> None:
    client = GraphitiLlm(load_client("support.graphiti_clients:generic", "a test"), timeout_s=0.3)
    llm.script(Reply.hang())
    with pytest.raises(ProviderTimeoutError):
        await client.complete(PROMPT, Names)
    await client.close()


async def test_failure_leaks_no_memory_text(
    llm: LlmServer, client: GraphitiLlm, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    llm.script(Reply.error(400, message=SECRET), Reply.error(400, message=SECRET), Reply.error(400, message=SECRET))
    with pytest.raises(ProviderError) as caught:
        await client.complete(PROMPT, Names)
    logging.getLogger("test").error("failed", exc_info=caught.value)
    assert "Lisbon" not in caplog.text


async def test_embedder_returns_unit_rows_in_order(llm: LlmServer) -> None:
    llm.scale = 2.0
    embedder = GraphitiEmbedder(load_client("support.graphiti_clients:embedder", "a test"), batch_size=2)
    vectors = await embedder.passages(["a", "b", "c"])
    assert vectors == pytest.approx(np.array([vector_of(text, 16) for text in "abc"]), abs=1e-6)
    assert (embedder.model, embedder.dimensions) == ("graphiti/e", 16)
    assert (await embedder.questions([])).shape == (0, 16)
    await embedder.close()


class OneByOne:
    """An embedder client without batches or a configuration."""

    async def create(self, input_data: str) -> list[float]:
        return vector_of(input_data, 4)

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        raise NotImplementedError


async def test_client_without_batches_embeds_one_by_one() -> None:
    vectors = await GraphitiEmbedder(OneByOne(), dimensions=4).passages(["a", "b"])
    assert vectors == pytest.approx(np.array([vector_of(text, 4) for text in "ab"]), abs=1e-6)


def test_unknown_dimensions_are_rejected() -> None:
    with pytest.raises(ConfigError, match="MNEMO_EMBEDDING__DIMENSIONS"):
        GraphitiEmbedder(OneByOne())


async def test_reranker_scores_in_the_order_of_the_texts(llm: LlmServer) -> None:
    def judge(request: Request) -> Reply:
        likely = -0.1 if "cat sat" in request.user else -2.0
        return Reply.text("True", top_logprobs=(("True", likely), ("False", -3.0)))

    llm.handle(judge)
    reranker = GraphitiReranker(load_client("support.graphiti_clients:cross_encoder", "a test"))
    scores = await reranker.scores("Where is the pet?", ["a dog ran", "the cat sat", "a dog ran"])
    assert scores == pytest.approx([np.exp(-2.0), np.exp(-0.1), np.exp(-2.0)])
    assert await reranker.scores("?", []) == []
    await reranker.close()


async def test_rate_limit_is_converted(llm: LlmServer) -> None:
    llm.handle(lambda _: Reply.error(429))
    reranker = GraphitiReranker(load_client("support.graphiti_clients:cross_encoder", "a test"))
    with pytest.raises(RateLimitError):
        await reranker.scores("?", ["a"])
    await reranker.close()


@pytest.mark.parametrize("path", [None, "", "support.graphiti_clients", ":x", "no.such.module:x", "math:nothing"])
def test_invalid_client_path_is_rejected(path: str | None) -> None:
    with pytest.raises(ConfigError, match="MNEMO_LLM__CLIENT"):
        load_client(path, "MNEMO_LLM__CLIENT")


WATCHED = """
import asyncio, sys
called = []
sys.addaudithook(lambda event, args: called.append(args[1][0]) if event == "socket.connect" else
                 called.append(args[0]) if event == "socket.getaddrinfo" else None)
from pydantic import BaseModel
from mnemo.providers.base import Chat, Prompt
from mnemo.providers.graphiti import GraphitiLlm, load_client

class Names(BaseModel):
    names: list[str]

async def main():
    llm = GraphitiLlm(load_client("support.graphiti_clients:generic", "a test"))
    await llm.complete(Prompt(name="x", chats=(Chat(role="user", content="hi"),)), Names)
    await llm.close()
    from graphiti_core.telemetry import capture_event
    capture_event("graphiti_initialized", {})

asyncio.run(main())
import atexit
atexit.register(lambda: print("called", sorted({str(host) for host in called})))
"""


def test_only_the_llm_server_is_contacted(llm: LlmServer) -> None:
    llm.script(Reply.json({"names": []}))
    done = subprocess.run(  # noqa: S603  # runs the text above
        [sys.executable, "-c", WATCHED],
        check=True,
        capture_output=True,
        text=True,
        env={"SCRIPTED_LLM": llm.base_url, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "HOME": "/nonexistent"},
    )
    assert done.stdout.strip() == "called ['127.0.0.1']"
