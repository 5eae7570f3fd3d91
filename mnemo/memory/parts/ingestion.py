"""Builds what writes a memory: the pipeline and the memtree."""

from mnemo.clock import Clock
from mnemo.config import Settings
from mnemo.hierarchy.memtree.aggregate import Aggregator, ExtractAggregator, LlmAggregator
from mnemo.hierarchy.memtree.tree import Memtree
from mnemo.ingestion.extraction import Extractor
from mnemo.ingestion.intake.echo_filter import EchoFilter
from mnemo.ingestion.intake.recall_log import RecallLog
from mnemo.ingestion.llm.extractor import LlmExtractor
from mnemo.ingestion.llm.judge import LlmJudge
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.pipeline import Pipeline
from mnemo.ingestion.structure import StructuredExtractor
from mnemo.ingestion.worker import PlaceEntities
from mnemo.memory.llm_settings import extracts_locally, required_llm
from mnemo.providers.base import Embedder, Llm
from mnemo.store.driver import Database

__all__ = ["build_memtree", "build_pipeline"]


def build_pipeline(  # noqa: PLR0913  # the parts it works on, each by its name
    settings: Settings,
    *,
    database: Database,
    embedder: Embedder,
    llm: Llm | None,
    recalled: RecallLog,
    clock: Clock,
    place: PlaceEntities,
) -> Pipeline:
    """Return the ingestion pipeline.

    Args:
        settings: Extractor, fallback and limits.
        database: Where messages and facts are kept.
        embedder: Embeds them.
        llm: Extracts facts, if the settings say so.
        recalled: What was returned to callers, which is not learnt again.
        clock: Tells when things are recorded.
        place: Called with new entities, to place them in the categories.
    """
    extractor, judge = _extraction(settings, llm)
    reader, spare = _readers(settings, extractor, recalled)
    ingestion = settings.ingestion
    return Pipeline(
        database, embedder, reader, judge=judge, fallback=spare, settings=ingestion, clock=clock, place=place
    )


def build_memtree(settings: Settings, database: Database, embedder: Embedder, llm: Llm | None, clock: Clock) -> Memtree:
    """Return the memtree; the settings say who writes its summaries."""
    return Memtree(database, embedder, _aggregator(settings, llm), settings=settings.memtree, clock=clock)


def _extraction(settings: Settings, llm: Llm | None) -> tuple[Extractor, LlmJudge | None]:
    ingestion = settings.ingestion
    if extracts_locally(settings, llm):
        return LocalExtractor(extract_system=ingestion.extract_system), None
    llm = required_llm(llm, "MNEMO_INGESTION__EXTRACTOR")
    return LlmExtractor(llm, ingestion), LlmJudge(llm)


def _readers(settings: Settings, extractor: Extractor, recalled: RecallLog) -> tuple[Extractor, Extractor | None]:
    """Return the extractor, and the one for windows on which its reply runs away; None leaves those pending.

    Both ignore what the memory itself said, and read the structure of documents.
    """
    reader = StructuredExtractor(EchoFilter(extractor, recalled))
    if settings.ingestion.fallback == "pending" or isinstance(extractor, LocalExtractor):
        return reader, None
    fallback = LocalExtractor(extract_system=settings.ingestion.extract_system)
    return reader, StructuredExtractor(EchoFilter(fallback, recalled))


def _aggregator(settings: Settings, llm: Llm | None) -> Aggregator:
    by, limit = settings.memtree.summaries, settings.memtree.summary_tokens
    if by == "llm":
        return LlmAggregator(required_llm(llm, "MNEMO_MEMTREE__SUMMARIES"), limit)
    if by == "auto" and llm is not None and settings.ingestion.profile == "paper":
        return LlmAggregator(llm, limit)
    return ExtractAggregator(limit)
