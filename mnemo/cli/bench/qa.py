"""Questions and answers by a live LLM: `bench locomo --qa` and `bench longmemeval`."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console

from mnemo.bench.qa import runner
from mnemo.bench.qa.data import QaQuestion
from mnemo.bench.qa.report import Prices, qa_rows, qa_table, qa_usage
from mnemo.cli.rendering.output import Output
from mnemo.cli.rendering.progress import progress_bars
from mnemo.cli.rendering.results import usage
from mnemo.config import Settings
from mnemo.errors import ArgumentError, ConfigError
from mnemo.memory import AsyncMemory
from mnemo.models.progress import OnProgress
from mnemo.models.results import Route, SearchResult
from mnemo.providers.factory import build_llm

__all__ = ["AtOnceOption", "JudgeOption", "LimitOption", "PriceInOption", "PriceOutOption", "QaOptions", "answer_all"]

JudgeOption = Annotated[
    str | None, typer.Option("--judge-model", help="Model that grades; by default the one that answers.")
]
AtOnceOption = Annotated[int, typer.Option("--at-once", min=1, max=256, help="Questions asked concurrently.")]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, help="Ask only the first questions, at most this many.")
]
PriceInOption = Annotated[float, typer.Option("--price-in", min=0, help="Price of a million input tokens.")]
PriceOutOption = Annotated[float, typer.Option("--price-out", min=0, help="Price of a million output tokens.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class QaOptions:
    """Options of a run."""

    data: str
    """Name of the data file."""
    prefix: str
    """Prefix of the names of the conversations' groups."""
    route: str
    budget: int
    judge_model: str | None
    at_once: int
    limit: int | None
    prices: Prices


def answer_all(
    settings: Settings, questions: Sequence[QaQuestion], options: QaOptions, out: Path, output: Output
) -> None:
    """Answer questions, grade the answers, keep raw output in `out`, and print results by category.

    Raises:
        ConfigError: No LLM is configured.
        ArgumentError: There are no questions, or `out` has output of a run with other options.
    """
    chosen = questions[: options.limit]
    if not chosen:
        message = f"{options.data} has no questions of the chosen categories"
        raise ArgumentError(message)
    with progress_bars(output) as on_progress:
        lines, path = asyncio.run(_answered(settings, chosen, options, out, on_progress))
    rows = qa_rows(lines, options.prices)

    def show(console: Console) -> None:
        console.print(qa_table(rows))
        console.print(f"{usage(qa_usage(lines))}; raw output in {path}", style="dim", soft_wrap=True)

    output.show({"rows": rows, "usage": qa_usage(lines), "raw": str(path)}, show)


async def _answered(
    settings: Settings, questions: Sequence[QaQuestion], options: QaOptions, out: Path, on_progress: OnProgress
) -> tuple[tuple[runner.QaLine, ...], Path]:
    llm = build_llm(settings)
    if llm is None:
        message = "an LLM must answer and grade the questions; set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
        raise ConfigError(message)
    judge_settings = settings.llm.model_copy(update={"model": options.judge_model or settings.llm.model})
    judge = build_llm(settings.model_copy(update={"llm": judge_settings})) or llm
    run = runner.Run(
        data=options.data,
        route=options.route,
        budget=options.budget,
        k=settings.search.k,
        model=llm.model,
        judge=judge.model,
    )
    try:
        recorder = runner.Recorder(out, f"{Path(options.data).stem}-qa-{options.route}", run)
        async with AsyncMemory(settings) as memory:

            async def find(question: QaQuestion) -> SearchResult:
                group = f"{options.prefix}/{question.conversation}"
                route = cast("Route", options.route)
                return await memory.search(question.text, group=group, budget=options.budget, route=route)

            lines = await runner.run(
                questions,
                find,
                llm=llm,
                judge=judge,
                recorder=recorder,
                at_once=options.at_once,
                on_progress=on_progress,
            )
        return lines, recorder.path
    finally:
        await asyncio.gather(llm.close(), judge.close())
