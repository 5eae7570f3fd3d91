"""What every command needs: the settings, and the memory that they lead to."""

from collections.abc import Iterator
from contextlib import contextmanager

from mnemo.config import Settings, load_settings
from mnemo.memory import Memory

__all__ = ["opened", "settings_for"]


def settings_for(group: str | None) -> Settings:
    """Read the settings; a group given on the command line wins."""
    return load_settings(**({"group": group} if group is not None else {}))


@contextmanager
def opened(group: str | None) -> Iterator[Memory]:
    """Open the memory of a group, and close it in the end."""
    with Memory(settings_for(group)) as memory:
        yield memory
