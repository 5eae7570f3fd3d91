"""Runs work on large answers in a thread, so that the event loop goes on."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

__all__ = ["off_loop"]

T = TypeVar("T")

_SMALL = 10_000
"""Characters or bytes whose parsing takes at most a few milliseconds."""


async def off_loop(size: int, work: Callable[[], T]) -> T:
    """Return the result of some work: done at once if it is small, else in a thread.

    Args:
        size: Characters or bytes that the work goes over, in linear time.
        work: Pure Python, which hands the interpreter over every few milliseconds.
    """
    return work() if size <= _SMALL else await asyncio.to_thread(work)
