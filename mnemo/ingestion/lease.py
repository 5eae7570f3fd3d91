"""The lease on a group: one process holds it at a time; the lease of a dead process is taken over at once."""

import asyncio
import os
import platform
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psutil

from mnemo.errors import StoreError
from mnemo.ingestion.repository import IngestionRepository

__all__ = ["LEASE_S", "hold", "is_dead", "new_owner"]

LEASE_S = 30
"""Seconds from the last renewal to expiry, by the database's clock."""
_RENEW_S = LEASE_S / 3
_POLL_S = (0.05, 1.0)


def new_owner() -> str:
    """Return a unique owner name for this process; others can tell from it whether the process still runs."""
    process = psutil.Process()
    return f"{platform.node()}/{process.pid}/{process.create_time():.2f}/{secrets.token_hex(8)}"


def is_dead(owner: str) -> bool:
    """Return whether an owner is a process of this machine that no longer runs; False if unknown."""
    node, _, rest = owner.partition("/")
    pid, _, rest = rest.partition("/")
    started = rest.partition("/")[0]
    if node != platform.node() or not pid.isdecimal() or int(pid) == os.getpid():
        return False
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" != started
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


@asynccontextmanager
async def hold(repository: IngestionRepository, group: str) -> AsyncIterator[str]:
    """Wait for the lease on a group, renew it while the block runs, then release it; yield the owner's name.

    Losing the lease does not stop the block, but its writes fail.
    """
    owner = new_owner()
    await _acquire(repository, group, owner)
    renewal = asyncio.create_task(_renew(repository, group, owner))
    try:
        yield owner
    finally:
        renewal.cancel()
        with suppress(asyncio.CancelledError):
            await renewal
        with suppress(StoreError):  # it expires by itself
            await repository.release_lease(group, owner)


async def _acquire(repository: IngestionRepository, group: str, owner: str) -> None:
    wait, stale = _POLL_S[0], ""
    while True:
        holder = await repository.take_lease(group, owner, stale=stale, seconds=LEASE_S)
        if holder == owner:
            return
        stale = holder if is_dead(holder) else ""
        if not stale:
            await asyncio.sleep(wait)
            wait = min(wait * 2, _POLL_S[1])


async def _renew(repository: IngestionRepository, group: str, owner: str) -> None:
    while True:
        await asyncio.sleep(_RENEW_S)
        with suppress(StoreError):  # the next renewal or write reports it
            await repository.take_lease(group, owner, stale="", seconds=LEASE_S)
