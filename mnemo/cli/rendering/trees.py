"""Trees, query results and differences as a person reads them."""

from collections.abc import Iterable

from rich.console import Console
from rich.tree import Tree as Drawing

from mnemo.cli.rendering.console import escape
from mnemo.cli.rendering.results import cut, moment, table
from mnemo.models.tree import Change, Diff, Match, TreeNode, Version, XPathResult
from mnemo.semxpath.natural_language.translate import TreeOutcome
from mnemo.semxpath.trees.executor import Explained

__all__ = ["difference", "explained", "node", "outcome", "result", "versions"]

_SIGNS = {"added": "[green]+[/]", "removed": "[red]-[/]", "changed": "[yellow]~[/]", "moved": "[cyan]>[/]"}
_MOST_NODES = 500


def result(console: Console, found: XPathResult) -> None:
    """Print the nodes a query found, with scores if it ranked them."""
    if not found.matches:
        console.print("Nothing found.")
        return
    columns = (["#score"] if found.semantic else []) + ["path", "node"]
    console.print(table(columns, (_row(match, scored=found.semantic) for match in found.matches)))
    for match in found.matches:
        if match.subtree is not None:
            console.print(node(match.subtree))
    trips = "1 round trip" if found.round_trips == 1 else f"{found.round_trips} round trips"
    version = f" · version {found.version}" if found.version is not None else ""
    console.print(f"{len(found.matches)} nodes · {trips}{version}", style="dim")


def _row(match: Match, *, scored: bool) -> tuple[str, ...]:
    score = (f"{match.score:.4f}",) if scored else ()
    return (*score, match.path, cut(f"{match.type} {_attributes(match.attributes.items())}"))


def _attributes(items: Iterable[tuple[str, object]]) -> str:
    return "  ".join(f"{name}={value}" for name, value in items)


def node(root: TreeNode) -> Drawing:
    """Draw a node and all below it, up to 500 nodes."""
    drawing = Drawing(_label(root))
    pending, drawn = [(root, drawing)], 1
    while pending:
        parent, branch = pending.pop(0)
        for number, child in enumerate(parent.children):
            if drawn >= _MOST_NODES:
                branch.add(f"[dim]and {len(parent.children) - number} more[/]")
                break
            drawn += 1
            pending.append((child, branch.add(_label(child))))
    return drawing


def _label(shown: TreeNode) -> str:
    return f"[bold cyan]{escape(shown.type)}[/] {escape(cut(_attributes(shown.attributes.items()), 100))}"


def versions(console: Console, found: list[Version]) -> None:
    """Print versions, newest first, the active one marked."""
    rows = [
        (
            f"{each.number}{' *' if each.active else ''}",
            str(each.parent or ""),
            moment(each.created_at),
            each.summary,
            each.request,
        )
        for each in reversed(found)
    ]
    console.print(table(["#version", "#parent", "when", "what changed", "request"], rows))


def difference(console: Console, found: Diff) -> None:
    """Print the differences, one per line."""
    if not found.changes:
        console.print(f"Versions {found.older} and {found.newer} are equal.")
    for change in found.changes:
        console.print(f"{_SIGNS[change.kind]} {escape(_change_text(change))}", soft_wrap=True)


def _change_text(change: Change) -> str:
    place = f"{change.before} to {change.path}" if change.kind == "moved" else change.path
    values = "".join(f"  {name}: {old!r} to {new!r}" for name, (old, new) in change.attributes.items())
    return f"{change.kind} {change.type} {place}{values}"


def explained(console: Console, found: Explained) -> None:
    """Print a query's Cypher, how candidates are scored, and the database's plan."""
    for title, text in (("query", found.query), ("choice", found.choice), ("statement", found.statement)):
        console.print(f"[bold]{title}[/]")
        console.print(escape(text), soft_wrap=True)
    console.print("[bold]parameters[/]")
    console.print(table(["", ""], [(name, cut(str(value), 100)) for name, value in found.params.items()], header=False))
    console.print("[bold]plan[/]")
    console.print(escape(found.plan), soft_wrap=True)


def outcome(console: Console, done: TreeOutcome) -> None:
    """Print how a request was understood, and what it found or changed."""
    request = done.request
    if request.query:
        console.print(f"[dim]{request.by}:[/] {escape(request.query)}", soft_wrap=True)
    for step in request.edits:
        console.print(f"[dim]{request.by}:[/] {escape(str(step))}", soft_wrap=True)
    if done.result is not None:
        result(console, done.result)
    if done.diff is not None:
        difference(console, done.diff)
    if done.version is not None:
        console.print(f"version {done.version.number}: {escape(done.version.summary)}", soft_wrap=True)
    elif request.kind != "read":
        console.print(f"nothing was changed; the plan is for version {done.base}", style="dim")
