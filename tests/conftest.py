"""Fixtures that tests of several packages share."""

from collections.abc import AsyncIterator, Iterator

import pytest

from mnemo.config import Settings
from mnemo.providers.local import LocalEmbedder
from support.llm_server import LlmServer


@pytest.fixture
def llm() -> Iterator[LlmServer]:
    """A scripted OpenAI-compatible server; see support.llm_server."""
    with LlmServer() as server:
        yield server


@pytest.fixture(scope="session")
async def embedder() -> AsyncIterator[LocalEmbedder]:
    """The built-in embedder, its model kept in the usual cache (`MNEMO_HOME`)."""
    local = LocalEmbedder(Settings().cache_dir)
    yield local
    await local.close()
