"""Evidence recall on LoCoMo: ask every question, keep the rankings, score them."""

import json
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from mnemo.bench.recall.locomo_data import ANSWERABLE, CATEGORIES, LocomoQuestion, questions
from mnemo.bench.recall.metrics import Score, score, summary
from mnemo.files import write_atomically
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.models.results import SearchResult
from mnemo.retrieval.request import SearchRequest

__all__ = ["Asked", "LocomoReport", "Search", "run", "write"]

Search: TypeAlias = Callable[[SearchRequest], Awaitable[SearchResult]]
_DEPTH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question and what came back."""

    question: LocomoQuestion
    retrieved: tuple[str, ...]
    """Ids of turns, best first."""
    tokens: int
    """Of the context built within the budget."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LocomoReport:
    """All questions of a run."""

    asked: tuple[Asked, ...]

    @property
    def scores(self) -> tuple[Score, ...]:
        """How each question did, in the order in which they were asked."""
        return tuple(
            score(each.question.category, each.question.evidence, each.retrieved, each.tokens) for each in self.asked
        )

    def by_category(self) -> dict[str, dict[str, float]]:
        """Return the summary of each category that was asked, and of `all`; see `metrics.summary`."""
        scores = self.scores
        parts = {name: [each for each in scores if each.category == number] for number, name in CATEGORIES.items()}
        return {name: summary(part) for name, part in [*parts.items(), ("all", list(scores))] if part}

    @property
    def median_s(self) -> float:
        """Median seconds of a search, the embedding of the question included."""
        return statistics.median(each.seconds for each in self.asked) if self.asked else 0.0


async def run(
    path: Path,
    search: Search,
    *,
    categories: Sequence[int] = ANSWERABLE,
    budget: int = 1_000,
    on_progress: OnProgress = ignore_progress,
) -> LocomoReport:
    """Ask each question that has evidence of the group named like its conversation.

    Args:
        path: A LoCoMo file whose conversations are already ingested, each into its own group.
        search: The route to measure; asked for 50 episodes.
        categories: Of the questions to ask.
        budget: Tokens of each context.
        on_progress: Called with the stage `ask` after each question.

    Raises:
        ReaderError: The file is no LoCoMo file.
        MnemoError: As the search raises.
    """
    found = questions(path, categories)
    asked = []
    for question in found:
        request = SearchRequest(group=question.conversation, question=question.text, k=_DEPTH, budget=budget)
        start = time.perf_counter()
        result = await search(request)
        seconds = time.perf_counter() - start
        retrieved = tuple(dict.fromkeys(each.item.source_id for each in result.episodes))
        asked.append(Asked(question=question, retrieved=retrieved, tokens=result.context.tokens, seconds=seconds))
        on_progress(Progress(stage="ask", done=len(asked), total=len(found)))
    return LocomoReport(asked=tuple(asked))


def write(report: LocomoReport, out: Path, name: str = "locomo") -> tuple[Path, Path]:
    """Write the rankings as JSON lines (`question_id`, `retrieved`, `tokens`, `seconds`) and the metrics as JSON.

    Returns:
        Both files, `<name>.jsonl` and `<name>.json`.

    Raises:
        DiskError: The folder cannot be written.
    """
    lines = [
        json.dumps(
            {
                "question_id": each.question.id,
                "retrieved": list(each.retrieved),
                "tokens": each.tokens,
                "seconds": round(each.seconds, 4),
            }
        )
        for each in report.asked
    ]
    rankings, metrics = out / f"{name}.jsonl", out / f"{name}.json"
    write_atomically(rankings, "".join(f"{line}\n" for line in lines).encode())
    write_atomically(
        metrics, json.dumps({"metrics": report.by_category(), "median_s": report.median_s}, indent=2).encode()
    )
    return rankings, metrics
