"""Errors as responses: `{"error": {"kind", "message", "retryable"}}` with an HTTP status."""

import logging

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from mnemo.errors import (
    ArgumentError,
    ConflictError,
    MnemoError,
    NotFoundError,
    ProviderError,
    ProviderTimeoutError,
    QueryError,
    RateLimitError,
)

__all__ = ["AccessRefused", "BodyTooLarge", "BodyTooSlow", "Refused", "add_handlers", "refusal", "status_of"]

_LOG = logging.getLogger(__name__)
_NOT_FOUND = 404
_STATUS: tuple[tuple[type[MnemoError], int], ...] = (
    (ArgumentError, 422),
    (QueryError, 422),
    (NotFoundError, 404),
    (ConflictError, 409),
    (RateLimitError, 429),
    (ProviderTimeoutError, 504),
)
"""The first match counts; other errors are mapped by `status_of`."""


class Refused(Exception):  # noqa: N818  # the outcome of a request, not a failure
    """A request that is refused before it is parsed."""

    status: int


class AccessRefused(Refused):
    """A request without the key; the response reveals nothing else."""

    status = 401

    def __init__(self) -> None:
        """Say what to send."""
        super().__init__("send the header `Authorization: Bearer <key>` with the key of this server")


class BodyTooLarge(Refused):
    """A body that is larger than allowed, or of unknown size."""

    status = 413

    def __init__(self, most: int) -> None:
        """Name the limit."""
        super().__init__(f"the body must have at most {most:,} bytes; MNEMO_API__MAX_BODY_BYTES sets this limit")


class BodyTooSlow(Refused):
    """A body that did not arrive in time."""

    status = 408

    def __init__(self, seconds: float) -> None:
        """Name the limit."""
        super().__init__(f"the body must arrive within {seconds:g} s")


def status_of(error: MnemoError) -> int:
    """Return the HTTP status of an error: 503 if a retry may succeed, 502 for a provider, else 500."""
    for kind, status in _STATUS:
        if isinstance(error, kind):
            return status
    if error.retryable:
        return 503
    return 502 if isinstance(error, ProviderError) else 500


def add_handlers(app: FastAPI) -> None:
    """Return every error in the same form."""

    @app.exception_handler(MnemoError)
    async def known_error(_: Request, error: MnemoError) -> JSONResponse:
        return _answer(status_of(error), type(error).__name__, str(error), retryable=error.retryable)

    @app.exception_handler(RequestValidationError)
    async def invalid_body(_: Request, error: RequestValidationError) -> JSONResponse:
        places = "; ".join(f"{'.'.join(map(str, item['loc'][1:]))}: {item['msg']}" for item in error.errors())
        return _answer(422, "ArgumentError", f"invalid request body: {places}")

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        kind = "NotFoundError" if error.status_code == _NOT_FOUND else "ArgumentError"
        answer = _answer(error.status_code, kind, str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def unexpected_error(request: Request, error: Exception) -> JSONResponse:
        _LOG.error("%s %s failed with %s", request.method, request.url.path, type(error).__name__)
        return _answer(500, "InternalError", "internal error; see the log of the server")


def refusal(error: Refused) -> JSONResponse:
    """Return the response to a request that is refused before it is parsed; it closes the connection."""
    answer = _answer(error.status, type(error).__name__, str(error))
    answer.headers["Connection"] = "close"
    if isinstance(error, AccessRefused):
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _answer(status: int, kind: str, message: str, *, retryable: bool = False) -> JSONResponse:
    body = {"error": {"kind": kind, "message": message, "retryable": retryable}}
    return JSONResponse(jsonable_encoder(body), status_code=status)
