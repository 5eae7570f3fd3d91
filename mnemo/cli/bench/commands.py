"""The commands `bench locomo`, `longmemeval`, `ingest`, `search` and `tree`."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console

from mnemo.bench.qa.data import of_locomo, of_longmemeval
from mnemo.bench.qa.report import Prices
from mnemo.bench.recall import locomo
from mnemo.bench.recall.locomo_data import ANSWERABLE, CATEGORIES, questions
from mnemo.bench.recall.report import locomo_plot, locomo_table
from mnemo.cli.bench.memtree import memtree
from mnemo.cli.bench.plots import plot_path
from mnemo.cli.bench.qa import (
    AtOnceOption,
    JudgeOption,
    LimitOption,
    PriceInOption,
    PriceOutOption,
    QaOptions,
    answer_all,
)
from mnemo.cli.bench.search import search_
from mnemo.cli.ingest import show_ingested
from mnemo.cli.inputs import JsonOption
from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.config import Settings, load_settings
from mnemo.ingestion.readers import read
from mnemo.memory import AsyncMemory, Memory
from mnemo.models.files import FilesAdded
from mnemo.models.progress import OnProgress
from mnemo.models.results import Route, SearchResult
from mnemo.retrieval.request import SearchRequest

__all__ = ["bench"]

bench = typer.Typer(name="bench", help="Measure evidence recall, latency and throughput.", no_args_is_help=True)

PREFIX = "bench/locomo"
"""Benchmark groups are named PREFIX/conversation, so that they never mix with a user's groups."""

QA_PREFIX = "bench/longmemeval"

bench.command("tree")(memtree)

FileArgument = Annotated[Path, typer.Argument(help="A LoCoMo file.")]
OutOption = Annotated[Path, typer.Option("--out", help="Folder for rankings, metrics and plots.")]
BudgetOption = Annotated[int, typer.Option("--budget", min=50, help="Most tokens of a context.")]


@bench.command("locomo")
def locomo_(
    path: FileArgument,
    out: OutOption = Path("bench-out"),
    route: Annotated[str, typer.Option("--route", help="Route to measure.")] = "system1",
    budget: BudgetOption = 1_000,
    qa: Annotated[bool, typer.Option("--qa", help="Let the LLM answer the questions and grade the answers.")] = False,
    adversarial: Annotated[
        bool, typer.Option("--adversarial", help="With --qa: include questions that have no answer.")
    ] = False,
    judge_model: JudgeOption = None,
    at_once: AtOnceOption = 8,
    limit: LimitOption = None,
    price_in: PriceInOption = 0.0,
    price_out: PriceOutOption = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Ingest the conversations of a LoCoMo file, ask its questions and score the evidence found.

    With --qa an LLM answers each question from its context and grades the answers. Raw output is kept in --out;
    run the same command again to resume an interrupted run. A plot is drawn if matplotlib is installed.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        plot = None if qa else plot_path(output, out / f"locomo-{route}.png")
        with progress_bars(output) as on_progress:
            remember(settings, path, on_progress)
        if qa:
            questions = of_locomo(path, tuple(CATEGORIES) if adversarial else ANSWERABLE)
            prices = Prices(input=price_in, output=price_out)
            options = QaOptions(
                data=path.name,
                prefix=PREFIX,
                route=route,
                budget=budget,
                judge_model=judge_model,
                at_once=at_once,
                limit=limit,
                prices=prices,
            )
            answer_all(settings, questions, options, out, output)
            return
        with progress_bars(output) as on_progress:
            report = asyncio.run(_ask_all(settings, path, route, budget, on_progress))
        rankings, _ = locomo.write(report, out, f"locomo-{route}")
        if plot is not None:
            locomo_plot(report, plot)
        output.show(report.by_category(), lambda console: _show_locomo(console, report, rankings))


def _show_locomo(console: Console, report: locomo.LocomoReport, rankings: Path) -> None:
    console.print(locomo_table(report))
    console.print(f"median search {1000 * report.median_s:.0f} ms; rankings in {rankings}", style="dim")


def remember(settings: Settings, path: Path, on_progress: OnProgress, prefix: str = PREFIX) -> FilesAdded:
    """Ingest a benchmark file into groups named after its conversations; messages already stored are skipped."""
    with Memory(settings) as memory:
        return memory.add_file(path, group=prefix, on_progress=on_progress)


async def _ask_all(
    settings: Settings, path: Path, route: str, budget: int, on_progress: OnProgress
) -> locomo.LocomoReport:
    async with AsyncMemory(settings) as memory:

        def search(request: SearchRequest) -> Awaitable[SearchResult]:
            scoped = replace(request, group=f"{PREFIX}/{request.group}")
            return memory.search(
                scoped.question, group=scoped.group, k=scoped.k, budget=scoped.budget, route=cast("Route", route)
            )

        if route in {"system2", "both"}:
            await _build_categories(memory, path)
        return await locomo.run(path, search, budget=budget, on_progress=on_progress)


async def _build_categories(memory: AsyncMemory, path: Path) -> None:
    """Build the categories of each conversation that has none: without them System-1 would answer instead."""
    for name in dict.fromkeys(question.conversation for question in questions(path)):
        group = f"{PREFIX}/{name}"
        if await memory.hierarchy("categories", group=group, depth=1) is None:
            await memory.build_hierarchy(group=group)


@bench.command("longmemeval")
def longmemeval_(
    path: Annotated[Path, typer.Argument(help="A LongMemEval file.")],
    out: OutOption = Path("bench-out"),
    route: Annotated[str, typer.Option("--route", help="Route to measure.")] = "system1",
    budget: BudgetOption = 1_000,
    judge_model: JudgeOption = None,
    at_once: AtOnceOption = 8,
    limit: LimitOption = None,
    price_in: PriceInOption = 0.0,
    price_out: PriceOutOption = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Ingest the histories of a LongMemEval file, let the LLM answer its questions and grade the answers."""
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        with progress_bars(output) as on_progress:
            remember(settings, path, on_progress, QA_PREFIX)
        options = QaOptions(
            data=path.name,
            prefix=QA_PREFIX,
            route=route,
            budget=budget,
            judge_model=judge_model,
            at_once=at_once,
            limit=limit,
            prices=Prices(input=price_in, output=price_out),
        )
        answer_all(settings, of_longmemeval(path), options, out, output)


@bench.command("ingest")
def ingest_(path: FileArgument, as_json: JsonOption = False) -> None:
    """Ingest a LoCoMo file into empty groups and report the throughput and where the time goes."""
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        with progress_bars(output) as on_progress:
            with Memory(settings) as memory:
                for conversation in read(path):
                    memory.forget(group=f"{PREFIX}/{conversation.name}")
            done = remember(settings, path, on_progress)
        output.show(done, lambda console: show_ingested(console, done))


bench.command("search")(search_)
