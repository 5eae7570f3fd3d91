"""The walk of System-2 as a person reads it, and which route found what."""

from collections import Counter

from rich.console import Console
from rich.tree import Tree

from mnemo.cli.rendering.console import escape
from mnemo.models.results import SearchResult, WalkLayer

__all__ = ["walk"]

_SHOWN = 24


def walk(console: Console, result: SearchResult) -> None:
    """Print the layers from the top down with what was chosen, then how much each route found."""
    if not result.walk:
        console.print("no walk: this route does not use categories, or the group has none", style="dim")
    else:
        top = below = Tree("[bold]walk[/]", guide_style="dim")
        for stage in result.walk:
            below = below.add(_line(stage))
        console.print(top)
    console.print(_found_by(result), style="dim")
    if result.note is not None:
        console.print(f"[yellow]note[/]: {escape(result.note)}")
    elif result.truncated:
        console.print("[yellow]truncated[/]: the walk reached a limit of calls, nodes or seconds")


def _line(stage: WalkLayer) -> str:
    what = "entities" if stage.layer == 0 else f"layer {stage.layer}"
    whole = set(stage.whole)
    names = [f"[bold]{escape(name)}[/] (all)" if name in whole else escape(name) for name in stage.chosen]
    more = f" … {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    notes = [f"by {stage.by}"]
    notes += [f"{stage.calls} LLM calls"] if stage.calls else []
    notes += [f"{stage.skipped} unknown"] if stage.skipped else []
    notes += [f"{stage.fallbacks} parts chosen by embedding"] if stage.fallbacks else []
    shown = ", ".join(names[:_SHOWN]) or "nothing"
    return f"[cyan]{what}[/] {len(stage.chosen)} of {stage.offered} [dim]({', '.join(notes)})[/]: {shown}{more}"


def _found_by(result: SearchResult) -> str:
    parts = []
    for kind in ("episodes", "entities", "edges"):
        counts = Counter(" and ".join(found.routes) for found in getattr(result, kind))
        text = ", ".join(f"{number} by {routes}" for routes, number in sorted(counts.items()))
        parts.append(f"{kind}: {text or 'none'}")
    return " · ".join(parts)
