"""Factories of graphiti-core clients for use in settings; `SCRIPTED_LLM` is the address of the server."""

import os
from typing import Any

from graphiti_core.cross_encoder.openai_reranker_client import OpenAIRerankerClient
from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.llm_client.openai_client import OpenAIClient
from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient

__all__ = ["cross_encoder", "embedder", "generic", "openai"]


def _config() -> LLMConfig:
    return LLMConfig(api_key="k", model="gpt-4.1-mini", base_url=os.environ["SCRIPTED_LLM"])


def generic() -> OpenAIGenericClient:
    """Return Graphiti's client for OpenAI-compatible servers."""
    return _once(OpenAIGenericClient(_config()))


def openai() -> OpenAIClient:
    """Return Graphiti's client for OpenAI's responses endpoint."""
    return _once(OpenAIClient(_config()))


def embedder() -> OpenAIEmbedder:
    """Return Graphiti's embedder with 16 dimensions."""
    config = OpenAIEmbedderConfig(
        embedding_dim=16, embedding_model="e", api_key="k", base_url=os.environ["SCRIPTED_LLM"]
    )
    return _once(OpenAIEmbedder(config))


def cross_encoder() -> OpenAIRerankerClient:
    """Return Graphiti's reranker, which uses the token probabilities of an LLM."""
    return _once(OpenAIRerankerClient(_config()))


def _once(client: Any) -> Any:
    """Turn off the retries of the openai client, because they wait."""
    client.client.max_retries = 0
    return client
