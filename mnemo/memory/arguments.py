"""Checks of the arguments of every verb, by their names: the one place for all of them."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_args

from mnemo.errors import ArgumentError
from mnemo.models.arguments import check_moment, check_text
from mnemo.models.graph import EpisodeStatus
from mnemo.models.group import checked_group

__all__ = ["checked"]

P = ParamSpec("P")
T = TypeVar("T")


def checked(verb: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Return a verb that checks its arguments by their names before it does anything; None is left to the verb.

    Raises:
        ArgumentError: An argument has the wrong type, or a text has half of a character.
    """
    signature = inspect.signature(verb)
    checks = {name: _CHECKS[name] for name in signature.parameters if name in _CHECKS}

    @wraps(verb)
    async def checking(*args: P.args, **kwargs: P.kwargs) -> T:
        given = signature.bind(*args, **kwargs).arguments
        for name, check in checks.items():
            if given.get(name) is not None:
                check(name, given[name])
        return await verb(*args, **kwargs)

    return checking


def _check_string(name: str, value: object) -> None:
    if not isinstance(value, str):
        message = f"{name} must be a string, got {value!r}"
        raise ArgumentError(message)


def _check_texts(name: str, value: object) -> None:
    for each in value if isinstance(value, list | tuple | set | frozenset) else [value]:
        check_text(name, each)


def _check_group(_: str, value: object) -> None:
    checked_group(value)


def _check_groups(name: str, value: object) -> None:
    if not isinstance(value, str) and not hasattr(value, "__iter__"):
        message = f"{name} must be a group or an iterable of groups, got {value!r}"
        raise ArgumentError(message)


def _check_moment_or_word(name: str, value: object) -> None:
    if value != "ever":
        check_moment(name, value)


def _check_path(name: str, value: object) -> None:
    if not isinstance(value, str | Path):
        message = f"{name} must be a path, got {value!r}"
        raise ArgumentError(message)


def _check_whole_number(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        message = f"{name} must be a whole number of at least 0, got {value!r}"
        raise ArgumentError(message)


def _one_of(*words: str) -> Callable[[str, object], None]:
    def check(name: str, value: object) -> None:
        if value not in words:
            message = f"{name} must be one of {', '.join(words)}, got {value!r}"
            raise ArgumentError(message)

    return check


_CHECKS: Mapping[str, Callable[[str, Any], None]] = {
    "as_of": _check_moment_or_word,
    "cursor": check_text,
    "depth": _check_whole_number,
    "entity": check_text,
    "group": _check_group,
    "groups": _check_groups,
    "limit": _check_whole_number,
    "name": check_text,
    "path": _check_path,
    "query": _check_string,
    "session": check_text,
    "since": check_moment,
    "speaker": check_text,
    "status": _one_of(*get_args(EpisodeStatus)),
    "until": check_moment,
    "uuid": _check_texts,
    "when": _one_of("now", "later"),
}
