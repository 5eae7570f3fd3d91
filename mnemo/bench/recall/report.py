"""Benchmark results as tables for a terminal and as plots."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from mnemo.bench.recall.locomo import LocomoReport
from mnemo.bench.recall.metrics import CUTOFFS
from mnemo.errors import ConfigError

__all__ = ["locomo_plot", "locomo_table", "plotting"]


def locomo_table(report: LocomoReport) -> Table:
    """Return a row for each category and one for all: n, MRR, R@k, all@k, tokens of a context."""
    table = Table(title="Evidence recall on LoCoMo")
    table.add_column("category")
    heads = ["n", "MRR", *(f"R@{k}" for k in CUTOFFS), *(f"all@{k}" for k in CUTOFFS), "tokens"]
    for head in heads:
        table.add_column(head, justify="right")
    for name, row in report.by_category().items():
        table.add_row(name, *_cells(row))
    return table


def locomo_plot(report: LocomoReport, path: Path) -> None:
    """Draw recall at each cutoff, a line for each category, into a file whose suffix says the format.

    Raises:
        ConfigError: matplotlib is not installed; the extra `bench` brings it.
    """
    figure, axes = plotting().subplots(figsize=(7, 4.5))
    for name, row in report.by_category().items():
        style = {"color": "black", "linewidth": 2.5} if name == "all" else {}
        axes.plot(CUTOFFS, [row[f"recall@{k}"] for k in CUTOFFS], marker="o", label=name, **style)
    axes.set(xlabel="messages looked at", ylabel="evidence found, %", ylim=(0, 100), xscale="log")
    axes.set_xticks(CUTOFFS, [str(k) for k in CUTOFFS])
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plotting().close(figure)


def plotting() -> Any:
    """Return matplotlib's pyplot, drawing to files only.

    Raises:
        ConfigError: matplotlib is not installed; the extra `bench` brings it.
    """
    try:
        import matplotlib as mpl  # noqa: PLC0415  # an extra: most installations have no use for it
    except ImportError as error:
        message = "wanted matplotlib for plots; install mnemo[bench]"
        raise ConfigError(message) from error
    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415  # after the backend is chosen

    return plt


def _cells(row: Mapping[str, float]) -> Sequence[str]:
    return [
        str(int(row["n"])),
        f"{row['mrr']:.3f}",
        *(f"{row[f'recall@{k}']:.1f}" for k in CUTOFFS),
        *(f"{row[f'all@{k}']:.1f}" for k in CUTOFFS),
        f"{row['tokens']:.0f}",
    ]
