"""The command bench search: how fast System-1 is, and how exact its indexes are."""

import asyncio
import os
import platform
from pathlib import Path
from typing import Annotated

import typer

from mnemo.bench.search import run
from mnemo.bench.search.report import search_plot, search_table, write
from mnemo.cli.rendering.output import JsonOption, Output, failing_clearly
from mnemo.cli.rendering.progress import Meter, metering
from mnemo.config import load_settings
from mnemo.errors import ArgumentError
from mnemo.providers.factory import build_embedder
from mnemo.store.driver import Database
from mnemo.store.migrations import migrate

__all__ = ["search_"]

_LEAST = 20


def search_(
    out: Annotated[Path, typer.Option("--out", help="Folder for numbers and plot.")] = Path("bench-out"),
    sizes: Annotated[str, typer.Option(help="Facts in one group, joined by commas.")] = "1000,10000,20000,100000",
    tenants: Annotated[int, typer.Option(min=1, help="Groups of 20 facts among all of these.")] = run.TENANTS,
    alone: Annotated[bool, typer.Option("--alone", help="Leave graphiti-core out.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Time System-1 beside a bare round trip, an exact scan and graphiti-core's search, on made-up facts.

    The same server, texts and vectors for all; embedding is not measured. The facts are deleted in the end.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        wanted = _sizes(sizes)
        rivals = () if alone else ("graphiti",)
        with metering(output.notes, quiet=as_json) as meter:
            rows = asyncio.run(_measure(wanted, tenants, rivals, meter))
        write(
            rows,
            out,
            {"system": platform.platform(), "cores": str(os.cpu_count()), "python": platform.python_version()},
        )
        search_plot(rows, out / "search.png")
        output.show(rows, lambda console: console.print(search_table(rows)))


def _sizes(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) >= _LEAST for part in parts):
        message = f"wanted sizes of at least {_LEAST}, such as 1000,10000, got {text!r}"
        raise ArgumentError(message)
    return [int(part) for part in parts]


async def _measure(sizes: list[int], tenants: int, rivals: tuple[str, ...], meter: Meter) -> list[run.SearchRow]:
    settings = load_settings()
    embedder = build_embedder(settings)
    embedding = (embedder.model, embedder.dimensions)
    await embedder.close()
    async with await Database.open(settings) as database:
        await migrate(database, embedding)
        return await run.run(database, sizes, embedding, rivals=rivals, on_progress=meter, tenants=tenants)
