"""Wrong arguments of every verb are refused before anything is read or written."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from mnemo import AsyncMemory
from mnemo.config import Settings
from mnemo.errors import ArgumentError

HALF = "caf\udce9"
EARLY = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
NAIVE = datetime(2024, 1, 1)  # noqa: DTZ001  # that is the point
Call = Callable[[Any], Awaitable[object]]
CALLS: dict[str, Call] = {
    "add a number": lambda memory: memory.add(5),
    "add nothing": lambda memory: memory.add(None),
    "add a list of numbers": lambda memory: memory.add([5]),
    "add at no time": lambda memory: memory.add("x", when="never"),
    "add a file by a number": lambda memory: memory.add_file(5),
    "process a number": lambda memory: memory.process(5),
    "search half a character": lambda memory: memory.search(HALF),
    "search a number": lambda memory: memory.search(5),
    "search k as text": lambda memory: memory.search("x", k="5"),
    "search speaker": lambda memory: memory.search("x", speaker=HALF),
    "search session": lambda memory: memory.search("x", session=HALF),
    "search before year 1": lambda memory: memory.search("x", as_of=EARLY),
    "search since before year 1": lambda memory: memory.search("x", since=EARLY),
    "search naive": lambda memory: memory.search("x", until=NAIVE),
    "search by no route": lambda memory: memory.search("x", route=5),
    "search below no score": lambda memory: memory.search("x", min_score=float("nan")),
    "ask half a character": lambda memory: memory.ask(HALF),
    "list session": lambda memory: memory.list(session=HALF),
    "list a session by a number": lambda memory: memory.list(session=5),
    "list cursor": lambda memory: memory.list(cursor=HALF),
    "list no cursor": lambda memory: memory.list(cursor=5),
    "list limit as text": lambda memory: memory.list(limit="5"),
    "list no state": lambda memory: memory.list(status="odd"),
    "list entity": lambda memory: memory.list("edges", entity=HALF),
    "list before year 1": lambda memory: memory.list("edges", as_of=EARLY),
    "list at no time": lambda memory: memory.list("edges", as_of="now"),
    "list naive": lambda memory: memory.list("edges", as_of=NAIVE),
    "get half a character": lambda memory: memory.get(HALF),
    "get 36 halves": lambda memory: memory.get("\udce9" * 36),
    "get a number": lambda memory: memory.get(5),
    "get nothing": lambda memory: memory.get(""),
    "sources of half a character": lambda memory: memory.sources(HALF),
    "forget half a character": lambda memory: memory.forget(HALF),
    "forget several": lambda memory: memory.forget([HALF]),
    "forget numbers": lambda memory: memory.forget([5]),
    "forget session": lambda memory: memory.forget(session=HALF),
    "group": lambda memory: memory.status(group=HALF),
    "group as a number": lambda memory: memory.build_hierarchy(group=5),
    "retry group": lambda memory: memory.retry(group=HALF),
    "hierarchy of negative depth": lambda memory: memory.hierarchy(depth=-1),
    "hierarchy of depth as text": lambda memory: memory.hierarchy(depth="x"),
    "hierarchy of no kind": lambda memory: memory.hierarchy(HALF),
    "tree": lambda memory: memory.tree(HALF),
    "tree by a number": lambda memory: memory.tree(5),
    "xpath of a number": lambda memory: memory.xpath(5),
    "xpath at no time": lambda memory: memory.xpath("//Edge", as_of="x"),
}


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    """A memory without a reachable database: a call that reaches for it fails with another error."""
    neo4j = {"uri": "bolt://127.0.0.1:1", "password": "x"}
    async with AsyncMemory(Settings.model_validate({"neo4j": neo4j, "llm": {"provider": "none"}})) as opened:
        yield opened


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_wrong_argument_is_refused(memory: AsyncMemory, call: Call) -> None:
    with pytest.raises(ArgumentError) as caught:
        await call(memory)
    str(caught.value).encode()
