"""Runs the server and announces it to the local database: `mnemo serve`."""

import errno
import ipaddress
import json
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.files import locked, write_atomically
from mnemo.memory import AsyncMemory
from mnemo.server.app import build_app
from mnemo.server.protocol import ImpatientProtocol

__all__ = ["ANNOUNCEMENT", "Listening", "access_key", "announced", "is_loopback", "listen", "serve"]

ANNOUNCEMENT = "mnemo-server.json"
"""File in the home of the local database with the URL and key of the server, read by `mnemo.recall`."""
_PRIVATE = 0o600
_KEY_BYTES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Where the server listens."""

    url: str
    key_file: Path | None
    """File of the key; None if MNEMO_API__KEY sets it."""


def serve(settings: Settings, on_listening: Callable[[Listening], None]) -> None:
    """Serve until interrupted.

    Args:
        settings: `api` for the server, the rest for the memory.
        on_listening: Called once the server listens.

    Raises:
        ConfigError: The address cannot be used, or is not loopback and no key is set.
        DiskError: The key cannot be written.
    """
    key = access_key(settings)
    with listen(settings.api.host, settings.api.port) as bound:
        url = _url(bound)
        app = build_app(AsyncMemory(settings), key, settings.api)
        config = uvicorn.Config(
            app,
            http=ImpatientProtocol,
            limit_concurrency=settings.api.max_connections,
            log_level="warning",
            access_log=False,
            server_header=False,
        )
        with _ending_on_signals(), announced(settings, url, key):
            on_listening(Listening(url=url, key_file=None if settings.api.key else settings.api_key_file))
            uvicorn.Server(config).run(sockets=[bound])


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """End the block by `SystemExit` on SIGTERM, so that what it opened is closed; SIGHUP counts as SIGTERM.

    While uvicorn runs, it ends its requests on SIGTERM first, and then passes the signal on.
    """

    def end(*_: object) -> None:
        sys.exit(0)

    handlers = {signal.SIGTERM: end, signal.SIGHUP: lambda *_: signal.raise_signal(signal.SIGTERM)}
    former = {kind: signal.signal(kind, handler) for kind, handler in handlers.items()}
    try:
        yield
    finally:
        for kind, handler in former.items():
            signal.signal(kind, handler)


def access_key(settings: Settings) -> str:
    """Return the key: that of the settings, else the one kept in `home`, generated if there is none.

    Raises:
        ConfigError: The host is not loopback and no key is set.
        DiskError: The key cannot be written.
    """
    if settings.api.key is not None:
        return settings.api.key.get_secret_value()
    if not is_loopback(settings.api.host):
        message = "MNEMO_API__HOST is open to other machines; set MNEMO_API__KEY to a long random text as well"
        raise ConfigError(message)
    file = settings.api_key_file
    settings.home.mkdir(parents=True, exist_ok=True)
    with locked(file.with_suffix(".lock")):
        if not file.exists():
            write_atomically(file, secrets.token_urlsafe(_KEY_BYTES) + "\n", mode=_PRIVATE)
        return file.read_text(encoding="utf-8").strip()


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address; the only host name accepted is localhost."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def listen(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a listening socket.

    Raises:
        ConfigError: The address is in use, or does not belong to this machine.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        bound = socket.create_server((host, port), family=family)
    except OSError as error:
        why = "it is in use" if error.errno == errno.EADDRINUSE else os.strerror(error.errno or 0)
        message = f"cannot listen on {host} port {port}: {why}; set MNEMO_API__HOST or MNEMO_API__PORT"
        raise ConfigError(message) from error
    with bound:
        yield bound


@contextmanager
def announced(settings: Settings, url: str, key: str) -> Iterator[None]:
    """Announce the server to the local database while the block runs; does nothing for another database."""
    if settings.neo4j.uri is not None or not settings.server_dir.is_dir():
        yield
        return
    file = settings.server_dir / ANNOUNCEMENT
    announcement = json.dumps({"url": url, "key": key})
    write_atomically(file, announcement, mode=_PRIVATE)
    try:
        yield
    finally:
        if file.is_file() and file.read_text(encoding="utf-8") == announcement:
            file.unlink(missing_ok=True)


def _url(bound: socket.socket) -> str:
    """Return the URL for this machine: the loopback address if the server listens on all."""
    host, port = bound.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # it is replaced
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
