"""The command line: `mnemo`."""

from mnemo.cli.app import app, main

__all__ = ["app", "main"]
