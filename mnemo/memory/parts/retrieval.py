"""Builds what finds memories: candidates, the walk down the categories, the reranker."""

from mnemo.config import Settings
from mnemo.memory.llm_settings import required_llm
from mnemo.providers.base import Llm
from mnemo.retrieval.candidates import CandidateGatherer
from mnemo.retrieval.rerank import LlmReranker
from mnemo.retrieval.selector import EmbeddingSelector, LlmSelector, Selector
from mnemo.retrieval.system2 import System2

__all__ = ["CandidateGatherer", "LlmReranker", "build_system2"]


def build_system2(settings: Settings, gatherer: CandidateGatherer, llm: Llm | None) -> System2:
    """Return System-2; the settings say whether the LLM or the embeddings choose."""
    return System2(gatherer, _selector(settings, llm), settings.hierarchy)


def _selector(settings: Settings, llm: Llm | None) -> Selector:
    hierarchy = settings.hierarchy
    if hierarchy.selector == "embedding" or (hierarchy.selector == "auto" and llm is None):
        return EmbeddingSelector()
    return LlmSelector(required_llm(llm, "MNEMO_HIERARCHY__SELECTOR"), layer_tokens=hierarchy.layer_tokens)
