"""The Neo4j server of the tests, chosen by `MNEMO_TEST_NEO4J`: auto, docker, local or uri.

- `uri`: the server of `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`.
- `docker`: a container.
- `local`: a server started by the launcher in a temporary home with the usual download cache.
- `auto` (default): `uri` if NEO4J_URI is set, else `docker` if an engine has the image, else `local`.
"""

import contextlib
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
    """Return the kind of server to use: docker, local or uri."""
    chosen = os.environ.get("MNEMO_TEST_NEO4J", "auto")
    if chosen not in _CHOICES:
        message = f"MNEMO_TEST_NEO4J must be one of {', '.join(_CHOICES)}, got {chosen!r}"
        raise ValueError(message)
    if chosen != "auto":
        return chosen
    if os.environ.get("NEO4J_URI"):
        return "uri"
    return "docker" if _engine_has_image() else "local"


@contextmanager
def server() -> Iterator[Endpoint]:
    """Yield a running server that has the plugin; stop it at the end if it was started here."""
    kinds = {"uri": _given, "docker": _container, "local": _local}
    with kinds[choice()]() as endpoint:
        yield endpoint


def local_settings(home: Path, **server: object) -> Settings:
    """Return settings for a local server in `home` that shares the usual download cache.

    Args:
        home: Created if missing; its `cache` becomes a link to the usual one.
        server: Fields of the `server` settings; small memory and free ports by default.
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
    from testcontainers.community.neo4j import Neo4jContainer  # noqa: PLC0415  # only if a container is used

    jar = plugin_jar(Settings().cache_dir)
    container = (
        Neo4jContainer(_image(), password="mnemo-container")
        .with_volume_mapping(str(jar), f"/var/lib/neo4j/plugins/{JAR_NAME}", "ro")
        .with_env("NEO4J_dbms_security_procedures_unrestricted", "mnemo.*")
        .with_env("NEO4J_dbms_usage__report_enabled", "false")
    )
    with container as running:
        yield Endpoint(uri=running.get_connection_url(), username="neo4j", password="mnemo-container")


def _image() -> str:
    return f"neo4j:{neo4j_version()}-community"


def _engine_has_image() -> bool:
    from docker.errors import DockerException  # noqa: PLC0415  # only if no server is given

    import docker  # noqa: PLC0415  # only if no server is given

    if "DOCKER_HOST" not in os.environ and not _listens(Path("/var/run/docker.sock")):
        return False  # asked first, since the client leaves its socket open if no engine listens
    # Naming the API version keeps the client from connecting before it can be closed.
    with contextlib.closing(docker.from_env(version="1.41", timeout=2)) as engine:
        try:
            engine.images.get(_image())
        except (DockerException, OSError):
            return False
        return True


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(str(path)) == 0
