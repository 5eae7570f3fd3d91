"""How fast System-1 is, and how exact its indexes are, beside a bare round trip, a scan and graphiti-core."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeAlias

import numpy as np

from mnemo.bench.recall.metrics import mean
from mnemo.bench.search import load
from mnemo.bench.search.graphiti import GraphitiSide
from mnemo.bench.search.synthetic import Facts, exact_nearest, facts
from mnemo.models.progress import OnProgress
from mnemo.providers.base import Vectors
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.system1 import search
from mnemo.store.driver import Database
from mnemo.store.search import Filters, SearchQuery, gather

__all__ = ["TENANTS", "Given", "K", "Latency", "SearchRow", "measure", "run"]

K = 20
QUESTIONS = 30
SEED = 7
_WARM_UP = 5
TENANTS = 1_000
_TENANT_FACTS = 20
_LIMIT = 50

MeasuredStep: TypeAlias = Callable[[str], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Milliseconds of one kind of call over all questions."""

    median_ms: float
    p95_ms: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Latency":
        """Return the median and the 95th percentile; at least one call."""
        median, p95 = np.percentile(np.array(seconds) * 1000.0, [50, 95])
        return cls(median_ms=round(float(median), 2), p95_ms=round(float(p95), 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRow:
    """One size of one group, or many groups."""

    name: str
    """Such as 20,000 or 1,000 x 20."""
    facts: int
    groups: int
    timings: Mapping[str, Latency]
    """By what was called: ping, exact, gather, system1, graphiti."""
    recall: float
    """Share of the exact 20 nearest facts among those that the index brought, 0 to 1."""
    returned: int
    """Least facts that a search for 20 returned."""
    notes: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Given:
    """An embedder whose vectors are given, so that no model's time is measured."""

    vectors: Mapping[str, Vectors]
    model: str
    dimensions: int

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the given vectors, (len(texts), dimensions)."""
        return np.stack([self.vectors[text] for text in texts])

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Return the given vectors, (len(texts), dimensions)."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Nothing is open."""


async def run(  # what to load, beside whom to measure it, and whom to tell
    database: Database,
    sizes: Sequence[int],
    embedding: tuple[str, int],
    *,
    rivals: Sequence[str],
    on_progress: OnProgress,
    tenants: int = TENANTS,
) -> list[SearchRow]:
    """Load each size into a group of its own and measure; then many groups of 20 facts among all of that.

    Args:
        database: Migrated; what earlier runs left is deleted first, and all of this run's at its end.
        sizes: Facts of one group, each at least 20.
        embedding: Name and dimensions of the model that the database is migrated for.
        rivals: `graphiti` to measure it too, on the same server, texts and vectors.
        on_progress: Called with the stages `load …`.
        tenants: Groups of 20 facts, at least 1.

    Raises:
        ConfigError: graphiti-core is wanted and not installed.
        StoreError: See its kinds.
    """
    await load.clear(database)
    rows = []
    try:
        for size in sizes:
            made = facts(size, questions=QUESTIONS, dimensions=embedding[1], seed=SEED)
            group = f"{load.PREFIX}{size}"
            await load.load(database, made, [group], on_progress)
            row = await _one_group(database, made, group, embedding, rivals, on_progress)
            rows.append(row)
        rows.append(await _many_groups(database, embedding, tenants, on_progress))
    finally:
        await load.clear(database)
    return rows


async def measure(step: MeasuredStep, questions: Sequence[str]) -> Latency:
    """Call a step with each question, one after another, after a few calls that are not counted."""
    for question in questions[:_WARM_UP]:
        await step(question)
    seconds = []
    for question in questions:
        start = time.perf_counter()
        await step(question)
        seconds.append(time.perf_counter() - start)
    return Latency.of(seconds)


async def _one_group(
    database: Database,
    made: Facts,
    group: str,
    embedding: tuple[str, int],
    rivals: Sequence[str],
    on_progress: OnProgress,
) -> SearchRow:
    vectors = dict(zip(made.questions, made.question_vectors, strict=True))
    timings = {
        name: await measure(step, made.questions) for name, step in _steps(database, vectors, group, embedding).items()
    }
    if "graphiti" in rivals:
        timings["graphiti"] = await _graphiti(database, made, group, vectors, on_progress)
    shares, least = await _recall(database, made, group)
    size = len(made.texts)
    return SearchRow(name=f"{size:,}", facts=size, groups=1, timings=timings, recall=shares, returned=least)


async def _many_groups(
    database: Database, embedding: tuple[str, int], tenants: int, on_progress: OnProgress
) -> SearchRow:
    """Measure tenants of few facts each, among all that is loaded."""
    groups = [f"{load.PREFIX}tenant-{number}" for number in range(tenants)]
    made = facts(tenants * _TENANT_FACTS, questions=QUESTIONS, dimensions=embedding[1], seed=SEED + 1)
    await load.load(database, made, groups, on_progress)
    vectors = dict(zip(made.questions, made.question_vectors, strict=True))
    places = {question: number * (tenants // QUESTIONS) for number, question in enumerate(made.questions)}

    gatherer = CandidateGatherer(database, Given(vectors, *embedding))

    async def ask(question: str) -> int:
        request = SearchRequest(group=groups[places[question]], question=question, k=K)
        return len((await search(gatherer, request)).edges)

    timings = {"system1": await measure(ask, made.questions)}
    least = min([await ask(question) for question in made.questions])
    return SearchRow(
        name=f"{tenants:,} x {_TENANT_FACTS}",
        facts=len(made.texts),
        groups=len(groups),
        timings=timings,
        recall=least / _TENANT_FACTS,
        returned=least,
    )


def _steps(
    database: Database, vectors: Mapping[str, Vectors], group: str, embedding: tuple[str, int]
) -> dict[str, MeasuredStep]:
    gatherer = CandidateGatherer(database, Given(vectors, *embedding))

    async def ping(_question: str) -> object:
        return await database.run("bench/ping")

    async def exact(question: str) -> object:
        return await database.run("bench/exact", group=group, vector=vectors[question], limit=K)

    async def gathering(question: str) -> object:
        return await gather(database, _query(group, question, vectors[question]))

    async def system1(question: str) -> object:
        return await search(gatherer, SearchRequest(group=group, question=question))

    return {"ping": ping, "exact": exact, "gather": gathering, "system1": system1}


async def _graphiti(
    database: Database, made: Facts, group: str, vectors: Mapping[str, Vectors], on_progress: OnProgress
) -> Latency:
    side = GraphitiSide(database.endpoint, {text: vector.tolist() for text, vector in vectors.items()})
    try:
        await side.prepare()
        name = group.replace("/", "-")  # graphiti-core takes letters, digits, dashes and underscores
        await load.load_graphiti(database, made, name, on_progress)
        return await measure(lambda question: side.search(question, name, 10), made.questions)
    finally:
        await side.close()


async def _recall(database: Database, made: Facts, group: str) -> tuple[float, int]:
    """Return the mean share of the exact nearest that were brought, and the least number brought."""
    shares, numbers = [], []
    for question, vector in zip(made.questions, made.question_vectors, strict=True):
        gathered = await gather(database, _query(group, question, vector))
        best = sorted(gathered.edges, key=lambda row: (-row["whole"], row["uuid"]))[:K]
        wanted = {load.uuid_of(group, row) for row in exact_nearest(made.vectors, vector, K)}
        shares.append(len(wanted & {row["uuid"] for row in best}) / len(wanted))
        numbers.append(len(best))
    return mean(shares), min(numbers)


def _query(group: str, question: str, vector: Vectors) -> SearchQuery:
    filters = Filters(as_of=datetime.now(UTC))
    return SearchQuery(
        group=group,
        text=question,
        bare=question,
        bare_vector=vector,
        whole_vector=vector,
        limit=_LIMIT,
        filters=filters,
    )
