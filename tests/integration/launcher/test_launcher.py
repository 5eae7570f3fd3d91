"""The life cycle of a local server in one home; the tests run in order and share the server."""

import asyncio
import multiprocessing
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from mnemo import launcher
from mnemo.config import Settings
from mnemo.errors import StartError, StoreError, StoreUnavailableError
from mnemo.launcher.home import Home
from mnemo.launcher.inspection import ask
from mnemo.launcher.java import runtime
from mnemo.launcher.process import find
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint, endpoint_file, password_file, read_local, resolve_endpoint
from support.server import local_settings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """One home for all tests of this file; its server is stopped at the end."""
    found = local_settings(tmp_path_factory.mktemp("home"), heap_mb=384, page_cache_mb=64)
    yield found
    launcher.down(found)


@pytest.fixture
def running(settings: Settings) -> launcher.RunningServer:
    """The running server of that home."""
    return launcher.up(settings)


def _process(settings: Settings) -> psutil.Process:
    recorded = read_local(settings.server_dir)
    assert recorded
    return psutil.Process(recorded.pid)


def test_stopped_server_error_says_what_to_do(settings: Settings) -> None:
    assert launcher.down(settings) is False
    assert launcher.status(settings).condition == "stopped"
    with pytest.raises(StoreUnavailableError, match="run `mnemo up`"):
        resolve_endpoint(settings)


def _up_in_process(home: Path, results: "multiprocessing.Queue[tuple[int, bool]]") -> None:
    state = launcher.up(local_settings(home, heap_mb=384, page_cache_mb=64))
    results.put((state.pid or 0, state.started))


def test_two_starts_at_once_yield_one_server(settings: Settings) -> None:
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[tuple[int, bool]] = context.Queue()
    processes = [context.Process(target=_up_in_process, args=(settings.home, results)) for _ in range(2)]
    for process in processes:
        process.start()
    found = [results.get(timeout=400) for _ in processes]
    for process in processes:
        process.join()
    assert sorted(started for _, started in found) == [False, True]
    assert len({pid for pid, _ in found}) == 1
    assert len(find(Home(settings.server_dir))) == 1  # and it outlived the process that started it


def test_a_running_server_is_ready_with_this_plugin(settings: Settings, running: launcher.RunningServer) -> None:
    found = launcher.status(settings)
    assert (found.condition, found.kind, found.uri, found.pid) == ("ready", "local", running.uri, running.pid)
    assert launcher.up(settings).started is False


def test_the_password_is_random_and_private(settings: Settings, running: launcher.RunningServer) -> None:
    file = password_file(settings.server_dir)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_text().strip()) >= 32
    assert stat.S_IMODE(endpoint_file(settings.server_dir).stat().st_mode) == 0o600
    for password in ("neo4j", ""):
        with pytest.raises(StoreError):
            asyncio.run(Database.open(Endpoint(uri=running.uri, password=password)))


