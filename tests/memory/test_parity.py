import inspect

import mnemo
from mnemo import AsyncMemory, Memory


def verbs(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def test_both_have_the_same_verbs_with_the_same_signatures() -> None:
    ours, theirs = verbs(Memory), verbs(AsyncMemory)
    assert ours.pop("tree").parameters == theirs.pop("tree").parameters  # each has its own kind of tree
    assert ours == theirs
    assert inspect.signature(Memory) == inspect.signature(AsyncMemory)


def test_every_verb_of_one_waits_and_of_the_other_does_not() -> None:
    assert all(inspect.iscoroutinefunction(getattr(AsyncMemory, name)) for name in verbs(AsyncMemory))
    assert not any(inspect.iscoroutinefunction(getattr(Memory, name)) for name in verbs(Memory))


def test_every_verb_is_documented() -> None:
    for kind in (Memory, AsyncMemory):
        assert all(getattr(kind, name).__doc__ for name in verbs(kind))


def test_what_a_user_needs_is_in_one_namespace() -> None:
    assert mnemo.__all__ == ["AsyncMemory", "Looking", "Memory", "Message", "__version__"]
    assert all(hasattr(mnemo, name) for name in mnemo.__all__)
