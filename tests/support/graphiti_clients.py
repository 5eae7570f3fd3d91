"""Factories of graphiti-core clients, as settings would name them; `SCRIPTED_LLM` is the server's address."""

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
    """Make graphiti's client for any OpenAI-compatible server."""
    return _once(OpenAIGenericClient(_config()))


def openai() -> OpenAIClient:
    """Make graphiti's client for OpenAI's responses endpoint."""
    return _once(OpenAIClient(_config()))


def embedder() -> OpenAIEmbedder:
    """Make graphiti's embedder, cut to 16 dimensions."""
    config = OpenAIEmbedderConfig(
        embedding_dim=16, embedding_model="e", api_key="k", base_url=os.environ["SCRIPTED_LLM"]
    )
    return _once(OpenAIEmbedder(config))


def cross_encoder() -> OpenAIRerankerClient:
    """Make graphiti's reranker by an LLM's probabilities."""
    return _once(OpenAIRerankerClient(_config()))


def _once(client: Any) -> Any:
    """Turn off the openai client's own retries, which wait."""
    client.client.max_retries = 0
    return client
