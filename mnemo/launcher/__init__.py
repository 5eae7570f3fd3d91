"""The local Neo4j server: fetched, built, started, looked at and stopped; no Docker, no JDK, no root.

All calls block; from a coroutine, run them in a thread.
"""

from mnemo.launcher.doctor import Check, doctor
from mnemo.launcher.inspection import Condition
from mnemo.launcher.server import State, down, up
from mnemo.launcher.status import USABLE, Status, browser_url, status

__all__ = [
    "USABLE",
    "Check",
    "Condition",
    "State",
    "Status",
    "browser_url",
    "doctor",
    "down",
    "status",
    "up",
]
