"""The command `bench search`: latency of System-1 and recall of its indexes."""

import asyncio
import os
import platform
from pathlib import Path
from typing import Annotated

import typer

from mnemo.bench.extras import require
from mnemo.bench.search import run
from mnemo.bench.search.report import search_plot, search_table, write
from mnemo.cli.bench.plots import plot_path
from mnemo.cli.inputs import JsonOption
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.config import load_settings
from mnemo.errors import ArgumentError
from mnemo.models.progress import OnProgress
from mnemo.providers.factory import build_embedder
from mnemo.store.driver import Database
from mnemo.store.migrations import migrate

__all__ = ["search_"]

_MIN_FACTS = 20


def search_(
    out: Annotated[Path, typer.Option("--out", help="Folder for the numbers and the plot.")] = Path("bench-out"),
    sizes: Annotated[
        str, typer.Option(help="Numbers of facts in one group, separated by commas.")
    ] = "1000,10000,20000,100000",
    tenants: Annotated[int, typer.Option(min=1, help="Number of small groups of 20 facts each.")] = run.TENANTS,
    alone: Annotated[bool, typer.Option("--alone", help="Leave out graphiti-core.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare the latency of System-1 with a bare round trip, an exact scan and graphiti-core's search.

    All use the same server, synthetic facts and vectors; embedding is not measured. The facts are deleted at the end.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        counts = _sizes(sizes)
        plot = plot_path(output, out / "search.png")
        rivals = () if alone else ("graphiti",)
        if not alone:
            require(
                "graphiti_core",
                extra="graphiti",
                purpose="the comparison with graphiti-core (or leave it out: --alone)",
            )
        with progress_bars(output) as on_progress:
            rows = asyncio.run(_measure(counts, tenants, rivals, on_progress))
        write(
            rows,
            out,
            {"system": platform.platform(), "cores": str(os.cpu_count()), "python": platform.python_version()},
        )
        if plot is not None:
            search_plot(rows, plot)
        output.show(rows, lambda console: console.print(search_table(rows)))


def _sizes(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) >= _MIN_FACTS for part in parts):
        message = f"sizes must be numbers of at least {_MIN_FACTS}, such as 1000,10000, got {text!r}"
        raise ArgumentError(message)
    return [int(part) for part in parts]


async def _measure(
    sizes: list[int], tenants: int, rivals: tuple[str, ...], on_progress: OnProgress
) -> list[run.SearchRow]:
    settings = load_settings()
    embedder = build_embedder(settings)
    embedding = (embedder.model, embedder.dimensions)
    await embedder.close()
    async with await Database.open(settings) as database:
        await migrate(database, embedding)
        return await run.run(database, sizes, embedding, rivals=rivals, on_progress=on_progress, tenants=tenants)
