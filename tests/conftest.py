"""Fixtures that tests of several packages share."""

from collections.abc import Iterator

import pytest

from support.llm_server import LlmServer


@pytest.fixture
def llm() -> Iterator[LlmServer]:
    """A scripted OpenAI-compatible server; see support.llm_server."""
    with LlmServer() as server:
        yield server
