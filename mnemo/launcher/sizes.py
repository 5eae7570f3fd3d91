"""Memory of the server, from the settings or derived from the machine."""

from dataclasses import dataclass
from pathlib import Path

import psutil

from mnemo.config import ServerSettings

__all__ = ["Sizes", "machine_mb", "sizes"]

_MB = 1024 * 1024
_CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes of the Java heap and of Neo4j's page cache, in MB."""

    heap_mb: int
    page_cache_mb: int


def sizes(settings: ServerSettings, total_mb: int) -> Sizes:
    """Return the server's memory sizes.

    Args:
        settings: A size set here is used as it is.
        total_mb: Memory of the machine.

    Returns:
        A heap of an eighth of the machine, 384 to 4,096 MB, and a page cache of an eighth, 128 to 8,192 MB.
    """
    eighth = total_mb // 8
    return Sizes(
        heap_mb=settings.heap_mb or min(max(eighth, 384), 4096),
        page_cache_mb=settings.page_cache_mb or min(max(eighth, 128), 8192),
    )


def machine_mb() -> int:
    """Return the memory of this machine or container, in MB."""
    total = psutil.virtual_memory().total
    try:
        limit = int(_CGROUP_LIMIT.read_text(encoding="ascii"))
    except (OSError, ValueError):
        limit = total
    return min(total, limit) // _MB
