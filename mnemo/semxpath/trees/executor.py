"""Runs queries on trees: parse, check, score, compile and execute."""

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from mnemo.errors import ArgumentError, NotFoundError, QuerySchemaError
from mnemo.models.tree import Match, QueryOptions, TreeSchema, Vector, XPathResult
from mnemo.semxpath.compiler.core import Compiled, compile_query, compile_subjects
from mnemo.semxpath.compiler.index import compile_indexed
from mnemo.semxpath.compiler.planner import INDEX_FROM, IndexSearch, ScoringChoice, choose
from mnemo.semxpath.compiler.score_inputs import score_all
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.compiler.tree_source import TreeSource
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.printer import show, show_name
from mnemo.semxpath.language.syntax import VERSION, Query, Similar, Step
from mnemo.semxpath.language.validate import check, tree_vocabulary
from mnemo.semxpath.schema import schema_from_json
from mnemo.semxpath.trees.edit_plan import NodePlace
from mnemo.store.driver import Database, Row
from mnemo.store.trees import nodes as store
from mnemo.store.trees.nodes import TreeInfo

__all__ = ["Address", "Executor", "Explained"]

T = TypeVar("T")
_KNOWN_TREES = 256


class _ReplacedTreeError(Exception):
    """The tree was deleted and another one was created under its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A tree, and the version or versions to query; by default the active one."""

    group: str
    tree: str
    version: int | None = None
    all_versions: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """How a query would be executed."""

    query: str
    """The query in normal form."""
    statement: str
    params: Mapping[str, Any]
    """Parameters; vectors and score tables are given by their size."""
    choice: str
    """How candidates are scored, and why."""
    plan: str
    """Execution plan of the database, as a table."""


@dataclass(frozen=True, slots=True)
class _Known:
    info: TreeInfo
    schema: TreeSchema


class Executor:
    """Queries on the trees of one database."""

    def __init__(
        self, db: Database, cosine: CosineScorer, scorer: Scorer | None = None, *, index_from: int = INDEX_FROM
    ) -> None:
        """Create an executor.

        Args:
            db: The database.
            cosine: Scorer for stored vectors; must use the embedder they were made with.
            scorer: Scores semantic matches instead of the stored vectors.
            index_from: Minimum number of candidates for using the vector index.
        """
        self._db = db
        self._cosine = cosine
        self._scorer = scorer
        self._index_from = index_from
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()

    async def xpath(self, text: str, address: Address, options: QueryOptions) -> XPathResult:
        """Return the nodes that a query finds.

        Raises:
            QueryError: The query does not parse, or uses names that the tree does not have.
            NotFoundError: There is no such tree or version.
            ProviderError: The embedder or the scorer fails.
            StoreError: See its kinds.
        """
        job, row, trips = await self._with_retry(lambda: self._queried(text, address, options))
        return XPathResult(
            query=text,
            version=None if job.whole else row["version"],
            semantic=job.query.semantic,
            matches=tuple(_match(item) for item in row["rows"]),
            round_trips=trips,
        )

    async def places(self, text: str, address: Address) -> tuple[int, list[NodePlace]]:
        """Return the number of the addressed version and the places of the nodes that a query finds, in order.

        Raises:
            ArgumentError: The query finds versions, or nodes of another version.
            QueryError, NotFoundError, ProviderError, StoreError: As for `xpath`.
        """
        row = await self._with_retry(lambda: self._placed(text, address))
        return row["version"], [_place(item, row["version"]) for item in row["rows"]]

    async def explain(self, text: str, address: Address, options: QueryOptions) -> Explained:
        """Return how a query would be executed, without executing it; errors as for `xpath`."""
        job = await self._job(text, address, options)
        compiled = job.compiled()
        return Explained(
            query=show(job.query),
            statement=compiled.statement,
            params={name: _shown(value) for name, value in compiled.params.items()},
            choice=job.choice.reason,
            plan=await self._db.plan_compiled(compiled.statement, dict(compiled.params)),
        )

    async def schema(self, group: str, tree: str) -> TreeSchema:
        """Return every type and attribute that some version of a tree has or had.

        Raises:
            NotFoundError: There is no such tree.
            StoreError: See its kinds.
        """
        return (await self._refreshed(group, tree)).schema

    def forget(self, group: str, tree: str) -> None:
        """Drop the cached schema of a tree; call it after a write."""
        self._known.pop((group, tree), None)

    async def _with_retry(self, run: Callable[[], Awaitable[T]]) -> T:
        """Run a query; run it once more if the tree was replaced since its schema was read."""
        try:
            return await run()
        except _ReplacedTreeError:
            return await run()

    async def _queried(self, text: str, address: Address, options: QueryOptions) -> "tuple[_Job, Row, int]":
        job = await self._job(text, address, options)
        return job, *await self._answer(job)

    async def _placed(self, text: str, address: Address) -> Row:
        job = await self._job(text, address, QueryOptions())
        source = replace(job.source, columns="places")
        return await self._run(compile_query(job.query, source, job.scores, QueryOptions(), job.given), job.given)

    async def _job(self, text: str, address: Address, options: QueryOptions) -> "_Job":
        query = parse(text)
        known = await self._checked(query, address)
        source = TreeSource(root_type=known.info.root, version=address.version, all_versions=address.all_versions)
        given = _given(address, known.info.uuid)
        scores, trips = await self._scores(query, source, given)
        whole = address.all_versions or _names_version(query, source)
        last = query.steps[-1].test
        candidates = known.info.nodes if last is None else known.info.counts.get(last, 0)
        choice = choose(query, known.info.root, candidates, options, self._index_from)
        if choice.index is not None and (whole or self._scorer is not None):
            choice = ScoringChoice(
                reason="all versions, or a custom scorer: each candidate is scored exactly", index=None
            )
        return _Job(query, source, given, scores, options, choice, whole, trips)

    async def _answer(self, job: "_Job") -> tuple[Row, int]:
        row = await self._run(job.compiled(), job.given)
        if job.choice.index is None or not _incomplete(row, job.choice.index, job.options):
            return row, job.trips + 1
        exact = replace(job, choice=ScoringChoice(reason="the vector index returned too few rows", index=None))
        return await self._run(exact.compiled(), job.given), job.trips + 2

    async def _run(self, compiled: Compiled, given: Mapping[str, Any]) -> Row:
        rows = await self._db.run_compiled(compiled.statement, dict(compiled.params))
        group, tree = given["group"], given["tree"]
        if not rows:
            known = await self._refreshed(group, tree)
            if known.info.uuid != given["uuid"]:
                raise _ReplacedTreeError
            numbers = ", ".join(map(str, known.info.numbers[-5:]))
            message = f"there is no version {given.get('version')} of {tree!r}; the newest versions are {numbers}"
            raise NotFoundError(message)
        if rows[0]["tree"] != given["uuid"]:
            self.forget(group, tree)
            raise _ReplacedTreeError
        known_now = self._known.get((group, tree))
        if known_now is not None and known_now.info.revision != rows[0]["revision"]:
            self.forget(group, tree)
        return rows[0]

    async def _checked(self, query: Query, address: Address) -> _Known:
        """Check a query against the cached schema of the tree, and if that fails, against the current one."""
        known = self._known.get((address.group, address.tree))
        if known is None:
            known = await self._refreshed(address.group, address.tree)
        try:
            check(query, tree_vocabulary(known.schema))
        except QuerySchemaError:
            known = await self._refreshed(address.group, address.tree)
            check(query, tree_vocabulary(known.schema))
        return known

    async def _refreshed(self, group: str, tree: str) -> _Known:
        info = await store.info(self._db, group, tree)
        known = _Known(info, schema_from_json(info.schema))
        self._known[group, tree] = known
        if len(self._known) > _KNOWN_TREES:
            self._known.popitem(last=False)
        return known

    async def _scores(
        self, query: Query, source: TreeSource, given: Mapping[str, Any]
    ) -> tuple[dict[Similar, Vector | dict[str, float]], int]:
        async def subjects(match: Similar, steps: tuple[Step, ...]) -> list[str]:
            return list((await self._run(compile_subjects(steps, match.name, source, given), given))["rows"])

        return await score_all(query, (self._cosine, self._scorer), frozenset({None}), subjects)


