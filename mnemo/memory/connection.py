"""The parts of an open memory: database, providers, pipeline, hierarchies and query executors."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Literal

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.layers import LayerRules
from mnemo.hierarchy.categories.llm_categoriser import LlmCategoriser
from mnemo.hierarchy.categories.local_categoriser import LocalCategoriser
from mnemo.hierarchy.categories.maintenance import CategoryMaintenance, NameReviewOptions
from mnemo.hierarchy.categories.naming import LlmNamer, LocalNamer, Namer
from mnemo.hierarchy.memtree.aggregate import Aggregator, ExtractAggregator, LlmAggregator
from mnemo.hierarchy.memtree.tree import Memtree
from mnemo.ingestion.extraction import Extractor
from mnemo.ingestion.intake.recall_log import EchoFilter, RecallLog
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.ingestion.llm.judge import LlmJudge
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.pipeline import Pipeline
from mnemo.ingestion.structure import StructuredExtractor
from mnemo.providers import spacy_model
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.factory import build_embedder, build_llm, build_reranker
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.rerank import LlmReranker
from mnemo.retrieval.selector import EmbeddingSelector, LlmSelector, Selector
from mnemo.retrieval.system2 import System2
from mnemo.semxpath.compiler.scorers import CosineScorer
from mnemo.semxpath.trees.executor import Executor
from mnemo.store.driver import Database
from mnemo.store.migrations import migrate

__all__ = ["Connection", "Providers", "open_connection"]

_WARM_TEXT = "warm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """Providers given by the caller; None uses the settings."""

    llm: Llm | None = None
    embedder: Embedder | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An open database with everything that works on it."""

    database: Database
    embedder: Embedder
    llm: Llm | None
    extractor: Extractor
    pipeline: Pipeline
    tree: Memtree
    """The memtree."""
    builder: Builder
    """Builds the categories."""
    upkeep: CategoryMaintenance
    gatherer: CandidateGatherer
    """Finds the candidates of every route."""
    system2: System2
    reranker: Reranker | None
    cosine: CosineScorer
    """Scores Semantic XPath matches; keeps the vectors of query texts."""
    executor: Executor
    """Runs Semantic XPath queries on trees; keeps their schemas."""
    owned: tuple[Embedder | Llm | Reranker, ...]
    """Providers created here, and closed here."""

    async def warm(self) -> None:
        """Load the local models; one text is embedded, and scored if there is a reranker.

        Raises:
            ArtifactError: A model cannot be fetched.
            ProviderError: See its kinds.
        """
        await self.embedder.questions([_WARM_TEXT])
        if isinstance(self.extractor, LocalExtractor):
            await asyncio.to_thread(spacy_model.load)
        if self.reranker is not None:
            await self.reranker.scores(_WARM_TEXT, [_WARM_TEXT])

    async def close(self) -> None:
        """Close the database and the providers created here."""
        await self.database.close()
        await asyncio.gather(*(provider.close() for provider in self.owned))


async def open_connection(
    settings: Settings,
    given: Providers,
    clock: Clock,
    recalled: RecallLog,
    schema: Literal["migrate", "keep"] = "migrate",
) -> Connection:
    """Connect and bring the database up to date.

    Args:
        settings: Server and providers.
        given: Providers to use instead of those of the settings.
        clock: Tells when things are recorded.
        recalled: What was returned to callers, which ingestion does not learn again.
        schema: `migrate` updates the schema and refuses a memory embedded by another model; `keep` does neither.

    Raises:
        ConfigError: The settings name no server or no provider.
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
    gatherer = CandidateGatherer(database, embedder, clock)
    cosine = CosineScorer(embedder)
    reader, spare = _readers(settings, extractor, recalled)
    ingestion = settings.ingestion
    pipeline = Pipeline(
        database, embedder, reader, judge=judge, fallback=spare, settings=ingestion, clock=clock, place=upkeep.place
    )
    return Connection(
        database=database,
        embedder=embedder,
        llm=llm,
        extractor=extractor,
        pipeline=pipeline,
        tree=Memtree(database, embedder, aggregator, settings=settings.memtree, clock=clock),
        builder=builder,
        upkeep=upkeep,
        gatherer=gatherer,
        system2=System2(gatherer, _selector(settings, llm), settings.hierarchy),
        reranker=reranker,
        cosine=cosine,
        executor=Executor(database, cosine),
        owned=owned if reranker is None else (*owned, reranker),
    )


def _builder(settings: Settings, llm: Llm | None, embedder: Embedder, database: Database, clock: Clock) -> Builder:
    hierarchy = settings.hierarchy
    categoriser: LocalCategoriser | LlmCategoriser
    if hierarchy.categoriser == "local" or (hierarchy.categoriser == "auto" and llm is None):
        categoriser = LocalCategoriser(embedder)
    else:
        categoriser = LlmCategoriser(_needed(llm, "MNEMO_HIERARCHY__CATEGORISER"), embedder, batch=hierarchy.batch)
    rules = LayerRules(min_children=hierarchy.min_children, max_layers=hierarchy.max_layers)
    return Builder(database=database, categoriser=categoriser, embedder=embedder, clock=clock, rules=rules)


def _upkeep(settings: Settings, llm: Llm | None, builder: Builder) -> CategoryMaintenance:
    """Return what updates the categories after a run; local categories cost nothing, so it also rebuilds them."""
    hierarchy = settings.hierarchy
    namer: Namer
    local = isinstance(builder.categoriser, LocalCategoriser)
    if local:
        namer = LocalNamer(builder.database, builder.categoriser)
    else:
        namer = LlmNamer(_needed(llm, "MNEMO_HIERARCHY__CATEGORISER"), tokens=hierarchy.rename_tokens)
    renaming = NameReviewOptions(namer=namer, most=hierarchy.rename, seconds=hierarchy.rename_seconds)
    return CategoryMaintenance(builder, drift=hierarchy.drift if local else None, name_review=renaming)


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
        message = f"{setting} is llm, but no LLM is configured; set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
        raise ConfigError(message)
    return llm


def _aggregator(settings: Settings, llm: Llm | None) -> Aggregator:
    by, limit = settings.memtree.summaries, settings.memtree.summary_tokens
    if by == "llm":
        return LlmAggregator(_needed(llm, "MNEMO_MEMTREE__SUMMARIES"), limit)
    if by == "auto" and llm is not None and settings.ingestion.profile == "paper":
        return LlmAggregator(llm, limit)
    return ExtractAggregator(limit)


def _readers(settings: Settings, extractor: Extractor, recalled: RecallLog) -> tuple[Extractor, Extractor | None]:
    """Return the extractor, and the one for windows on which its reply runs away; None leaves those pending.

    Both ignore what the memory itself said, and read the structure of documents.
    """
    reader = StructuredExtractor(EchoFilter(extractor, recalled))
    if settings.ingestion.fallback == "pending" or isinstance(extractor, LocalExtractor):
        return reader, None
    fallback = LocalExtractor(extract_system=settings.ingestion.extract_system)
    return reader, StructuredExtractor(EchoFilter(fallback, recalled))


def _extraction(settings: Settings, llm: Llm | None) -> tuple[Extractor, LlmJudge | None]:
    ingestion = settings.ingestion
    if ingestion.extractor == "local" or (ingestion.extractor == "auto" and llm is None):
        return LocalExtractor(extract_system=ingestion.extract_system), None
    llm = _needed(llm, "MNEMO_INGESTION__EXTRACTOR")
    return LlmExtractor(llm, ingestion), LlmJudge(llm)
