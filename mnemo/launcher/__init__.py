"""The local Neo4j server: fetched, built, started, looked at and stopped; no Docker, no JDK, no root."""

from mnemo.launcher.server import State, down, up

__all__ = ["State", "down", "up"]
