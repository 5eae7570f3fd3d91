"""What every part of a memory shares: settings, group, clock, and one connection opened at first use."""

import asyncio
import inspect
import os
from datetime import datetime
from typing import Self

from mnemo.clock import Clock, SystemClock
from mnemo.config import Settings, load_settings
from mnemo.errors import ArgumentError, NotFoundError
from mnemo.ingestion.intake.recall_log import RecallLog
from mnemo.memory.arguments import checked
from mnemo.memory.connection import Connection, Providers, open_connection
from mnemo.models.group import checked_group
from mnemo.providers.base import Embedder, Llm
from mnemo.store import graph
from mnemo.store.reembed import reembed

__all__ = ["MemoryBase"]

_UUID_CHARS = 36
_MIN_PREFIX = 4


class MemoryBase:
    """Opens and closes the connection of a memory. Every verb of a subclass checks its arguments; see `checked`."""

    def __init_subclass__(cls) -> None:
        """Make the public coroutines of a subclass check their arguments."""
        for name, verb in list(vars(cls).items()):
            if inspect.iscoroutinefunction(verb) and not name.startswith("_"):
                setattr(cls, name, checked(verb))

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        group: str | None = None,
        llm: Llm | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Keep how to connect; nothing is read or written yet.

        Args:
            settings: None reads them from the environment and `.env`.
            group: The group of calls that name none; None is the one of the settings.
            llm: Used instead of the one of the settings; the caller closes it.
            embedder: Used instead of the one of the settings; the caller closes it.
            clock: Tells when things are recorded; None is the machine's.

        Raises:
            ConfigError: A setting is invalid.
            GroupError: The group name is invalid.
        """
        self._settings = settings or load_settings()
        self._group = checked_group(group if group is not None else self._settings.group)
        self._providers = Providers(llm=llm, embedder=embedder)
        self._clock = clock or SystemClock()
        self._recalled = RecallLog()
        self._connection: Connection | None = None
        self._opening = asyncio.Lock()
        self._pid = os.getpid()
        self._inherited: list[Connection] = []

    async def __aenter__(self) -> Self:
        """Return the memory; it connects at the first call."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the memory."""
        await self.close()

    async def close(self) -> None:
        """Close all connections. Closing twice is fine, and a later call connects again."""
        self._notice_fork()
        async with self._opening:
            if self._connection is not None:
                await self._connection.close()
            self._connection = None
        self._opening = asyncio.Lock()  # a later call may run in another event loop

    async def warm(self) -> None:
        """Connect and load the models, so that the first message or question does not wait for them.

        Raises:
            ArtifactError: A model cannot be fetched.
            ConfigError, ProviderError, StoreError: See their kinds.
        """
        await (await self._open()).warm()

    async def reembed(self) -> int:
        """Embed the memory of all groups with the configured model; return how many vectors were replaced.

        A run that was stopped continues where it was.

        Raises:
            ProviderError: The embedder failed; call it again.
        """
        await self.close()
        opened = await open_connection(self._settings, self._providers, self._clock, self._recalled, "keep")
        try:
            return await reembed(opened.database, opened.embedder)
        finally:
            await opened.close()

    def _group_of(self, group: str | None) -> str:
        return self._group if group is None else checked_group(group)

    async def _whole_uuid(self, group: str, uuid: str) -> str:
        """Complete a prefix of a uuid.

        Raises:
            ArgumentError: Several uuids of the group begin with it, or it is too short.
            NotFoundError: None does.
        """
        if len(uuid) >= _UUID_CHARS:
            return uuid
        if len(uuid) < _MIN_PREFIX:
            message = f"a uuid prefix must have at least {_MIN_PREFIX} characters, got {len(uuid)}"
            raise ArgumentError(message)
        found = await graph.find((await self._open()).database, group, uuid.lower(), limit=2)
        if not found:
            message = "this group has no episode, entity or edge whose uuid begins with that prefix"
            raise NotFoundError(message)
        if len(found) > 1:
            message = f"several uuids begin with {uuid!r}; give more characters"
            raise ArgumentError(message)
        return found[0]

    def _now(self) -> datetime:
        return self._clock.now()

    async def _open(self, *, embeds: bool = False) -> Connection:
        """Connect, if not connected; with `embeds` the local model is loaded meanwhile."""
        self._notice_fork()
        async with self._opening:
            if self._connection is None:
                self._connection = await open_connection(
                    self._settings, self._providers, self._clock, self._recalled, preload=embeds
                )
            return self._connection

    def _notice_fork(self) -> None:
        """Connect anew in a process forked from the one that connected, whose sockets belong to it alone."""
        if self._pid == os.getpid():
            return
        if self._connection is not None:
            self._inherited.append(self._connection)  # kept, because the end of a driver would write to its sockets
        self._connection, self._opening, self._pid = None, asyncio.Lock(), os.getpid()
