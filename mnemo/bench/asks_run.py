"""Ingest conversations without an LLM and ask their questions, each as if on the day after the last message."""

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
class _Fixed:
    """A clock that always shows the same moment, so that what is to come stays to come."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


def local_only(settings: Settings) -> Settings:
    """Return settings with the local extractor, no LLM and no online tree; the rest as it is."""
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
    """Ask each question of its conversation, ingested into a new group that is forgotten afterwards.

    Args:
        questions: In any order.
        conversations: The file of each conversation that the questions name; any format.
        settings: Of the server and the models; see `local_only`.
        embedder: Wins over the settings, and stays open.
        on_progress: Called with the number of questions asked and of all.

    Returns:
        Outcomes by conversation, in order of first appearance; within one in the order of its questions.

    Raises:
        KeyError: A question names a conversation without a file.
        MnemoError: A file cannot be read, or the memory fails.
    """
    outcomes: list[AskOutcome] = []
    for name in dict.fromkeys(each.conversation for each in questions):
        messages = [message for part in read(conversations[name]) for message in part.messages]
        clock, group = _Fixed(_day_after(messages)), f"asks/{name}/{uuid.uuid4().hex}"
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
