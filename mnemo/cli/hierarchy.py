"""Commands about hierarchies: build, check, refresh, stats, show."""

from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.tree import Tree

from mnemo.cli.inputs import GroupOption, JsonOption, opened
from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.cli.rendering.results import cut, table, usage
from mnemo.config import load_settings
from mnemo.errors import NotFoundError
from mnemo.files import write_atomically
from mnemo.hierarchy.html import page
from mnemo.memory import Memory
from mnemo.models.category_builds import BuildResult, DriftCheck
from mnemo.models.hierarchy import Branch, Category, HierarchyKind, HierarchyView

__all__ = ["hierarchy"]

hierarchy = typer.Typer(
    name="hierarchy", help="Categories over entities, and the memtree over episodes.", no_args_is_help=True
)

KindOption = Annotated[
    str, typer.Option("--kind", "--tree", help="memtree (over episodes) or categories (over entities).")
]
_MORE = "…"
_HINTS = {"categories": "; build them with `mnemo hierarchy build`", "memtree": "; it grows as messages are added"}


@hierarchy.command()
def build(group: GroupOption = None, as_json: JsonOption = False) -> None:
    """Build the categories over entities; searches use the former ones until the build is complete.

    An LLM makes the categories; without one, they are everyday themes and clusters. A stopped build continues when
    the command is run again.
    """
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        with progress_bars(output) as on_progress:
            built = memory.build_hierarchy(on_progress=on_progress)
        output.show(built, lambda console: _show_built(console, built))


@hierarchy.command()
def refresh(group: GroupOption = None, as_json: JsonOption = False) -> None:
    """Rebuild only top categories that many entities have joined since they were built."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        names = memory.refresh_hierarchy()
        text = f"rebuilt: {', '.join(names)}" if names else "no category has drifted enough to be rebuilt"
        output.show({"built": list(names)}, lambda console: console.print(escape(text)))


@hierarchy.command(name="check")
def check_(group: GroupOption = None, as_json: JsonOption = False) -> None:
    """Compare the categories, as they have grown, with a fresh build."""
    output = Output(json=as_json)
    with failing_clearly(output), opened(group) as memory:
        found = memory.check_hierarchy()
        output.show(_numbers(found), lambda console: _show_check(console, found))


def _show_built(console: Console, built: BuildResult) -> None:
    sizes = " · ".join(f"layer {number}: {size:,}" for number, size in enumerate(built.categories, 1)) or "no layers"
    console.print(f"generation {built.generation}: {built.entities:,} entities · {sizes}")
    ended = "a larger layer was discarded" if built.discarded else ""
    ignored = f"{built.ignored:,} members out of range ignored" if built.ignored else ""
    refused = f"{built.refused:,} categories refused" if built.refused else ""
    console.print(" · ".join(filter(None, (usage(built.usage), ended, ignored, refused))), style="dim")


def _numbers(found: DriftCheck) -> dict[str, object]:
    agreement = found.agreement
    return {
        "entities": found.entities,
        "f1": agreement.f1,
        "precision": agreement.precision,
        "recall": agreement.recall,
        "pairs": {"standing": agreement.pairs, "fresh": agreement.others, "both": agreement.shared},
        "tops": [
            {"name": top.name, "entities": top.leaves, "placed": top.placed, "drift": top.drift} for top in found.tops
        ],
        "usage": found.usage,
    }


def _show_check(console: Console, found: DriftCheck) -> None:
    agreement = found.agreement
    console.print(
        f"{found.entities:,} entities: pairwise F1 of sharing a parent {agreement.f1:.3f} "
        f"(precision {agreement.precision:.3f}, recall {agreement.recall:.3f})"
    )
    rows = [(top.name, f"{top.leaves:,}", f"{top.placed:,}", f"{top.drift:.2f}") for top in found.tops]
    console.print(table(["top category", "#entities", "#placed since build", "#drift"], rows))
    console.print(usage(found.usage), style="dim")


@hierarchy.command()
def stats(kind: KindOption = "memtree", group: GroupOption = None, as_json: JsonOption = False) -> None:
    """Print node counts, depth, branching, and the cost of an insert."""
    output = Output(json=as_json)
    with failing_clearly(output):
        found = _view(kind, group, depth=1)
        output.show(found.stats, lambda console: console.print(table(["what", "#value"], _rows(found))))


@hierarchy.command()
def show(
    kind: KindOption = "memtree",
    group: GroupOption = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=64, help="Levels to draw.")] = 4,
    html: Annotated[Path | None, typer.Option("--html", help="Write an HTML page with foldable nodes.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a hierarchy in the terminal, or write it as an HTML page."""
    output = Output(json=as_json)
    with failing_clearly(output):
        found = _view(kind, group, depth=64 if html else depth)
        if html is not None:
            text = page(f"mnemo: {found.hierarchy.kind} of {found.hierarchy.group}", _line(found), found.branches)
            write_atomically(html, text.encode())
            output.show({"written": str(html)}, lambda console: console.print(f"wrote {escape(str(html))}"))
            return
        output.show(found, lambda console: _draw(console, found))


def _view(kind: str, group: str | None, depth: int) -> HierarchyView:
    settings = load_settings(**({"group": group} if group is not None else {}))
    with Memory(settings) as memory:
        found = memory.hierarchy(cast("HierarchyKind", kind), depth=depth)
    if found is None:
        message = f"group {settings.group!r} has no {kind}{_HINTS.get(kind, '')}"
        raise NotFoundError(message)
    return found


def _rows(found: HierarchyView) -> list[tuple[str, str]]:
    numbers = found.stats
    per_insert = numbers.calls / numbers.inserts if numbers.inserts else 0.0
    return [
        ("episodes" if numbers.kind == "memtree" else "entities", f"{numbers.leaves:,}"),
        ("inner nodes", f"{numbers.categories:,}"),
        ("children of the root", f"{numbers.root_children:,}"),
        ("depth, maximum" if numbers.kind == "memtree" else "layers", str(numbers.layers)),
        ("depth, mean over leaves", f"{numbers.depth_mean:.2f}"),
        ("children of an inner node, mean", f"{numbers.branching_mean:.2f}"),
        ("children of an inner node, maximum", f"{numbers.branching_max:,}"),
        ("inserts so far", f"{numbers.inserts:,}"),
        ("LLM calls so far", f"{numbers.calls:,}"),
        ("LLM calls per insert", f"{per_insert:.2f}"),
    ]


def _line(found: HierarchyView) -> str:
    numbers = found.stats
    return f"{numbers.leaves:,} leaves, {numbers.categories:,} inner nodes, depth {numbers.layers}"


def _draw(console: Console, found: HierarchyView) -> None:
    top = Tree(f"[bold]{found.hierarchy.kind}[/] [dim]{_line(found)}[/]", guide_style="dim")
    for branch in found.branches:
        _hang(top, branch)
    console.print(top)


def _hang(parent: Tree, branch: Branch) -> None:
    node = branch.node
    if not isinstance(node, Category):
        parent.add(escape(cut(node.text, 100)))
        return
    name = f"[bold]{escape(node.name)}[/] " if node.name else ""
    about = node.content.partition(": ")[2] if node.name and node.content.startswith(node.name) else node.content
    below = parent.add(f"{name}[cyan]{node.leaves}[/] [italic]{escape(cut(about, 100))}[/]")
    for child in branch.children:
        _hang(below, child)
    if not branch.children:
        below.add(f"[dim]{_MORE}[/]")