@dataclass(frozen=True, slots=True)
class _Job:
    """A query that is ready to be compiled."""

    query: Query
    source: TreeSource
    given: Mapping[str, Any]
    scores: Mapping[Similar, Vector | dict[str, float]]
    options: QueryOptions
    choice: ScoringChoice
    whole: bool
    trips: int

    def compiled(self) -> Compiled:
        """Return the compiled query, scored as chosen."""
        if self.choice.index is None:
            return compile_query(self.query, self.source, self.scores, self.options, self.given)
        return compile_indexed(self.query, self.source, self.scores, self.choice.index, self.given, self.options)


def _given(address: Address, uuid: str) -> dict[str, Any]:
    given: dict[str, Any] = {"group": address.group, "tree": address.tree, "uuid": uuid}
    return given if address.version is None else {**given, "version": address.version}


def _names_version(query: Query, source: TreeSource) -> bool:
    steps = query.steps
    if steps[0].axis == "child" and source.root(steps[0]):
        steps = steps[1:]
    return bool(steps) and steps[0].test == VERSION


def _incomplete(row: Row, search: IndexSearch, options: QueryOptions) -> bool:
    """Return whether rows may be missing because the index returned too few nodes."""
    complete = row["fetched"] < search.fetched or len(row["rows"]) >= search.needed
    below = options.threshold is not None and row["lowest"] < options.threshold
    return not complete and not below


def _match(item: Row) -> Match:
    version = item["version"]
    attributes = {**version, "created_at": version["created_at"].isoformat()} if version else None
    return Match(
        uuid=item["uuid"],
        type=VERSION if version else item["type"],
        attributes=attributes or json.loads(item["attributes"]),
        score=item["score"],
        path=_path(item["path"]),
    )


def _path(steps: Sequence[tuple[str, int]]) -> str:
    return "".join(f"/{show_name(name)}[{ordinal}]" for name, ordinal in steps) or "/"


def _place(item: Row, version: int) -> NodePlace:
    if len(item["path"]) == 1:
        message = f"{_path(item['path'])} is a version; versions cannot be edited, only their nodes"
        raise ArgumentError(message)
    if item["positions"][0] != version or len(item["chain"]) != len(item["positions"]):
        message = f"{_path(item['path'])} is not in version {version}, which is edited; check out its version first"
        raise ArgumentError(message)
    return NodePlace((*item["chain"][1:], item["uuid"]), tuple(item["positions"][1:]), _path(item["path"]))


def _shown(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return f"<vector of {value.size}>"
    return f"<{len(value)} scores>" if isinstance(value, dict) else value
