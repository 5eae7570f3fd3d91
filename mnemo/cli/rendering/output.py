"""How a command prints: tables and text for a person, JSON for a program, errors for both."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import typer
from pydantic_core import to_jsonable_python
from rich.console import Console

from mnemo.characters import whole
from mnemo.cli.rendering.console import PlainConsole, escape
from mnemo.errors import ArgumentError, MnemoError, QueryError

__all__ = ["Output", "failing_clearly"]

_PIPE_WIDTH = 120
_NAMED = re.compile(r"([a-z][a-z_]*) (?=must|cannot)")
_POSITIONAL = ("kind", "path", "query", "question", "text", "uuid")


@dataclass(frozen=True, slots=True)
class Output:
    """One command's way of printing."""

    json: bool

    @property
    def console(self) -> Console:
        """Console for results; a pipe or file gets lines wide enough for any table."""
        return PlainConsole(
            highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_WIDTH
        )

    @property
    def notes(self) -> Console:
        """Console on stderr for progress and remarks, so that results can be piped."""
        return PlainConsole(stderr=True, highlight=False)

    def show(self, value: object, render: Callable[[Console], None]) -> None:
        """Print `value` as JSON, or call `render` for a person."""
        if self.json:
            print(whole(json.dumps(to_jsonable_python(value), ensure_ascii=False, indent=2)))
        else:
            render(self.console)

    def note(self, text: str) -> None:
        """Print a remark beside the result; silent with `--json`."""
        if not self.json:
            self.notes.print(escape(text), style="dim")


@contextmanager
def failing_clearly(output: Output) -> Iterator[None]:
    """Print mnemo's errors on stderr and exit with code 1."""
    try:
        yield
    except MnemoError as error:
        kind = type(error).__name__
        if output.json:
            place = {"query": error.query, "offset": error.offset} if isinstance(error, QueryError) else {}
            fields = {"error": kind, "message": _message(error), "retryable": error.retryable, **place}
            print(whole(json.dumps(fields, ensure_ascii=False)), file=sys.stderr)
        else:
            text = f"\n{error.underlined}" if isinstance(error, QueryError) else _message(error)
            output.notes.print(f"[bold red]{kind}[/]: {escape(text)}")
        raise typer.Exit(1) from error
    except KeyboardInterrupt as error:
        output.note("Stopped. Everything acknowledged is kept; run the same command to continue.")
        raise typer.Exit(130) from error


def _message(error: MnemoError) -> str:
    """Return the error's text, with the option's name where the text begins with the name of an argument."""
    text = str(error)
    named = _NAMED.match(text) if isinstance(error, ArgumentError) else None
    if named is None:
        return text
    name = named[1]
    option = name.upper() if name in _POSITIONAL else f"--{name.replace('_', '-')}"
    return option + text[named.end(1) :]
