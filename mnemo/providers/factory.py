"""Creates the providers chosen in the settings; models load and connections open on first use."""

from collections.abc import Mapping

from mnemo.config import EmbeddingSettings, Settings
from mnemo.errors import ConfigError
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.local import LocalEmbedder

__all__ = ["build_embedder", "build_llm", "build_reranker"]

_LOCAL = ("e5-small-v2-q", 384)
_OPENAI = "text-embedding-3-small"
_GRAPHITI_ATTEMPTS = 4
"""Graphiti's clients make up to four attempts themselves."""


def build_llm(settings: Settings) -> Llm | None:
    """Return the LLM, or None if none is configured.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    llm = settings.llm
    if settings.llm_provider == "none":
        return None
    if settings.llm_provider == "graphiti":
        from mnemo.providers.graphiti import GraphitiLlm, load_client  # noqa: PLC0415  # only this provider needs it

        client = load_client(llm.client, "MNEMO_LLM__CLIENT")
        return GraphitiLlm(client, timeout_s=_GRAPHITI_ATTEMPTS * llm.timeout_s)
    from mnemo.providers.openai.llm import OpenAiLlm  # noqa: PLC0415  # only this provider needs it
    from mnemo.providers.openai.requests import Abilities  # noqa: PLC0415  # only this provider needs it
    from mnemo.providers.openai.transport import OpenAiHttp, TransportLimits  # noqa: PLC0415  # only this provider needs it

    limits = TransportLimits(
        timeout_s=llm.timeout_s,
        max_retries=llm.max_retries,
        concurrency=llm.concurrency,
        requests_per_minute=llm.requests_per_minute,
        tokens_per_minute=llm.tokens_per_minute,
    )
    http = OpenAiHttp(base_url=llm.base_url, api_key=settings.llm_key, limits=limits)
    abilities = Abilities() if llm.output == "auto" else Abilities(output=llm.output, steps_down=False)
    return OpenAiLlm(http, model=llm.model, abilities=abilities)


def build_embedder(settings: Settings, *, preload: bool = False) -> Embedder:
    """Return the embedder.

    Args:
        settings: Provider and model.
        preload: Whether to load the built-in model in the background; other providers have nothing to load.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    embedding = settings.embedding
    if embedding.provider == "openai":
        return _openai_embedder(settings)
    if embedding.provider == "graphiti":
        from mnemo.providers.graphiti import GraphitiEmbedder, load_client  # noqa: PLC0415  # only this provider needs it

        return GraphitiEmbedder(
            load_client(embedding.client, "MNEMO_EMBEDDING__CLIENT"),
            dimensions=embedding.dimensions,
            batch_size=embedding.batch_size,
            timeout_s=_GRAPHITI_ATTEMPTS * embedding.timeout_s,
        )
    if embedding.provider == "sentence_transformers":
        from mnemo.providers.sentence_transformers import DEFAULT_MODEL, SentenceTransformersEmbedder  # noqa: PLC0415  # only this provider needs it

        return SentenceTransformersEmbedder(embedding.model or DEFAULT_MODEL, batch_size=embedding.batch_size)
    local = _local_embedder(settings)
    if preload:
        local.preload()
    return local


def build_reranker(settings: Settings) -> Reranker | None:
    """Return the reranker, or None to keep the merged order; the LLM reranker is created elsewhere.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    rerank = settings.rerank
    if rerank.provider == "sentence_transformers":
        from mnemo.providers.sentence_transformers import (  # noqa: PLC0415  # only this provider needs it
            DEFAULT_CROSS_ENCODER,
            SentenceTransformersReranker,
        )

        return SentenceTransformersReranker(rerank.model or DEFAULT_CROSS_ENCODER)
    if rerank.provider == "http":
        from mnemo.providers.rerank import HttpReranker  # noqa: PLC0415  # only this provider needs it

        if rerank.base_url is None:
            message = "the http reranker needs a URL; set MNEMO_RERANK__BASE_URL, such as https://api.jina.ai/v1"
            raise ConfigError(message)
        return HttpReranker(rerank.base_url, model=rerank.model, api_key=rerank.api_key, timeout_s=rerank.timeout_s)
    if rerank.provider == "graphiti":
        from mnemo.providers.graphiti import GraphitiReranker, load_client  # noqa: PLC0415  # only this provider needs it

        return GraphitiReranker(load_client(rerank.client, "MNEMO_RERANK__CLIENT"))
    return None


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


def _openai_embedder(settings: Settings) -> Embedder:
    from mnemo.providers.openai.embedder import KNOWN_DIMENSIONS, OpenAiEmbedder  # noqa: PLC0415  # only this provider needs it
    from mnemo.providers.openai.transport import OpenAiHttp, TransportLimits  # noqa: PLC0415  # only this provider needs it

    embedding = settings.embedding
    if embedding.base_url is None and settings.embedding_key is None:
        message = (
            "the openai embedder needs a key or URL; "
            "set OPENAI_API_KEY, MNEMO_EMBEDDING__API_KEY or MNEMO_EMBEDDING__BASE_URL"
        )
        raise ConfigError(message)
    limits = TransportLimits(timeout_s=embedding.timeout_s, concurrency=embedding.concurrency)
    http = OpenAiHttp(base_url=embedding.base_url, api_key=settings.embedding_key, limits=limits)
    model = embedding.model or _OPENAI
    return OpenAiEmbedder(
        http,
        model=model,
        dimensions=_openai_dimensions(embedding, model, KNOWN_DIMENSIONS),
        batch_size=embedding.batch_size,
        shorten=embedding.dimensions not in (None, KNOWN_DIMENSIONS.get(model))
        and model.startswith("text-embedding-3"),
    )


def _openai_dimensions(embedding: EmbeddingSettings, model: str, known: Mapping[str, int]) -> int:
    dimensions = embedding.dimensions or known.get(model)
    if dimensions is None:
        message = f"the dimensions of {model} are unknown; set MNEMO_EMBEDDING__DIMENSIONS"
        raise ConfigError(message)
    return dimensions
