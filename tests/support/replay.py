"""The sample conversation all the way through an LLM's path: remembered, sorted, asked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from mnemo import samples
from mnemo.config import Settings
from mnemo.hierarchy.categories.builder import BuildResult
from mnemo.ingestion.readers import read
from mnemo.memory import AsyncMemory
from mnemo.models.graph import Message
from mnemo.models.results import Answer, Processed, Route
from mnemo.providers.base import Embedder
from support.llm_server import LlmServer
from support.replies import FOLDER

__all__ = ["Walked", "messages", "prepared", "questions", "replaying", "walk"]

_LATE = 5
"""Sessions that come when the hierarchy stands."""


@dataclass(frozen=True, slots=True)
class Walked:
    """What came of the sample."""

    processed: tuple[Processed, Processed]
    """Of all sessions but the last few, and of these, which came to a hierarchy that stood."""
    built: BuildResult
    answers: tuple[Answer, ...]


def replaying(server: LlmServer, settings: Settings) -> Settings:
    """Return settings whose LLM is the scripted server, in the paper's profile and without the tree over episodes.

    That tree asks for a summary at each insert, which nobody has written by hand.
    """
    llm = server.settings(llm={"timeout_s": 30.0}).llm
    ingestion = settings.ingestion.model_copy(update={"profile": "paper", "extractor": "llm"})
    tree = settings.memtree.model_copy(update={"enabled": False})
    return settings.model_copy(update={"llm": llm, "ingestion": ingestion, "memtree": tree})


def messages() -> list[Message]:
    """Return the sample's messages."""
    return [message for conversation in read(samples.conversation()) for message in conversation.messages]


def parted() -> tuple[list[Message], list[Message]]:
    """Return the messages of all sessions but the last few, and those of these."""
    told = messages()
    sessions = list(dict.fromkeys(each.session for each in told))
    late = sessions[-_LATE:]
    return [each for each in told if each.session not in late], [each for each in told if each.session in late]


def questions() -> list[str]:
    """Return the questions that have a recorded answer."""
    recorded = json.loads((FOLDER / "answer.json").read_text(encoding="utf-8"))
    return [each["question"] for each in recorded["replies"]]


async def prepared(memory: AsyncMemory) -> None:
    """Remember and sort the sample in the memory's own group, unless that is done."""
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
    """Remember the sample in a group, sort it before its last sessions come, ask its questions, and forget the group.

    Args:
        settings: As `replaying` gives them.
        group: New to the database.
        embedder: None is that of the settings.
        route: Of the questions.
        asked: None is all that have a recorded answer.
    """
    async with AsyncMemory(settings, group=group, embedder=embedder) as memory:
        try:
            early, late = parted()
            first = (await memory.add(early)).processed
            built = await memory.build_hierarchy()
            last = (await memory.add(late)).processed
            wanted = questions() if asked is None else asked
            answers = [await memory.ask(question, route=route) for question in wanted]
        finally:
            await memory.forget(group=group)
    assert first is not None
    assert last is not None
    return Walked((first, last), built, tuple(answers))
