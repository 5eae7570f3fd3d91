"""uvicorn's HTTP protocol, which also closes connections that do not send the headers of a request in time."""

import asyncio
from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEADERS_S", "ImpatientProtocol"]

HEADERS_S = 10.0
"""Seconds in which the headers of a request must arrive."""


class ImpatientProtocol(H11Protocol):
    """Closes a connection whose next request has no complete headers after `HEADERS_S`."""

    _deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read data; a request that is complete up to its body ends the wait."""
        if self._deadline is None and self._is_between_requests():
            self._wait()
        super().data_received(data)
        if not self._is_between_requests():
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(HEADERS_S, self._close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        self._deadline = None
        if self._is_between_requests() and self.transport is not None:
            self.transport.close()
