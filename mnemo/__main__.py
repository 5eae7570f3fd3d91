"""Runs the command line: `python -m mnemo`."""

from mnemo.cli import main

main()
