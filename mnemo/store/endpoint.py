"""Where the database is: the server of the settings, else the local one that `mnemo up` started."""

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
    """One database of one server, and how to be let in."""

    uri: str
    """Such as bolt://127.0.0.1:7687 or neo4j+s://….databases.neo4j.io; the scheme says whether TLS is used."""
    username: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str = "neo4j"

    @property
    def encrypted(self) -> bool:
        """Whether the connection uses TLS."""
        return "+s" in urlsplit(self.uri).scheme


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """What the launcher recorded of the server that it started, in `endpoint.json`."""

    bolt_uri: str
    http_url: str
    pid: int
    started: float
    """When the process was made, in seconds since 1970: a process number may be used again."""
    version: str
    """Of Neo4j, such as 2026.09.0."""

    @property
    def alive(self) -> bool:
        """Whether that very process is still there."""
        try:
            process = psutil.Process(self.pid)
            return (
                abs(process.create_time() - self.started) < _START_TOLERANCE_S
                and process.status() != psutil.STATUS_ZOMBIE
            )
        except psutil.NoSuchProcess:
            return False

    def to_json(self) -> str:
        """Write it as `read_local` reads it."""
        return json.dumps(asdict(self), indent=2) + "\n"


def endpoint_file(server_dir: Path) -> Path:
    """Return where the running local server is recorded."""
    return server_dir / "endpoint.json"


def password_file(server_dir: Path) -> Path:
    """Return where the local server's password is kept, readable by its owner alone."""
    return server_dir / "password"


def read_local(server_dir: Path) -> LocalServer | None:
    """Return what is recorded of the local server, dead or alive; None with no record or a broken one."""
    try:
        return LocalServer(**json.loads(endpoint_file(server_dir).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def resolve_endpoint(settings: Settings) -> Endpoint:
    """Decide which database is meant.

    Args:
        settings: With `neo4j.uri` that server, else the local one.

    Raises:
        ConfigError: The URI is none of a Neo4j server.
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
        fits = parts.scheme in _SCHEMES and bool(parts.hostname) and "@" not in parts.netloc and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        message = "wanted NEO4J_URI such as bolt://host:7687 or neo4j+s://host, without a name or password in it"
        raise ConfigError(message)


def _local(settings: Settings) -> Endpoint:
    server = read_local(settings.server_dir)
    if server is None or not server.alive:
        message = "no local server is running; run `mnemo up`, or set NEO4J_URI to use another"
        raise StoreUnavailableError(message)
    try:
        password = password_file(settings.server_dir).read_text(encoding="utf-8").strip()
    except OSError as error:
        message = f"cannot read the local server's password in {password_file(settings.server_dir)}; run `mnemo doctor`"
        raise StoreUnavailableError(message) from error
    return Endpoint(uri=server.bolt_uri, password=password, database="neo4j")
