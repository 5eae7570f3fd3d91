"""Errors as responses: `{"error": {"kind", "message", "retryable"}}` with an HTTP status."""

import logging

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

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

__all__ = ["AccessRefused", "add_handlers", "status_of"]

_LOG = logging.getLogger(__name__)
_STATUS: tuple[tuple[type[MnemoError], int], ...] = (
    (ArgumentError, 422),
    (QueryError, 422),
    (NotFoundError, 404),
    (ConflictError, 409),
    (RateLimitError, 429),
    (ProviderTimeoutError, 504),
)
"""The first match counts; other errors are mapped by `status_of`."""


class AccessRefused(Exception):  # noqa: N818  # the outcome of a request, not a failure
    """A request without the key; the response reveals nothing else."""


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

    @app.exception_handler(AccessRefused)
    async def access_refused(_: Request, error: AccessRefused) -> JSONResponse:
        answer = _answer(401, "AccessRefused", str(error))
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer

    @app.exception_handler(RequestValidationError)
    async def invalid_body(_: Request, error: RequestValidationError) -> JSONResponse:
        places = "; ".join(f"{'.'.join(map(str, item['loc'][1:]))}: {item['msg']}" for item in error.errors())
        return _answer(422, "ArgumentError", f"invalid request body: {places}")

    @app.exception_handler(Exception)
    async def unexpected_error(request: Request, error: Exception) -> JSONResponse:
        _LOG.error("%s %s failed with %s", request.method, request.url.path, type(error).__name__)
        return _answer(500, "InternalError", "internal error; see the log of the server")


def _answer(status: int, kind: str, message: str, *, retryable: bool = False) -> JSONResponse:
    body = {"error": {"kind": kind, "message": message, "retryable": retryable}}
    return JSONResponse(jsonable_encoder(body), status_code=status)
