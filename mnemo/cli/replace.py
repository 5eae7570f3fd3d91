"""A document that comes again, changed: what of it is no longer there goes, with all that rested on it alone."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from mnemo.memory import Memory
from mnemo.models.graph import Episode, Message

__all__ = ["Versions"]

_PAGE = 1_000
_FILE_CHARS = 16
_KEY = "file"
"""Of a document's metadata: which file it came from, so that another one of its name is left alone."""


@dataclass(slots=True)
class Versions:
    """What of one document was stored in this run; for a conversation that is none, nothing."""

    path: str
    """Of its file; empty for what is no document."""
    group: str = ""
    uuids: set[str] = field(default_factory=set)
    texts: dict[str, list[str]] = field(default_factory=dict)
    """By session, in order."""

    def marked(self, messages: Iterator[Message]) -> Iterator[Message]:
        """Yield messages, those of documents with a mark of their file."""
        mark = self._mark()
        for message in messages:
            is_part = bool(self.path) and message.role == "document"
            yield replace(message, metadata={**message.metadata, _KEY: mark}) if is_part else message

    def stored(self, group: str, messages: Iterable[Message], uuids: Iterable[str]) -> None:
        """Note a batch."""
        self.group = group
        self.uuids.update(uuids)
        for message in messages:
            if _KEY in message.metadata:
                self.texts.setdefault(message.session, []).append(message.content)

    def forget_replaced(self, memory: Memory) -> int:
        """Delete what earlier versions of the document left behind; return how many episodes.

        An episode of its session goes when it came from the same file, or when the new text contains it: then
        nothing is lost.
        """
        gone = []
        for session, contents in self.texts.items():
            text = _flat("\n".join(contents))
            before = [e for e in _episodes(memory, self.group, session) if e.role == "document"]
            for episode in before:
                same = episode.metadata.get(_KEY) == self._mark()
                if episode.uuid not in self.uuids and (same or _flat(episode.content) in text):
                    gone.append(episode.uuid)
        return memory.forget(gone, group=self.group).episodes if gone else 0

    def _mark(self) -> str:
        return hashlib.sha256(self.path.encode("utf-8", "surrogateescape")).hexdigest()[:_FILE_CHARS]


def _episodes(memory: Memory, group: str, session: str) -> Iterator[Episode]:
    cursor: str | None = None
    while True:
        page = memory.list("episodes", group=group, session=session, cursor=cursor, limit=_PAGE)
        yield from (item for item in page.items if isinstance(item, Episode))
        cursor = page.cursor
        if cursor is None:
            return


def _flat(text: str) -> str:
    return " ".join(text.split())
