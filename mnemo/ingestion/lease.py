"""The right to process one group: one process at a time, taken over at once from one that died."""

import asyncio
import os
import platform
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psutil

from mnemo.errors import StoreError
from mnemo.ingestion.repository import Ledger

__all__ = ["LEASE_S", "hold", "is_dead", "new_owner"]

LEASE_S = 30
"""How long a lease outlives its last renewal, by the database's clock."""
_RENEW_S = LEASE_S / 3
_POLL_S = (0.05, 1.0)


def new_owner() -> str:
    """Return a name for this process that tells whether it still runs, and is never given twice."""
    process = psutil.Process()
    return f"{platform.node()}/{process.pid}/{process.create_time():.2f}/{secrets.token_hex(8)}"


def is_dead(owner: str) -> bool:
    """Whether an owner was a process of this machine that no longer runs; False when that cannot be known."""
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
async def hold(ledger: Ledger, group: str) -> AsyncIterator[str]:
    """Wait for the lease of a group, keep it while the block runs, and give it back; yields the owner's name.

    The block is not stopped when the lease is lost: writing without it fails.
    """
    owner = new_owner()
    await _take(ledger, group, owner)
    keeper = asyncio.create_task(_keep(ledger, group, owner))
    try:
        yield owner
    finally:
        keeper.cancel()
        with suppress(asyncio.CancelledError):
            await keeper
        with suppress(StoreError):  # it runs out by itself
            await ledger.release_lease(group, owner)


async def _take(ledger: Ledger, group: str, owner: str) -> None:
    wait, stale = _POLL_S[0], ""
    while True:
        holder = await ledger.take_lease(group, owner, stale=stale, seconds=LEASE_S)
        if holder == owner:
            return
        stale = holder if is_dead(holder) else ""
        if not stale:
            await asyncio.sleep(wait)
            wait = min(wait * 2, _POLL_S[1])


async def _keep(ledger: Ledger, group: str, owner: str) -> None:
    while True:
        await asyncio.sleep(_RENEW_S)
        with suppress(StoreError):  # the next renewal, or the write, will tell
            await ledger.take_lease(group, owner, stale="", seconds=LEASE_S)
