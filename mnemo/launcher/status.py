"""The server's current condition, in one word and one sentence."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from mnemo.config import Settings
from mnemo.errors import ConfigError, StoreError, StoreUnavailableError
from mnemo.launcher.inspection import Condition, condition_of, inspect
from mnemo.store.endpoint import Endpoint, read_local, resolve_endpoint

__all__ = ["USABLE", "ServerStatus", "browser_url", "status"]

USABLE: frozenset[Condition] = frozenset({"ready", "no_plugin", "other_plugin"})
"""Conditions in which memory can be read and written."""

_AURA = ".databases.neo4j.io"
_MESSAGES: dict[Condition, str] = {
    "ready": "ready",
    "no_plugin": "usable through plain Cypher: it has no mnemo plugin; see docker/ or `scripts/build-plugin`",
    "other_plugin": "usable through plain Cypher: its mnemo plugin has another version or build; "
    "install this one (`mnemo up` does it for a local server)",
    "read_only": "read-only; set NEO4J_URI and NEO4J_DATABASE to a writable server and database",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """The state of one server."""

    kind: Literal["local", "external"]
    """`external` means the server of NEO4J_URI."""
    condition: Condition
    message: str
    """What the condition is and what to do, for a person."""
    uri: str | None = None
    http_url: str | None = None
    version: str | None = None
    """Neo4j's version; None if the server did not answer."""
    plugin: str | None = None
    """The plugin's version; None without it."""
    pid: int | None = None


def status(settings: Settings) -> ServerStatus:
    """Return the state of the configured or local server; a server that is down is no error.

    Raises:
        ConfigError: The settings are invalid.
    """
    kind: Literal["local", "external"] = "external" if settings.neo4j.uri else "local"
    recorded = None if settings.neo4j.uri else read_local(settings.server_dir)
    http_url, pid = (recorded.http_url, recorded.pid) if recorded else (None, None)
    try:
        endpoint = resolve_endpoint(settings)
    except StoreUnavailableError as error:
        return ServerStatus(kind=kind, condition="stopped", message=str(error))
    try:
        found = inspect(endpoint)
    except StoreError as error:
        return ServerStatus(
            kind=kind,
            condition=condition_of(error),
            message=str(error),
            uri=endpoint.uri,
            http_url=http_url,
            pid=pid,
        )
    return ServerStatus(
        kind=kind,
        condition=found.condition,
        message=_MESSAGES[found.condition],
        uri=endpoint.uri,
        http_url=http_url,
        version=found.version,
        plugin=found.plugin,
        pid=pid,
    )


def browser_url(settings: Settings) -> str:
    """Return the address of Neo4j Browser: on the local server, the configured one, or Aura.

    User, server and database are filled in; the password never is.

    Raises:
        ConfigError: NEO4J_URI is not the address of a Neo4j server.
        StoreUnavailableError: No URI is set and no local server is running.
    """
    endpoint = resolve_endpoint(settings)
    recorded = None if settings.neo4j.uri else read_local(settings.server_dir)
    if recorded:
        return f"{recorded.http_url}/browser/?{_filled_in(endpoint)}"
    host = urlsplit(endpoint.uri).hostname
    if host is None:
        message = "NEO4J_URI must contain a host, such as bolt://localhost:7687"
        raise ConfigError(message)
    if host.endswith(_AURA):
        return "https://console.neo4j.io"
    scheme, port = ("https", 7473) if endpoint.encrypted else ("http", 7474)
    return f"{scheme}://{host}:{port}/browser/?{_filled_in(endpoint)}"


def _filled_in(endpoint: Endpoint) -> str:
    parts = urlsplit(endpoint.uri)
    place = f"{parts.scheme}://{quote(endpoint.username, safe='')}@{parts.netloc}"
    return f"dbms={quote(place, safe=':/@')}&db={quote(endpoint.database, safe='')}"
