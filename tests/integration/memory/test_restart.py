"""A server that is killed and restarted under a running memory."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from mnemo import AsyncMemory, Message, launcher
from mnemo.config import Settings
from mnemo.errors import StoreUnavailableError
from mnemo.launcher.ports import choose
from mnemo.providers.local import LocalEmbedder
from mnemo.store.endpoint import read_local
from support.server import local_settings

pytestmark = pytest.mark.slow
RETRY_S = 5.0


def killed(settings: Settings) -> None:
    recorded = read_local(settings.server_dir)
    assert recorded
    os.kill(recorded.pid, signal.SIGKILL)


async def test_acknowledged_messages_survive_a_killed_server_and_memory_recovers(
    tmp_path: Path, embedder: LocalEmbedder
) -> None:
    port = choose(17687)
    settings = local_settings(tmp_path, heap_mb=384, page_cache_mb=64, bolt_port=port)
    settings = settings.model_copy(update={"neo4j": settings.neo4j.model_copy(update={"retry_s": RETRY_S})})
    try:
        await asyncio.to_thread(launcher.up, settings)
        async with AsyncMemory(settings, group="restart", embedder=embedder) as memory:
            added = await memory.add(Message(content="I live in Trieste.", speaker="Ines"), when="later")
            killed(settings)
            start = time.monotonic()
            for call in (
                memory.status(),
                memory.search("Where does Ines live?"),
                memory.add("I moved."),
                memory.process(),
            ):
                with pytest.raises(StoreUnavailableError):
                    await call
            assert time.monotonic() - start < RETRY_S + 5  # one limit for all that waits
            state = await asyncio.to_thread(launcher.up, settings)
            assert state.uri.endswith(f":{port}")
            assert (await memory.process()).done == 1
            found = await memory.search("Where does Ines live?")
            assert [each.item.uuid for each in found.episodes] == list(added.uuids)
    finally:
        await asyncio.to_thread(launcher.down, settings)
