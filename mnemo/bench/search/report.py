"""The latency benchmark as a table, as JSON and as a plot."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from mnemo.bench.recall.report import plotting
from mnemo.bench.search.run import SearchRow
from mnemo.files import write_atomically

__all__ = ["ratios", "search_plot", "search_table", "write"]

_COLUMNS = ("ping", "exact", "gather", "system1", "graphiti")


def search_table(rows: Sequence[SearchRow]) -> Table:
    """Return a row for each size: medians and 95th percentiles in milliseconds, ratios, recall."""
    table = Table(title="Search latency, median (p95) in ms")
    table.add_column("facts in the group")
    for column in (*_COLUMNS, "graphiti / system1", "recall@20", "returned"):
        table.add_column(column, justify="right")
    for row in rows:
        cells = [_cell(row, column) for column in _COLUMNS]
        faster = ratios(row).get("graphiti / system1")
        table.add_row(row.name, *cells, f"{faster:.1f}x" if faster else "", f"{row.recall:.3f}", str(row.returned))
    return table


def ratios(row: SearchRow) -> dict[str, float]:
    """Return how many times as long the others take as System-1, by medians: `graphiti / system1` and the like."""
    own = row.timings["system1"].median_ms
    return {
        f"{name} / system1": timing.median_ms / own for name, timing in row.timings.items() if name != "system1" and own
    }


def write(rows: Sequence[SearchRow], out: Path, machine: Mapping[str, str]) -> Path:
    """Write all rows, their ratios and what they were measured on as `search.json`.

    Raises:
        DiskError: The folder cannot be written.
    """
    path = out / "search.json"
    told = {"machine": dict(machine), "rows": [{**asdict(row), "ratios": ratios(row)} for row in rows]}
    write_atomically(path, json.dumps(told, indent=2))
    return path


def search_plot(rows: Sequence[SearchRow], path: Path) -> None:
    """Draw medians over the number of facts in one group, a line for each kind of call.

    Raises:
        ConfigError: matplotlib is not installed; the extra `bench` brings it.
    """
    figure, axes = plotting().subplots(figsize=(7, 4.5))
    single = [row for row in rows if row.groups == 1]
    for column in _COLUMNS:
        points = [(row.facts, row.timings[column].median_ms) for row in single if column in row.timings]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", label=column)
    axes.set(xlabel="facts in the group", ylabel="median, ms", xscale="log", yscale="log")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plotting().close(figure)


def _cell(row: SearchRow, column: str) -> str:
    timing = row.timings.get(column)
    return f"{timing.median_ms:.1f} ({timing.p95_ms:.1f})" if timing else ""
