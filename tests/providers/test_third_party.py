import asyncio

import httpx
import numpy as np
import openai
import pytest

from mnemo.errors import (
    ArgumentError,
    MalformedReplyError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
)
from mnemo.providers.third_party import foreign_errors, unit_rows

REQUEST = httpx.Request("POST", "http://127.0.0.1")


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (TimeoutError("secret"), ProviderTimeoutError),
        (httpx.ReadTimeout("secret", request=REQUEST), ProviderTimeoutError),
        (openai.APITimeoutError(request=REQUEST), ProviderTimeoutError),
        (openai.OpenAIError("secret"), ProviderUnavailableError),
        (httpx.ConnectError("secret", request=REQUEST), ProviderUnavailableError),
        (ConnectionResetError("secret"), ProviderUnavailableError),
        (ValueError("secret"), MalformedReplyError),
        (KeyError("secret"), ProviderError),
    ],
)
def test_third_party_error_is_converted_without_its_text(raised: Exception, kind: type[ProviderError]) -> None:
    with pytest.raises(ProviderError) as caught, foreign_errors("Client"):
        raise raised
    assert type(caught.value) is kind
    assert "secret" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("raised", [ArgumentError("ours"), asyncio.CancelledError(), KeyboardInterrupt()])
def test_mnemo_errors_and_cancellation_pass_through(raised: BaseException) -> None:
    with pytest.raises(type(raised)) as caught, foreign_errors("Client"):
        raise raised
    assert caught.value is raised


def test_rows_are_scaled_to_unit_length() -> None:
    assert unit_rows([[3, 4], [0, 2]], count=2, dimensions=2, source="x").tolist() == [
        pytest.approx([0.6, 0.8]),
        [0.0, 1.0],
    ]
    assert unit_rows([], count=0, dimensions=2, source="x").shape == (0, 2)


@pytest.mark.parametrize(
    ("rows", "kind", "said"),
    [
        ([[1.0, 0.0]], MalformedReplyError, "x must return 2 vectors, got 1"),
        ([[1.0, 0.0], [1.0]], ProviderError, r"got \[1\]"),
        ([[1.0, 0.0], [0.0, 0.0]], MalformedReplyError, "must be finite and not zero"),
        ([[1.0, 0.0], [np.nan, 0.0]], MalformedReplyError, "must be finite and not zero"),
    ],
)
def test_invalid_rows_are_rejected(rows: list[list[float]], kind: type[ProviderError], said: str) -> None:
    with pytest.raises(kind, match=said):
        unit_rows(rows, count=2, dimensions=2, source="x")
