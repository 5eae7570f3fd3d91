"""A memory that was opened before its process forked, as under `gunicorn --preload` or `multiprocessing`."""

import os
import select
from collections.abc import Callable

import pytest

from mnemo import Memory
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of

PATIENCE_S = 60


def in_child(work: Callable[[], str]) -> str:
    """Run some work in a forked process and return its result; fail if it takes longer than `PATIENCE_S`."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], PATIENCE_S)
    if not ready:
        os.kill(pid, 9)
    said = os.read(reading, 10_000).decode() if ready else "it hangs"
    os.waitpid(pid, 0)
    os.close(reading)
    return said


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_memory_opened_before_a_fork_works_in_both_processes(server_endpoint: Endpoint, group: str) -> None:
    with Memory(settings_of(server_endpoint), group=group) as memory:
        memory.add("I live in Trieste.")

        def child() -> str:
            memory.add("I work at Birch.")
            found = memory.search("Where do I live?").episodes[0].item.content
            memory.close()
            return found

        assert in_child(child) == "I live in Trieste."
        assert {found.item.content for found in memory.search("Where do I work?").episodes} == {
            "I live in Trieste.",
            "I work at Birch.",
        }
