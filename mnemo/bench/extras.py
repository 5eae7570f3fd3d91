"""Libraries that come with extras: which are installed, and how to install them."""

import importlib.util
from typing import Any

from mnemo.errors import ConfigError

__all__ = ["is_installed", "pyplot", "require"]


def is_installed(library: str) -> bool:
    """Return whether a library can be imported, without importing it."""
    return importlib.util.find_spec(library) is not None


def require(library: str, *, extra: str, purpose: str) -> None:
    """Check that a library of an extra is installed; call before any work that needs it later.

    Args:
        library: Its import name, such as scipy.
        extra: Extra of mnemo that installs it, such as bench.
        purpose: What needs the library; begins the message.

    Raises:
        ConfigError: The library is not installed; names the command that installs it.
    """
    if not is_installed(library):
        message = f"{purpose} needs {library}; run pip install 'mnemo[{extra}]'"
        raise ConfigError(message)


def pyplot() -> Any:
    """Return matplotlib's pyplot with a backend that draws to files only.

    Raises:
        ConfigError: matplotlib is not installed.
    """
    require("matplotlib", extra="bench", purpose="a plot")
    import matplotlib as mpl  # noqa: PLC0415  # an extra that most installations do not have

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415  # after the backend is chosen

    return plt
