"""The libraries of the extra `documents`, imported when a file needs them."""

from importlib import import_module
from typing import Any

from mnemo.ingestion.readers.files.source import Source, format_error

__all__ = ["library"]


def library(module: str, source: Source, kind: str) -> Any:
    """Return a module of the extra.

    Args:
        module: Its name.
        source: The file that needs it.
        kind: What the file is, for the error.

    Raises:
        ReaderError: The extra is not installed; says how to install it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise format_error(
            source.path, f"is {kind}; reading it needs the extra documents: pip install 'mnemo[documents]'"
        ) from error
