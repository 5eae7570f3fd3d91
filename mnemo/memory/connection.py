"""Everything that a memory works with, made at its first use and closed with it."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Literal

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.categoriser import Categoriser  # noqa: TC001  # as its neighbours
from mnemo.hierarchy.categories.layers import Rules
from mnemo.hierarchy.categories.llm_categoriser import LlmCategoriser
from mnemo.hierarchy.categories.local_categoriser import LocalCategoriser
from mnemo.hierarchy.categories.maintenance import Renaming, Upkeep
from mnemo.hierarchy.categories.naming import LlmNamer, LocalNamer, Namer
from mnemo.hierarchy.memtree.aggregate import Aggregator, ExtractAggregator, LlmAggregator
from mnemo.hierarchy.memtree.tree import OnlineTree
from mnemo.ingestion.extraction import Extractor
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.ingestion.llm.judge import LlmJudge
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.pipeline import Pipeline
from mnemo.ingestion.recall_log import RecallLog, Unechoed
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.factory import build_embedder, build_llm, build_reranker
from mnemo.retrieval.rerank import LlmReranker
from mnemo.retrieval.selector import EmbeddingSelector, LlmSelector, Selector
from mnemo.retrieval.system2 import System2
from mnemo.store.driver import Database
from mnemo.store.migrations import migrate

__all__ = ["Connection", "Providers", "open_connection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """Providers that a caller brings; None is what the settings say."""

    llm: Llm | None = None
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An open database with the providers and the pipeline on it."""

    database: Database
    embedder: Embedder
    llm: Llm | None
    pipeline: Pipeline
    tree: OnlineTree
    builder: Builder
    """Of hierarchies over entities."""
    upkeep: Upkeep
    system2: System2
    reranker: Reranker | None
    owned: tuple[Embedder | Llm | Reranker, ...]
    """Providers that were made here, to be closed here."""

    async def close(self) -> None:
        """Close the database and what was made here."""
        await self.database.close()
        await asyncio.gather(*(provider.close() for provider in self.owned))


async def open_connection(
    settings: Settings,
    given: Providers,
    clock: Clock,
    recalled: RecallLog,
    schema: Literal["migrate", "as it is"] = "migrate",
) -> Connection:
    """Connect, and bring the database up to date.

    Args:
        settings: Which server, which providers.
        given: Providers that win over the settings.
        clock: Tells when things were recorded.
        recalled: What was handed out, which ingestion does not learn again.
        schema: `migrate` brings it up to date and refuses a memory that another model embedded.

    Raises:
        ConfigError: The settings lead to no server or no provider.
        EmbeddingMismatchError: The memory was embedded by another model.
        StoreError: See its kinds.
    """
    llm = given.llm or build_llm(settings)
    embedder = given.embedder or build_embedder(settings)
    owned = tuple(
        made for made, theirs in ((llm, given.llm), (embedder, given.embedder)) if made is not None and theirs is None
    )
    async with AsyncExitStack() as failing:
        for provider in owned:
            failing.push_async_callback(provider.close)
        extractor, judge = _extraction(settings, llm)
        aggregator = _aggregator(settings, llm)
        reranker = _reranker(settings, llm)
        if reranker is not None:
            failing.push_async_callback(reranker.close)
        database = await Database.open(settings)
        failing.push_async_callback(database.close)
        if schema == "migrate":
            await migrate(database, (embedder.model, embedder.dimensions))
        builder = _builder(settings, llm, embedder, database, clock)
        upkeep = _upkeep(settings, llm, builder)
        failing.pop_all()
    reader = Unechoed(extractor, recalled)
    pipeline = Pipeline(
        database, embedder, reader, judge=judge, settings=settings.ingestion, clock=clock, place=upkeep.place
    )
    return Connection(
        database=database,
        embedder=embedder,
        llm=llm,
        pipeline=pipeline,
        tree=OnlineTree(database, embedder, aggregator, settings=settings.tree, clock=clock),
        builder=builder,
        upkeep=upkeep,
        system2=System2(database, embedder, _selector(settings, llm), settings.hierarchy, clock),
        reranker=reranker,
        owned=owned if reranker is None else (*owned, reranker),
    )


def _builder(settings: Settings, llm: Llm | None, embedder: Embedder, database: Database, clock: Clock) -> Builder:
    hierarchy = settings.hierarchy
    categoriser: Categoriser
    if hierarchy.categoriser == "local" or (hierarchy.categoriser == "auto" and llm is None):
        categoriser = LocalCategoriser(embedder)
    else:
        categoriser = LlmCategoriser(_needed(llm, "MNEMO_HIERARCHY__CATEGORISER"), embedder, batch=hierarchy.batch)
    rules = Rules(min_children=hierarchy.min_children, max_layers=hierarchy.max_layers)
    return Builder(database=database, categoriser=categoriser, embedder=embedder, clock=clock, rules=rules)


def _upkeep(settings: Settings, llm: Llm | None, builder: Builder) -> Upkeep:
    """Return what keeps hierarchies in step; where categories cost nothing it mends them too."""
    hierarchy = settings.hierarchy
    namer: Namer
    local = isinstance(builder.categoriser, LocalCategoriser)
    if local:
        namer = LocalNamer(builder.database, builder.categoriser)
    else:
        namer = LlmNamer(_needed(llm, "MNEMO_HIERARCHY__CATEGORISER"), tokens=hierarchy.rename_tokens)
    renaming = Renaming(namer=namer, most=hierarchy.rename, seconds=hierarchy.rename_seconds)
    return Upkeep(builder, drift=hierarchy.drift if local else None, renaming=renaming)


def _selector(settings: Settings, llm: Llm | None) -> Selector:
    hierarchy = settings.hierarchy
    if hierarchy.selector == "embedding" or (hierarchy.selector == "auto" and llm is None):
        return EmbeddingSelector()
    return LlmSelector(_needed(llm, "MNEMO_HIERARCHY__SELECTOR"), layer_tokens=hierarchy.layer_tokens)


def _reranker(settings: Settings, llm: Llm | None) -> Reranker | None:
    if settings.rerank.provider == "llm":
        return LlmReranker(_needed(llm, "MNEMO_RERANK__PROVIDER"))
    return build_reranker(settings)


def _needed(llm: Llm | None, setting: str) -> Llm:
    if llm is None:
        message = f"{setting} is llm, and no LLM is configured; set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
        raise ConfigError(message)
    return llm


def _aggregator(settings: Settings, llm: Llm | None) -> Aggregator:
    by, limit = settings.tree.summaries, settings.tree.summary_tokens
    if by == "llm":
        return LlmAggregator(_needed(llm, "MNEMO_TREE__SUMMARIES"), limit)
    if by == "auto" and llm is not None and settings.ingestion.profile == "paper":
        return LlmAggregator(llm, limit)
    return ExtractAggregator(limit)


def _extraction(settings: Settings, llm: Llm | None) -> tuple[Extractor, LlmJudge | None]:
    ingestion = settings.ingestion
    if ingestion.extractor == "llm" and llm is None:
        message = (
            "MNEMO_INGESTION__EXTRACTOR is llm, and no LLM is configured; set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
        )
        raise ConfigError(message)
    if ingestion.extractor == "local" or llm is None:
        return LocalExtractor(extract_system=ingestion.extract_system), None
    return LlmExtractor(llm, ingestion), LlmJudge(llm)
