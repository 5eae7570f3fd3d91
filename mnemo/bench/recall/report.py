"""Benchmark results as tables for a terminal and as plots."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.table import Table

from mnemo.bench.extras import pyplot
from mnemo.bench.recall.locomo import LocomoReport
from mnemo.bench.recall.metrics import CUTOFFS

__all__ = ["locomo_plot", "locomo_table"]


def locomo_table(report: LocomoReport) -> Table:
    """Return a table with a row per category and one for all: n, MRR, R@k, all@k, tokens per context."""
    table = Table(title="Evidence recall on LoCoMo")
    table.add_column("category")
    heads = ["n", "MRR", *(f"R@{k}" for k in CUTOFFS), *(f"all@{k}" for k in CUTOFFS), "tokens"]
    for head in heads:
        table.add_column(head, justify="right")
    for name, row in report.by_category().items():
        table.add_row(name, *_cells(row))
    return table


def locomo_plot(report: LocomoReport, path: Path) -> None:
    """Plot recall by cutoff with one line per category; the suffix of the file sets the format.

    Raises:
        ConfigError: matplotlib (extra `bench`) is not installed.
    """
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for name, row in report.by_category().items():
        style = {"color": "black", "linewidth": 2.5} if name == "all" else {}
        axes.plot(CUTOFFS, [row[f"recall@{k}"] for k in CUTOFFS], marker="o", label=name, **style)
    axes.set(xlabel="first messages of the ranking", ylabel="evidence found, %", ylim=(0, 100), xscale="log")
    axes.set_xticks(CUTOFFS, [str(k) for k in CUTOFFS])
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plt.close(figure)


def _cells(row: Mapping[str, float]) -> Sequence[str]:
    return [
        str(int(row["n"])),
        f"{row['mrr']:.3f}",
        *(f"{row[f'recall@{k}']:.1f}" for k in CUTOFFS),
        *(f"{row[f'all@{k}']:.1f}" for k in CUTOFFS),
        f"{row['tokens']:.0f}",
    ]
