"""The command line: `mnemo`."""

from mnemo.cli.root import app, main

__all__ = ["app", "main"]
