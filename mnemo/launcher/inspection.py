"""A server's version, plugin and access mode, read over Bolt."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from mnemo.errors import StoreAuthError, StoreError, StoreReadOnlyError, StoreVersionError
from mnemo.launcher.plugin import build_id
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from mnemo.version import VERSION

__all__ = ["Condition", "Inspection", "ask", "condition_of", "inspect"]

Condition: TypeAlias = Literal[
    "ready", "no_plugin", "other_plugin", "read_only", "too_old", "auth", "unreachable", "stopped", "failed"
]
"""`ready`, `no_plugin` and `other_plugin` servers are usable, the latter two by plain Cypher."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a server says about itself."""

    version: str
    """Neo4j's version."""
    plugin: str | None
    """The plugin's version; None without it."""
    same_plugin: bool
    """Whether the plugin is the one this installation would build."""
    writable: bool

    @property
    def condition(self) -> Condition:
        """The condition in one word; the most serious obstacle wins."""
        if not self.writable:
            return "read_only"
        if self.plugin is None:
            return "no_plugin"
        return "ready" if self.same_plugin else "other_plugin"


def condition_of(error: StoreError) -> Condition:
    """Return the condition of a server that could not be inspected."""
    kinds: tuple[tuple[type[StoreError], Condition], ...] = (
        (StoreAuthError, "auth"),
        (StoreVersionError, "too_old"),
        (StoreReadOnlyError, "read_only"),
    )
    for kind, condition in kinds:
        if isinstance(error, kind):
            return condition
    return "unreachable" if error.retryable else "failed"


def inspect(endpoint: Endpoint) -> Inspection:
    """Connect to a server and read what it is.

    Raises:
        ConfigError: The URI is invalid.
        StoreError: See `condition_of`.
    """
    return ask(endpoint, _inspect)


def ask(endpoint: Endpoint, question: Callable[[Database], Awaitable[T]]) -> T:
    """Run `question` on a new connection; works with or without a running event loop."""

    async def connected() -> T:
        async with await Database.open(endpoint, retry_s=0) as database:
            return await question(database)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, connected()).result()


async def _inspect(database: Database) -> Inspection:
    access = await database.run("meta/access", name=database.endpoint.database)
    version, build = None, ""
    if "mnemo.version" in database.procedures:
        (row,) = await database.run("meta/plugin")
        version, build = row["version"], row["build"]
    return Inspection(
        version=database.version,
        plugin=version,
        same_plugin=version == VERSION and build in {"", build_id()},
        writable=any(row["access"] == "read-write" for row in access) or not access,
    )
