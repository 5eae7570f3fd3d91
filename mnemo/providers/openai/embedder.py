"""Embeddings of OpenAI and of servers with a compatible API."""

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
"""Dimensions of OpenAI's models (platform.openai.com, Embeddings)."""

_MAX_TOKENS = 8_000
"""Texts are cut off here; OpenAI's limit is 8,191, and the offline count may be slightly low."""
_FIELDS = ("encoding_format", "dimensions")


class OpenAiEmbedder:
    """Embeds batches of texts concurrently; questions and passages are treated the same."""

    def __init__(
        self, http: OpenAiHttp, *, model: str, dimensions: int, batch_size: int, shorten: bool = False
    ) -> None:
        """Wrap a connection.

        Args:
            http: Closed together with this object.
            model: Name of the model on the server.
            dimensions: Length of each vector; every answer is checked.
            batch_size: Texts per request, at least 1.
            shorten: Whether to request that many dimensions, for models that support it.
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
        """Embed texts: (len(texts), dimensions), unit length, input order; texts are cut off at 8,000 tokens.

        Raises:
            ArgumentError: A text is blank; the endpoint rejects those.
            ProviderError: The call failed; MalformedReplyError if vectors are missing or not numbers.
        """
        if not all(text.strip() for text in texts):
            message = "texts to embed must not be blank"
            raise ArgumentError(message)
        batches = [texts[start : start + self._batch_size] for start in range(0, len(texts), self._batch_size)]
        rows = await asyncio.gather(*(self._batch(batch) for batch in batches))
        return np.concatenate(rows) if rows else np.empty((0, self._dimensions), np.float32)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed search queries; same as `passages`."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def _batch(self, texts: Sequence[str]) -> Vectors:
        inputs = [cut(text, _MAX_TOKENS) for text in texts]
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
    """Return the fields without the refused one; plain numbers replace base64."""
    left = {name: value for name, value in fields.items() if name != refused}
    return left | {"encoding_format": "float"} if refused == "encoding_format" else left


def _by_index(data: object, count: int) -> list[Vectors]:
    """Return the vectors in the order of the texts, since servers may answer in any order."""
    items = [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []
    found = {item.get("index", place): _numbers(item.get("embedding")) for place, item in enumerate(items)}
    if len(items) != count or found.keys() != set(range(count)):
        message = f"the provider must return {count} vectors, got {len(items)}"
        raise MalformedReplyError(message)
    return [found[place] for place in range(count)]


def _numbers(embedding: object) -> Vectors:
    """Parse a list of numbers, or base64 of little-endian float32."""
    try:
        if isinstance(embedding, str):
            return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
        return np.asarray(embedding, np.float32).reshape(-1)
    except (ValueError, TypeError, binascii.Error) as error:
        message = "an embedding must be a list of numbers or base64 of float32"
        raise MalformedReplyError(message) from error
