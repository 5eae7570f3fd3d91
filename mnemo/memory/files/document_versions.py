"""Replaces a document that is added again after an edit: deletes passages that it no longer has."""

import hashlib
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from mnemo.models.graph import Episode, Message
from mnemo.models.results import Forgotten, Page

__all__ = ["DocumentVersion", "EpisodeStore"]

_PAGE = 1_000
_FILE_CHARS = 16
_FILE_KEY = "file"
"""Metadata key of the file that a passage came from, so that another file of the same name is left alone."""


class EpisodeStore(Protocol):
    """Lists and deletes episodes; an `AsyncMemory` is one."""

    async def list(
        self, kind: Literal["episodes"], *, group: str | None, session: str | None, cursor: str | None, limit: int
    ) -> Page[Episode]:
        """Return one page of a session."""
        ...

    async def forget(self, uuid: Sequence[str], *, group: str | None) -> Forgotten:
        """Delete episodes."""
        ...


@dataclass(slots=True)
class DocumentVersion:
    """What is stored of one document in this run; stays empty for a conversation."""

    path: str
    """Path of the file; empty if it is not a document."""
    uuids: set[str] = field(default_factory=set)
    texts: dict[str, list[str]] = field(default_factory=dict)
    """Contents by session, in order."""

    def marked(self, messages: Iterator[Message]) -> Iterator[Message]:
        """Yield the messages, with the file in the metadata of those that are parts of a document."""
        mark = self._mark()
        for message in messages:
            is_part = bool(self.path) and message.role == "document"
            yield replace(message, metadata={**message.metadata, _FILE_KEY: mark}) if is_part else message

    def note(self, messages: Iterable[Message], uuids: Iterable[str]) -> None:
        """Record a stored batch."""
        self.uuids.update(uuids)
        for message in messages:
            if _FILE_KEY in message.metadata:
                self.texts.setdefault(message.session, []).append(message.content)

    async def forget_replaced(self, store: EpisodeStore, group: str | None) -> int:
        """Delete passages of former versions of the document; return how many.

        An episode of the same session is deleted if it came from the same file, or if the new text contains it.
        """
        replaced = []
        for session, contents in self.texts.items():
            text = _flat("\n".join(contents))
            async for episode in _episodes(store, group, session):
                if episode.role != "document" or episode.uuid in self.uuids:
                    continue
                if episode.metadata.get(_FILE_KEY) == self._mark() or _flat(episode.content) in text:
                    replaced.append(episode.uuid)
        return (await store.forget(replaced, group=group)).episodes if replaced else 0

    def _mark(self) -> str:
        return hashlib.sha256(self.path.encode("utf-8", "surrogateescape")).hexdigest()[:_FILE_CHARS]


async def _episodes(store: EpisodeStore, group: str | None, session: str) -> AsyncIterator[Episode]:
    cursor: str | None = None
    while True:
        page = await store.list("episodes", group=group, session=session, cursor=cursor, limit=_PAGE)
        for episode in page.items:
            yield episode
        cursor = page.cursor
        if cursor is None:
            return


def _flat(text: str) -> str:
    return " ".join(text.split())
