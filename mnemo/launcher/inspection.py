"""What a server is and can do, asked over Bolt."""

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
"""`ready`, `no_plugin` and `other_plugin` servers can be used: the latter two by the plain-Cypher path."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """A server that answered."""

    version: str
    """Of Neo4j."""
    plugin: str | None
    """The plugin's version; None without it."""
    same_plugin: bool
    """Whether it is the one that this installation of mnemo would build."""
    writable: bool

    @property
    def condition(self) -> Condition:
        """The one word for it; what hinders most comes first."""
        if not self.writable:
            return "read_only"
        if self.plugin is None:
            return "no_plugin"
        return "ready" if self.same_plugin else "other_plugin"


def condition_of(error: StoreError) -> Condition:
    """Return the one word for a server that could not be inspected."""
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
    """Connect and look.

    Raises:
        ConfigError: The URI does not fit.
        StoreError: See `condition_of`.
    """
    return ask(endpoint, _inspect)


def ask(endpoint: Endpoint, question: Callable[[Database], Awaitable[T]]) -> T:
    """Run one question on a connection of its own; may be called with or without a running event loop."""

    async def connected() -> T:
        async with await Database.open(endpoint) as database:
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
