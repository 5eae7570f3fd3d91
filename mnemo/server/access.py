"""Who is let in: those who send the key."""

import hmac

from fastapi import Request

from mnemo.server.problems import AccessRefused

__all__ = ["KeyHolder"]


class KeyHolder:
    """A dependency that refuses a request without the key."""

    def __init__(self, key: str) -> None:
        """Take the key; compared in constant time."""
        self._key = key.encode()

    def __call__(self, request: Request) -> None:
        """Let the request through.

        Raises:
            AccessRefused: It has no key or another one.
        """
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self._key):
            message = "wanted the header `Authorization: Bearer <key>` with this server's key"
            raise AccessRefused(message)
