"""The command line: `mnemo`."""

import typer

from mnemo.cli import local, memory
from mnemo.cli.bench.commands import bench
from mnemo.cli.hierarchy import hierarchy
from mnemo.cli.ingest import ingest
from mnemo.cli.serve import serve_
from mnemo.cli.tree import tree, xpath

__all__ = ["app", "main"]

app = typer.Typer(
    name="mnemo",
    help="Long-term memory for LLM agents, kept in Neo4j.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
local.register(app)
app.command()(ingest)
memory.register(app)
app.command("serve")(serve_)
app.command()(xpath)
app.add_typer(tree)
app.add_typer(hierarchy)
app.add_typer(bench)


def main() -> None:
    """Run the command that the arguments name."""
    app()
