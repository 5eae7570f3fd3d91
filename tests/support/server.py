"""The real Neo4j server that tests run on: `MNEMO_TEST_NEO4J=auto|docker|local|uri`.

`uri` takes the server of `NEO4J_URI` and its fellows. `docker` starts a container; `local` starts the
launcher's server in a home of its own, with downloads in the usual cache. `auto`, the default, is `uri`
where NEO4J_URI is set, else `docker` where an engine answers, else `local`.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mnemo import launcher
from mnemo.config import Settings
from mnemo.launcher.plugin import JAR_NAME, neo4j_version, plugin_jar
from mnemo.store.endpoint import Endpoint, resolve_endpoint

__all__ = ["choice", "local_settings", "server"]

_CHOICES = ("auto", "docker", "local", "uri")


def choice() -> str:
    """Which kind of server is meant, `auto` resolved."""
    wanted = os.environ.get("MNEMO_TEST_NEO4J", "auto")
    if wanted not in _CHOICES:
        message = f"wanted MNEMO_TEST_NEO4J to be one of {', '.join(_CHOICES)}, got {wanted!r}"
        raise ValueError(message)
    if wanted != "auto":
        return wanted
    if os.environ.get("NEO4J_URI"):
        return "uri"
    return "docker" if _engine_answers() else "local"


@contextmanager
def server() -> Iterator[Endpoint]:
    """Give a server that is up and has the plugin; stop it at the end, if it was started here."""
    kinds = {"uri": _given, "docker": _container, "local": _local}
    with kinds[choice()]() as endpoint:
        yield endpoint


def local_settings(home: Path, **server: object) -> Settings:
    """Return settings for a local server in `home` whose downloads are in the usual cache.

    Args:
        home: Made if missing; what is in its `cache` would be a link to the usual one.
        server: Fields of the section `server`; small memory and free ports unless they are given.
    """
    usual = Settings().cache_dir
    usual.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "cache").exists():
        (home / "cache").symlink_to(usual, target_is_directory=True)
    sizes = {"heap_mb": 1024, "page_cache_mb": 256, "start_timeout_s": 300.0}
    return Settings.model_validate(
        {"home": home, "neo4j": {"uri": None}, "server": {**sizes, **server}},
    )


@contextmanager
def _given() -> Iterator[Endpoint]:
    yield resolve_endpoint(Settings())


@contextmanager
def _local() -> Iterator[Endpoint]:
    home = Path(tempfile.mkdtemp(prefix="mnemo-test-"))
    settings = local_settings(home)
    try:
        launcher.up(settings)
        yield resolve_endpoint(settings)
    finally:
        launcher.down(settings)
        shutil.rmtree(home)


@contextmanager
def _container() -> Iterator[Endpoint]:
    from testcontainers.neo4j import Neo4jContainer  # noqa: PLC0415  # only where a container engine answers

    jar = plugin_jar(Settings().cache_dir)
    container = (
        Neo4jContainer(f"neo4j:{neo4j_version()}-community", password="mnemo-container")
        .with_volume_mapping(str(jar), f"/var/lib/neo4j/plugins/{JAR_NAME}", "ro")
        .with_env("NEO4J_dbms_security_procedures_unrestricted", "mnemo.*")
        .with_env("NEO4J_dbms_usage__report_enabled", "false")
    )
    with container as running:
        yield Endpoint(uri=running.get_connection_url(), username="neo4j", password="mnemo-container")


def _engine_answers() -> bool:
    scheme, _, place = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").partition("://")
    family = socket.AF_UNIX if scheme == "unix" else socket.AF_INET
    host, _, port = place.partition(":")
    try:
        with socket.socket(family, socket.SOCK_STREAM) as engine:
            engine.settimeout(2)
            engine.connect(place if scheme == "unix" else (host, int(port or 2375)))
            engine.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            return b" 200 " in engine.recv(64)
    except OSError:
        return False
