"""The local Neo4j server: download, build, start, inspect, stop. No Docker, no JDK, no root.

All calls block; call them from a thread if you are in a coroutine.
"""

from mnemo.launcher.doctor import DoctorCheck, doctor
from mnemo.launcher.inspection import Condition
from mnemo.launcher.server import RunningServer, down, up
from mnemo.launcher.status import USABLE, ServerStatus, browser_url, status

__all__ = [
    "USABLE",
    "Condition",
    "DoctorCheck",
    "RunningServer",
    "ServerStatus",
    "browser_url",
    "doctor",
    "down",
    "status",
    "up",
]
