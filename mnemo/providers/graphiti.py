"""Use any graphiti-core client (extra `graphiti`) as LLM, embedder or cross-encoder.

graphiti-core sends telemetry unless `GRAPHITI_TELEMETRY_ENABLED` is false before it is imported;
`without_telemetry` sets it and is called before every import here. graphiti-core also logs replies that
it cannot parse, so its log level is raised to CRITICAL unless the application has set one.
"""

import asyncio
import importlib
import json
import logging
import os
import warnings
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from mnemo.errors import ConfigError, MalformedReplyError, ProviderError
from mnemo.models.results import Usage
from mnemo.providers.base import Chat, Prompt, Reply, Vectors
from mnemo.providers.off_loop import off_loop
from mnemo.providers.structured import replies
from mnemo.providers.structured.replies import UnreadableError
from mnemo.providers.third_party import foreign_errors, unit_rows
from mnemo.providers.tokens import count_tokens, cut

__all__ = ["GraphitiEmbedder", "GraphitiLlm", "GraphitiReranker", "load_client", "without_telemetry"]

ModelT = TypeVar("ModelT", bound=BaseModel)

_LOG = logging.getLogger(__name__)
_EXTRA = "pip install 'mnemo[graphiti]'"
_MAX_TOKENS = 8_000


class _LlmClient(Protocol):
    """The methods used of graphiti_core.llm_client.LLMClient."""

    async def generate_response(self, messages: list[Any], **options: Any) -> dict[str, Any]:
        """Return the JSON object of the reply."""
        ...


class _EmbedderClient(Protocol):
    """The methods used of graphiti_core.embedder.EmbedderClient."""

    async def create(self, input_data: str) -> list[float]:
        """Return one vector."""
        ...

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        """Return vectors in order, or raise NotImplementedError."""
        ...


class _CrossEncoderClient(Protocol):
    """The methods used of graphiti_core.cross_encoder.client.CrossEncoderClient."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        """Return passages with scores, best first."""
        ...


class _PlainText(BaseModel):
    """Wraps plain text, because Graphiti's clients return only JSON objects."""

    text: str


def without_telemetry() -> None:
    """Turn off graphiti-core's telemetry and its logging of contents; call before importing it."""
    os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
    logger = logging.getLogger("graphiti_core")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.CRITICAL)


def load_client(path: str | None, setting: str) -> Any:
    """Create a client by calling its factory.

    Args:
        path: `module:factory`, where the factory takes no arguments.
        setting: Name of the setting that holds the path, for error messages.

    Raises:
        ConfigError: The path is missing or malformed, or the module or factory does not exist.
    """
    module_name, _, factory_name = (path or "").partition(":")
    if not module_name or not factory_name:
        message = f"{setting} must be module:factory of a graphiti-core client, got {path!r}"
        raise ConfigError(message)
    without_telemetry()
    try:
        factory = getattr(_imported(module_name), factory_name)
    except (ImportError, AttributeError) as error:
        message = f"cannot import {path} ({setting}): {error}; is the extra installed? {_EXTRA}"
        raise ConfigError(message) from error
    return factory()


class GraphitiLlm:
    """An LLM client of graphiti-core. Tokens are counted offline, because its clients report them differently."""

    def __init__(self, client: _LlmClient, *, timeout_s: float = 240.0) -> None:
        """Wrap a client.

        Args:
            client: For example graphiti_core.llm_client.openai_generic_client.OpenAIGenericClient.
            timeout_s: Seconds allowed for one answer, including the client's own retries.
        """
        without_telemetry()
        self._client = client
        self._timeout_s = timeout_s

    @property
    def model(self) -> str:
        """Return the client's model name, or its class name if it has none."""
        return str(getattr(self._client, "model", None) or type(self._client).__name__)

    async def complete(self, prompt: Prompt, schema: type[ModelT]) -> Reply[ModelT]:
        """Return the reply, parsed into `schema`; see `Llm.complete`."""
        text, usage = await self._ask(prompt, prompt.chats, schema)
        try:
            return Reply(value=await _read(text, schema), usage=usage)
        except UnreadableError as error:
            first = error
        _LOG.warning("prompt %s: %s; asking again", prompt.name, first)
        note = f"You answered:\n{text}\nThat could not be used. {first.correction} Send the whole JSON object again."
        text, more = await self._ask(prompt, (*prompt.chats, Chat(role="user", content=note)), schema)
        try:
            return Reply(value=await _read(text, schema), usage=usage + more)
        except UnreadableError as error:
            message = f"prompt {prompt.name}: {first}; asked again: {error}"
            raise MalformedReplyError(message, usage=usage + more) from None  # the original may quote the reply

    async def write(self, prompt: Prompt) -> Reply[str]:
        """Return the reply as text; see `Llm.write`."""
        reply = await self.complete(prompt, _PlainText)
        text = reply.value.text.strip()
        if not text:
            message = f"prompt {prompt.name}: the reply is empty"
            raise MalformedReplyError(message, usage=reply.usage)
        return Reply(value=text, usage=reply.usage)

    async def close(self) -> None:
        """Close the client's connections, if it supports that."""
        await _close(self._client)

    async def _ask(self, prompt: Prompt, chats: Sequence[Chat], schema: type[BaseModel]) -> tuple[str, Usage]:
        """Return the reply as JSON text; empty if the client could not parse it."""
        # assistant turns are sent as the user's, because most of Graphiti's clients drop them
        make = _imported("graphiti_core.prompts.models").Message
        messages = [make(role="system" if chat.role == "system" else "user", content=chat.content) for chat in chats]
        text = ""
        try:
            with foreign_errors(type(self._client).__name__):
                async with asyncio.timeout(self._timeout_s):
                    answer = await self._client.generate_response(
                        messages, response_model=schema, max_tokens=prompt.max_output_tokens, prompt_name=prompt.name
                    )
                    text = json.dumps(answer, ensure_ascii=False, default=str)
        except MalformedReplyError as error:
            _LOG.warning("prompt %s: %s", prompt.name, error)
        given = sum(count_tokens(chat.content) for chat in chats)
        return text, Usage(calls=1, input_tokens=given, output_tokens=count_tokens(text))


