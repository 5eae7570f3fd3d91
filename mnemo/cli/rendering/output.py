"""How a command speaks: tables and text for a person, JSON for a program, errors for both."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer
from pydantic_core import to_jsonable_python
from rich.console import Console
from rich.markup import escape

from mnemo.errors import MnemoError, QueryError
from mnemo.semxpath.language.parser import underline

__all__ = ["GroupOption", "JsonOption", "Output", "failing_clearly"]

_PIPE_WIDTH = 120

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
GroupOption = Annotated[str | None, typer.Option("--group", "-g", help="Whose memory; MNEMO_GROUP or 'default'.")]


@dataclass(frozen=True, slots=True)
class Output:
    """One command's way of printing."""

    json: bool

    @property
    def console(self) -> Console:
        """Where a person reads results; a pipe or file gets lines wide enough for any table."""
        return Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_WIDTH)

    @property
    def notes(self) -> Console:
        """Where progress and remarks go, so that results can be piped."""
        return Console(stderr=True, highlight=False)

    def show(self, value: object, render: Callable[[Console], None]) -> None:
        """Print `value` as JSON, or call `render` for a person."""
        if self.json:
            print(json.dumps(to_jsonable_python(value), ensure_ascii=False, indent=2))
        else:
            render(self.console)

    def note(self, text: str) -> None:
        """Say something beside the result; silent with `--json`."""
        if not self.json:
            self.notes.print(escape(text), style="dim")


@contextmanager
def failing_clearly(output: Output) -> Iterator[None]:
    """Turn an error of ours into a message on stderr and exit code 1."""
    try:
        yield
    except MnemoError as error:
        kind = type(error).__name__
        place = {"query": error.query, "offset": error.offset} if isinstance(error, QueryError) else {}
        if output.json:
            told = {"error": kind, "message": str(error), "retryable": error.retryable, **place}
            print(json.dumps(told, ensure_ascii=False), file=sys.stderr)
        else:
            text = f"\n{underline(error)}" if isinstance(error, QueryError) else str(error)
            output.notes.print(f"[bold red]{kind}[/]: {escape(text)}")
        raise typer.Exit(1) from error
    except KeyboardInterrupt as error:
        output.note("Stopped. What was acknowledged is kept; the same command goes on from there.")
        raise typer.Exit(130) from error
