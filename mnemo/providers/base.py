"""What mnemo asks of an LLM, an embedder and a reranker."""

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
    """What is sent to an LLM."""

    name: str
    """Which of mnemo's prompts it is, such as extract; for accounting and logs, never sent."""
    chats: tuple[Chat, ...]
    max_output_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[T]):
    """What came back, and what it cost, repeats included."""

    value: T
    usage: Usage


class Llm(Protocol):
    """Completes prompts, to a schema or as text."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    async def complete(self, prompt: Prompt, schema: type[ModelT]) -> Reply[ModelT]:
        """Return the reply read into `schema`.

        A reply that does not fit is asked again once, with what was wrong.

        Raises:
            MalformedReplyError: Neither reply fits; its `usage` attribute says what both cost.
            ProviderError: See its kinds; retryable ones were retried already.
        """
        ...

    async def write(self, prompt: Prompt) -> Reply[str]:
        """Return the reply as text, stripped, not empty.

        Raises:
            MalformedReplyError: Both replies were empty.
            ProviderError: See its kinds.
        """
        ...

    async def close(self) -> None:
        """Free connections."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def model(self) -> str:
        """Name that tells vector spaces apart, such as local/e5-small-v2-q; kept in the database."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be found: float32, (len(texts), dimensions), rows of unit length, input order.

        Raises:
            ProviderError: See its kinds.
        """
        ...

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to find with: shape and errors as for passages."""
        ...

    async def close(self) -> None:
        """Free threads and connections."""
        ...


class Reranker(Protocol):
    """Scores texts against a question."""

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score a text, input order, higher is better.

        Raises:
            ProviderError: See its kinds.
        """
        ...

    async def close(self) -> None:
        """Free threads and connections."""
        ...
