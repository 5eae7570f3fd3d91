"""Which settings need an LLM, and what they mean without one."""

from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.providers.base import Llm

__all__ = ["check_llm", "extracts_locally", "required_llm"]


def check_llm(settings: Settings, llm: Llm | None) -> None:
    """Check that there is an LLM if a setting asks for one.

    Raises:
        ConfigError: There is none.
    """
    chosen = {
        "MNEMO_INGESTION__EXTRACTOR": settings.ingestion.extractor,
        "MNEMO_HIERARCHY__CATEGORISER": settings.hierarchy.categoriser,
        "MNEMO_HIERARCHY__SELECTOR": settings.hierarchy.selector,
        "MNEMO_MEMTREE__SUMMARIES": settings.memtree.summaries,
        "MNEMO_RERANK__PROVIDER": settings.rerank.provider,
    }
    for setting, value in chosen.items():
        if value == "llm":
            required_llm(llm, setting)


def required_llm(llm: Llm | None, setting: str) -> Llm:
    """Return the LLM that a setting asks for.

    Raises:
        ConfigError: There is none.
    """
    if llm is None:
        message = f"{setting} is llm, but no LLM is configured; set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
        raise ConfigError(message)
    return llm


def extracts_locally(settings: Settings, llm: Llm | None) -> bool:
    """Return whether the local extractor reads new messages."""
    extractor = settings.ingestion.extractor
    return extractor == "local" or (extractor == "auto" and llm is None)
