"""Settings of memories on the test server, with local models and no LLM."""

from mnemo.config import Settings
from mnemo.store.endpoint import Endpoint

__all__ = ["settings_of"]


def settings_of(endpoint: Endpoint, **others: object) -> Settings:
    """Return settings for a server.

    Args:
        endpoint: The server.
        others: Sections that override the defaults, as mappings.
    """
    neo4j = {
        "uri": endpoint.uri,
        "username": endpoint.username,
        "password": endpoint.password,
        "database": endpoint.database,
    }
    return Settings.model_validate({"neo4j": neo4j, "llm": {"provider": "none"}, **others})
