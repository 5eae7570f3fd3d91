"""Finds the database: the server in the settings, else the local one started by `mnemo up`."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from mnemo.config import Settings
from mnemo.errors import ConfigError, StoreUnavailableError

__all__ = ["Endpoint", "LocalServer", "endpoint_file", "password_file", "read_local", "resolve_endpoint"]

_SCHEMES = frozenset({"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"})
_START_TOLERANCE_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One database of one server, with credentials."""

    uri: str
    """Such as bolt://127.0.0.1:7687 or neo4j+s://….databases.neo4j.io; the scheme decides whether TLS is used."""
    username: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str = "neo4j"

    @property
    def encrypted(self) -> bool:
        """Whether the connection uses TLS."""
        return "+s" in urlsplit(self.uri).scheme


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """The launcher's record of the server it started, in `endpoint.json`."""

    bolt_uri: str
    http_url: str
    pid: int
    started: float
    """Start time of the process in seconds since 1970; tells it from a later process with the same pid."""
    version: str
    """Neo4j version, such as 2026.09.0."""

    @property
    def alive(self) -> bool:
        """Whether this process is still running."""
        try:
            process = psutil.Process(self.pid)
            return (
                abs(process.create_time() - self.started) < _START_TOLERANCE_S
                and process.status() != psutil.STATUS_ZOMBIE
            )
        except psutil.NoSuchProcess:
            return False

    def to_json(self) -> str:
        """Return JSON as `read_local` reads it."""
        return json.dumps(asdict(self), indent=2) + "\n"


def endpoint_file(server_dir: Path) -> Path:
    """Return the path of the local server's record."""
    return server_dir / "endpoint.json"


def password_file(server_dir: Path) -> Path:
    """Return the path of the local server's password, readable only by its owner."""
    return server_dir / "password"


def read_local(server_dir: Path) -> LocalServer | None:
    """Return the record of the local server, running or not; None if the record is missing or invalid."""
    try:
        return LocalServer(**json.loads(endpoint_file(server_dir).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def resolve_endpoint(settings: Settings) -> Endpoint:
    """Return the endpoint that the settings mean.

    Args:
        settings: If `neo4j.uri` is set it names the server, else the local server is used.

    Raises:
        ConfigError: The URI is not that of a Neo4j server.
        StoreUnavailableError: No URI is set and no local server is running.
    """
    neo4j = settings.neo4j
    if neo4j.uri is None:
        return _local(settings)
    _check(neo4j.uri)
    return Endpoint(
        uri=neo4j.uri,
        username=neo4j.username,
        password=neo4j.password.get_secret_value() if neo4j.password else "",
        database=neo4j.database,
    )


def _check(uri: str) -> None:
    try:
        parts = urlsplit(uri)
        valid = parts.scheme in _SCHEMES and bool(parts.hostname) and "@" not in parts.netloc and (parts.port or 1) > 0
    except ValueError:
        valid = False
    if not valid:
        message = "NEO4J_URI must be like bolt://host:7687 or neo4j+s://host, without a user name or password"
        raise ConfigError(message)


def _local(settings: Settings) -> Endpoint:
    server = read_local(settings.server_dir)
    if server is None or not server.alive:
        message = "no local server is running; run `mnemo up`, or set NEO4J_URI to use another server"
        raise StoreUnavailableError(message)
    try:
        password = password_file(settings.server_dir).read_text(encoding="utf-8").strip()
    except OSError as error:
        message = f"cannot read the local server's password in {password_file(settings.server_dir)}; run `mnemo doctor`"
        raise StoreUnavailableError(message) from error
    return Endpoint(uri=server.bolt_uri, password=password, database="neo4j")
