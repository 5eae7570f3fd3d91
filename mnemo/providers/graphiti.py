"""Any client of graphiti-core (extra `graphiti`) as a provider: LLM, embedder or cross-encoder.

graphiti-core reports to its makers unless `GRAPHITI_TELEMETRY_ENABLED` is false before it is imported;
`without_telemetry` sees to that and is called before any import here. It also logs replies that it
cannot read, so its loggers are silenced below CRITICAL where nobody set their level.
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
from mnemo.providers.structured import replies
from mnemo.providers.structured.replies import UnreadableError
from mnemo.providers.third_party import foreign_errors, unit_rows
from mnemo.providers.tokens import count_tokens, cut

__all__ = ["GraphitiEmbedder", "GraphitiLlm", "GraphitiReranker", "load_client", "without_telemetry"]

ModelT = TypeVar("ModelT", bound=BaseModel)

_LOG = logging.getLogger(__name__)
_EXTRA = "pip install 'mnemo[graphiti]'"
_MOST_TOKENS = 8_000


class _LlmClient(Protocol):
    """What is used of graphiti_core.llm_client.LLMClient."""

    async def generate_response(self, messages: list[Any], **options: Any) -> dict[str, Any]:
        """Return the reply's JSON object."""
        ...


class _EmbedderClient(Protocol):
    """What is used of graphiti_core.embedder.EmbedderClient."""

    async def create(self, input_data: str) -> list[float]:
        """Return one vector."""
        ...

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        """Return vectors in order, or raise NotImplementedError."""
        ...


class _CrossEncoderClient(Protocol):
    """What is used of graphiti_core.cross_encoder.client.CrossEncoderClient."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        """Return passages with scores, best first."""
        ...


class _Written(BaseModel):
    """Carries plain text: graphiti's clients answer with JSON objects only."""

    text: str


def without_telemetry() -> None:
    """Forbid graphiti-core's telemetry and silence its logs of contents; before its import."""
    os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
    logger = logging.getLogger("graphiti_core")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.CRITICAL)


def load_client(path: str | None, setting: str) -> Any:
    """Make a client by its factory.

    Args:
        path: `module:factory`; the factory takes no arguments.
        setting: Where the path comes from, for messages.

    Raises:
        ConfigError: There is no path, or no such module or factory.
    """
    module_name, _, factory_name = (path or "").partition(":")
    if not module_name or not factory_name:
        message = f"wanted module:factory of a graphiti-core client in {setting}, got {path!r}"
        raise ConfigError(message)
    without_telemetry()
    try:
        factory = getattr(_imported(module_name), factory_name)
    except (ImportError, AttributeError) as error:
        message = f"cannot import {path} ({setting}): {error}; is the extra installed? {_EXTRA}"
        raise ConfigError(message) from error
    return factory()


class GraphitiLlm:
    """An LLM client of graphiti-core. Tokens are counted offline: its clients do not tell them alike."""

    def __init__(self, client: _LlmClient, *, timeout_s: float = 240.0) -> None:
        """Wrap a client.

        Args:
            client: Such as graphiti_core.llm_client.openai_generic_client.OpenAIGenericClient.
            timeout_s: For one answer, the client's own retries included.
        """
        without_telemetry()
        self._client = client
        self._timeout_s = timeout_s

    @property
    def model(self) -> str:
        """Return the client's model, or its class where it names none."""
        return str(getattr(self._client, "model", None) or type(self._client).__name__)

    async def complete(self, prompt: Prompt, schema: type[ModelT]) -> Reply[ModelT]:
        """Return the reply read into `schema`; see `Llm.complete`."""
        text, usage = await self._ask(prompt, prompt.chats, schema)
        try:
            return Reply(value=replies.read(text, schema), usage=usage)
        except UnreadableError as error:
            first = error
        _LOG.warning("prompt %s: %s; asking again", prompt.name, first)
        note = f"You answered:\n{text}\nThat could not be used. {first.correction} Send the whole JSON object again."
        text, more = await self._ask(prompt, (*prompt.chats, Chat(role="user", content=note)), schema)
        try:
            return Reply(value=replies.read(text, schema), usage=usage + more)
        except UnreadableError as error:
            message = f"prompt {prompt.name}: {first}; asked again: {error}"
            raise MalformedReplyError(message, usage=usage + more) from None  # the original may quote the reply

    async def write(self, prompt: Prompt) -> Reply[str]:
        """Return the reply as text; see `Llm.write`."""
        reply = await self.complete(prompt, _Written)
        text = reply.value.text.strip()
        if not text:
            message = f"prompt {prompt.name}: the reply is empty"
            raise MalformedReplyError(message, usage=reply.usage)
        return Reply(value=text, usage=reply.usage)

    async def close(self) -> None:
        """Close the client's connections, where it has a way to."""
        await _close(self._client)

    async def _ask(self, prompt: Prompt, chats: Sequence[Chat], schema: type[BaseModel]) -> tuple[str, Usage]:
        """Return what came as JSON text, empty where the client itself could not read the reply."""
        # assistant turns go as the user's: most of its clients leave others out
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


class GraphitiEmbedder:
    """An embedder client of graphiti-core."""

    def __init__(
        self, client: _EmbedderClient, *, dimensions: int | None = None, batch_size: int = 32, timeout_s: float = 60.0
    ) -> None:
        """Wrap a client.

        Args:
            client: Such as graphiti_core.embedder.OpenAIEmbedder.
            dimensions: What its vectors have; None asks the client's configuration.
            batch_size: Texts in a call, at least 1.
            timeout_s: For one call.

        Raises:
            ConfigError: Nobody knows the dimensions.
        """
        without_telemetry()
        config = getattr(client, "config", None)
        known = dimensions or getattr(config, "embedding_dim", None)
        if not isinstance(known, int):
            message = f"wanted the dimensions of {type(client).__name__}, got none; set MNEMO_EMBEDDING__DIMENSIONS"
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
            ProviderError: See its kinds.
        """
        rows: list[list[float]] = []
        for start in range(0, len(texts), self._batch_size):
            rows += await self._batch([cut(text, _MOST_TOKENS) for text in texts[start : start + self._batch_size]])
        return unit_rows(rows, count=len(texts), dimensions=self._dimensions, source=self._name)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to find with; as for passages."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Close the client's connections, where it has a way to."""
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
            client: Such as graphiti_core.cross_encoder.openai_reranker_client.OpenAIRerankerClient.
            timeout_s: For one ranking.
        """
        without_telemetry()
        self._client = client
        self._timeout_s = timeout_s

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text, input order, higher is better; the same text has the same score."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return []
        with foreign_errors(type(self._client).__name__):
            async with asyncio.timeout(self._timeout_s):
                ranked = dict(await self._client.rank(question, distinct))
        if ranked.keys() != set(distinct):
            message = f"wanted scores of {len(distinct)} texts, got {len(ranked)}"
            raise ProviderError(message)
        return [float(ranked[text]) for text in texts]

    async def close(self) -> None:
        """Close the client's connections, where it has a way to."""
        await _close(self._client)


def _imported(module: str) -> Any:
    """Import a module that may import graphiti-core, which warns of its own old ways while at it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module(module)


async def _close(client: object) -> None:
    """Close the connection that most of graphiti's clients keep as `client`."""
    close = getattr(getattr(client, "client", None), "close", None)
    if close is not None:
        closing = close()
        if asyncio.iscoroutine(closing):
            await closing
