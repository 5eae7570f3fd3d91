"""Makes the providers that the settings ask for; nothing is loaded, fetched or sent yet."""

from mnemo.config import EmbeddingSettings, Settings
from mnemo.errors import ConfigError
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.graphiti import GraphitiEmbedder, GraphitiLlm, GraphitiReranker, load_client
from mnemo.providers.local import LocalEmbedder
from mnemo.providers.openai.embedder import KNOWN_DIMENSIONS, OpenAiEmbedder
from mnemo.providers.openai.llm import OpenAiLlm
from mnemo.providers.openai.requests import Abilities
from mnemo.providers.openai.transport import OpenAiHttp, TransportLimits
from mnemo.providers.rerank import HttpReranker
from mnemo.providers.sentence_transformers import (
    DEFAULT_CROSS_ENCODER,
    DEFAULT_MODEL,
    SentenceTransformersEmbedder,
    SentenceTransformersReranker,
)

__all__ = ["build_embedder", "build_llm", "build_reranker"]

_LOCAL = ("e5-small-v2-q", 384)
_OPENAI = "text-embedding-3-small"
_GRAPHITI_ATTEMPTS = 4
"""Graphiti's clients try up to four times themselves."""


def build_llm(settings: Settings) -> Llm | None:
    """Return the LLM, or None where none is configured.

    Raises:
        ConfigError: A setting that the provider needs is missing or does not fit.
    """
    llm = settings.llm
    if settings.llm_provider == "none":
        return None
    if settings.llm_provider == "graphiti":
        client = load_client(llm.client, "MNEMO_LLM__CLIENT")
        return GraphitiLlm(client, timeout_s=_GRAPHITI_ATTEMPTS * llm.timeout_s)
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


def build_embedder(settings: Settings) -> Embedder:
    """Return the embedder.

    Raises:
        ConfigError: A setting that the provider needs is missing or does not fit.
    """
    embedding = settings.embedding
    if embedding.provider == "openai":
        return _openai_embedder(settings)
    if embedding.provider == "graphiti":
        return GraphitiEmbedder(
            load_client(embedding.client, "MNEMO_EMBEDDING__CLIENT"),
            dimensions=embedding.dimensions,
            batch_size=embedding.batch_size,
            timeout_s=_GRAPHITI_ATTEMPTS * embedding.timeout_s,
        )
    if embedding.provider == "sentence_transformers":
        return SentenceTransformersEmbedder(embedding.model or DEFAULT_MODEL, batch_size=embedding.batch_size)
    return _local_embedder(settings)


def build_reranker(settings: Settings) -> Reranker | None:
    """Return the reranker, or None for the merged order; one that asks the LLM is made where that is.

    Raises:
        ConfigError: A setting that the provider needs is missing or does not fit.
    """
    rerank = settings.rerank
    if rerank.provider == "sentence_transformers":
        return SentenceTransformersReranker(rerank.model or DEFAULT_CROSS_ENCODER)
    if rerank.provider == "http":
        if rerank.base_url is None:
            message = "the http reranker wants MNEMO_RERANK__BASE_URL, such as https://api.jina.ai/v1; got none"
            raise ConfigError(message)
        return HttpReranker(rerank.base_url, model=rerank.model, api_key=rerank.api_key, timeout_s=rerank.timeout_s)
    if rerank.provider == "graphiti":
        return GraphitiReranker(load_client(rerank.client, "MNEMO_RERANK__CLIENT"))
    return None


def _local_embedder(settings: Settings) -> LocalEmbedder:
    model, dimensions = _LOCAL
    asked = (settings.embedding.model or model, settings.embedding.dimensions or dimensions)
    if asked != _LOCAL:
        message = f"the local provider has {model} with {dimensions} dimensions, got {asked}; choose another provider"
        raise ConfigError(message)
    return LocalEmbedder(settings.cache_dir, threads=settings.embedding.threads)


def _openai_embedder(settings: Settings) -> OpenAiEmbedder:
    embedding = settings.embedding
    if embedding.base_url is None and settings.embedding_key is None:
        message = (
            "the openai embedder wants OPENAI_API_KEY, MNEMO_EMBEDDING__API_KEY or MNEMO_EMBEDDING__BASE_URL; got none"
        )
        raise ConfigError(message)
    limits = TransportLimits(timeout_s=embedding.timeout_s, concurrency=embedding.concurrency)
    http = OpenAiHttp(base_url=embedding.base_url, api_key=settings.embedding_key, limits=limits)
    model = embedding.model or _OPENAI
    return OpenAiEmbedder(
        http,
        model=model,
        dimensions=_openai_dimensions(embedding, model),
        batch_size=embedding.batch_size,
        shorten=embedding.dimensions not in (None, KNOWN_DIMENSIONS.get(model))
        and model.startswith("text-embedding-3"),
    )


def _openai_dimensions(embedding: EmbeddingSettings, model: str) -> int:
    dimensions = embedding.dimensions or KNOWN_DIMENSIONS.get(model)
    if dimensions is None:
        message = f"the dimensions of {model} are not known; set MNEMO_EMBEDDING__DIMENSIONS"
        raise ConfigError(message)
    return dimensions
