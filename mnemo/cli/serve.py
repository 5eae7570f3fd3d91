"""The command serve: the memory over HTTP."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from mnemo.cli.inputs import JsonOption
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.config import Settings, load_settings
from mnemo.server import Listening, serve

__all__ = ["serve_"]


def serve_(
    host: Annotated[str | None, typer.Option("--host", help="Address; MNEMO_API__HOST or 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="Port; MNEMO_API__PORT or 7676.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the memory over HTTP until interrupted, and answer `CALL mnemo.recall(…)` in Neo4j Browser.

    Every request needs the API key: MNEMO_API__KEY, or one created at the first start.
    """
    output = Output(json=as_json)

    def on_listening(listening: Listening) -> None:
        output.show(listening, lambda console: _show(console, listening))
        sys.stdout.flush()  # a reader of a pipe waits for the address

    with failing_clearly(output):
        serve(_settings(host, port), on_listening)


def _settings(host: str | None, port: int | None) -> Settings:
    settings = load_settings()
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    return settings.model_copy(update={"api": settings.api.model_copy(update=given)})


def _show(console: Console, listening: Listening) -> None:
    console.print(f"mnemo listens on {listening.url}")
    if listening.key_file is not None:
        console.print(f"the key is in {listening.key_file}", style="dim", soft_wrap=True)
    console.print("In Neo4j Browser: CALL mnemo.recall('default', 'your question')", style="dim", soft_wrap=True)
