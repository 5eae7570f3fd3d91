import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from mnemo import AsyncMemory
from mnemo.config import ApiSettings, Settings
from mnemo.server import build_app
from mnemo.version import VERSION

KEY = "a-key-of-the-tests"


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A server without a reachable database."""
    settings = Settings.model_validate(
        {"neo4j": {"uri": "bolt://127.0.0.1:1", "password": "x"}, "llm": {"provider": "none"}}
    )
    app = build_app(AsyncMemory(settings), KEY)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://mnemo") as opened:
        yield opened


async def post_recall(client: httpx.AsyncClient, key: str | None = KEY, **body: object) -> httpx.Response:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return await client.post("/v1/recall", json={"group": "g", "question": "Who?", **body}, headers=headers)


async def test_health_needs_no_key_and_no_database(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1/health")
    assert (response.status_code, response.json()) == (200, {"service": "mnemo", "version": VERSION})


@pytest.mark.parametrize("key", [None, "", "another", KEY + "x", KEY[:-1]])
async def test_request_without_the_key_is_rejected(client: httpx.AsyncClient, key: str | None) -> None:
    response = await post_recall(client, key)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.json()["error"]["kind"] == "AccessRefused"
    assert KEY not in response.text


async def test_key_in_another_scheme_is_rejected(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/recall", json={}, headers={"Authorization": f"Basic {KEY}"})
    assert response.status_code == 401


@pytest.mark.parametrize(
    ("field", "value"),
    [("k", 0), ("k", 201), ("route", "guess"), ("as_of", "2025-01-01T00:00"), ("budget", 1), ("more", 1)],
)
async def test_an_invalid_body_names_the_field_and_not_its_value(
    client: httpx.AsyncClient, field: str, value: object
) -> None:
    response = await post_recall(client, **{field: value})
    assert response.status_code == 422
    error = response.json()["error"]
    assert (error["kind"], error["retryable"]) == ("ArgumentError", False)
    assert field in error["message"]


@pytest.mark.parametrize("group", ["", " ", "a\nb"])
async def test_invalid_group_is_rejected(client: httpx.AsyncClient, group: str) -> None:
    response = await post_recall(client, group=group)
    assert (response.status_code, response.json()["error"]["kind"]) == (422, "GroupError")


async def test_a_database_that_is_down_is_503_and_retryable(client: httpx.AsyncClient) -> None:
    response = await post_recall(client)
    assert response.status_code == 503
    assert response.json()["error"] | {"message": ""} == {
        "kind": "StoreUnavailableError",
        "message": "",
        "retryable": True,
    }


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/v1/recall", "/nowhere"])
async def test_every_path_but_health_needs_the_key(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 401


async def test_key_is_checked_before_the_body_is_read(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 1_000

    assert (await client.post("/v1/recall", content=endless())).status_code == 401


@pytest.mark.parametrize("declared", [True, False])
async def test_large_body_is_refused(client: httpx.AsyncClient, *, declared: bool) -> None:
    async def large() -> AsyncIterator[bytes]:
        for _ in range(2_000):
            yield b"x" * 1_000

    headers = {"Authorization": f"Bearer {KEY}"}
    content = b"x" * 2_000_000 if declared else large()
    response = await client.post("/v1/recall", content=content, headers=headers)
    assert (response.status_code, response.json()["error"]["kind"]) == (413, "BodyTooLarge")


MALFORMED = {
    "empty": b"",
    "cut": b"{",
    "deep": b"[" * 500_000,
    "long number": b'{"k": ' + b"9" * 5_000 + b"}",
    "no UTF-8": b"\xff\xfe",
    "half a character": b'{"question": "\\ud83d", "group": "g"}',
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
async def test_malformed_body_is_a_clear_error(client: httpx.AsyncClient, content: bytes) -> None:
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    response = await client.post("/v1/recall", content=content, headers=headers)
    assert response.status_code in {400, 422}
    assert response.json()["error"]["kind"] == "ArgumentError"


async def test_body_that_does_not_arrive_is_refused() -> None:
    async def stalled() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(30)

    app = build_app(AsyncMemory(Settings()), KEY, ApiSettings(body_s=0.05))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://mnemo") as opened:
        response = await opened.post("/v1/recall", content=stalled(), headers={"Authorization": f"Bearer {KEY}"})
    assert (response.status_code, response.json()["error"]["kind"]) == (408, "BodyTooSlow")


async def test_unknown_path_and_method_are_clear_errors(client: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    nowhere, wrong = await client.get("/nowhere", headers=headers), await client.get("/v1/recall", headers=headers)
    assert (nowhere.status_code, nowhere.json()["error"]["kind"]) == (404, "NotFoundError")
    assert (wrong.status_code, wrong.headers["Allow"]) == (405, "POST")
