"""graphiti-core's search on the same server, texts and vectors, without embedding or LLM calls."""

from collections.abc import Mapping, Sequence
from typing import Any

from mnemo.errors import ConfigError
from mnemo.providers.graphiti import without_telemetry
from mnemo.store.endpoint import Endpoint

__all__ = ["GraphitiSide"]


class GraphitiSide:
    """The default hybrid search of facts, `Graphiti.search`, with precomputed vectors of the questions."""

    def __init__(self, endpoint: Endpoint, vectors: Mapping[str, Sequence[float]]) -> None:
        """Connect to the server.

        Args:
            endpoint: The server.
            vectors: Vector of each question.

        Raises:
            ConfigError: graphiti-core (extra `graphiti`) is not installed.
        """
        self._graphiti = _client(endpoint, vectors)

    async def prepare(self) -> None:
        """Create the indexes of graphiti-core."""
        await self._graphiti.build_indices_and_constraints()

    async def search(self, question: str, group: str, limit: int) -> list[str]:
        """Return the uuids of the facts found, best first."""
        found = await self._graphiti.search(question, group_ids=[group], num_results=limit)
        return [str(edge.uuid) for edge in found]

    async def close(self) -> None:
        """Close the connections."""
        await self._graphiti.close()


def _client(endpoint: Endpoint, vectors: Mapping[str, Sequence[float]]) -> Any:
    without_telemetry()
    try:
        from graphiti_core import Graphiti  # noqa: PLC0415  # an extra, and after telemetry is off
        from graphiti_core.cross_encoder.client import CrossEncoderClient  # noqa: PLC0415  # imported after telemetry is off
        from graphiti_core.embedder.client import EmbedderClient  # noqa: PLC0415  # imported after telemetry is off
        from graphiti_core.llm_client.client import LLMClient  # noqa: PLC0415  # imported after telemetry is off
        from graphiti_core.llm_client.config import LLMConfig  # noqa: PLC0415  # imported after telemetry is off
    except ImportError as error:
        message = "the comparison needs graphiti-core; run pip install 'mnemo[graphiti]'"
        raise ConfigError(message) from error

    class PresetVectors(EmbedderClient):
        async def create(self, input_data: Any) -> list[float]:
            text = input_data if isinstance(input_data, str) else input_data[0]
            return list(vectors[text])

    class NoLlm(LLMClient):
        async def _generate_response(self, *_: Any, **__: Any) -> dict[str, Any]:
            raise NotImplementedError

    class NoReranker(CrossEncoderClient):
        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
            raise NotImplementedError

    return Graphiti(
        endpoint.uri,
        endpoint.username,
        endpoint.password,
        llm_client=NoLlm(LLMConfig()),
        embedder=PresetVectors(),
        cross_encoder=NoReranker(),
    )
