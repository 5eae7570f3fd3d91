"""Access control: requests must send the key."""

import hmac

from fastapi import Request

from mnemo.server.problems import AccessRefused

__all__ = ["KeyHolder"]


class KeyHolder:
    """A dependency that rejects requests without the key."""

    def __init__(self, key: str) -> None:
        """Keep the key; it is compared in constant time."""
        self._key = key.encode()

    def __call__(self, request: Request) -> None:
        """Accept the request.

        Raises:
            AccessRefused: The request has no key or a wrong one.
        """
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self._key):
            message = "send the header `Authorization: Bearer <key>` with the key of this server"
            raise AccessRefused(message)
