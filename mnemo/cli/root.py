"""The root command: what `mnemo` alone prints, the version, and which module has which command.

A command's module is imported when the command runs, so that `mnemo --help` does not import them all.
"""

import os
import sys
import warnings
from importlib import import_module
from typing import Annotated, Any, NamedTuple, TextIO

import typer
from typer.core import TyperCommand, TyperGroup

from mnemo.deprecation import FormerNameWarning
from mnemo.version import VERSION

__all__ = ["COMMANDS", "Entry", "app", "command", "main"]

_HELP = {"help_option_names": ["-h", "--help"]}
_START = f"""\
mnemo {VERSION}: long-term memory for LLM agents, kept in Neo4j

  mnemo up                          start a local Neo4j; the first time it is downloaded
  mnemo add "I moved to Porto."     remember a message
  mnemo ingest PATH                 remember chats and documents
  mnemo ask "Where do I live?"      answer from memory, with sources

  mnemo --help                      all commands
  mnemo COMMAND --help              one command"""


class Entry(NamedTuple):
    """Where a command is, and its line in the help."""

    panel: str
    place: str
    """`module:function`, or `module:typer` for a group of commands."""
    help: str


COMMANDS = {
    "add": Entry("Memory", "writing:add", "Remember a message."),
    "ingest": Entry("Memory", "ingest:ingest", "Remember conversations and documents."),
    "search": Entry("Memory", "reading:search", "Find the facts, episodes and entities that match a question."),
    "ask": Entry("Memory", "reading:ask", "Answer a question from memory, with sources."),
    "list": Entry("Memory", "reading:list_", "List episodes, entities or facts, page by page."),
    "show": Entry("Memory", "reading:show", "Show one episode, entity or fact with what belongs to it."),
    "groups": Entry("Memory", "reading:groups", "List the groups of the database."),
    "forget": Entry("Memory", "writing:forget", "Delete an episode, a session or a group."),
    "retry": Entry("Memory", "writing:retry", "Process failed and pending episodes once more."),
    "hierarchy": Entry("Structure", "hierarchy:hierarchy", "Categories over entities, and the memtree over episodes."),
    "tree": Entry("Structure", "tree:tree", "Versioned trees: trips, to-do lists, plans."),
    "xpath": Entry("Structure", "tree:xpath", "Run a Semantic XPath query on a tree or on the whole memory."),
    "up": Entry("Server", "server_commands:up", "Start the local Neo4j server, or check the one of NEO4J_URI."),
    "down": Entry("Server", "server_commands:down", "Stop the local server; its data stay."),
    "status": Entry("Server", "server_commands:status", "Print the state of the server."),
    "doctor": Entry("Server", "server_commands:doctor", "Check everything that mnemo needs on this machine."),
    "browser": Entry("Server", "server_commands:browser", "Print or open the address of Neo4j Browser."),
    "serve": Entry("Server", "serve:serve_", "Serve the memory over HTTP."),
    "reembed": Entry("Server", "writing:reembed", "Embed all memory again after a change of the embedding model."),
    "bench": Entry("Measure", "bench.commands:bench", "Measure recall, speed and cost."),
}


def command(name: str) -> Any:
    """Import a command: a `TyperCommand` or `TyperGroup`.

    Raises:
        KeyError: There is no command of that name.
    """
    module, _, attribute = COMMANDS[name].place.partition(":")
    found = getattr(import_module(f"mnemo.cli.{module}"), attribute)
    if not isinstance(found, typer.Typer):
        single = typer.Typer(add_completion=False, context_settings=_HELP)
        single.command(name)(found)
        found = single
    return typer.main.get_command(found)


class _LazyGroup(TyperGroup):
    """Lists commands without importing them."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, entry in COMMANDS.items():
            self.add_command(TyperCommand(name, help=entry.help, rich_help_panel=entry.panel))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command to run, imported."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, command(name) if found is not None and name is not None else None, rest


app = typer.Typer(
    cls=_LazyGroup,
    name="mnemo",
    help="Long-term memory for LLM agents, kept in Neo4j.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
)


@app.callback()
def _root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(VERSION)
    elif ctx.invoked_subcommand is None:
        print(_START)


def main() -> None:
    """Run the command that the arguments name. A reader that closes the pipe ends it quietly."""
    warnings.simplefilter("default", FormerNameWarning)
    warnings.showwarning = _show_warning
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a former name as a one-line notice, and other warnings as Python does."""
    if issubclass(category, FormerNameWarning):
        print(f"notice: {message}", file=sys.stderr)
    else:
        print(warnings.formatwarning(message, category, filename, lineno, line), file=file or sys.stderr, end="")
