"""Creates the providers that call a server or come with an extra; see `mnemo.providers.factory`."""

from mnemo.config import EmbeddingSettings, Settings
from mnemo.errors import ConfigError
from mnemo.providers.base import Embedder, Llm, Reranker
from mnemo.providers.graphiti import GraphitiEmbedder, GraphitiLlm, GraphitiReranker, load_client
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

__all__ = ["remote_embedder", "remote_llm", "remote_reranker"]

_OPENAI = "text-embedding-3-small"
_GRAPHITI_ATTEMPTS = 4
"""Graphiti's clients make up to four attempts themselves."""


def remote_llm(settings: Settings) -> Llm:
    """Return the LLM of the settings, which is not `none`.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    llm = settings.llm
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


def remote_embedder(settings: Settings) -> Embedder:
    """Return the embedder of the settings, which is not the built-in one.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    embedding = settings.embedding
    if embedding.provider == "graphiti":
        return GraphitiEmbedder(
            load_client(embedding.client, "MNEMO_EMBEDDING__CLIENT"),
            dimensions=embedding.dimensions,
            batch_size=embedding.batch_size,
            timeout_s=_GRAPHITI_ATTEMPTS * embedding.timeout_s,
        )
    if embedding.provider == "sentence_transformers":
        return SentenceTransformersEmbedder(embedding.model or DEFAULT_MODEL, batch_size=embedding.batch_size)
    return _openai_embedder(settings)


def remote_reranker(settings: Settings) -> Reranker:
    """Return the reranker of the settings, which is neither `none` nor `llm`.

    Raises:
        ConfigError: A setting that the provider needs is missing or invalid.
    """
    rerank = settings.rerank
    if rerank.provider == "sentence_transformers":
        return SentenceTransformersReranker(rerank.model or DEFAULT_CROSS_ENCODER)
    if rerank.provider == "http":
        if rerank.base_url is None:
            message = "the http reranker needs a URL; set MNEMO_RERANK__BASE_URL, such as https://api.jina.ai/v1"
            raise ConfigError(message)
        return HttpReranker(rerank.base_url, model=rerank.model, api_key=rerank.api_key, timeout_s=rerank.timeout_s)
    return GraphitiReranker(load_client(rerank.client, "MNEMO_RERANK__CLIENT"))


def _openai_embedder(settings: Settings) -> OpenAiEmbedder:
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
        dimensions=_openai_dimensions(embedding, model),
        batch_size=embedding.batch_size,
        shorten=embedding.dimensions not in (None, KNOWN_DIMENSIONS.get(model))
        and model.startswith("text-embedding-3"),
    )


def _openai_dimensions(embedding: EmbeddingSettings, model: str) -> int:
    dimensions = embedding.dimensions or KNOWN_DIMENSIONS.get(model)
    if dimensions is None:
        message = f"the dimensions of {model} are unknown; set MNEMO_EMBEDDING__DIMENSIONS"
        raise ConfigError(message)
    return dimensions
