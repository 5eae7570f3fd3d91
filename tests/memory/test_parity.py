"""The synchronous classes mirror the asynchronous ones."""

import inspect
from typing import get_overloads

import pytest

from mnemo import AsyncMemory, AsyncTree, Memory, Tree

PAIRS = [(Memory, AsyncMemory), (Tree, AsyncTree)]


def methods(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


@pytest.mark.parametrize(("waiting", "awaited"), PAIRS)
def test_both_have_the_same_methods_with_the_same_signatures(waiting: type, awaited: type) -> None:
    ours, theirs = methods(waiting), methods(awaited)
    if waiting is Memory:
        assert ours.pop("tree").parameters == theirs.pop("tree").parameters  # each returns its own class
    assert ours == theirs


def test_both_memories_have_the_same_constructor() -> None:
    assert inspect.signature(Memory) == inspect.signature(AsyncMemory)


def test_list_has_the_same_overloads() -> None:
    ours, theirs = get_overloads(Memory.list), get_overloads(AsyncMemory.list)
    assert len(ours) == 4
    assert [inspect.signature(each) for each in ours] == [inspect.signature(each) for each in theirs]


@pytest.mark.parametrize(("waiting", "awaited"), PAIRS)
def test_only_the_asynchronous_methods_are_coroutines(waiting: type, awaited: type) -> None:
    assert all(inspect.iscoroutinefunction(getattr(awaited, name)) for name in methods(awaited))
    assert not any(inspect.iscoroutinefunction(getattr(waiting, name)) for name in methods(waiting))


@pytest.mark.parametrize("kind", [kind for pair in PAIRS for kind in pair])
def test_every_method_is_documented(kind: type) -> None:
    assert all(getattr(kind, name).__doc__ for name in methods(kind))


def test_search_and_ask_have_the_same_options() -> None:
    search, ask = methods(Memory)["search"].parameters, methods(Memory)["ask"].parameters
    assert search == ask
    assert [name for name in search if name not in ("self", "question")] == [
        "group",
        "k",
        "budget",
        "route",
        "as_of",
        "session",
        "speaker",
        "since",
        "until",
        "min_score",
    ]
    assert all(
        search[name].kind is inspect.Parameter.KEYWORD_ONLY for name in search if name not in ("self", "question")
    )


def test_unknown_search_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'sesion'"):
        Memory().search("q", sesion="s")  # type: ignore[call-arg]  # the test is about it
