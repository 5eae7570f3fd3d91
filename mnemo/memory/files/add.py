"""Adds files: reads conversations, stores them in batches, and deletes what edited documents no longer contain."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Literal, Protocol

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.segmentation import segment
from mnemo.ingestion.readers import Conversation, read_path
from mnemo.memory.files.document_versions import DocumentVersion, EpisodeStore
from mnemo.models.files import FilesAdded
from mnemo.models.graph import Message
from mnemo.models.progress import OnProgress, Progress
from mnemo.models.results import Added

__all__ = ["FileOptions", "add_files"]

_BATCH = 500
"""Messages stored in one call."""


class MessageStore(EpisodeStore, Protocol):
    """Stores messages, and lists and deletes episodes; an `AsyncMemory` is one."""

    async def add(self, messages: Sequence[Message], *, group: str | None, when: Literal["later"]) -> Added:
        """Store messages without processing them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    """What to read, how to read it, and where to store it; see `AsyncMemory.add_file`."""

    path: Path
    group: str | None = None
    format: str | None = None
    zone: str | None = None
    dates: str | None = None
    columns: Mapping[str, str] | None = None
    session: str | None = None


async def add_files(
    memory: MessageStore, options: FileOptions, settings: IngestionSettings, on_progress: OnProgress
) -> FilesAdded:
    """Read a path and store all its messages; nothing is processed yet.

    Each conversation is stored before the next is read, so that a stopped call can be repeated.

    Args:
        memory: Memory to store in.
        options: What to read.
        settings: Profile, which shapes the messages, and the zone of times without one.
        on_progress: Called with the stage `store` after each conversation; the total grows with them.

    Raises:
        ReaderError: The path cannot be read.
        ArgumentError: There is no such format, zone or order of dates.
        StoreError: See its kinds.
    """
    start = perf_counter()
    total = FilesAdded(groups=(), conversations=0, messages=0, new=0, known=0, replaced=0, processed=None, elapsed_s=0)
    reading = read_path(
        options.path,
        options.format or "auto",
        zone=options.zone or settings.zone,
        dates=options.dates or "auto",
        columns=options.columns,
    )
    conversations = iter(reading)
    sessions = _Sessions(options.session)
    while (conversation := await asyncio.to_thread(next, conversations, None)) is not None:
        alone = conversation.file == options.path.name
        messages = sessions.renamed(segment(conversation.messages, settings), alone=alone)
        total = _sum(total, await _add_conversation(memory, conversation, messages, options.group))
        on_progress(Progress(stage="store", done=total.conversations, total=total.conversations))
    return replace(total, report=reading.report(), elapsed_s=perf_counter() - start)


async def _add_conversation(
    memory: MessageStore, conversation: Conversation, messages: Iterator[Message], group: str | None
) -> FilesAdded:
    start = perf_counter()
    target = _group_of(conversation, group)
    version = DocumentVersion(conversation.path)
    groups: dict[str, None] = {}
    read_ = new = known = 0
    marked = version.marked(messages)
    while batch := await asyncio.to_thread(lambda: list(islice(marked, _BATCH))):
        added = await memory.add(batch, group=target, when="later")
        groups[added.group] = None
        read_, new, known = read_ + len(batch), new + added.new, known + added.known
        version.note(batch, added.uuids)
    return FilesAdded(
        groups=tuple(groups),
        conversations=1,
        messages=read_,
        new=new,
        known=known,
        replaced=await version.forget_replaced(memory, target),
        processed=None,
        elapsed_s=perf_counter() - start,
    )


def _group_of(conversation: Conversation, group: str | None) -> str | None:
    if conversation.scope == "session":
        return group
    return conversation.name if group is None else f"{group}/{conversation.name}"


def _sum(total: FilesAdded, added: FilesAdded) -> FilesAdded:
    return replace(
        total,
        groups=tuple(dict.fromkeys((*total.groups, *added.groups))),
        conversations=total.conversations + added.conversations,
        messages=total.messages + added.messages,
        new=total.new + added.new,
        known=total.known + added.known,
        replaced=total.replaced + added.replaced,
    )


class _Sessions:
    """Puts messages under the session that the caller named."""

    def __init__(self, name: str | None) -> None:
        """Take the name; None keeps the sessions as they are."""
        self._name = name
        self._first: str | None = None

    def renamed(self, messages: Iterator[Message], *, alone: bool) -> Iterator[Message]:
        """Yield messages: those of the first session of a file under the name itself, others below it.

        Args:
            messages: In order.
            alone: Whether they come from the only file; those of a folder or archive are all below the name.
        """
        for message in messages:
            if self._name is None:
                yield message
                continue
            if self._first is None:
                self._first = message.session
            is_first = alone and message.session == self._first
            yield replace(message, session=self._name if is_first else f"{self._name}/{message.session}")
