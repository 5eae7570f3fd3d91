"""The HTTP server: one memory for all clients that have the key."""

from mnemo.server.app import build_app
from mnemo.server.running import Listening, access_key, serve

__all__ = ["Listening", "access_key", "build_app", "serve"]
