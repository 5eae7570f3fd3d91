"""Start and stop the local server."""

import errno
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import psutil

from mnemo.artifacts import fetch
from mnemo.config import Settings
from mnemo.errors import DiskError, StartError, StoreAuthError, StoreError, StoreTransientError, StoreUnavailableError
from mnemo.files import disk_errors, locked, write_atomically
from mnemo.launcher import ports as port_numbers
from mnemo.launcher import process as processes
from mnemo.launcher.home import Home, Ports
from mnemo.launcher.inspection import inspect
from mnemo.launcher.plugin import neo4j_version, plugin_jar, server_jar
from mnemo.launcher.sizes import machine_mb, sizes
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.store.endpoint import (
    Endpoint,
    LocalServer,
    endpoint_file,
    read_local,
    resolve_endpoint,
)

__all__ = ["State", "down", "up", "wait_until"]

_POLL_S = 0.1
_PORT_TRIES = 3
_PORT_IN_USE = ("Address already in use", "BindException")
_DISK_SIGNS = {
    "No space left on device": errno.ENOSPC,
    "free disk space": errno.ENOSPC,
    "Read-only file system": errno.EROFS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A server that can be used."""

    uri: str
    version: str
    """Of Neo4j."""
    http_url: str | None = None
    """Where the local server serves Neo4j Browser; None for a server of the settings."""
    pid: int | None = None
    """The local server's process; None for a server of the settings."""
    started: bool = False
    """Whether this call started it."""


def up(settings: Settings, on_progress: OnProgress = ignore_progress) -> State:
    """Make sure that a server can be used: with `neo4j.uri` that one, else a local one, started if it is not up.

    Downloads what is missing, builds the plugin, starts the server detached, and waits until it
    lets us in. Several processes may call it at once: one starts the server, the others wait. A
    local server with another build of the plugin is started anew.

    Args:
        settings: `home`, `server` and `neo4j` count.
        on_progress: Called with the stages `download`, `compile` and `start`.

    Raises:
        ConfigError: A setting does not fit.
        ArtifactError: Something cannot be downloaded.
        DiskError: The disk is full, read-only, or the folder is not permitted.
        StartError: The server did not come up; carries the last lines that it printed.
        StoreError: The server of the settings cannot be used; see its kinds.
    """
    if settings.neo4j.uri is not None:
        endpoint = resolve_endpoint(settings)
        return State(uri=endpoint.uri, version=inspect(endpoint).version)
    with disk_errors(settings.server_dir):
        settings.server_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(Home(settings.server_dir).lock):
        return _running(settings) or _start(settings, on_progress)


def down(settings: Settings) -> bool:
    """Stop the local server and wait until it is gone; its data stay.

    Returns:
        Whether one was running.

    Raises:
        StartError: It does not stop.
    """
    home = Home(settings.server_dir)
    if not home.root.is_dir():
        return False
    with locked(home.lock):
        return _stop(home)


def _running(settings: Settings) -> State | None:
    """Return the local server if it is up, can be used, and has this plugin; a busy one is up."""
    recorded = read_local(settings.server_dir)
    if recorded is None or not recorded.alive:
        return None
    try:
        current = inspect(resolve_endpoint(settings)).condition in {"ready", "read_only"}
    except StoreTransientError:
        current = True
    except StoreUnavailableError:
        current = False
    return _state(recorded, started=False) if current else None


def _start(settings: Settings, on_progress: OnProgress) -> State:
    home = Home(settings.server_dir)
    class_path = [
        server_jar(settings.cache_dir, on_progress),
        *fetch(settings.cache_dir, ["neo4j"], on_progress),
    ]
    plugin = plugin_jar(settings.cache_dir, on_progress)
    _stop(home)
    memory = sizes(settings.server, machine_mb())
    arguments = processes.command(home, class_path, memory)
    for attempt in range(1, _PORT_TRIES + 1):
        bolt = port_numbers.choose(settings.server.bolt_port)
        ports = Ports(bolt=bolt, http=port_numbers.choose(settings.server.http_port, taken=[bolt]))
        password = home.prepare(ports, memory, plugin)
        endpoint = Endpoint(uri=f"bolt://{port_numbers.HOST}:{ports.bolt}", password=password)
        on_progress(Progress(stage="start", done=0, total=1))
        process = processes.spawn(arguments, home.console_log)
        try:
            wait_until(process, home, endpoint, timeout_s=settings.server.start_timeout_s)
            on_progress(Progress(stage="start", done=1, total=1))
            return _record(process, home, endpoint, ports)
        except StartError as error:
            processes.end(process)
            if attempt == _PORT_TRIES or not any(sign in str(error) for sign in _PORT_IN_USE):
                raise
        except BaseException:
            processes.end(process)
            raise
    message = "unreachable: the last attempt returns or raises"
    raise AssertionError(message)


def wait_until(process: psutil.Process, home: Home, endpoint: Endpoint, *, timeout_s: float) -> None:
    """Wait until a server that was just made lets us in.

    Raises:
        StartError: It ended, refuses the password, or is not up in time; carries its last lines.
        DiskError: It ended for want of disk.
    """
    deadline = time.monotonic() + timeout_s
    port = urlsplit(endpoint.uri).port or 0
    while not (port_numbers.answers_bolt(port) and _lets_in(endpoint)):
        if processes.has_ended(process):
            raise _failed(home, "the server ended while it was starting")
        if time.monotonic() > deadline:
            raise _failed(home, f"the server was not up in {timeout_s:.0f} s; set MNEMO_SERVER__START_TIMEOUT_S")
        time.sleep(_POLL_S)


def _record(process: psutil.Process, home: Home, endpoint: Endpoint, ports: Ports) -> State:
    recorded = LocalServer(
        bolt_uri=endpoint.uri,
        http_url=f"http://{port_numbers.HOST}:{ports.http}",
        pid=process.pid,
        started=process.create_time(),
        version=neo4j_version(),
    )
    write_atomically(home.marker, "")
    write_atomically(endpoint_file(home.root), recorded.to_json(), mode=0o600)
    return _state(recorded, started=True)


def _lets_in(endpoint: Endpoint) -> bool:
    try:
        inspect(endpoint)
    except StoreAuthError as error:
        message = "the server refuses the password that mnemo keeps for it; was it changed there? Put the new one there"
        raise StartError(message) from error
    except StoreError:
        return False
    return True


def _failed(home: Home, what: str) -> StartError | DiskError:
    lines = home.last_lines()
    for sign, number in _DISK_SIGNS.items():
        if sign in lines:
            message = f"{what}: the disk of {home.root} is full or cannot be written; mend that or set MNEMO_HOME"
            return DiskError(number, message)
    message = f"{what}. It said last ({home.console_log}):\n{lines}" if lines else f"{what}, and said nothing"
    return StartError(message)


def _stop(home: Home) -> bool:
    found = processes.find(home)
    for process in found:
        processes.end(process)
    endpoint_file(home.root).unlink(missing_ok=True)
    return bool(found)


def _state(recorded: LocalServer, *, started: bool) -> State:
    return State(
        uri=recorded.bolt_uri,
        version=recorded.version,
        http_url=recorded.http_url,
        pid=recorded.pid,
        started=started,
    )
