"""Rerank endpoints in the formats of Cohere, Jina and TEI, over HTTP on 127.0.0.1."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import SecretStr

from mnemo.config import RerankSettings, Settings
from mnemo.errors import ConfigError, MalformedReplyError, ProviderAuthError, ProviderUnavailableError, RateLimitError
from mnemo.providers.factory import build_reranker
from mnemo.providers.rerank import HttpReranker

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


class Endpoint:
    """Answers /rerank with a function and records the requests."""

    def __init__(self) -> None:
        self.answer: Answer = lambda _: (500, {})
        self.asked: list[tuple[dict[str, Any], str | None]] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner.asked.append((body, self.headers.get("Authorization")))
                status, reply = owner.answer(body)
                data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
                self.send_response(status if self.path == "/v1/rerank" else 404)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # name required by http.server
                """Log nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.close()


def cohere(body: dict[str, Any]) -> tuple[int, Any]:
    rows = [{"index": place, "relevance_score": len(text) / 10} for place, text in enumerate(body["documents"])]
    return 200, {"results": sorted(rows, key=lambda row: -row["relevance_score"])}


def tei(body: dict[str, Any]) -> tuple[int, Any]:
    if "texts" not in body:
        return 422, {"error": "missing field texts"}
    return 200, [{"index": place, "score": len(text) / 10} for place, text in enumerate(body["texts"])]


@pytest.mark.parametrize(("answer", "requests"), [(cohere, 2), (tei, 3)])
async def test_scores_are_in_the_order_of_the_texts_in_both_formats(
    endpoint: Endpoint, answer: Answer, requests: int
) -> None:
    endpoint.answer = answer
    reranker = HttpReranker(endpoint.url, model="m", api_key=SecretStr("key"))
    assert await reranker.scores("which?", ["a", "ccc", "bb"]) == [0.1, 0.3, 0.2]
    assert await reranker.scores("which?", ["dddd"]) == [0.4]
    assert len(endpoint.asked) == requests
    assert endpoint.asked[0][1] == "Bearer key"
    assert endpoint.asked[0][0]["query"] == "which?"
    await reranker.close()


async def test_no_texts_send_no_request(endpoint: Endpoint) -> None:
    reranker = HttpReranker(endpoint.url)
    assert (await reranker.scores("which?", []), endpoint.asked) == ([], [])
    await reranker.close()


@pytest.mark.parametrize(
    ("status", "reply", "error"),
    [
        (401, {}, ProviderAuthError),
        (429, {}, RateLimitError),
        (503, {}, ProviderUnavailableError),
        (200, {"results": [{"index": 0, "relevance_score": 1}]}, MalformedReplyError),
        (200, b"no JSON", MalformedReplyError),
        (200, {"results": None}, MalformedReplyError),
    ],
)
async def test_failures_raise_typed_errors(endpoint: Endpoint, status: int, reply: Any, error: type[Exception]) -> None:
    endpoint.answer = lambda _: (status, reply)
    reranker = HttpReranker(endpoint.url)
    with pytest.raises(error):
        await reranker.scores("which?", ["a", "b"])
    await reranker.close()


async def test_unreachable_endpoint_is_unavailable() -> None:
    reranker = HttpReranker("http://127.0.0.1:1/v1", timeout_s=2)
    with pytest.raises(ProviderUnavailableError):
        await reranker.scores("which?", ["a"])
    await reranker.close()


async def test_reranker_is_built_from_settings_and_needs_a_base_url() -> None:
    made = build_reranker(Settings(_env_file=None, rerank=RerankSettings(provider="http", base_url="http://x/v1")))  # type: ignore[call-arg]  # pydantic-settings takes it
    assert isinstance(made, HttpReranker)
    await made.close()
    with pytest.raises(ConfigError, match="MNEMO_RERANK__BASE_URL"):
        build_reranker(Settings(_env_file=None, rerank=RerankSettings(provider="http")))  # type: ignore[call-arg]  # pydantic-settings takes it
