import logging

import httpx
import pytest
from fastapi import FastAPI

from mnemo.errors import (
    ArgumentError,
    ConflictError,
    GroupError,
    MnemoError,
    NotFoundError,
    ProviderAuthError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    QuerySyntaxError,
    RateLimitError,
    SchemaError,
    StoreUnavailableError,
)
from mnemo.server.problems import add_handlers, status_of


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ArgumentError("x"), 422),
        (GroupError("x"), 422),
        (QuerySyntaxError("x", query="/a", offset=1), 422),
        (NotFoundError("x"), 404),
        (ConflictError("x"), 409),
        (RateLimitError("x"), 429),
        (ProviderTimeoutError("x"), 504),
        (ProviderUnavailableError("x"), 503),
        (ProviderAuthError("x"), 502),
        (StoreUnavailableError("x"), 503),
        (SchemaError("x"), 500),
    ],
)
def test_status_of_each_kind(error: MnemoError, status: int) -> None:
    assert status_of(error) == status


async def test_an_unexpected_error_is_logged_by_kind_and_reveals_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = FastAPI()
    add_handlers(app)

    @app.get("/broken")
    async def broken() -> None:
        message = "the text of a memory"
        raise ZeroDivisionError(message)

    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    with caplog.at_level(logging.INFO, logger="mnemo"):
        async with httpx.AsyncClient(transport=transport, base_url="http://mnemo") as client:
            response = await client.get("/broken")
    assert response.status_code == 500
    assert response.json()["error"]["kind"] == "InternalError"
    assert "memory" not in response.text
    assert [record.getMessage() for record in caplog.records] == ["GET /broken failed with ZeroDivisionError"]
