"""Commands about tree memories: tree import, export, show, log, diff, edit, revert, …, and xpath."""

from pathlib import Path
from typing import Annotated, cast

import typer
from rich.markup import escape

from mnemo.cli.inputs import opened, when
from mnemo.cli.rendering import trees
from mnemo.cli.rendering.output import GroupOption, JsonOption, Output, failing_clearly
from mnemo.cli.rendering.progress import metering
from mnemo.cli.rendering.results import table
from mnemo.errors import ArgumentError, ReaderError
from mnemo.files import disk_errors
from mnemo.samples.domains import DOMAINS, document
from mnemo.semxpath.compiler.core import QueryOptions
from mnemo.semxpath.formats.convert import FORMATS, TreeFormat, guess

__all__ = ["tree", "xpath"]

_QUIET_CHARS = 50_000
"""Documents under this length are done before a bar could be read."""

tree = typer.Typer(name="tree", help="Tree memories: trips, to-do lists, plans, in versions.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Of the tree.")]
VersionOption = Annotated[int | None, typer.Option("--version", help="Its number; the active one by default.")]
FormatOption = Annotated[str | None, typer.Option("--format", "-f", help=f"{', '.join(FORMATS)}.")]


def xpath(
    query: Annotated[str, typer.Argument(help="Such as '//Restaurant[node ~= \"seafood\"]'.")],
    name: Annotated[str | None, typer.Option("--tree", "-t", help="A tree; without it, the whole memory.")] = None,
    group: GroupOption = None,
    version: VersionOption = None,
    all_versions: Annotated[bool, typer.Option("--all-versions", help="Address versions too.")] = False,
    threshold: Annotated[float | None, typer.Option(help="Least score of a semantic result.")] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", min=1, help="Most nodes of a semantic result.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Most nodes of any result.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="The whole memory as it was then.")] = None,
    subtree: Annotated[bool, typer.Option("--subtree", help="With all below each node of a tree.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show statement, choice and plan of a tree's.")] = False,
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
        message = "wanted --tree NAME with --version, --all-versions, --subtree or --explain"
        raise ArgumentError(message)


@tree.command("import")
def import_(
    path: Annotated[Path | None, typer.Argument(help="XML, JSON or YAML.", show_default=False)] = None,
    name: Annotated[str | None, typer.Option("--name", help="Of the tree; the file's by default.")] = None,
    group: GroupOption = None,
    format_: FormatOption = None,
    root: Annotated[str | None, typer.Option(help="Type of the root, where JSON or YAML names none.")] = None,
    rename: Annotated[list[str] | None, typer.Option(help="A type's new name, as OLD=NEW; may be repeated.")] = None,
    sample: Annotated[
        str | None, typer.Option("--sample", help="One that comes with mnemo: trip, todo, meals.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Store a document as a new tree; what could not be kept is said."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        source = _source(path, sample)
        try:
            text = source.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            message = f"{source}: wanted a readable UTF-8 file, got {type(error).__name__}"
            raise ReaderError(message) from error
        kind = cast("TreeFormat", format_) if format_ else guess(source.name)
        one = memory.tree(name or source.stem)
        with metering(output.notes, unit="texts", quiet=len(text) < _QUIET_CHARS) as meter:
            done = one.import_(text, kind, root=root, rename=_renames(rename or []), on_progress=meter)
        output.show(done, lambda console: console.print(f"{name or source.stem}: version {done.version.number}"))
        for note in done.notes:
            output.note(note)


def _source(path: Path | None, sample: str | None) -> Path:
    if (path is None) == (sample is None):
        message = "wanted a path, or --sample NAME, and not both"
        raise ArgumentError(message)
    if path is not None:
        return path
    if sample not in DOMAINS:
        message = f"wanted a sample of {', '.join(DOMAINS)}, got {sample!r}"
        raise ArgumentError(message)
    return document(sample)


def _renames(pairs: list[str]) -> dict[str, str]:
    names = dict(pair.partition("=")[::2] for pair in pairs)
    if not all(names) or not all(names.values()):
        message = "wanted --rename as OLD=NEW"
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
    out: Annotated[Path | None, typer.Option("--out", help="A file; its suffix is the format by default.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a version as a document; what could not be kept is said."""
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
    """Draw a version."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.tree(name).show(version=version)
        output.show(found, lambda console: console.print(trees.node(found)))


@tree.command()
def log(name: NameArgument, group: GroupOption = None, as_json: JsonOption = False) -> None:
    """List the versions: what changed, and the words that asked for it."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.tree(name).log()
        output.show(found, lambda console: trees.versions(console, found))


@tree.command()
def diff(
    name: NameArgument,
    older: Annotated[int, typer.Argument(help="A version's number.")],
    newer: Annotated[int, typer.Argument(help="Another's.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what was added, removed, changed and moved between two versions."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.tree(name).diff(older, newer)
        output.show(found, lambda console: trees.difference(console, found))


@tree.command()
def edit(
    name: NameArgument,
    words: Annotated[str, typer.Argument(help='Such as "move the museum to day 2".')],
    group: GroupOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show plan and difference; change nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Change a tree in plain words: by the LLM, or by rules for plain shapes where none is configured."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        one = memory.tree(name)
        done = one.preview(words) if dry_run else one.act(words)
        output.show(done, lambda console: trees.outcome(console, done))


@tree.command()
def revert(
    name: NameArgument,
    number: Annotated[int, typer.Argument(help="The version to be like.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a new version equal to an older one."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        made = memory.tree(name).revert(number)
        output.show(made, lambda console: console.print(f"version {made.number}: {escape(made.summary)}"))


@tree.command()
def checkout(
    name: NameArgument,
    number: Annotated[int, typer.Argument(help="The version to make active.")],
    group: GroupOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a version the active one; nothing is changed or lost."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        before = memory.tree(name).checkout(number)
        text = f"version {number} is active; before it was {before}"
        output.show({"active": number, "before": before}, lambda console: console.print(text))


@tree.command()
def delete(
    name: NameArgument,
    group: GroupOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
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
