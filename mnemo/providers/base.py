"""Protocols of LLMs, embedders and rerankers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from mnemo.models.results import Usage

__all__ = ["Chat", "Embedder", "Llm", "Prompt", "Reply", "Reranker", "Vectors"]

Vectors: TypeAlias = NDArray[np.float32]
T = TypeVar("T")
ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A request to an LLM."""

    name: str
    """Name of the prompt, such as `extract`; used in logs and token counts, never sent."""
    chats: tuple[Chat, ...]
    max_output_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[T]):
    """A reply and its cost, including repeated calls."""

    value: T
    usage: Usage


class Llm(Protocol):
    """Answers prompts with structured data or plain text."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    async def complete(self, prompt: Prompt, schema: type[ModelT]) -> Reply[ModelT]:
        """Return the reply, parsed into `schema`.

        If the reply does not fit the schema, ask once more and include the error.

        Raises:
            MalformedReplyError: Neither reply fits; its `usage` attribute is the cost of both.
            ProviderError: The call failed, after retries if the error is retryable.
        """
        ...

    async def write(self, prompt: Prompt) -> Reply[str]:
        """Return the reply as text, stripped and never empty.

        Raises:
            MalformedReplyError: Both replies were empty.
            ProviderError: The call failed; see its subclasses.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class Embedder(Protocol):
    """Embeds texts as vectors of unit length."""

    @property
    def model(self) -> str:
        """Name of the vector space, such as local/e5-small-v2-q; stored in the database."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed the texts to search in: float32, (len(texts), dimensions), rows of unit length, input order.

        Raises:
            ProviderError: The call failed; see its subclasses.
        """
        ...

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed search queries; same shape and errors as `passages`."""
        ...

    async def close(self) -> None:
        """Stop the threads and close the connections."""
        ...


class Reranker(Protocol):
    """Scores how well texts answer a question."""

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text, in input order; higher is better.

        Raises:
            ProviderError: The call failed; see its subclasses.
        """
        ...

    async def close(self) -> None:
        """Stop the threads and close the connections."""
        ...
