"""The boundary to clients and models of others: their errors and vectors, brought into ours."""

from collections.abc import Sequence
from types import TracebackType

import numpy as np

from mnemo.clock import SystemClock
from mnemo.errors import (
    MalformedReplyError,
    MnemoError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitError,
)
from mnemo.providers.base import Vectors
from mnemo.providers.openai.errors import mapped

__all__ = ["foreign_errors", "unit_rows"]


class foreign_errors:  # noqa: N801  # used as a function, like contextlib.suppress
    """Turn whatever a foreign client raises inside into a `ProviderError`, contents left out."""

    def __init__(self, client: str) -> None:
        """Name the client, for messages."""
        self._client = client

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise mnemo's error for one of the client's; cancellation and our own pass."""
        if isinstance(error, Exception) and not isinstance(error, MnemoError):
            raise self._mapped(error) from None  # the original may quote the prompt or the reply

    def _mapped(self, error: Exception) -> ProviderError:
        import httpx  # noqa: PLC0415  # loaded by the client that raised the error
        import openai  # noqa: PLC0415  # the same

        said = f"{self._client} fails with {type(error).__name__}"
        if isinstance(error, openai.OpenAIError):
            return mapped(error, SystemClock().now())
        if isinstance(error, TimeoutError | httpx.TimeoutException):
            return ProviderTimeoutError(f"{self._client} did not answer in time")
        if isinstance(error, httpx.HTTPError | ConnectionError):
            return ProviderUnavailableError(said)
        if type(error).__name__ == "RateLimitError":  # graphiti's own
            return RateLimitError(f"{self._client} says that the provider limits the rate")
        return MalformedReplyError(said) if isinstance(error, ValueError) else ProviderError(said)


def unit_rows(rows: Sequence[Sequence[float] | Vectors], *, count: int, dimensions: int, source: str) -> Vectors:
    """Check vectors and bring them to unit length.

    Args:
        rows: As they came, in order.
        count: How many there should be.
        dimensions: What each should have.
        source: Who gave them, for messages.

    Returns:
        float32, (count, dimensions).

    Raises:
        MalformedReplyError: Too few or many, or zeros or no numbers among them.
        ProviderError: Their dimension is another.
    """
    if len(rows) != count:
        message = f"wanted {count} vectors from {source}, got {len(rows)}"
        raise MalformedReplyError(message)
    lengths = sorted({len(row) for row in rows} - {dimensions})
    if lengths:
        message = (
            f"wanted vectors of {dimensions} dimensions from {source}, got {lengths}; "
            "set MNEMO_EMBEDDING__DIMENSIONS to what the model gives"
        )
        raise ProviderError(message)
    vectors = np.asarray(rows, np.float64).reshape(count, dimensions)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(norms).all() and norms.all()):
        message = f"wanted vectors of numbers from {source}, got zeros or no numbers"
        raise MalformedReplyError(message)
    unit: Vectors = (vectors / norms).astype(np.float32)
    return unit
