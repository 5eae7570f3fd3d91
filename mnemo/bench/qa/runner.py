"""Answers to a benchmark's questions by a live LLM, judged by one: resumable, side by side, everything kept.

Each question costs one search, one call for the answer and one for the verdict. Its line in
`<name>.jsonl` is written as soon as it is done; a run that is started again with the same settings asks
only what has no line yet, and what failed.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from mnemo.bench.qa.data import QaQuestion
from mnemo.bench.qa.prompts import GradeReply, QaReply, answer_prompt, verdict_prompt
from mnemo.errors import ArgumentError, ProviderError
from mnemo.files import disk_errors, write_atomically
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.models.results import SearchResult, Usage
from mnemo.providers.base import Llm

__all__ = ["Find", "QaLine", "Recorder", "Run", "answered", "run"]

Find: TypeAlias = Callable[[QaQuestion], Awaitable[SearchResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Settings of a run; lines of two different ones never stand in one file."""

    data: str
    """Name of the data file."""
    route: str
    budget: int
    k: int
    model: str
    judge: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QaLine:
    """One question with all that came back: a line of the raw output."""

    id: str
    category: str
    question: str
    gold: str
    context: str
    context_tokens: int
    """By the offline counter."""
    search_s: float
    seconds: float
    """Search, answer and verdict."""
    reasoning: str = ""
    answer: str = ""
    correct: bool | None = None
    """None where an LLM failed."""
    reason: str = ""
    error: str = ""
    """Kind of the failure; such a question is asked again by the next run."""
    route: str = ""
    """The route that was taken."""
    search: Usage = field(default_factory=Usage)
    answering: Usage = field(default_factory=Usage)
    judging: Usage = field(default_factory=Usage)


class Recorder:
    """The raw output of a run: `<name>.jsonl`, one line a question, and `<name>.run.json`, its settings."""

    def __init__(self, folder: Path, name: str, settings: Run) -> None:
        """Open a run, or go on with it.

        Raises:
            ArgumentError: The folder has that name's output of other settings.
            DiskError: The folder cannot be written.
        """
        self.path = folder / f"{name}.jsonl"
        marker = folder / f"{name}.run.json"
        if marker.exists():
            before = json.loads(marker.read_text(encoding="utf-8"))
            if before != asdict(settings):
                changed = sorted(key for key, value in asdict(settings).items() if before.get(key) != value)
                message = f"{self.path} is of a run with another {', '.join(changed)}; choose another --out"
                raise ArgumentError(message)
        else:
            write_atomically(marker, json.dumps(asdict(settings), indent=2))
        self.lines = _whole(self.path)

    def keep(self, line: QaLine) -> None:
        """Append a line, on disk when this returns.

        Raises:
            DiskError: It cannot be written.
        """
        self.lines[line.id] = line
        with disk_errors(self.path), self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(line), ensure_ascii=False) + "\n")

    def left(self, questions: Sequence[QaQuestion]) -> list[QaQuestion]:
        """Return the questions without a verdict, in order."""
        return [each for each in questions if each.id not in self.lines or self.lines[each.id].correct is None]


async def run(  # noqa: PLR0913  # the parts of a run, each by its name
    questions: Sequence[QaQuestion],
    find: Find,
    *,
    llm: Llm,
    judge: Llm,
    recorder: Recorder,
    at_once: int = 8,
    on_progress: OnProgress = ignore_progress,
) -> tuple[QaLine, ...]:
    """Ask what is left, and return the lines of all questions in their order.

    Args:
        questions: All of the run.
        find: Searches the memory of the question's conversation.
        llm: Answers.
        judge: Says whether the answers are right.
        recorder: Keeps the lines.
        at_once: Questions side by side, at least 1.
        on_progress: Called with the stage `answer` after each question.

    Raises:
        MnemoError: The search failed, or the disk; what was done is kept. An LLM's failure is a line's.
    """
    gate = asyncio.Semaphore(at_once)
    left = recorder.left(questions)
    done = len(questions) - len(left)
    on_progress(Progress(stage="answer", done=done, total=len(questions)))

    async def one(question: QaQuestion) -> None:
        nonlocal done
        async with gate:
            recorder.keep(await answered(question, find, llm, judge))
        done += 1
        on_progress(Progress(stage="answer", done=done, total=len(questions)))

    tasks = [asyncio.create_task(one(question)) for question in left]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return tuple(recorder.lines[each.id] for each in questions)


async def answered(question: QaQuestion, find: Find, llm: Llm, judge: Llm) -> QaLine:
    """Search, answer and judge one question; an LLM that fails makes a line with `error`."""
    start = time.perf_counter()
    result = await find(question)
    found: dict[str, Any] = {
        "id": question.id,
        "category": question.category,
        "question": question.text,
        "gold": question.gold,
        "context": result.context.text,
        "context_tokens": result.context.tokens,
        "search_s": round(time.perf_counter() - start, 4),
        "route": result.route,
        "search": result.usage,
    }
    try:
        reply = await llm.complete(answer_prompt(question, result.context.text), QaReply)
        found |= {"reasoning": reply.value.reasoning, "answer": reply.value.answer, "answering": reply.usage}
        verdict = await judge.complete(verdict_prompt(question, reply.value.answer), GradeReply)
        found |= {"correct": verdict.value.correct, "reason": verdict.value.reason, "judging": verdict.usage}
    except ProviderError as error:
        found["error"] = type(error).__name__
    return QaLine(**found, seconds=round(time.perf_counter() - start, 4))


def _whole(path: Path) -> dict[str, QaLine]:
    """Return the lines of a file, the last one for each id, without one that a crash has cut; mends the file."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    kept = text[: text.rfind("\n") + 1]
    if kept != text:
        write_atomically(path, kept)
    lines = (_line(json.loads(line)) for line in kept.splitlines())
    return {line.id: line for line in lines}


def _line(fields: Mapping[str, Any]) -> QaLine:
    usages = {name: Usage(**fields[name]) for name in ("search", "answering", "judging")}
    return QaLine(**{**fields, **usages})
