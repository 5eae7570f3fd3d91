"""Converts exceptions of the openai client to mnemo's errors.

The provider's message is left out and the original error is not chained, because both may quote the
prompt. The HTTP status is kept, as are the error's code, type and parameter if they look like
identifiers.
"""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from mnemo.errors import (
    ProviderAuthError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitError,
)
from mnemo.providers.retries import seconds_until

if TYPE_CHECKING:
    import openai

__all__ = ["RefusedError", "mapped"]

_IDENTIFIER = re.compile(r"[A-Za-z_][\w.\[\]-]{0,60}")
_AUTH = (401, 403)
_TOO_MANY = 429
_AGAIN = (408, 409)
_SERVER = 500
_COMPLAINTS = {
    "response_format": re.compile(
        r"response.?format|json.?schema|json.?object|json.?mode|structured.?output|guided|grammar", re.IGNORECASE
    ),
    "max_tokens": re.compile(r"max_completion_tokens|max_tokens.{0,20}not supported", re.IGNORECASE),
    "temperature": re.compile("temperature", re.IGNORECASE),
    "dimensions": re.compile(r"dimensions|matryoshka", re.IGNORECASE),
    "encoding_format": re.compile("encoding_format|base64", re.IGNORECASE),
}
_MAX_MESSAGE = 2_000


class RefusedError(ProviderError):
    """The provider rejected the request as invalid (4xx).

    Attributes:
        fields: Names of the request fields that its message mentions.
    """

    def __init__(self, message: str, fields: frozenset[str]) -> None:
        """Keep the fields that the message mentions."""
        super().__init__(message)
        self.fields = fields


def mapped(error: "openai.OpenAIError", now: datetime) -> ProviderError:
    """Return mnemo's error for an exception of the client.

    Args:
        error: Exception raised by the client.
        now: Current time, for a Retry-After header that is a date.
    """
    import openai  # noqa: PLC0415  # 0.5 s to import, and already loaded if this error exists

    if isinstance(error, openai.APITimeoutError):
        return ProviderTimeoutError("the provider did not answer in time")
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, now)
    if isinstance(error, openai.APIConnectionError):
        return ProviderUnavailableError("the provider cannot be reached; check its base URL and the network")
    return ProviderUnavailableError(f"the provider's answer cannot be parsed ({type(error).__name__})")


def _of_status(error: "openai.APIStatusError", now: datetime) -> ProviderError:
    status, details = error.status_code, _details(error)
    wait = seconds_until(error.response.headers.get("retry-after"), now)
    if status in _AUTH:
        return ProviderAuthError(
            f"the provider rejected the key ({status}{details}); set OPENAI_API_KEY or MNEMO_LLM__API_KEY"
        )
    if status == _TOO_MANY and error.code == "insufficient_quota":
        return RefusedError(f"the account's quota at the provider is used up ({status}{details})", frozenset())
    if status == _TOO_MANY:
        asked = "" if wait is None else f" and asks to wait {wait:.0f} s"
        return RateLimitError(f"the provider limits the rate ({status}{details}){asked}", retry_after_s=wait)
    if status in _AGAIN or status >= _SERVER:
        return ProviderUnavailableError(f"the provider failed ({status}{details}); try again later", retry_after_s=wait)
    return RefusedError(
        f"the provider rejected the request ({status}{details}); check the model's name and limits", _fields(error)
    )


def _details(error: "openai.APIStatusError") -> str:
    parts = [str(part) for part in (error.code, error.type, error.param) if part]
    return "".join(f", {part}" for part in parts if _IDENTIFIER.fullmatch(part))


def _fields(error: "openai.APIStatusError") -> frozenset[str]:
    body = error.body
    said = body.get("message", body.get("detail", "")) if isinstance(body, dict) else body
    text = f"{error.param} {said}"[:_MAX_MESSAGE]
    return frozenset(name for name, complaint in _COMPLAINTS.items() if complaint.search(text))
