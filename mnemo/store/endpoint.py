"""Where the database is: `NEO4J_URI` and its kin, else the local server's own state."""

import json
from dataclasses import dataclass, field

from mnemo.config import Settings
from mnemo.errors import StoreUnavailableError

__all__ = ["Endpoint", "resolve_endpoint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A database and how to log in."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str = "neo4j"


def resolve_endpoint(settings: Settings) -> Endpoint:
    """Return where the settings lead: `NEO4J_URI`, else the local server.

    Raises:
        StoreUnavailableError: Neither is there; says to run `mnemo up`.
    """
    neo4j = settings.neo4j
    if neo4j.uri:
        password = neo4j.password.get_secret_value() if neo4j.password else ""
        return Endpoint(uri=neo4j.uri, username=neo4j.username, password=password, database=neo4j.database)
    state = settings.server_dir / "endpoint.json"
    try:
        uri = json.loads(state.read_text(encoding="utf-8"))["bolt_uri"]
        password = (settings.server_dir / "password").read_text(encoding="utf-8").strip()
    except (OSError, ValueError, KeyError) as error:
        message = "no database: set NEO4J_URI, or run `mnemo up` to start the local server"
        raise StoreUnavailableError(message) from error
    return Endpoint(uri=uri, username=neo4j.username, password=password, database=neo4j.database)
