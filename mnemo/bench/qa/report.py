"""What a run of questions and answers came to: pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from mnemo.bench.qa.runner import QaLine
from mnemo.bench.recall.metrics import mean
from mnemo.models.results import Usage

__all__ = ["Prices", "QaRow", "overlap", "qa_rows", "qa_table", "qa_usage"]

_WORD = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the", "and"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Of a million tokens, in any currency."""

    input: float = 0.0
    output: float = 0.0

    def of(self, usage: Usage) -> float:
        """Return what a usage costs."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QaRow:
    """One category's questions, or all of them."""

    category: str
    questions: int
    failed: int
    """Without a verdict, because an LLM failed; they count as neither right nor wrong."""
    correct: float
    """Percent of those with a verdict that the judge called right."""
    f1: float
    """Mean overlap of words with the right answer, in percent, over those with a verdict."""
    context_tokens: float
    """Mean of a question."""
    answer_tokens: float
    """Mean of a question, input and output, by the provider's count."""
    cost: float
    """Of search, answer and verdict together."""


def qa_rows(lines: Sequence[QaLine], prices: Prices | None = None) -> tuple[QaRow, ...]:
    """Return a row for each category, in order of first appearance, and one for `all`; none for no lines."""
    categories = dict.fromkeys(line.category for line in lines)
    parts = {name: [line for line in lines if line.category == name] for name in categories}
    return tuple(_row(name, part, prices or Prices()) for name, part in [*parts.items(), ("all", lines)] if part)


def qa_usage(lines: Sequence[QaLine]) -> Usage:
    """Return what all lines cost, failed ones included."""
    return sum((line.search + line.answering + line.judging for line in lines), Usage())


def overlap(answer: str, gold: str) -> float:
    """Return the F1 of the words of two texts, case, punctuation and articles apart: 0 to 1."""
    one, other = _words(answer), _words(gold)
    shared = sum((one & other).values())
    return 2 * shared / (sum(one.values()) + sum(other.values())) if shared else 0.0


def qa_table(rows: Sequence[QaRow]) -> Table:
    """Lay rows out for a terminal."""
    table = Table(title="Questions answered, as the judge sees it")
    for head in ("category", "n", "failed", "correct %", "F1 %", "context tokens", "answer tokens", "cost"):
        table.add_column(head, justify="left" if head == "category" else "right")
    for row in rows:
        table.add_row(
            row.category,
            str(row.questions),
            str(row.failed),
            f"{row.correct:.1f}",
            f"{row.f1:.1f}",
            f"{row.context_tokens:.0f}",
            f"{row.answer_tokens:.0f}",
            f"{row.cost:.4f}",
        )
    return table


def _row(name: str, lines: Sequence[QaLine], prices: Prices) -> QaRow:
    judged = [line for line in lines if line.correct is not None]
    return QaRow(
        category=name,
        questions=len(lines),
        failed=len(lines) - len(judged),
        correct=100 * mean([float(bool(line.correct)) for line in judged]),
        f1=100 * mean([overlap(line.answer, line.gold) for line in judged]),
        context_tokens=mean([float(line.context_tokens) for line in lines]),
        answer_tokens=mean([float(line.answering.input_tokens + line.answering.output_tokens) for line in lines]),
        cost=prices.of(qa_usage(lines)),
    )


def _words(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text.casefold()) if word not in _ARTICLES)
