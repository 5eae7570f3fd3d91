"""`mnemo.recall` on a real server that asks a real mnemo server over HTTP."""

import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from neo4j import GraphDatabase, Query
from neo4j.exceptions import Neo4jError

from mnemo import AsyncMemory, Message, launcher
from mnemo.config import Settings
from mnemo.providers.local import LocalEmbedder
from mnemo.server import build_app
from mnemo.server.running import ANNOUNCEMENT, listen
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint, resolve_endpoint
from support.cypher import cypher
from support.server import local_settings

KEY = "a-key-of-the-tests"
CALL = "CALL mnemo.recall($group, $question, $options)"
MESSAGES = [
    Message(content="I moved to Lisbon.", speaker="Ana", session="s"),
    Message(content="I work at Acme Robotics.", speaker="Bruno", session="s"),
]


@pytest.fixture(scope="session")
async def near(
    database: Database, server_endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Endpoint, Path]]:
    """A local database and its home: the database of the tests, or a new one if that runs in a container."""
    rows = await cypher(database, "SHOW SETTINGS 'server.directories.neo4j_home' YIELD value RETURN value")
    home = Path(rows[0]["value"])
    if home.is_dir():  # noqa: ASYNC240  # a moment, once
        yield server_endpoint, home
        return
    settings = local_settings(tmp_path_factory.mktemp("near"))
    launcher.up(settings)
    yield resolve_endpoint(settings), settings.server_dir
    launcher.down(settings)


@pytest.fixture
def endpoint(near: tuple[Endpoint, Path]) -> Endpoint:
    return near[0]


@pytest.fixture
def announcement(near: tuple[Endpoint, Path]) -> Iterator[Path]:
    """The file in which that database looks for the mnemo server; restored afterwards."""
    file = near[1] / ANNOUNCEMENT
    before = file.read_text(encoding="utf-8") if file.exists() else None
    yield file
    if before is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text(before, encoding="utf-8")


@pytest.fixture
async def memory(endpoint: Endpoint, embedder: LocalEmbedder, group: str) -> AsyncIterator[AsyncMemory]:
    """A memory with messages of Ana and Bruno."""
    async with AsyncMemory(settings_of(endpoint), group=group, embedder=embedder) as opened:
        await opened.add(MESSAGES)
        yield opened


def settings_of(endpoint: Endpoint) -> Settings:
    neo4j = {"uri": endpoint.uri, "username": endpoint.username, "password": endpoint.password}
    return Settings.model_validate({"neo4j": neo4j, "llm": {"provider": "none"}})


@contextmanager
def serving(settings: Settings, announcement: Path, key: str = KEY) -> Iterator[None]:
    """Serve in a thread and announce the address and a key, possibly a wrong one, to the database."""
    with listen("127.0.0.1", 0) as bound:
        config = uvicorn.Config(build_app(AsyncMemory(settings), KEY), log_level="error", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        tell(announcement, bound.getsockname()[1], key)
        try:
            yield
        finally:
            server.should_exit = True
            thread.join(30)


def tell(announcement: Path, port: int, key: str = KEY) -> None:
    announcement.write_text(json.dumps({"url": f"http://127.0.0.1:{port}", "key": key}), encoding="utf-8")


def recalled(endpoint: Endpoint, group: str, question: str, options: dict[str, Any] | None = None) -> Any:
    """Call `mnemo.recall` as Neo4j Browser does."""
    auth = (endpoint.username, endpoint.password)
    with GraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver:
        params = {"group": group, "question": question, "options": options or {}}
        return driver.execute_query(CALL, params, database_=endpoint.database).records[0]


async def test_result_holds_the_evidence_graph_of_the_answer(
    memory: AsyncMemory, announcement: Path, endpoint: Endpoint, group: str
) -> None:
    assert (await memory.status()).done == 2
    with serving(settings_of(endpoint), announcement):
        row = recalled(endpoint, group, "Where does Ana live?")
    assert "Lisbon" in row["answer"]
    assert "Lisbon" in row["context"]
    assert row["route"] in {"system1", "both"}
    kinds = {next(iter(node.labels)) for node in row["nodes"]}
    assert {"Episode", "Entity", "Edge"} <= kinds
    assert {node["group"] for node in row["nodes"]} == {group}
    ids = {node.element_id for node in row["nodes"]}
    assert len(ids) == len(row["nodes"])
    assert {"STATES", "SUBJECT", "OBJECT"} <= {tie.type for tie in row["relationships"]}
    assert all({tie.start_node.element_id, tie.end_node.element_id} <= ids for tie in row["relationships"])


async def test_another_groups_memory_is_not_drawn(memory: AsyncMemory, announcement: Path, endpoint: Endpoint) -> None:
    assert (await memory.status()).done == 2
    with serving(settings_of(endpoint), announcement):
        row = recalled(endpoint, "test-nobody", "Where does Ana live?")
    assert (row["nodes"], row["relationships"], row["context"]) == ([], [], "")


async def test_missing_server_error_says_how_to_start_one(announcement: Path, endpoint: Endpoint, group: str) -> None:
    with listen("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
    tell(announcement, port)
    with pytest.raises(Neo4jError, match=rf"no mnemo server answers at http://127\.0\.0\.1:{port}.*`mnemo serve`"):
        recalled(endpoint, group, "Who?")


async def test_wrong_key_is_reported_and_not_shown(announcement: Path, endpoint: Endpoint, group: str) -> None:
    with (
        serving(settings_of(endpoint), announcement, "another-key"),
        pytest.raises(Neo4jError, match=r"answered 401.*MNEMO_API__KEY") as refused,
    ):
        recalled(endpoint, group, "Who?")
    assert "another-key" not in str(refused.value)


@pytest.mark.parametrize(
    ("question", "options", "said"),
    [
        (" ", {}, "must not be blank"),
        ("x" * 20_001, {}, "at most 20,000 characters"),
        ("Who?", {"url": "http://127.0.0.1:1"}, r"got \[url\]"),
    ],
)
async def test_invalid_arguments_are_rejected_before_any_request(
    announcement: Path, endpoint: Endpoint, question: str, options: dict[str, Any], said: str
) -> None:
    tell(announcement, 1)
    with pytest.raises(Neo4jError, match=said):
        recalled(endpoint, "g", question, options)


async def test_an_option_that_the_server_refuses_is_reported(
    announcement: Path, endpoint: Endpoint, group: str
) -> None:
    with (
        serving(settings_of(endpoint), announcement),
        pytest.raises(Neo4jError, match="answered 422: invalid request body: k"),
    ):
        recalled(endpoint, group, "Who?", {"k": 0})


async def test_terminated_transaction_does_not_wait_for_the_server(
    announcement: Path, endpoint: Endpoint, group: str
) -> None:
    came = threading.Event()
    held = threading.Event()

    class Silent(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # name set by http.server
            came.set()
            held.wait(60)

        def log_message(self, *_: object) -> None:
            """Keep the test run's output clean."""

    server = HTTPServer(("127.0.0.1", 0), Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tell(announcement, server.server_port)
    auth = (endpoint.username, endpoint.password)
    start = time.monotonic()
    with (
        GraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver,
        driver.session(database=endpoint.database) as session,
        pytest.raises(Neo4jError),
    ):
        session.run(Query(CALL, timeout=2.0), group=group, question="Who?", options={}).consume()
    seconds = time.monotonic() - start
    held.set()
    server.shutdown()
    server.server_close()
    assert came.is_set()
    assert seconds < 30
