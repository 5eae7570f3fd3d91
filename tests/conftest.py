"""Fixtures that tests of several packages share."""

import uuid
from collections.abc import AsyncIterator, Iterator

import hypothesis
import pytest

from mnemo.config import Settings
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from mnemo.store.migrations import migrate
from support.llm_server import LlmServer
from support.server import server

# A busy machine is slow at times; benchmarks measure speed, not these tests.
hypothesis.settings.register_profile("mnemo", deadline=None)
hypothesis.settings.load_profile("mnemo")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files."""
    parser.addoption("--rewrite-golden", action="store_true", help="rewrite golden files from the actual results")
    parser.addoption("--extras", action="store_true", help="run tests of extras that are not installed by default too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests of extras unless they are requested, and run slow files first, so that no worker ends alone."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if not config.getoption("--extras"):
        left_out = [item for item in items if item.get_closest_marker("extras")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name binary parameters by their argument, so that every process gives a test the same name."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture
def llm() -> Iterator[LlmServer]:
    """A scripted OpenAI-compatible server; see support.llm_server."""
    with LlmServer() as server:
        yield server


@pytest.fixture(scope="session")
async def embedder() -> AsyncIterator[LocalEmbedder]:
    """The built-in embedder, with its model in the usual cache (`MNEMO_HOME`)."""
    local = LocalEmbedder(Settings().cache_dir)
    yield local
    await local.close()


@pytest.fixture(scope="session")
def server_endpoint() -> Iterator[Endpoint]:
    """A real Neo4j server with the plugin, for the whole run; see support.server."""
    with server() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
async def database(server_endpoint: Endpoint, embedder: LocalEmbedder) -> AsyncIterator[Database]:
    """The server's database, migrated for the built-in embedder."""
    async with await Database.open(server_endpoint) as opened:
        await migrate(opened, (embedder.model, embedder.dimensions))
        yield opened


@pytest.fixture
def group() -> str:
    """A group that no other test uses."""
    return f"test-{uuid.uuid4().hex}"
