"""Runs queries on trees: parse, check, score, compile, one round trip."""

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from mnemo.errors import ArgumentError, NotFoundError, QuerySchemaError
from mnemo.models.tree import Match, TreeSchema, Vector, XPathResult
from mnemo.semxpath.compiler.core import Compiled, QueryOptions, compile_query, compile_subjects
from mnemo.semxpath.compiler.index import compile_indexed
from mnemo.semxpath.compiler.planner import INDEX_FROM, IndexSearch, ScoringChoice, choose
from mnemo.semxpath.compiler.score_inputs import score_all
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.compiler.tree_source import TreeSource
from mnemo.semxpath.language.parser import parse
from mnemo.semxpath.language.printer import show, show_name
from mnemo.semxpath.language.syntax import VERSION, Query, Similar, Step
from mnemo.semxpath.language.validate import check, tree_vocabulary
from mnemo.semxpath.schema import loaded
from mnemo.semxpath.trees.edit_plan import NodePlace
from mnemo.store import tree as store
from mnemo.store.driver import Database, Row
from mnemo.store.tree import TreeInfo

__all__ = ["Address", "Executor", "Explained"]

T = TypeVar("T")
_KNOWN_TREES = 256


class _ReplacedTreeError(Exception):
    """Another tree has the name now: it was deleted and made again by another process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Which tree, and which of its versions; None and False is the active one."""

    group: str
    tree: str
    version: int | None = None
    all_versions: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """How a query would run."""

    query: str
    """As the printer writes it."""
    statement: str
    params: Mapping[str, Any]
    """Vectors shortened to how long they are."""
    choice: str
    """How candidates are scored, and why."""
    plan: str
    """The database's own plan, as a table."""


@dataclass(frozen=True, slots=True)
class _Known:
    info: TreeInfo
    schema: TreeSchema


class Executor:
    """Queries on the trees of one database."""

    def __init__(
        self, db: Database, cosine: CosineScorer, scorer: Scorer | None = None, *, index_from: int = INDEX_FROM
    ) -> None:
        """Run queries.

        Args:
            db: Where.
            cosine: Embeds the texts of queries; must be the embedder of the stored vectors.
            scorer: Scores semantic matches instead of the stored vectors.
            index_from: Candidates from which on the vector index is asked.
        """
        self._db = db
        self._cosine = cosine
        self._scorer = scorer
        self._index_from = index_from
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()

    async def xpath(self, text: str, address: Address, options: QueryOptions) -> XPathResult:
        """Return the nodes that a query finds.

        Raises:
            QueryError: It does not parse, or names what the tree does not have.
            NotFoundError: There is no such tree or version.
            ProviderError: The embedder or the scorer fails.
            StoreError: See its kinds.
        """
        job, row, trips = await self._current(lambda: self._queried(text, address, options))
        return XPathResult(
            query=text,
            version=None if job.whole else row["version"],
            semantic=job.query.semantic,
            matches=tuple(_match(item) for item in row["rows"]),
            round_trips=trips,
        )

    async def places(self, text: str, address: Address) -> tuple[int, list[NodePlace]]:
        """Return the version addressed and where the nodes that a query finds stand in it, in order.

        Raises:
            ArgumentError: The query finds versions, or nodes of another version.
            QueryError, NotFoundError, ProviderError, StoreError: As for `xpath`.
        """
        row = await self._current(lambda: self._placed(text, address))
        return row["version"], [_place(item, row["version"]) for item in row["rows"]]

    async def explain(self, text: str, address: Address, options: QueryOptions) -> Explained:
        """Return how a query would run, without running it; errors as for `xpath`."""
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
        """Forget what is known of a tree: it was written."""
        self._known.pop((group, tree), None)

    async def _current(self, run: Callable[[], Awaitable[T]]) -> T:
        """Run a query; run it again if the tree was deleted and made again since its schema was read."""
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
            choice = ScoringChoice(reason="all versions, or a scorer of its own: each candidate is scored", index=None)
        return _Job(query, source, given, scores, options, choice, whole, trips)

    async def _answer(self, job: "_Job") -> tuple[Row, int]:
        row = await self._run(job.compiled(), job.given)
        if job.choice.index is None or not _short(row, job.choice.index, job.options):
            return row, job.trips + 1
        exact = replace(job, choice=ScoringChoice(reason="the index gave too few", index=None))
        return await self._run(exact.compiled(), job.given), job.trips + 2

    async def _run(self, compiled: Compiled, given: Mapping[str, Any]) -> Row:
        rows = await self._db.run_compiled(compiled.statement, dict(compiled.params))
        group, tree = given["group"], given["tree"]
        if not rows:
            known = await self._refreshed(group, tree)
            if known.info.uuid != given["uuid"]:
                raise _ReplacedTreeError
            numbers = ", ".join(map(str, known.info.numbers[-5:]))
            message = f"there is no version {given.get('version')} of {tree!r}; its newest are {numbers}"
            raise NotFoundError(message)
        if rows[0]["tree"] != given["uuid"]:
            self.forget(group, tree)
            raise _ReplacedTreeError
        known_now = self._known.get((group, tree))
        if known_now is not None and known_now.info.revision != rows[0]["revision"]:
            self.forget(group, tree)
        return rows[0]

    async def _checked(self, query: Query, address: Address) -> _Known:
        """Hold a query against what is known of the tree, and if it does not fit, against what it is now."""
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
        known = _Known(info, loaded(info.schema))
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
    """A query, ready to be compiled."""

    query: Query
    source: TreeSource
    given: Mapping[str, Any]
    scores: Mapping[Similar, Vector | dict[str, float]]
    options: QueryOptions
    choice: ScoringChoice
    whole: bool
    trips: int

    def compiled(self) -> Compiled:
        """Compile it as chosen."""
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


def _short(row: Row, search: IndexSearch, options: QueryOptions) -> bool:
    """Tell whether rows may be missing that the index did not reach."""
    complete = row["fetched"] < search.fetched or len(row["rows"]) >= search.wanted
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
        message = f"edits change nodes; {_path(item['path'])} is a version, which never changes"
        raise ArgumentError(message)
    if item["positions"][0] != version or len(item["chain"]) != len(item["positions"]):
        message = f"edits change version {version}; {_path(item['path'])} is of another, check that one out first"
        raise ArgumentError(message)
    return NodePlace((*item["chain"][1:], item["uuid"]), tuple(item["positions"][1:]), _path(item["path"]))


def _shown(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return f"<vector of {value.size}>"
    return f"<{len(value)} scores>" if isinstance(value, dict) else value
