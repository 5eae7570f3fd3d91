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
from mnemo.cli.rendering.progress import Meter, metering
from mnemo.cli.rendering.results import usage
from mnemo.config import Settings
from mnemo.errors import ArgumentError, ConfigError
from mnemo.memory import AsyncMemory
from mnemo.models.results import Route, SearchResult
from mnemo.providers.factory import build_llm

__all__ = ["AtOnceOption", "JudgeOption", "LimitOption", "PriceInOption", "PriceOutOption", "Qa", "answer_all"]

JudgeOption = Annotated[str | None, typer.Option("--judge-model", help="Who judges; the answering model if not given.")]
AtOnceOption = Annotated[int, typer.Option("--at-once", min=1, max=256, help="Questions side by side.")]
LimitOption = Annotated[int | None, typer.Option("--limit", min=1, help="Only so many questions, the first ones.")]
PriceInOption = Annotated[float, typer.Option("--price-in", min=0, help="Of a million input tokens, for the cost.")]
PriceOutOption = Annotated[float, typer.Option("--price-out", min=0, help="Of a million output tokens, for the cost.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Qa:
    """What a run is asked for."""

    data: str
    """Name of the data file."""
    prefix: str
    """Of the conversations' groups."""
    route: str
    budget: int
    judge_model: str | None
    at_once: int
    limit: int | None
    prices: Prices


def answer_all(settings: Settings, questions: Sequence[QaQuestion], wanted: Qa, out: Path, output: Output) -> None:
    """Answer and judge questions, keep the raw output in `out`, and print the result by category.

    Raises:
        ConfigError: No LLM is configured.
        ArgumentError: There is no question, or `out` has the output of another run.
    """
    chosen = questions[: wanted.limit]
    if not chosen:
        message = f"wanted questions of the categories asked for, got none in {wanted.data}"
        raise ArgumentError(message)
    with metering(output.notes, quiet=output.json) as meter:
        lines, path = asyncio.run(_answered(settings, chosen, wanted, out, meter))
    rows = qa_rows(lines, wanted.prices)

    def show(console: Console) -> None:
        console.print(qa_table(rows))
        console.print(f"{usage(qa_usage(lines))}; raw output in {path}", style="dim", soft_wrap=True)

    output.show({"rows": rows, "usage": qa_usage(lines), "raw": str(path)}, show)


async def _answered(
    settings: Settings, questions: Sequence[QaQuestion], wanted: Qa, out: Path, meter: Meter
) -> tuple[tuple[runner.QaLine, ...], Path]:
    llm = build_llm(settings)
    if llm is None:
        message = "questions are answered and judged by an LLM: set OPENAI_API_KEY or MNEMO_LLM__BASE_URL"
        raise ConfigError(message)
    judge_settings = settings.llm.model_copy(update={"model": wanted.judge_model or settings.llm.model})
    judge = build_llm(settings.model_copy(update={"llm": judge_settings})) or llm
    run = runner.Run(
        data=wanted.data,
        route=wanted.route,
        budget=wanted.budget,
        k=settings.search.k,
        model=llm.model,
        judge=judge.model,
    )
    try:
        recorder = runner.Recorder(out, f"{Path(wanted.data).stem}-qa-{wanted.route}", run)
        async with AsyncMemory(settings) as memory:

            async def find(question: QaQuestion) -> SearchResult:
                group = f"{wanted.prefix}/{question.conversation}"
                route = cast("Route", wanted.route)
                return await memory.search(question.text, group=group, budget=wanted.budget, route=route)

            lines = await runner.run(
                questions,
                find,
                llm=llm,
                judge=judge,
                recorder=recorder,
                at_once=wanted.at_once,
                on_progress=meter,
            )
        return lines, recorder.path
    finally:
        await asyncio.gather(llm.close(), judge.close())
