"""A disk that runs full under the server: nothing acknowledged is lost, and it starts again once there is space."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mnemo import AsyncMemory, Message, launcher
from mnemo.config import Settings
from mnemo.errors import DiskError, StartError, StoreUnavailableError
from mnemo.providers.local import LocalEmbedder
from support.server import local_settings

pytestmark = pytest.mark.slow
MB = 1024 * 1024


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """A local server on a disk of 40 MB."""
    made = local_settings(tmp_path, heap_mb=384, page_cache_mb=64)
    made.server_dir.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(made.server_dir)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603  # fixed arguments
        pytest.skip("only root can mount a small disk")
    try:
        yield made
    finally:
        launcher.down(made)
        subprocess.run(["umount", str(made.server_dir)], check=True)  # noqa: S603, S607  # fixed arguments


def filled(settings: Settings) -> Path:
    """Fill the disk up to the last two megabytes."""
    filler = settings.server_dir / "filler"
    with filler.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(MB))
            file.flush()
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - 2 * MB)
    return filler


async def added_until_full(memory: AsyncMemory) -> int:
    """Store messages until the disk is full; return how many were acknowledged."""
    for number in range(1_000):
        message = Message(content=f"{number} " + "words " * 5_000, source_id=str(number))
        try:
            await memory.add(message, when="later")
        except DiskError:
            return number
    pytest.fail("the disk did not fill up")


def restarted(settings: Settings) -> None:
    """Start the server, repaired if its log is torn, which depends on the last write."""
    try:
        launcher.up(settings)
    except StartError as error:
        if "mnemo up --repair" not in str(error):
            raise
        launcher.up(settings, repair=True)


async def test_full_disk_is_reported_and_survived(settings: Settings, embedder: LocalEmbedder) -> None:
    await asyncio.to_thread(launcher.up, settings)
    async with AsyncMemory(settings, group="full", embedder=embedder) as memory:
        await memory.status()
        filler = await asyncio.to_thread(filled, settings)
        acknowledged = await added_until_full(memory)
        with pytest.raises((DiskError, StoreUnavailableError), match="disk"):
            await memory.add("one more", when="later")
    filler.unlink()
    await asyncio.to_thread(restarted, settings)
    async with AsyncMemory(settings, group="full", embedder=embedder) as memory:
        assert (await memory.status()).pending >= acknowledged > 0