async def _read(text: str, schema: type[ModelT]) -> ModelT:
    return await off_loop(len(text), lambda: replies.read(text, schema))


class GraphitiEmbedder:
    """An embedder client of graphiti-core."""

    def __init__(
        self, client: _EmbedderClient, *, dimensions: int | None = None, batch_size: int = 32, timeout_s: float = 60.0
    ) -> None:
        """Wrap a client.

        Args:
            client: For example graphiti_core.embedder.OpenAIEmbedder.
            dimensions: Length of each vector; None takes it from the client's configuration.
            batch_size: Texts per call, at least 1.
            timeout_s: Seconds allowed for one call.

        Raises:
            ConfigError: The dimensions are neither given nor in the client's configuration.
        """
        without_telemetry()
        config = getattr(client, "config", None)
        known = dimensions or getattr(config, "embedding_dim", None)
        if not isinstance(known, int):
            message = f"the dimensions of {type(client).__name__} are unknown; set MNEMO_EMBEDDING__DIMENSIONS"
            raise ConfigError(message)
        self._client = client
        self._dimensions = known
        self._name = str(getattr(config, "embedding_model", None) or type(client).__name__)
        self._batch_size = batch_size
        self._timeout_s = timeout_s

    @property
    def model(self) -> str:
        """Return the name of the vector space, such as graphiti/text-embedding-3-small."""
        return f"graphiti/{self._name}"

    @property
    def dimensions(self) -> int:
        """Return the length of each vector."""
        return self._dimensions

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: (len(texts), dimensions), unit length, input order.

        Raises:
            ProviderError: The call failed; see its subclasses.
        """
        rows: list[list[float]] = []
        for start in range(0, len(texts), self._batch_size):
            rows += await self._batch([cut(text, _MAX_TOKENS) for text in texts[start : start + self._batch_size]])
        return unit_rows(rows, count=len(texts), dimensions=self._dimensions, source=self._name)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed search queries; same as `passages`."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Close the client's connections, if it supports that."""
        await _close(self._client)

    async def _batch(self, texts: list[str]) -> list[list[float]]:
        with foreign_errors(type(self._client).__name__):
            async with asyncio.timeout(self._timeout_s):
                try:
                    return await self._client.create_batch(texts)
                except NotImplementedError:
                    return [await self._client.create(text) for text in texts]


class GraphitiReranker:
    """A cross-encoder client of graphiti-core."""

    def __init__(self, client: _CrossEncoderClient, *, timeout_s: float = 60.0) -> None:
        """Wrap a client.

        Args:
            client: For example graphiti_core.cross_encoder.openai_reranker_client.OpenAIRerankerClient.
            timeout_s: Seconds allowed for one ranking.
        """
        without_telemetry()
        self._client = client
        self._timeout_s = timeout_s

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text, in input order; higher is better, and equal texts score the same."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return []
        with foreign_errors(type(self._client).__name__):
            async with asyncio.timeout(self._timeout_s):
                ranked = dict(await self._client.rank(question, distinct))
        if ranked.keys() != set(distinct):
            message = f"the reranker must score {len(distinct)} texts, got {len(ranked)} scores"
            raise ProviderError(message)
        return [float(ranked[text]) for text in texts]

    async def close(self) -> None:
        """Close the client's connections, if it supports that."""
        await _close(self._client)


def _imported(module: str) -> Any:
    """Import a module, ignoring the deprecation warnings that graphiti-core raises on import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module(module)


async def _close(client: object) -> None:
    """Close the connection that most of Graphiti's clients keep as `client`."""
    close = getattr(getattr(client, "client", None), "close", None)
    if close is not None:
        closing = close()
        if asyncio.iscoroutine(closing):
            await closing
