"""Each kind of unusable server has its own condition."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemo import launcher
from mnemo.artifacts import fetch
from mnemo.config import Settings
from mnemo.errors import DiskError, StartError
from mnemo.launcher.home import Home, Ports
from mnemo.launcher.plugin import plugin_jar, server_jar
from mnemo.launcher.ports import HOST, choose
from mnemo.launcher.process import command, end, find, spawn
from mnemo.launcher.server import wait_until
from mnemo.launcher.sizes import Sizes
from mnemo.store.endpoint import Endpoint
from support.server import local_settings

SIZES = Sizes(heap_mb=384, page_cache_mb=64)


def _settings(endpoint: Endpoint, home: Path, **changed: str) -> Settings:
    fields = {"uri": endpoint.uri, "username": endpoint.username, "password": endpoint.password}
    return Settings.model_validate({"home": home, "neo4j": {**fields, **changed}})


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """A server without the plugin whose database `neo4j` is read-only."""
    settings = local_settings(tmp_path_factory.mktemp("bare"), heap_mb=SIZES.heap_mb, page_cache_mb=SIZES.page_cache_mb)
    launcher.up(settings)  # the database is created by a first start that may write
    launcher.down(settings)
    cache, home = settings.cache_dir, Home(settings.server_dir)
    bolt = choose(7687)
    password = home.prepare(Ports(bolt=bolt, http=choose(7474, taken=[bolt])), SIZES, plugin_jar(cache))
    for jar in home.plugins.iterdir():
        jar.unlink()
    with (home.conf / "neo4j.conf").open("a") as conf:
        conf.write("server.databases.read_only=neo4j\n")
    process = spawn(command(home, [server_jar(cache), *fetch(cache, ["neo4j"])], SIZES), home.console_log)
    try:
        endpoint = Endpoint(uri=f"bolt://{HOST}:{bolt}", password=password)
        wait_until(process, home, endpoint, timeout_s=300)
        yield endpoint
    finally:
        end(process)


def test_read_only_server_is_reported(bare: Endpoint, tmp_path: Path) -> None:
    found = launcher.status(_settings(bare, tmp_path))
    assert (found.kind, found.condition, found.version) == ("external", "read_only", "2026.09.0")
    assert found.condition not in launcher.USABLE


def test_a_server_without_the_plugin_can_be_used(bare: Endpoint, tmp_path: Path) -> None:
    found = launcher.status(_settings(bare, tmp_path, database="system"))
    assert (found.condition, found.plugin) == ("no_plugin", None)
    assert found.condition in launcher.USABLE
    assert "plain Cypher" in found.message


def test_wrong_password_is_reported(bare: Endpoint, tmp_path: Path) -> None:
    found = launcher.status(_settings(bare, tmp_path, password="wrong"))
    assert found.condition == "auth"
    assert "NEO4J_PASSWORD" in found.message


def test_up_with_an_external_server_starts_nothing(bare: Endpoint, tmp_path: Path) -> None:
    state = launcher.up(_settings(bare, tmp_path))
    assert (state.uri, state.version, state.started, state.pid) == (bare.uri, "2026.09.0", False, None)
    assert list(tmp_path.iterdir()) == []


def test_server_that_exits_during_startup_gives_the_reason(tmp_path: Path) -> None:
    settings = local_settings(tmp_path, heap_mb=10**10)
    with pytest.raises(StartError, match=r"exited during start-up[\s\S]*heap") as caught:
        launcher.up(settings)
    assert str(settings.server_dir / "logs" / "console.log") in str(caught.value)
    assert find(Home(settings.server_dir)) == []
    assert launcher.status(settings).condition == "stopped"


def test_home_that_cannot_be_created_is_a_disk_error(tmp_path: Path) -> None:
    settings = local_settings(tmp_path)
    settings.server_dir.write_text("")
    with pytest.raises(DiskError, match="MNEMO_HOME"):
        launcher.up(settings)
