"""Commands that measure: bench locomo, search, ingest, tree."""

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
from mnemo.bench.recall.locomo_data import ANSWERABLE, CATEGORIES
from mnemo.bench.recall.report import locomo_plot, locomo_table
from mnemo.cli.bench.memtree import memtree
from mnemo.cli.bench.qa import (
    AtOnceOption,
    JudgeOption,
    LimitOption,
    PriceInOption,
    PriceOutOption,
    Qa,
    answer_all,
)
from mnemo.cli.bench.search import search_
from mnemo.cli.ingest import show_ingested
from mnemo.cli.rendering.output import JsonOption, Output, failing_clearly
from mnemo.cli.rendering.progress import Meter, metering
from mnemo.config import Settings, load_settings
from mnemo.ingestion.readers import read
from mnemo.memory import AsyncMemory, Memory
from mnemo.memory.files import FilesAdded
from mnemo.models.results import Route, SearchResult
from mnemo.retrieval.request import SearchRequest

__all__ = ["bench"]

bench = typer.Typer(name="bench", help="Measure: evidence recall, latency, throughput.", no_args_is_help=True)

PREFIX = "bench/locomo"
"""Groups of benchmark conversations are named PREFIX/conversation, so that they never mix with a user's."""

QA_PREFIX = "bench/longmemeval"

bench.command("tree")(memtree)

FileArgument = Annotated[Path, typer.Argument(help="A LoCoMo file.")]
OutOption = Annotated[Path, typer.Option("--out", help="Folder for rankings, metrics and plot.")]
BudgetOption = Annotated[int, typer.Option("--budget", min=50, help="Tokens of each context.")]


@bench.command("locomo")
def locomo_(
    path: FileArgument,
    out: OutOption = Path("bench-out"),
    route: Annotated[str, typer.Option("--route", help="The route to measure.")] = "system1",
    budget: BudgetOption = 1_000,
    qa: Annotated[bool, typer.Option("--qa", help="Let the LLM answer the questions, and judge the answers.")] = False,
    adversarial: Annotated[
        bool, typer.Option("--adversarial", help="With --qa: questions without answer too.")
    ] = False,
    judge_model: JudgeOption = None,
    at_once: AtOnceOption = 8,
    limit: LimitOption = None,
    price_in: PriceInOption = 0.0,
    price_out: PriceOutOption = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Remember the conversations of a LoCoMo file, ask all its questions, and score the evidence found.

    With --qa an LLM answers each question from its context, and judges the answer; a run that was stopped goes on
    with the same command, and its raw output is kept in --out.
    """
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        with metering(output.notes, quiet=as_json) as meter:
            remember(settings, path, meter)
        if qa:
            questions = of_locomo(path, tuple(CATEGORIES) if adversarial else ANSWERABLE)
            prices = Prices(input=price_in, output=price_out)
            wanted = Qa(
                data=path.name,
                prefix=PREFIX,
                route=route,
                budget=budget,
                judge_model=judge_model,
                at_once=at_once,
                limit=limit,
                prices=prices,
            )
            answer_all(settings, questions, wanted, out, output)
            return
        with metering(output.notes, quiet=as_json) as meter:
            report = asyncio.run(_ask_all(settings, path, route, budget, meter))
        rankings, _ = locomo.write(report, out, f"locomo-{route}")
        locomo_plot(report, out / f"locomo-{route}.png")
        output.show(report.by_category(), lambda console: _show_locomo(console, report, rankings))


def _show_locomo(console: Console, report: locomo.LocomoReport, rankings: Path) -> None:
    console.print(locomo_table(report))
    console.print(f"median search {1000 * report.median_s:.0f} ms; rankings in {rankings}", style="dim")


def remember(settings: Settings, path: Path, meter: Meter, prefix: str = PREFIX) -> FilesAdded:
    """Ingest a benchmark file into groups of its own; what is there already is left as it is."""
    with Memory(settings) as memory:
        return memory.add_file(path, group=prefix, on_progress=meter)


async def _ask_all(settings: Settings, path: Path, route: str, budget: int, meter: Meter) -> locomo.LocomoReport:
    async with AsyncMemory(settings) as memory:

        def search(request: SearchRequest) -> Awaitable[SearchResult]:
            scoped = replace(request, group=f"{PREFIX}/{request.group}")
            return memory.search(
                scoped.question, group=scoped.group, k=scoped.k, budget=scoped.budget, route=cast("Route", route)
            )

        return await locomo.run(path, search, budget=budget, on_progress=meter)


@bench.command("longmemeval")
def longmemeval_(
    path: Annotated[Path, typer.Argument(help="A LongMemEval file.")],
    out: OutOption = Path("bench-out"),
    route: Annotated[str, typer.Option("--route", help="The route to measure.")] = "system1",
    budget: BudgetOption = 1_000,
    judge_model: JudgeOption = None,
    at_once: AtOnceOption = 8,
    limit: LimitOption = None,
    price_in: PriceInOption = 0.0,
    price_out: PriceOutOption = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Remember the histories of a LongMemEval file, let the LLM answer its questions, and judge the answers."""
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        with metering(output.notes, quiet=as_json) as meter:
            remember(settings, path, meter, QA_PREFIX)
        wanted = Qa(
            data=path.name,
            prefix=QA_PREFIX,
            route=route,
            budget=budget,
            judge_model=judge_model,
            at_once=at_once,
            limit=limit,
            prices=Prices(input=price_in, output=price_out),
        )
        answer_all(settings, of_longmemeval(path), wanted, out, output)


@bench.command("ingest")
def ingest_(path: FileArgument, as_json: JsonOption = False) -> None:
    """Ingest a LoCoMo file into fresh groups, and say how many turns a second and where the time goes."""
    output = Output(json=as_json)
    with failing_clearly(output):
        settings = load_settings()
        with metering(output.notes, quiet=as_json) as meter:
            with Memory(settings) as memory:
                for conversation in read(path):
                    memory.forget(group=f"{PREFIX}/{conversation.name}")
            done = remember(settings, path, meter)
        output.show(done, lambda console: show_ingested(console, done))


bench.command("search")(search_)
