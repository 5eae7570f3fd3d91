"""What every request must pass before it is parsed: the key, then the size of its body, then the time it may take.

A slow or malicious client costs no more than its connection.
"""

import asyncio
import hmac

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mnemo.server.problems import AccessRefused, BodyTooLarge, BodyTooSlow, refusal

__all__ = ["OPEN_PATHS", "RequestGate"]

OPEN_PATHS = frozenset({"/v1/health"})
"""Paths that need no key."""


class RequestGate:
    """ASGI middleware that lets only requests with the key through, and no more of their bodies than allowed."""

    def __init__(self, app: ASGIApp, *, key: str, max_bytes: int, body_s: float) -> None:
        """Wrap an application.

        Args:
            app: Handles the requests that pass.
            key: Compared in constant time with `Authorization: Bearer …`.
            max_bytes: Most bytes of a body.
            body_s: Seconds in which a body must arrive.
        """
        self._app = app
        self._key = key.encode()
        self._max_bytes = max_bytes
        self._body_s = body_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
            body = await self._body(receive)
        except (AccessRefused, BodyTooLarge, BodyTooSlow) as error:
            await refusal(error)(scope, receive, send)
            return
        if body is None:
            return
        await self._app(scope, _replay(body, receive), send)

    def _check(self, scope: Scope) -> None:
        headers = dict(reversed(scope["headers"]))
        if scope["path"] not in OPEN_PATHS:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), self._key):
                raise AccessRefused
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or len(declared) > len(str(self._max_bytes)) or int(declared) > self._max_bytes:
            raise BodyTooLarge(self._max_bytes)

    async def _body(self, receive: Receive) -> bytes | None:
        """Receive the whole body; None if the client left."""
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > self._max_bytes:
                        raise BodyTooLarge(self._max_bytes)
                    if not message.get("more_body"):
                        return b"".join(chunks)
        except TimeoutError:
            raise BodyTooSlow(self._body_s) from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body once, then whatever comes after it."""
    given = False

    async def replaying() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replaying
