"""The lease on a group: one process holds it at a time; the lease of a dead process is taken over at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from mnemo.errors import StoreError
from mnemo.ingestion.repository import IngestionRepository
from mnemo.store.owners import LEASE_S, RENEW_S, is_dead, new_owner

__all__ = ["hold"]

_POLL_S = (0.05, 1.0)


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
        await asyncio.sleep(RENEW_S)
        with suppress(StoreError):  # the next renewal or write reports it
            await repository.take_lease(group, owner, stale="", seconds=LEASE_S)
