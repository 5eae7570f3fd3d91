"""Modules that are imported when they are first used, so that a command loads only what it needs.

They are declared at the top of a module like all others, so that readers, type checkers and the import contracts
see them:

    if TYPE_CHECKING:
        from mnemo.retrieval import system2
    else:
        system2 = lazy_module("mnemo.retrieval.system2")
"""

from importlib import import_module
from typing import Any

__all__ = ["lazy_module"]


class _LazyModule:
    """Imports the module when one of its attributes is read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Return an attribute of the module."""
        return getattr(import_module(self._name), attribute)


def lazy_module(name: str) -> Any:
    """Return a stand-in for a module that is imported when one of its attributes is first read.

    Args:
        name: Full name, such as `mnemo.retrieval.system2`.
    """
    return _LazyModule(name)
