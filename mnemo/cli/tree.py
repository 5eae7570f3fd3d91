"""Commands about versioned trees: tree import, export, show, log, diff, edit, revert, …, and xpath."""

from pathlib import Path
from typing import Annotated, cast

import typer

from mnemo.cli.inputs import GroupOption, JsonOption, opened, when
from mnemo.cli.rendering import trees
from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.cli.rendering.results import table
from mnemo.errors import ArgumentError, ReaderError
from mnemo.files import disk_errors
from mnemo.models.tree import QueryOptions
from mnemo.samples.domains import DOMAINS, document
from mnemo.semxpath.formats.convert import FORMATS, TreeFormat, guess

__all__ = ["tree", "xpath"]

tree = typer.Typer(name="tree", help="Versioned trees: trips, to-do lists, plans.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Name of the tree.")]
VersionOption = Annotated[int | None, typer.Option("--version", help="Version number; the active version by default.")]
FormatOption = Annotated[str | None, typer.Option("--format", "-f", help=f"Format: {', '.join(FORMATS)}.")]


def xpath(
    query: Annotated[str, typer.Argument(help="Such as '//Restaurant[node ~= \"seafood\"]'.")],
    name: Annotated[
        str | None, typer.Option("--tree", "-t", help="Name of a tree; without it, the whole memory.")
    ] = None,
    group: GroupOption = None,
    version: VersionOption = None,
    all_versions: Annotated[bool, typer.Option("--all-versions", help="Query all versions.")] = False,
    threshold: Annotated[float | None, typer.Option(help="Minimum score, 0 to 1.")] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", min=1, help="Most nodes of a semantic result.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Most nodes of any result.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="The whole memory at this date or time.")] = None,
    subtree: Annotated[bool, typer.Option("--subtree", help="Also print what is below each node.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Print Cypher, scoring and plan.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a Semantic XPath query on a tree, or on the whole memory of a group."""
    output = Output(json=as_json)
    options = QueryOptions(threshold=threshold, top_k=top_k, limit=limit)
    with failing_clearly(output), opened(group) as memory:
        if name is None:
            _only_for_trees(version, all_versions, subtree, explain)
            found = memory.xpath(query, as_of=when(as_of, "--as-of"), options=options)
            output.show(found, lambda console: trees.result(console, found))
            return
        one = memory.tree(name)
        if explain:
            told = one.explain(query, version=version, all_versions=all_versions, options=options)
            output.show(told, lambda console: trees.explained(console, told))
            return
        found = one.xpath(query, version=version, all_versions=all_versions, options=options)
        if subtree:
            found = one.subtrees(found)
        output.show(found, lambda console: trees.result(console, found))


def _only_for_trees(version: int | None, *flags: bool) -> None:
    if version is not None or any(flags):
        message = "--version, --all-versions, --subtree and --explain need --tree NAME"
        raise ArgumentError(message)


@tree.command("import")
def import_(
    path: Annotated[Path | None, typer.Argument(help="An XML, JSON or YAML file.", show_default=False)] = None,
    name: Annotated[str | None, typer.Option("--name", help="Name of the tree; by default the file's name.")] = None,
    group: GroupOption = None,
    format_: FormatOption = None,
    root: Annotated[str | None, typer.Option(help="Type of the root, if JSON or YAML names none.")] = None,
    rename: Annotated[list[str] | None, typer.Option(help="Rename a type: OLD=NEW; may be repeated.")] = None,
    sample: Annotated[str | None, typer.Option("--sample", help="Import a sample: trip, todo or meals.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Store a document as a new tree. Reports anything it drops, such as comments."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        source = _source(path, sample)
        try:
            text = source.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            message = f"{source} is not a readable UTF-8 file ({type(error).__name__})"
            raise ReaderError(message) from error
        kind = cast("TreeFormat", format_) if format_ else guess(source.name)
        one = memory.tree(name or source.stem)
        with progress_bars(output) as on_progress:
            done = one.import_(text, kind, root=root, rename=_renames(rename or []), on_progress=on_progress)
        output.show(done, lambda console: console.print(f"{name or source.stem}: version {done.version.number}"))
        for note in done.notes:
            output.note(note)


def _source(path: Path | None, sample: str | None) -> Path:
    if (path is None) == (sample is None):
        message = "give either a path or --sample NAME"
        raise ArgumentError(message)
    if path is not None:
        return path
    if sample not in DOMAINS:
        message = f"sample must be one of {', '.join(DOMAINS)}, got {sample!r}"
        raise ArgumentError(message)
    return document(sample)


def _renames(pairs: list[str]) -> dict[str, str]:
    names = dict(pair.partition("=")[::2] for pair in pairs)
    if not all(names) or not all(names.values()):
        message = "rename must have the form OLD=NEW"
        raise ArgumentError(message)
    return names


@tree.command("list")
def list_(group: GroupOption = None, as_json: JsonOption = False) -> None:
    """List the trees of a group."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.trees()
        rows = [(each.name, each.root, str(each.active), str(each.versions), f"{each.nodes:,}") for each in found]
        columns = ["tree", "root", "#active version", "#versions", "#nodes"]
        output.show(found, lambda console: console.print(table(columns, rows)))


@tree.command()
def export(
    name: NameArgument,
    group: GroupOption = None,
    format_: FormatOption = None,
    version: VersionOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; its suffix chooses the format.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a version as a document. Reports anything the format cannot hold."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        kind = cast("TreeFormat", format_) if format_ else guess(out.name) if out else "xml"
        text, notes = memory.tree(name).export(kind, version=version)
        if out is not None:
            with disk_errors(out):
                out.write_text(text, encoding="utf-8")
        for note in notes:
            output.note(note)
        shown = {"format": kind, "text": text, "notes": notes}
        output.show(shown, lambda console: None if out else console.out(text, end="" if text.endswith("\n") else "\n"))


@tree.command()
def show(
    name: NameArgument, group: GroupOption = None, version: VersionOption = None, as_json: JsonOption = False
) -> None:
    """Draw a version of a tree."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.tree(name).show(version=version)
        output.show(found, lambda console: console.print(trees.node(found)))


@tree.command()
def log(name: NameArgument, group: GroupOption = None, as_json: JsonOption = False) -> None:
    """List the versions: what changed, and the request that changed it."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.tree(name).log()
        output.show(found, lambda console: trees.versions(console, found))


@tree.command()
def diff(
    name: NameArgument,
    older: Annotated[int, typer.Argument(help="Number of the older version.")],
    newer: Annotated[int, typer.Argument(help="Number of the newer version.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what was added, removed, changed and moved between two versions."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.tree(name).diff(older, newer)
        output.show(found, lambda console: trees.difference(console, found))


@tree.command()
def edit(
    name: NameArgument,
    words: Annotated[str, typer.Argument(help='A request such as "move the museum to day 2".')],
    group: GroupOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan and the difference; change nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Change a tree as a request in plain words asks: by the LLM, or without one by rules."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        one = memory.tree(name)
        done = one.preview(words) if dry_run else one.act(words)
        output.show(done, lambda console: trees.outcome(console, done))


@tree.command()
def revert(
    name: NameArgument,
    number: Annotated[int, typer.Argument(help="Version to restore.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a new version that equals an older one."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        made = memory.tree(name).revert(number)
        output.show(made, lambda console: console.print(f"version {made.number}: {escape(made.summary)}"))


@tree.command()
def checkout(
    name: NameArgument,
    number: Annotated[int, typer.Argument(help="Version to make active.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make another version the active one; nothing is changed or lost."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        before = memory.tree(name).checkout(number)
        text = f"version {number} is active; version {before} was active before"
        output.show({"active": number, "before": before}, lambda console: console.print(text))


@tree.command()
def delete(
    name: NameArgument,
    group: GroupOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a tree with all its versions."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        if not yes and (as_json or not typer.confirm(f"Delete {name!r} with all its versions?")):
            message = "nothing was deleted; --yes deletes without asking"
            raise ArgumentError(message)
        count = memory.tree(name).delete()
        output.show({"nodes": count}, lambda console: console.print(f"{count:,} nodes deleted"))
