"""Start and stop the local server."""

import errno
import time
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import psutil

from mnemo.artifacts import fetch
from mnemo.config import ServerSettings, Settings
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

__all__ = ["RunningServer", "down", "up", "wait_until"]

_POLL_S = 0.1
_TRIES = 3
_PORT_IN_USE = ("Address already in use", "BindException")
_TORN_LOG = (
    "the transaction log ends within a transaction, as a full disk or a power cut leaves it; make sure that there is "
    "free space, then run `mnemo up --repair`, which drops what follows the last whole transaction; "
    "nothing in it was acknowledged"
)
_OUT_OF_MEMORY = "OutOfMemoryError"
_RECOVERY_HEAP_MB = 2_048
"""Enough to recover a store that a smaller heap did not."""
_DISK_SIGNS = {
    "No space left on device": errno.ENOSPC,
    "free disk space": errno.ENOSPC,
    "Read-only file system": errno.EROFS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """A running server."""

    uri: str
    version: str
    """Neo4j's version."""
    http_url: str | None = None
    """Address of Neo4j Browser on the local server; None for a configured server."""
    pid: int | None = None
    """Process id of the local server; None for a configured server."""
    started: bool = False
    """Whether this call started the server."""
    notes: tuple[str, ...] = ()
    """What is not as the settings say, such as a port that was taken."""


def up(settings: Settings, on_progress: OnProgress = ignore_progress, *, repair: bool = False) -> RunningServer:
    """Return the server of `neo4j.uri` if set, else the local one, starting it if it is not running.

    Downloads what is missing, builds the plugin, starts the server detached, and waits until it
    accepts connections. Several processes may call it at once: one starts the server, the others wait.
    A local server with another build of the plugin, or whose database has stopped, is restarted.

    Args:
        settings: Uses `home`, `server` and `neo4j`.
        on_progress: Called for the stages download, compile and start.
        repair: Whether the server drops an incomplete transaction at the end of its log, as a full disk or a power cut
            leaves it; it was never acknowledged. Without it such a server does not start.

    Raises:
        ConfigError: A setting is invalid.
        ArtifactError: A download failed.
        DiskError: The disk is full or read-only, or the folder may not be written.
        StartError: The server did not start; the message has the last lines of its output.
        StoreError: The configured server cannot be used; see the subclasses.
    """
    if settings.neo4j.uri is not None:
        endpoint = resolve_endpoint(settings)
        return RunningServer(uri=endpoint.uri, version=inspect(endpoint).version)
    with disk_errors(settings.server_dir):
        settings.server_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(Home(settings.server_dir).lock):
        return _running(settings) or _start(settings, on_progress, repair=repair)


def down(settings: Settings) -> bool:
    """Stop the local server and wait until it has exited; its data stay.

    Returns:
        Whether a server was running.

    Raises:
        StartError: The server does not stop.
    """
    home = Home(settings.server_dir)
    if not home.root.is_dir():
        return False
    with locked(home.lock):
        return _stop(home)


def _running(settings: Settings) -> RunningServer | None:
    """Return the local server if it is up and has this build of the plugin; a busy one counts as up."""
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


def _start(settings: Settings, on_progress: OnProgress, *, repair: bool) -> RunningServer:
    home = Home(settings.server_dir)
    class_path = [
        server_jar(settings.cache_dir, on_progress),
        *fetch(settings.cache_dir, ["neo4j"], on_progress),
    ]
    plugin = plugin_jar(settings.cache_dir, on_progress)
    _stop(home)
    memory, notes = sizes(settings.server, machine_mb()), list[str]()
    for attempt in range(1, _TRIES + 1):
        ports, moved = _ports(settings.server)
        password = home.prepare(ports, memory, plugin, repair=repair)
        endpoint = Endpoint(uri=f"bolt://{port_numbers.HOST}:{ports.bolt}", password=password)
        on_progress(Progress(stage="start", done=0, total=1))
        options = settings.server.java_option_list
        process = processes.spawn(processes.command(home, class_path, memory, options), home.console_log)
        try:
            wait_until(process, home, endpoint, timeout_s=settings.server.start_timeout_s)
            on_progress(Progress(stage="start", done=1, total=1))
            return _record(process, home, endpoint, ports, (*notes, *moved))
        except StartError as error:
            processes.end(process)
            if attempt == _TRIES:
                raise
            if _OUT_OF_MEMORY in str(error) and memory.heap_mb < _RECOVERY_HEAP_MB:
                memory = replace(memory, heap_mb=_RECOVERY_HEAP_MB)
                notes.append(f"recovery needed a heap of {memory.heap_mb} MB; MNEMO_SERVER__HEAP_MB sets it for good")
            elif not any(sign in str(error) for sign in _PORT_IN_USE):
                raise
        except BaseException:
            processes.end(process)
            raise
    message = "unreachable: the last attempt returned or raised"
    raise AssertionError(message)


def _ports(settings: ServerSettings) -> tuple[Ports, list[str]]:
    """Return the ports to listen on, and what to say about those that are not the configured ones."""
    bolt = port_numbers.choose(settings.bolt_port)
    ports = Ports(bolt=bolt, http=port_numbers.choose(settings.http_port, taken=[bolt]))
    chosen = (("Bolt", settings.bolt_port, ports.bolt), ("HTTP", settings.http_port, ports.http))
    return ports, [f"port {first} is taken; {name} listens on {port}" for name, first, port in chosen if port != first]


def wait_until(process: psutil.Process, home: Home, endpoint: Endpoint, *, timeout_s: float) -> None:
    """Wait until a new server accepts our password.

    Raises:
        StartError: The server exited, refused the password, or took too long; the message has its last lines.
        DiskError: The server exited because the disk is full or read-only.
    """
    deadline = time.monotonic() + timeout_s
    log_size = home.debug_log.stat().st_size if home.debug_log.exists() else 0
    port = urlsplit(endpoint.uri).port or 0
    while not (_listens(process, port) and port_numbers.answers_bolt(port) and _accepts_us(endpoint)):
        if processes.has_ended(process):
            raise _failed(home, "the server exited during start-up")
        if home.has_torn_log(log_size):
            raise StartError(_TORN_LOG)
        if time.monotonic() > deadline:
            raise _failed(home, f"the server was not up in {timeout_s:.0f} s; set MNEMO_SERVER__START_TIMEOUT_S")
        time.sleep(_POLL_S)


def _record(
    process: psutil.Process, home: Home, endpoint: Endpoint, ports: Ports, notes: tuple[str, ...]
) -> RunningServer:
    recorded = LocalServer(
        bolt_uri=endpoint.uri,
        http_url=f"http://{port_numbers.HOST}:{ports.http}",
        pid=process.pid,
        started=process.create_time(),
        version=neo4j_version(),
    )
    write_atomically(home.marker, "")
    write_atomically(endpoint_file(home.root), recorded.to_json(), mode=0o600)
    return _state(recorded, started=True, notes=notes)


def _listens(process: psutil.Process, port: int) -> bool:
    """Return whether it is this process that listens on the port, and not another server that took it first."""
    try:
        connections = process.net_connections("tcp")
    except psutil.Error:
        return False
    return any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in connections)


def _accepts_us(endpoint: Endpoint) -> bool:
    try:
        inspect(endpoint)
    except StoreAuthError as error:
        message = "the server refuses the password stored beside its data; if you changed it, write the new one there"
        raise StartError(message) from error
    except StoreError:
        return False
    return True


def _failed(home: Home, what: str) -> StartError | DiskError:
    lines = home.last_lines()
    for sign, number in _DISK_SIGNS.items():
        if sign in lines:
            message = f"{what}: the disk of {home.root} is full or read-only; free some space or set MNEMO_HOME"
            return DiskError(number, message)
    message = f"{what}. Its last lines ({home.console_log}):\n{lines}" if lines else f"{what} without any output"
    return StartError(message)


def _stop(home: Home) -> bool:
    found = processes.find(home)
    for process in found:
        processes.end(process)
    endpoint_file(home.root).unlink(missing_ok=True)
    return bool(found)


def _state(recorded: LocalServer, *, started: bool, notes: tuple[str, ...] = ()) -> RunningServer:
    return RunningServer(
        uri=recorded.bolt_uri,
        version=recorded.version,
        http_url=recorded.http_url,
        pid=recorded.pid,
        started=started,
        notes=notes,
    )
