"""What the server is right now, in one word and one sentence."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from mnemo.config import Settings
from mnemo.errors import ConfigError, StoreError, StoreUnavailableError
from mnemo.launcher.inspection import Condition, condition_of, inspect
from mnemo.store.endpoint import Endpoint, read_local, resolve_endpoint

__all__ = ["USABLE", "Status", "browser_url", "status"]

USABLE: frozenset[Condition] = frozenset({"ready", "no_plugin", "other_plugin"})
"""Conditions in which memory can be read and written."""

_AURA = ".databases.neo4j.io"
_MESSAGES: dict[Condition, str] = {
    "ready": "it can be used",
    "no_plugin": "usable by the plain-Cypher path: it has no mnemo plugin; docker/ and `scripts/build-plugin` bring it",
    "other_plugin": "usable by the plain-Cypher path: its mnemo plugin is of another version or build; "
    "install this one's (`mnemo up` does for a local server)",
    "read_only": "takes no writes; name a server or database that does in NEO4J_URI and NEO4J_DATABASE",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """One server."""

    kind: Literal["local", "external"]
    """`external` is the server of NEO4J_URI."""
    condition: Condition
    message: str
    """For a person: what it is and what to do."""
    uri: str | None = None
    http_url: str | None = None
    version: str | None = None
    """Of Neo4j; None where it could not be asked."""
    plugin: str | None = None
    """The plugin's version; None without it."""
    pid: int | None = None


def status(settings: Settings) -> Status:
    """Look at the server of the settings, or the local one; never raises because it is down.

    Raises:
        ConfigError: The settings name no server that could be.
    """
    kind: Literal["local", "external"] = "external" if settings.neo4j.uri else "local"
    recorded = None if settings.neo4j.uri else read_local(settings.server_dir)
    http_url, pid = (recorded.http_url, recorded.pid) if recorded else (None, None)
    try:
        endpoint = resolve_endpoint(settings)
    except StoreUnavailableError as error:
        return Status(kind=kind, condition="stopped", message=str(error))
    try:
        found = inspect(endpoint)
    except StoreError as error:
        return Status(
            kind=kind,
            condition=condition_of(error),
            message=str(error),
            uri=endpoint.uri,
            http_url=http_url,
            pid=pid,
        )
    return Status(
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
    """Return where Neo4j Browser is served: by the local server, by the one of the settings, or by Aura.

    The name, the place and the database are filled in there; the password never is.

    Raises:
        ConfigError: The URI is none of a Neo4j server.
        StoreUnavailableError: No URI is set and no local server is running.
    """
    endpoint = resolve_endpoint(settings)
    recorded = None if settings.neo4j.uri else read_local(settings.server_dir)
    if recorded:
        return f"{recorded.http_url}/browser/?{_filled_in(endpoint)}"
    host = urlsplit(endpoint.uri).hostname
    if host is None:
        message = "wanted NEO4J_URI with a host"
        raise ConfigError(message)
    if host.endswith(_AURA):
        return "https://console.neo4j.io"
    scheme, port = ("https", 7473) if endpoint.encrypted else ("http", 7474)
    return f"{scheme}://{host}:{port}/browser/?{_filled_in(endpoint)}"


def _filled_in(endpoint: Endpoint) -> str:
    parts = urlsplit(endpoint.uri)
    place = f"{parts.scheme}://{quote(endpoint.username, safe='')}@{parts.netloc}"
    return f"dbms={quote(place, safe=':/@')}&db={quote(endpoint.database, safe='')}"
