"""Ingests conversations without an LLM and asks their questions as if on the day after the last message."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from mnemo import AsyncMemory, Message
from mnemo.bench.asks import AskOutcome, AskQuestion, outcome
from mnemo.clock import DISTANT_PAST
from mnemo.config import Settings
from mnemo.ingestion.readers import read
from mnemo.providers.base import Embedder

__all__ = ["local_only", "run"]


@dataclass(frozen=True, slots=True)
class _FixedClock:
    """A clock that always returns the same moment, so that future facts stay in the future."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


def local_only(settings: Settings) -> Settings:
    """Return settings with the local extractor, without an LLM and without a memtree."""
    return settings.model_copy(
        update={
            "llm": settings.llm.model_copy(update={"provider": "none"}),
            "ingestion": settings.ingestion.model_copy(update={"extractor": "local"}),
            "memtree": settings.memtree.model_copy(update={"enabled": False}),
        }
    )


async def run(
    questions: Sequence[AskQuestion],
    conversations: Mapping[str, Path],
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[AskOutcome, ...]:
    """Ask each question about its conversation, which is ingested into a temporary group.

    Args:
        questions: In any order.
        conversations: File of each conversation by name, in any format.
        settings: Settings of the server and the models; see `local_only`.
        embedder: Overrides the settings; it is not closed.
        on_progress: Called with the number of questions asked and their total.

    Returns:
        Outcomes by conversation in order of first appearance, each in the order of its questions.

    Raises:
        KeyError: A question names a conversation without a file.
        MnemoError: A file cannot be read, or the memory fails.
    """
    outcomes: list[AskOutcome] = []
    for name in dict.fromkeys(each.conversation for each in questions):
        messages = [message for part in read(conversations[name]) for message in part.messages]
        clock, group = _FixedClock(_day_after(messages)), f"asks/{name}/{uuid.uuid4().hex}"
        async with AsyncMemory(settings, group=group, embedder=embedder, clock=clock) as memory:
            try:
                await memory.add(messages)
                for question in (each for each in questions if each.conversation == name):
                    answer = await memory.ask(question.text)
                    context = answer.result.context.text
                    outcomes.append(outcome(question, answer.text, by=answer.by, context=context))
                    on_progress(len(outcomes), len(questions))
            finally:
                await memory.forget(group=group)
    return tuple(outcomes)


def _day_after(messages: Sequence[Message]) -> datetime:
    times = [each.occurred_at for each in messages if each.occurred_at is not None]
    return max(times, default=DISTANT_PAST) + timedelta(days=1)
