"""Creates the providers chosen in the settings; models load and connections open on first use."""

from typing import TYPE_CHECKING

from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.lazy_import import lazy_module
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.local import LocalEmbedder

if TYPE_CHECKING:
    from mnemo.providers import remote_factory
else:
    remote_factory = lazy_module("mnemo.providers.remote_factory")

__all__ = ["build_embedder", "build_llm", "build_reranker"]

_LOCAL = ("e5-small-v2-q", 384)


def build_llm(settings: Settings) -> Llm | None:
    """Return the LLM, or None if none is configured.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    return None if settings.llm_provider == "none" else remote_factory.remote_llm(settings)


def build_embedder(settings: Settings, *, preload: bool = False) -> Embedder:
    """Return the embedder.

    Args:
        settings: Provider and model.
        preload: Whether to load the built-in model in the background; other providers have nothing to load.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    if settings.embedding.provider != "local":
        return remote_factory.remote_embedder(settings)
    local = _local_embedder(settings)
    if preload:
        local.preload()
    return local


def build_reranker(settings: Settings) -> Reranker | None:
    """Return the reranker, or None to keep the merged order; the LLM reranker is created elsewhere.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    return None if settings.rerank.provider in {"none", "llm"} else remote_factory.remote_reranker(settings)


def _local_embedder(settings: Settings) -> LocalEmbedder:
    model, dimensions = _LOCAL
    configured = (settings.embedding.model or model, settings.embedding.dimensions or dimensions)
    if configured != _LOCAL:
        message = (
            f"the local provider supports only {model} with {dimensions} dimensions, "
            f"got {configured[0]} with {configured[1]}; choose another provider"
        )
        raise ConfigError(message)
    return LocalEmbedder(settings.cache_dir, threads=settings.embedding.threads)
