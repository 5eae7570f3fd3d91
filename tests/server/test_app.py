from collections.abc import AsyncIterator

import httpx
import pytest

from mnemo import AsyncMemory
from mnemo.config import Settings
from mnemo.server import build_app
from mnemo.version import VERSION

KEY = "a-key-of-the-tests"


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A server whose database is nowhere."""
    settings = Settings.model_validate(
        {"neo4j": {"uri": "bolt://127.0.0.1:1", "password": "x"}, "llm": {"provider": "none"}}
    )
    app = build_app(AsyncMemory(settings), KEY)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://mnemo") as opened:
        yield opened


async def asked(client: httpx.AsyncClient, key: str | None = KEY, **body: object) -> httpx.Response:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return await client.post("/v1/recall", json={"group": "g", "question": "Who?", **body}, headers=headers)


async def test_health_needs_no_key_and_no_database(client: httpx.AsyncClient) -> None:
    response = await client.get("/v1/health")
    assert (response.status_code, response.json()) == (200, {"service": "mnemo", "version": VERSION})


@pytest.mark.parametrize("key", [None, "", "another", KEY + "x", KEY[:-1]])
async def test_without_the_key_nothing_is_answered(client: httpx.AsyncClient, key: str | None) -> None:
    response = await asked(client, key)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.json()["error"]["kind"] == "AccessRefused"
    assert KEY not in response.text


async def test_a_key_in_another_scheme_is_refused(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/recall", json={}, headers={"Authorization": f"Basic {KEY}"})
    assert response.status_code == 401


@pytest.mark.parametrize(
    ("field", "value"),
    [("k", 0), ("k", 201), ("route", "guess"), ("as_of", "2025-01-01T00:00"), ("budget", 1), ("more", 1)],
)
async def test_an_invalid_body_names_the_field_and_not_its_value(
    client: httpx.AsyncClient, field: str, value: object
) -> None:
    response = await asked(client, **{field: value})
    assert response.status_code == 422
    error = response.json()["error"]
    assert (error["kind"], error["retryable"]) == ("ArgumentError", False)
    assert field in error["message"]


@pytest.mark.parametrize("group", ["", " ", "a\nb"])
async def test_an_invalid_group_is_refused(client: httpx.AsyncClient, group: str) -> None:
    response = await asked(client, group=group)
    assert (response.status_code, response.json()["error"]["kind"]) == (422, "GroupError")


async def test_a_database_that_is_down_is_503_and_retryable(client: httpx.AsyncClient) -> None:
    response = await asked(client)
    assert response.status_code == 503
    assert response.json()["error"] | {"message": ""} == {
        "kind": "StoreUnavailableError",
        "message": "",
        "retryable": True,
    }
