"""An open memory: its database and providers, and the parts that work on them, each built at its first use."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.ingestion.intake.recall_log import RecallLog
from mnemo.lazy_import import lazy_module
from mnemo.memory.llm_settings import check_llm, extracts_locally, required_llm
from mnemo.providers import spacy_model
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.factory import build_embedder, build_llm, build_reranker
from mnemo.store.driver import Database
from mnemo.store.migrations import migrate

if TYPE_CHECKING:
    from mnemo.hierarchy.categories.builder import Builder
    from mnemo.hierarchy.categories.maintenance import CategoryMaintenance
    from mnemo.hierarchy.memtree.tree import Memtree
    from mnemo.ingestion.pipeline import Pipeline
    from mnemo.memory.parts import categories, ingestion, retrieval, trees
    from mnemo.retrieval.candidates import CandidateGatherer
    from mnemo.retrieval.system2 import System2
    from mnemo.semxpath.compiler.scorers import CosineScorer
    from mnemo.semxpath.trees.executor import Executor
else:  # a search needs the third only, and they take half a second to import
    categories = lazy_module("mnemo.memory.parts.categories")
    ingestion = lazy_module("mnemo.memory.parts.ingestion")
    retrieval = lazy_module("mnemo.memory.parts.retrieval")
    trees = lazy_module("mnemo.memory.parts.trees")

__all__ = ["Connection", "Providers", "open_connection"]

_WARM_TEXT = "warm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """Providers given by the caller; None uses the settings."""

    llm: Llm | None = None
    embedder: Embedder | None = None


@dataclass(kw_only=True)
class Connection:
    """An open database with everything that works on it."""

    settings: Settings
    clock: Clock
    recalled: RecallLog
    database: Database
    embedder: Embedder
    llm: Llm | None
    reranker: Reranker | None
    owned: tuple[Embedder | Llm | Reranker, ...]
    """Providers created here, and closed here."""

    @cached_property
    def gatherer(self) -> "CandidateGatherer":
        """Finds the candidates of every route."""
        return retrieval.CandidateGatherer(self.database, self.embedder, self.clock)

    @cached_property
    def system2(self) -> "System2":
        """Walks down the categories."""
        return retrieval.build_system2(self.settings, self.gatherer, self.llm)

    @cached_property
    def pipeline(self) -> "Pipeline":
        """Stores and processes messages."""
        return ingestion.build_pipeline(
            self.settings,
            database=self.database,
            embedder=self.embedder,
            llm=self.llm,
            recalled=self.recalled,
            clock=self.clock,
            place=self.maintenance.place,
        )

    @cached_property
    def memtree(self) -> "Memtree":
        """The online tree of episodes."""
        return ingestion.build_memtree(self.settings, self.database, self.embedder, self.llm, self.clock)

    @cached_property
    def builder(self) -> "Builder":
        """Builds the categories."""
        return categories.build_builder(self.settings, self.database, self.embedder, self.llm, self.clock)

    @cached_property
    def maintenance(self) -> "CategoryMaintenance":
        """Keeps the categories up to date."""
        return categories.build_maintenance(self.settings, self.llm, self.builder)

    @cached_property
    def cosine(self) -> "CosineScorer":
        """Scores Semantic XPath matches; keeps the vectors of query texts."""
        return trees.CosineScorer(self.embedder)

    @cached_property
    def executor(self) -> "Executor":
        """Runs Semantic XPath queries on trees; keeps their schemas."""
        return trees.Executor(self.database, self.cosine)

    async def warm(self) -> None:
        """Load the local models; one text is embedded, and scored if there is a reranker.

        Raises:
            ArtifactError: A model cannot be fetched.
            ProviderError: See its kinds.
        """
        await self.embedder.questions([_WARM_TEXT])
        if extracts_locally(self.settings, self.llm):
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
    *,
    preload: bool = False,
) -> Connection:
    """Connect and bring the database up to date.

    Args:
        settings: Server and providers.
        given: Providers to use instead of those of the settings.
        clock: Tells when things are recorded.
        recalled: What was returned to callers, which ingestion does not learn again.
        schema: `migrate` updates the schema and refuses a memory embedded by another model; `keep` does neither.
        preload: Whether to load the local embedding model in the background.

    Raises:
        ConfigError: The settings name no server or no provider.
        EmbeddingMismatchError: The memory was embedded by another model.
        StoreError: See its kinds.
    """
    llm = given.llm or build_llm(settings)
    check_llm(settings, llm)
    embedder = given.embedder or build_embedder(settings, preload=preload)
    reranker = _reranker(settings, llm)
    made = ((llm, given.llm), (embedder, given.embedder), (reranker, None))
    owned = tuple(provider for provider, theirs in made if provider is not None and theirs is None)
    async with AsyncExitStack() as failing:
        for provider in owned:
            failing.push_async_callback(provider.close)
        database = await Database.open(settings)
        failing.push_async_callback(database.close)
        if schema == "migrate":
            await migrate(database, (embedder.model, embedder.dimensions))
        failing.pop_all()
    return Connection(
        settings=settings,
        clock=clock,
        recalled=recalled,
        database=database,
        embedder=embedder,
        llm=llm,
        reranker=reranker,
        owned=owned,
    )


def _reranker(settings: Settings, llm: Llm | None) -> Reranker | None:
    if settings.rerank.provider != "llm":
        return build_reranker(settings)
    return retrieval.LlmReranker(required_llm(llm, "MNEMO_RERANK__PROVIDER"))
