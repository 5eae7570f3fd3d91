"""Runs the sample conversation through the LLM path: ingestion, categories, questions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from mnemo import samples
from mnemo.config import Settings
from mnemo.ingestion.readers import read
from mnemo.memory import AsyncMemory
from mnemo.models.category_builds import BuildResult
from mnemo.models.graph import Message
from mnemo.models.results import Answer, Processed, Route
from mnemo.providers.base import Embedder
from support.llm_server import LlmServer
from support.replies import FOLDER

__all__ = ["Walked", "messages", "prepared", "questions", "replaying", "walk"]

_LATE = 5
"""Number of sessions added after the hierarchy is built."""


@dataclass(frozen=True, slots=True)
class Walked:
    """Results of the sample."""

    processed: tuple[Processed, Processed]
    """Results of the first sessions, and of the last ones, added after the hierarchy was built."""
    built: BuildResult
    answers: tuple[Answer, ...]


def replaying(server: LlmServer, settings: Settings) -> Settings:
    """Return settings with the scripted server as LLM, the `paper` profile and no memtree.

    The memtree requests a summary for each insert, and there are no recorded ones.
    """
    llm = server.settings(llm={"timeout_s": 30.0}).llm
    ingestion = settings.ingestion.model_copy(update={"profile": "paper", "extractor": "llm"})
    tree = settings.memtree.model_copy(update={"enabled": False})
    return settings.model_copy(update={"llm": llm, "ingestion": ingestion, "memtree": tree})


def messages() -> list[Message]:
    """Return the sample's messages."""
    return [message for conversation in read(samples.conversation()) for message in conversation.messages]


def parted() -> tuple[list[Message], list[Message]]:
    """Return the messages of the first sessions and those of the last few."""
    everything = messages()
    sessions = list(dict.fromkeys(each.session for each in everything))
    late = sessions[-_LATE:]
    return [each for each in everything if each.session not in late], [
        each for each in everything if each.session in late
    ]


def questions() -> list[str]:
    """Return the questions that have a recorded answer."""
    recorded = json.loads((FOLDER / "answer.json").read_text(encoding="utf-8"))
    return [each["question"] for each in recorded["replies"]]


async def prepared(memory: AsyncMemory) -> None:
    """Ingest the sample into the memory's group and build its categories, unless that is done."""
    done = (await memory.status()).done
    if done < len(messages()):
        await memory.add(messages())
    if done < len(messages()) or await memory.hierarchy("categories") is None:
        await memory.build_hierarchy()


async def walk(
    settings: Settings,
    group: str,
    *,
    embedder: Embedder | None = None,
    route: Route = "both",
    asked: Sequence[str] | None = None,
) -> Walked:
    """Ingest the sample, build its categories before its last sessions, ask its questions, and forget the group.

    Args:
        settings: Settings from `replaying`.
        group: Name of a new group.
        embedder: None uses that of the settings.
        route: Route of the questions.
        asked: Questions; None asks all that have a recorded answer.
    """
    async with AsyncMemory(settings, group=group, embedder=embedder) as memory:
        try:
            early, late = parted()
            first = (await memory.add(early)).processed
            built = await memory.build_hierarchy()
            last = (await memory.add(late)).processed
            to_ask = questions() if asked is None else asked
            answers = [await memory.ask(question, route=route) for question in to_ask]
        finally:
            await memory.forget(group=group)
    assert first is not None
    assert last is not None
    return Walked((first, last), built, tuple(answers))
