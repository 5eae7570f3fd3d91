"""The command serve: the memory over HTTP."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from mnemo.cli.rendering.output import JsonOption, Output, failing_clearly
from mnemo.config import Settings, load_settings
from mnemo.server import Listening, serve

__all__ = ["serve_"]


def serve_(
    host: Annotated[str | None, typer.Option("--host", help="127.0.0.1 unless MNEMO_API__HOST says else.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="7676 unless MNEMO_API__PORT says else.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the memory over HTTP until interrupted, and answer `CALL mnemo.recall(…)` in Neo4j Browser.

    Every request needs the key: MNEMO_API__KEY, else one made at the first start.
    """
    output = Output(json=as_json)

    def told(listening: Listening) -> None:
        output.show(listening, lambda console: _show(console, listening))
        sys.stdout.flush()  # who reads a pipe waits for the address

    with failing_clearly(output):
        serve(_settings(host, port), told)


def _settings(host: str | None, port: int | None) -> Settings:
    settings = load_settings()
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    return settings.model_copy(update={"api": settings.api.model_copy(update=given)})


def _show(console: Console, listening: Listening) -> None:
    console.print(f"mnemo listens: {listening.url}")
    if listening.key_file is not None:
        console.print(f"the key is in {listening.key_file}", style="dim", soft_wrap=True)
    console.print("In Neo4j Browser: CALL mnemo.recall('default', 'your question')", style="dim", soft_wrap=True)
