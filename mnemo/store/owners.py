"""Names of processes that hold a lease or a claim; from a name others can tell whether its process still runs."""

import os
import platform
import secrets

import psutil

__all__ = ["LEASE_S", "RENEW_S", "is_dead", "new_owner"]

LEASE_S = 30
"""Seconds from the last renewal to expiry, by the database's clock."""
RENEW_S = LEASE_S / 3


def new_owner() -> str:
    """Return a unique owner name for this process; others can tell from it whether the process still runs."""
    process = psutil.Process()
    return f"{platform.node()}/{process.pid}/{process.create_time():.2f}/{secrets.token_hex(8)}"


def is_dead(owner: str) -> bool:
    """Return whether an owner is a process of this machine that no longer runs; False if unknown."""
    node, _, rest = owner.partition("/")
    pid, _, rest = rest.partition("/")
    started = rest.partition("/")[0]
    if node != platform.node() or not pid.isdecimal() or int(pid) == os.getpid():
        return False
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" != started
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
