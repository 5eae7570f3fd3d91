"""The event loop in a separate thread."""

import asyncio
import signal
import threading
from collections.abc import Iterator

import pytest

from mnemo.errors import ConflictError
from mnemo.memory.sync.thread import LoopThread


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt, also if the tests run in the background, where it is ignored by default."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_caller_continues_after_its_call_has_cleaned_up() -> None:
    done: list[str] = []

    async def work() -> None:
        await asyncio.sleep(0.3)  # until the caller waits
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # as Ctrl+C does
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.2)
            done.append("put in order")

    thread = LoopThread("test")
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.wait(work())
        assert done == ["put in order"]
    finally:
        thread.stop()


def test_errors_are_raised_unchanged() -> None:
    async def work() -> None:
        message = "no"
        raise LookupError(message)

    thread = LoopThread("test")
    try:
        with pytest.raises(LookupError, match="no"):
            thread.wait(work())
    finally:
        thread.stop()


def caller(thread: LoopThread, seconds: float, results: list[object]) -> threading.Thread:
    """Start a thread that waits for a call of some seconds and keeps its result or error."""
    started = threading.Event()

    async def work() -> str:
        started.set()
        await asyncio.sleep(seconds)
        return "done"

    def call() -> None:
        try:
            results.append(thread.wait(work()))
        except ConflictError as error:
            results.append(error)

    calling = threading.Thread(target=call)
    calling.start()
    started.wait(10)
    return calling


def test_running_calls_end_before_the_thread_stops() -> None:
    thread, results = LoopThread("test"), list[object]()
    calling = caller(thread, 0.3, results)
    thread.settle()
    thread.stop()
    calling.join()
    assert results == ["done"]


def test_call_that_is_cut_off_gets_an_error_that_says_so() -> None:
    thread, results = LoopThread("test"), list[object]()
    calling = caller(thread, 60, results)
    thread.stop()
    calling.join()
    assert [type(each) for each in results] == [ConflictError]
    assert "closed while this call was running" in str(results[0])
