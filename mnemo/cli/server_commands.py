"""Commands about the Neo4j server: up, down, status, doctor, browser."""

import webbrowser
from typing import Annotated

import typer
from rich.console import Console

from mnemo import launcher
from mnemo.cli.inputs import JsonOption
from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.cli.rendering.results import table
from mnemo.config import Settings, load_settings

__all__ = ["browser", "doctor", "down", "status", "up"]


def up(
    repair: Annotated[bool, typer.Option("--repair", help="Drop an incomplete transaction at the log's end.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Start the local Neo4j server, or check the one of NEO4J_URI.

    The first start downloads Neo4j, checks every file's hash and builds the plugin. Later starts need no network.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        with progress_bars(output, unit="bytes") as on_progress:
            state = launcher.up(load_settings(), on_progress, repair=repair)
        output.show(state, lambda console: _show_state(console, state))


def _show_state(console: Console, state: launcher.RunningServer) -> None:
    verb = "started" if state.started else "is up"
    console.print(f"Neo4j {state.version} {verb}: {state.uri}")
    if state.http_url:
        console.print(f"Neo4j Browser: {state.http_url}/browser/", style="dim")
    for note in state.notes:
        console.print(f"note: {escape(note)}", style="yellow")


def down(as_json: JsonOption = False) -> None:
    """Stop the local server; its data stay."""
    output = Output(json=as_json)
    with failing_clearly(output):
        stopped = launcher.down(load_settings())
        text = "Stopped." if stopped else "No local server was running."
        output.show({"stopped": stopped}, lambda console: console.print(text))


def status(as_json: JsonOption = False) -> None:
    """Print the state of the server; exit 1 unless it is usable."""
    output = Output(json=as_json)
    with failing_clearly(output):
        found = launcher.status(load_settings())
        output.show(found, lambda console: _show_status(console, found))
        if found.condition not in launcher.USABLE:
            raise typer.Exit(1)


def _show_status(console: Console, found: launcher.ServerStatus) -> None:
    colour = "green" if found.condition in launcher.USABLE else "red"
    console.print(f"[bold {colour}]{found.condition}[/]: {escape(found.message)}")
    known = {
        "server": found.uri,
        "Neo4j": found.version,
        "plugin": found.plugin,
        "Browser": f"{found.http_url}/browser/" if found.http_url else None,
        "process": str(found.pid) if found.pid else None,
    }
    console.print(table(["", ""], [(name, value) for name, value in known.items() if value], header=False))


def doctor(as_json: JsonOption = False) -> None:
    """Check everything that mnemo needs on this machine; exit 1 if a check failed."""
    output = Output(json=as_json)
    with failing_clearly(output):
        checks = launcher.doctor(load_settings())
        output.show(checks, lambda console: _show_checks(console, checks))
        if any(check.outcome == "failed" for check in checks):
            raise typer.Exit(1)


def _show_checks(console: Console, checks: list[launcher.DoctorCheck]) -> None:
    signs = {"ok": "[green]✓[/]", "warning": "[yellow]![/]", "failed": "[red]✗[/]"}
    for check in checks:
        console.print(f"{signs[check.outcome]} [bold]{escape(check.name)}[/]  {escape(check.detail)}")


def browser(
    opening: Annotated[bool, typer.Option("--open", help="Open it in the web browser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print or open the address of Neo4j Browser."""
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        address = launcher.browser_url(settings)
        if opening:
            webbrowser.open(address)
        output.show({"url": address}, lambda console: _show_address(console, address, settings))


def _show_address(console: Console, address: str, settings: Settings) -> None:
    console.print(address, soft_wrap=True)
    if settings.neo4j.uri is None:
        console.print(f"the password is in {settings.server_dir / 'password'}", style="dim", soft_wrap=True)
