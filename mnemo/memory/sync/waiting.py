"""Synchronous methods made from asynchronous ones, with the same signature and documentation."""

from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from mnemo.memory.sync.thread import LoopThread

__all__ = ["Waiting", "waiting"]

P = ParamSpec("P")
T = TypeVar("T")
A_co = TypeVar("A_co", covariant=True)


class Waiting(Generic[A_co]):
    """Base of the synchronous classes: an asynchronous object and the thread that runs its methods."""

    def __init__(self, inner: A_co, thread: LoopThread) -> None:
        """Keep the object and the thread."""
        self._inner = inner
        self._thread = thread


def waiting(
    method: Callable[Concatenate[A_co, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Waiting[A_co], P], T]:
    """Return a method that runs an asynchronous one in the thread and waits for its result.

    `help()`, IDEs and type checkers show the signature and the docstring of the asynchronous method.
    """
    given = signature(method)

    @wraps(method)
    def wait(self: Waiting[A_co], /, *args: P.args, **kwargs: P.kwargs) -> T:
        given.bind(self._inner, *args, **kwargs)  # an unknown argument is a TypeError here, before the thread starts
        return self._thread.wait(method(self._inner, *args, **kwargs))

    return wait
