"""An event loop in its own thread, for callers that wait."""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent import futures
from typing import Any, TypeVar

from mnemo.errors import ArgumentError, ConflictError

__all__ = ["LoopThread"]

T = TypeVar("T")
_CLOSING_S = 30.0
_ENDING_S = 10.0
"""Longest time that an interrupted caller waits for its call to clean up, in seconds."""


class LoopThread:
    """Runs coroutines for any thread; starts with the first one."""

    _pid: int
    _calls: set[futures.Future[Any]]
    _lock: threading.Lock
    _loop: asyncio.AbstractEventLoop | None
    _thread: threading.Thread | None

    def __init__(self, name: str) -> None:
        """Keep the name of the thread; it does not start yet."""
        self._name = name
        self._forget()

    @property
    def running(self) -> bool:
        """Whether the thread is running in this process."""
        self._notice_fork()
        return self._loop is not None

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and return its result or raise its error; an interrupt cancels it.

        Raises:
            ArgumentError: Called from the thread itself, which would wait forever.
            ConflictError: The thread was stopped meanwhile.
        """
        self._notice_fork()
        if threading.current_thread() is self._thread:
            work.close()
            message = (
                "a method of this memory was called from its own progress callback and would wait for itself; "
                "use another thread"
            )
            raise ArgumentError(message)
        ended = threading.Event()
        future = asyncio.run_coroutine_threadsafe(_ending(work, ended), self._started())
        self._calls.add(future)
        try:
            return future.result()
        except futures.CancelledError:
            message = "the memory was closed while this call was running; what it had stored is kept, call it again"
            raise ConflictError(message) from None
        except BaseException:
            if future.cancel():
                ended.wait(_ENDING_S)
            raise
        finally:
            self._calls.discard(future)

    def settle(self) -> None:
        """Wait until the calls of other threads have ended, at most `_CLOSING_S` seconds."""
        self._notice_fork()
        futures.wait(list(self._calls), timeout=_CLOSING_S)

    def stop(self) -> None:
        """End the thread after its coroutines are done or cancelled. Stopping twice is fine."""
        self._notice_fork()
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _notice_fork(self) -> None:
        """Start anew in a process forked from the one that started the thread: threads are not inherited."""
        if self._pid != os.getpid():
            self._forget()

    def _forget(self) -> None:
        self._pid = os.getpid()
        self._calls = set()
        self._lock = threading.Lock()
        self._loop = None
        self._thread = None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop


async def _ending(work: Coroutine[Any, Any, T], ended: threading.Event) -> T:
    try:
        return await work
    finally:
        ended.set()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
