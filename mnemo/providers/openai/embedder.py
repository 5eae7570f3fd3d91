"""Embeddings of OpenAI and of any server that speaks its endpoint."""

import asyncio
import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mnemo.errors import ArgumentError, MalformedReplyError
from mnemo.providers.base import Vectors
from mnemo.providers.openai.errors import RefusedError
from mnemo.providers.openai.transport import OpenAiHttp
from mnemo.providers.third_party import unit_rows
from mnemo.providers.tokens import count_many, cut

__all__ = ["KNOWN_DIMENSIONS", "OpenAiEmbedder"]

KNOWN_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
"""Of OpenAI's models (platform.openai.com, Embeddings)."""

_MOST_TOKENS = 8_000
"""A text is cut there; OpenAI's limit is 8,191, and the offline count may be a little short."""
_FIELDS = ("encoding_format", "dimensions")


class OpenAiEmbedder:
    """Embeds in batches, several at once; questions and passages alike."""

    def __init__(
        self, http: OpenAiHttp, *, model: str, dimensions: int, batch_size: int, shorten: bool = False
    ) -> None:
        """Wrap a connection.

        Args:
            http: Closed with this.
            model: As the server names it.
            dimensions: What its vectors have; checked at every answer.
            batch_size: Texts in a request, at least 1.
            shorten: Ask the server for that many dimensions, for models that can be shortened.
        """
        self._http = http
        self._model = model
        self._dimensions = dimensions
        self._batch_size = batch_size
        self._fields: dict[str, Any] = {"encoding_format": "base64"} | ({"dimensions": dimensions} if shorten else {})

    @property
    def model(self) -> str:
        """Return the name of the vector space, such as openai/text-embedding-3-small."""
        return f"openai/{self._model}"

    @property
    def dimensions(self) -> int:
        """Return the length of each vector."""
        return self._dimensions

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: (len(texts), dimensions), unit length, input order; a text is cut at 8,000 tokens.

        Raises:
            ArgumentError: A text is blank, which the endpoint refuses.
            ProviderError: See its kinds; MalformedReplyError where vectors are missing or not numbers.
        """
        if not all(text.strip() for text in texts):
            message = "wanted texts to embed that are not blank, got a blank one"
            raise ArgumentError(message)
        batches = [texts[start : start + self._batch_size] for start in range(0, len(texts), self._batch_size)]
        rows = await asyncio.gather(*(self._batch(batch) for batch in batches))
        return np.concatenate(rows) if rows else np.empty((0, self._dimensions), np.float32)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to find with; as for passages."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def _batch(self, texts: Sequence[str]) -> Vectors:
        inputs = [cut(text, _MOST_TOKENS) for text in texts]
        while True:
            fields = self._fields
            try:
                body = await self._send(inputs, fields)
            except RefusedError as refusal:
                refused = [name for name in _FIELDS if name in refusal.fields and name in fields]
                if not refused or fields.get(refused[0]) == "float":
                    raise
                self._fields = _without(fields, refused[0])
                continue
            return self._vectors(body, len(inputs))

    async def _send(self, inputs: list[str], fields: Mapping[str, Any]) -> dict[str, Any]:
        send = self._http.client.embeddings.with_raw_response.create
        expected = sum(count_many(inputs)) if self._http.gate.counts_tokens else 0
        return await self._http.call(lambda: send(model=self._model, input=inputs, **fields), expected)

    def _vectors(self, body: Mapping[str, Any], count: int) -> Vectors:
        rows = _by_index(body.get("data"), count)
        return unit_rows(rows, count=count, dimensions=self._dimensions, source=self._model)


def _without(fields: Mapping[str, Any], refused: str) -> dict[str, Any]:
    """Ask for plain numbers where base64 is refused, and for no dimensions where those are."""
    left = {name: value for name, value in fields.items() if name != refused}
    return left | {"encoding_format": "float"} if refused == "encoding_format" else left


def _by_index(data: object, count: int) -> list[Vectors]:
    """Return the vectors in the order of the texts; servers may answer in any."""
    items = [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []
    found = {item.get("index", place): _numbers(item.get("embedding")) for place, item in enumerate(items)}
    if len(items) != count or found.keys() != set(range(count)):
        message = f"wanted {count} vectors, got {len(items)}"
        raise MalformedReplyError(message)
    return [found[place] for place in range(count)]


def _numbers(embedding: object) -> Vectors:
    """Read numbers, or base64 of little-endian float32."""
    try:
        if isinstance(embedding, str):
            return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
        return np.asarray(embedding, np.float32).reshape(-1)
    except (ValueError, TypeError, binascii.Error) as error:
        message = "wanted a vector of numbers, got something else"
        raise MalformedReplyError(message) from error
