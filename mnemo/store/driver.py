"""The database: runs named queries in managed transactions, on one asynchronous driver."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Literal, Self, TypeAlias, TypeVar

from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, AsyncResult, AsyncSession, RoutingControl
from neo4j.exceptions import DriverError, Neo4jError

from mnemo.config import Neo4jSettings, Settings
from mnemo.errors import ArgumentError, ConflictError, MnemoError, StoreError, StoreVersionError
from mnemo.store.endpoint import Endpoint, resolve_endpoint
from mnemo.store.failures import MINIMUM_VERSION, map_error
from mnemo.store.queries import CypherQuery, load_query
from mnemo.store.retries import StoreRetries
from mnemo.store.values import from_database, to_database

__all__ = ["Call", "Database", "Row"]

Row: TypeAlias = dict[str, Any]
"""One row of a result, by column name, as plain Python values."""
Call: TypeAlias = tuple[str, dict[str, Any]]
"""A query's name and its parameters."""
T = TypeVar("T")

_NO_RETRIES = -1.0
"""The driver retries nothing; `StoreRetries` does."""
_CONNECT_S = 10.0


class Database:
    """A connection pool to one database, for use in one event loop.

    Reads see all earlier writes of the same object (bookmarks). All errors are from `mnemo.errors`; transient ones
    are raised only after retries for `NEO4J_RETRY_S` seconds.
    """

    def __init__(self, driver: AsyncDriver, endpoint: Endpoint, retry_s: float) -> None:
        """Keep a connected driver, and how long to retry. Use `open` to create a database."""
        self._retries = StoreRetries(retry_s)
        self._driver = driver
        self._endpoint = endpoint
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        self._procedures: frozenset[str] = frozenset()
        self._version = ""

    @classmethod
    async def open(cls, target: Endpoint | Settings, *, retry_s: float | None = None) -> "Database":
        """Connect, and read the server's version and procedures.

        Args:
            target: An endpoint, or settings that lead to one; with `neo4j.plugin = never` in the settings the
                plugin is not used.
            retry_s: Seconds to retry statements; None is the setting.

        Raises:
            ConfigError: The settings name no server, or the URI is invalid.
            StoreError: See its kinds; `StoreVersionError` for a server older than `MINIMUM_VERSION`.
        """
        _silence_driver()
        settings = target if isinstance(target, Settings) else None
        endpoint = resolve_endpoint(target) if isinstance(target, Settings) else target
        async with AsyncExitStack() as failing:
            neo4j = settings.neo4j if settings else Neo4jSettings()
            database = cls(_connect(endpoint), endpoint, neo4j.retry_s if retry_s is None else retry_s)
            failing.push_async_callback(database.close)
            await database._read_server(plugin="never" if neo4j.plugin == "never" else "auto")
            failing.pop_all()
        return database

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint it is connected to."""
        return self._endpoint

    @property
    def version(self) -> str:
        """The server's version, such as 2026.09.0."""
        return self._version

    @property
    def procedures(self) -> frozenset[str]:
        """Names of the plugin's procedures; empty without the plugin."""
        return self._procedures

    @property
    def has_plugin(self) -> bool:
        """Whether the plugin's procedures can be called."""
        return bool(self._procedures)

    async def run(self, query_name: str, /, **params: Any) -> list[Row]:
        """Run one query in its own transaction, retried on transient failures.

        Args:
            query_name: Name such as graph/acknowledge; the query's header says whether it reads or writes.
            params: Exactly the parameters in its header.

        Raises:
            ArgumentError: A parameter is missing or unknown, or a datetime has no zone.
            StoreError: See its kinds.
            ConflictError: It violates a uniqueness constraint.
        """
        return await self._run_one(*_prepare(query_name, params))

    async def run_all(self, calls: Sequence[Call]) -> list[list[Row]]:
        """Run queries in order in one write transaction; all of them take effect or none.

        Returns:
            The rows of each query, in the order of the calls.

        Raises:
            ArgumentError: As for `run`, or a query changes the schema.
            StoreError: See its kinds.
            ConflictError: One violates a uniqueness constraint.
        """
        return await self._run("all", calls)

    async def run_guarded(self, calls: Sequence[Call]) -> list[list[Row]]:
        """Run queries as `run_all` does, but roll back if one of them returns no row.

        Raises:
            ArgumentError: As for `run_all`.
            ConflictError: One returned no row or violates a uniqueness constraint; nothing was written.
            StoreError: See its kinds.
        """
        return await self._run("guarded", calls)

    async def run_compiled(self, statement: str, params: Row) -> list[Row]:
        """Run a statement built by the Semantic XPath compiler in a read transaction, with the retries of `run`.

        Args:
            statement: Built of fixed parts only; all user input is in the parameters.
            params: The statement's parameters.

        Raises:
            StoreError: See its kinds.
        """
        found = CypherQuery(name="semxpath", summary="", mode="read", params=(), returns=(), text=statement)
        return await self._run_one(found, {name: to_database(value) for name, value in params.items()})

    async def plan_compiled(self, statement: str, params: Row) -> str:
        """Return the planner's table for a compiled statement, without running it.

        Raises:
            StoreError: It does not compile.
        """
        prepared = {name: to_database(value) for name, value in params.items()}

        async def work(session: AsyncSession) -> str:
            result = await session.run("EXPLAIN " + statement, prepared)
            plan = (await result.consume()).plan or {}
            return str(plan.get("args", {}).get("string-representation", ""))

        return await self._session("semxpath", work)

    async def explain(self, found: CypherQuery) -> "QueryPlan":
        """Return a query's columns and type from the planner, without running it.

        Raises:
            StoreError: It does not compile.
        """

        async def work(session: AsyncSession) -> QueryPlan:
            result = await session.run("EXPLAIN " + found.statement)
            columns = tuple(result.keys())
            summary = await result.consume()
            return columns, summary.query_type or ""

        return await self._session(found.name, work)

    async def close(self) -> None:
        """Close all connections; calling it again has no effect."""
        await self._driver.close()

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        await self.close()

    async def _read_server(self, *, plugin: Literal["auto", "never"]) -> None:
        await _mapped("connect", self._driver.verify_connectivity)  # at once: a wrong address does not get better
        self._version = (await self.run("meta/version"))[0]["version"]
        if _numbers(self._version) < _numbers(MINIMUM_VERSION):
            message = f"Neo4j must be version {MINIMUM_VERSION} or newer, got {self._version}; upgrade the server"
            raise StoreVersionError(message)
        if plugin == "auto":
            self._procedures = frozenset(row["name"] for row in await self.run("meta/procedures"))

    async def _run_one(self, found: CypherQuery, params: Row) -> list[Row]:
        """Run one query in one round trip: the driver sends BEGIN and the statement together."""
        routing = RoutingControl.READ if found.mode == "read" else RoutingControl.WRITE

        async def work() -> list[Row]:
            return await self._driver.execute_query(
                found.statement,
                params,
                routing_=routing,
                database_=self._endpoint.database,
                bookmark_manager_=self._bookmarks,
                result_transformer_=partial(_rows, found),
            )

        return await _mapped(found.name, lambda: self._retries.run(work))

    async def _run(self, mode: Literal["all", "guarded"], calls: Sequence[Call]) -> list[list[Row]]:
        prepared = [_prepare(name, params) for name, params in calls]
        if any(found.mode == "schema" for found, _ in prepared):
            message = "schema queries cannot run in one transaction with others; run them alone"
            raise ArgumentError(message)
        what = " + ".join(dict.fromkeys(found.name for found, _ in prepared))

        async def transaction(tx: AsyncManagedTransaction) -> list[list[Row]]:
            results = []
            for found, params in prepared:
                results.append(await _rows(found, await tx.run(found.statement, params)))
                if mode == "guarded" and not results[-1]:
                    message = f"{found.name}: concurrent update, nothing was written; read again and retry"
                    raise ConflictError(message)
            return results

        async def work(session: AsyncSession) -> list[list[Row]]:
            return await session.execute_write(transaction)

        return await self._session(what, work)

    async def _session(self, what: str, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        async def whole() -> T:
            async with self._driver.session(
                database=self._endpoint.database, bookmark_manager=self._bookmarks
            ) as session:
                return await work(session)

        return await _mapped(what, lambda: self._retries.run(whole))


QueryPlan: TypeAlias = tuple[tuple[str, ...], str]
"""The columns a query returns, and its type: r, w, rw or s."""


async def _mapped(what: str, work: Callable[[], Awaitable[T]]) -> T:
    failure: MnemoError
    try:
        return await work()
    except (DriverError, Neo4jError) as error:
        failure = map_error(error, what)
    except OSError as error:
        failure = StoreError(f"{what}: the connection failed ({type(error).__name__})")
    raise failure  # raised outside the handler: the driver's error may quote stored data


async def _rows(found: CypherQuery, result: AsyncResult) -> list[Row]:
    columns = result.keys()
    if found.plain:
        return [dict(zip(columns, record.values(), strict=True)) async for record in result]
    return [
        {column: from_database(value) for column, value in zip(columns, record.values(), strict=True)}
        async for record in result
    ]


def _prepare(name: str, params: Row) -> tuple[CypherQuery, Row]:
    found = load_query(name)
    if params.keys() != found.param_names:
        missing, unknown = sorted(found.param_names - params.keys()), sorted(params.keys() - found.param_names)
        message = f"{name}: parameters missing: {missing}, unknown: {unknown}"
        raise ArgumentError(message)
    return found, {column.name: to_database(params[column.name], column.type) for column in found.params}


def _connect(endpoint: Endpoint) -> AsyncDriver:
    failure: MnemoError
    try:
        return AsyncGraphDatabase.driver(
            endpoint.uri,
            auth=(endpoint.username, endpoint.password),
            user_agent="mnemo",
            notifications_min_severity="OFF",
            max_transaction_retry_time=_NO_RETRIES,
            connection_timeout=_CONNECT_S,
            keep_alive=True,
            telemetry_disabled=True,
        )
    except (DriverError, Neo4jError) as error:
        failure = map_error(error, "connect")
    raise failure


def _silence_driver() -> None:
    """Keep the driver's log lines, which may quote queries and parameters, out of the application's logs."""
    logger = logging.getLogger("neo4j")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.ERROR)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.partition("-")[0].split(".") if part.isdigit())