def test_server_listens_only_on_the_loopback_interface(running: launcher.RunningServer) -> None:
    listening = [
        connection.laddr
        for connection in psutil.Process(running.pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert len(listening) >= 2
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}


def test_neo4j_browser_is_served(settings: Settings, running: launcher.RunningServer) -> None:
    url = launcher.browser_url(settings)
    assert url.startswith(f"{running.http_url}/browser/?dbms=bolt://neo4j@127.0.0.1:")
    answer = httpx.get(url, trust_env=False)
    assert answer.status_code == 200
    assert "neo4j" in answer.text.lower()
    assert password_file(settings.server_dir).read_text().strip() not in url


@pytest.mark.usefixtures("running")
def test_doctor_reports_no_problems(settings: Settings) -> None:
    checks = {check.name: check for check in launcher.doctor(settings)}
    assert {name for name, check in checks.items() if check.outcome == "failed"} == set()
    assert {"java", "memory", "disk", "artifact neo4j", "password", "ports", "server", "schema"} <= checks.keys()
    assert checks["artifact neo4j"].outcome == checks["server"].outcome == "ok"


def test_nothing_is_written_outside_the_home(settings: Settings, running: launcher.RunningServer) -> None:
    opened = [Path(file.path) for file in psutil.Process(running.pid).open_files()]
    outside = [
        path
        for path in opened
        if not path.is_relative_to(settings.home) and not path.is_relative_to(settings.cache_dir.resolve())
    ]
    java_home = runtime().parents[1]
    assert [path for path in outside if not path.is_relative_to(java_home)] == []
    assert not (Path("/tmp") / f"hsperfdata_{os.environ.get('USER', 'root')}" / str(running.pid)).exists()  # noqa: S108  # where Java would leave it


@pytest.mark.usefixtures("running")
def test_the_servers_logs_hold_no_query_text(settings: Settings) -> None:
    async def look_for(database: Database) -> None:
        await database.run("meta/access", name="a-name-of-nobody-else")

    ask(resolve_endpoint(settings), look_for)
    logs = list((settings.server_dir / "logs").rglob("*"))
    assert logs
    assert [
        path for path in logs if path.is_file() and "a-name-of-nobody-else" in path.read_text(errors="replace")
    ] == []


def test_restarted_server_has_its_data_after_a_kill(settings: Settings, running: launcher.RunningServer) -> None:
    async def write(database: Database) -> object:
        return (await database.run("meta/lock", owner="the first", seconds=3_600))[0]["owner"]

    async def read(database: Database) -> object:
        return (await database.run("meta/lock", owner="the second", seconds=3_600))[0]["owner"]

    assert ask(resolve_endpoint(settings), write) == "the first"
    _process(settings).kill()
    while read_local(settings.server_dir).alive:  # type: ignore[union-attr]  # it is recorded: it was running
        time.sleep(0.05)
    assert launcher.status(settings).condition == "stopped"
    again = launcher.up(settings)
    assert again.started is True
    assert again.pid != running.pid
    assert ask(resolve_endpoint(settings), read) == "the first"


def test_reused_process_id_is_not_taken_for_the_server(settings: Settings, running: launcher.RunningServer) -> None:
    launcher.down(settings)
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        recorded = (
            f'{{"bolt_uri": "{running.uri}", "http_url": "", "pid": {other.pid}, "started": 1.0, "version": "1"}}'
        )
        endpoint_file(settings.server_dir).write_text(recorded)
        assert launcher.status(settings).condition == "stopped"
        assert launcher.down(settings) is False
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_used_ports_are_replaced_and_an_incomplete_home_is_completed(settings: Settings) -> None:
    launcher.down(settings)
    endpoint_file(settings.server_dir).write_text("{ half")
    (settings.server_dir / "conf" / "neo4j.conf").write_text("nonsense without sense\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        state = launcher.up(local_settings(settings.home, heap_mb=384, page_cache_mb=64, bolt_port=port))
        assert state.started
        assert state.uri != f"bolt://127.0.0.1:{port}"
        moved = state.uri.rpartition(":")[2]
        assert f"port {port} is taken; Bolt listens on {moved}" in state.notes
        assert launcher.status(settings).condition == "ready"


def test_a_server_without_its_record_is_stopped(settings: Settings, running: launcher.RunningServer) -> None:
    endpoint_file(settings.server_dir).unlink()
    assert launcher.status(settings).condition == "stopped"
    assert launcher.down(settings) is True
    assert not psutil.pid_exists(running.pid or 0)


def test_lost_password_is_reported_and_nothing_is_started(settings: Settings) -> None:
    launcher.down(settings)
    file = password_file(settings.server_dir)
    kept = file.read_text()
    file.unlink()
    try:
        with pytest.raises(StartError, match="restore it, or move"):
            launcher.up(settings)
        checks = {check.name: check.outcome for check in launcher.doctor(settings)}
        assert checks["password"] == "failed"
    finally:
        file.write_text(kept)
        file.chmod(0o600)
    assert find(Home(settings.server_dir)) == []
