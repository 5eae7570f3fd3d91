"""Converts errors and vectors of third-party clients and models to mnemo's."""

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
    """Convert exceptions of a third-party client to `ProviderError`, without quoting any contents."""

    def __init__(self, client: str) -> None:
        """Set the name of the client, for error messages."""
        self._client = client

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise mnemo's error for one of the client's; cancellation and mnemo's own errors pass through."""
        if isinstance(error, Exception) and not isinstance(error, MnemoError):
            raise self._mapped(error) from None  # the original may quote the prompt or the reply

    def _mapped(self, error: Exception) -> ProviderError:
        import httpx  # noqa: PLC0415  # loaded by the client that raised the error
        import openai  # noqa: PLC0415  # loaded by the client that raised the error

        message = f"{self._client} failed with {type(error).__name__}"
        if isinstance(error, openai.OpenAIError):
            return mapped(error, SystemClock().now())
        if isinstance(error, TimeoutError | httpx.TimeoutException):
            return ProviderTimeoutError(f"{self._client} did not answer in time")
        if isinstance(error, httpx.HTTPError | ConnectionError):
            return ProviderUnavailableError(message)
        if type(error).__name__ == "RateLimitError":  # graphiti's own
            return RateLimitError(f"{self._client} reports that the provider limits the rate")
        return MalformedReplyError(message) if isinstance(error, ValueError) else ProviderError(message)


def unit_rows(rows: Sequence[Sequence[float] | Vectors], *, count: int, dimensions: int, source: str) -> Vectors:
    """Check vectors and scale them to unit length.

    Args:
        rows: Vectors as returned by the client, in order.
        count: Expected number of vectors.
        dimensions: Expected length of each vector.
        source: Name of the model or client, for error messages.

    Returns:
        float32, (count, dimensions).

    Raises:
        MalformedReplyError: The number of vectors differs, or a vector is zero or not finite.
        ProviderError: A vector has another length.
    """
    if len(rows) != count:
        message = f"{source} must return {count} vectors, got {len(rows)}"
        raise MalformedReplyError(message)
    lengths = sorted({len(row) for row in rows} - {dimensions})
    if lengths:
        message = (
            f"vectors of {source} must have {dimensions} dimensions, got {lengths}; "
            "set MNEMO_EMBEDDING__DIMENSIONS to the dimensions of the model"
        )
        raise ProviderError(message)
    vectors = np.asarray(rows, np.float64).reshape(count, dimensions)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(norms).all() and norms.all()):
        message = f"vectors of {source} must be finite and not zero"
        raise MalformedReplyError(message)
    unit: Vectors = (vectors / norms).astype(np.float32)
    return unit
