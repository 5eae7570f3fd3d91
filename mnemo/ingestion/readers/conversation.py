"""What every reader yields: conversations whose messages are read lazily."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mnemo.models.graph import Message
from mnemo.models.group import MAX_GROUP_CHARS

__all__ = ["Conversation", "Tally", "conversation_name", "tally"]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation or document; iterate it for its messages, as often as needed."""

    name: str
    """Unique within one `read`, and fit to be a group or the start of a session's name."""
    source: str
    """The file it came from, as it was named to `read`."""
    load: Callable[[], Iterator[Message]]
    """Starts again at the first message; raises ReaderError at the message that does not fit."""
    scope: Literal["group", "session"] = "session"
    """`group`: each conversation gets its own memory (LoCoMo, LongMemEval). `session`: all share one memory."""
    path: str = ""
    """The absolute path of a document's file, by which the same file is recognised later."""
    file: str = ""
    """The file it came from, by its path below the folder or archive that was read."""

    @property
    def messages(self) -> Iterator[Message]:
        """The messages in order, read lazily, from the first one at each access."""
        return self.load()

    def __iter__(self) -> Iterator[Message]:
        """Yield the messages in order."""
        return self.load()


@dataclass(frozen=True, slots=True)
class Tally:
    """What conversations hold, without anything kept in memory."""

    conversations: int = 0
    messages: int = 0
    characters: int = 0
    """Of content alone."""
    undated: int = 0
    """Messages whose time is unknown."""


def tally(conversations: Iterable[Conversation]) -> Tally:
    """Count conversations, messages, characters and messages without a time; reads each once.

    Raises:
        ReaderError: A file does not fit its format.
    """
    count = Tally()
    for conversation in conversations:
        count = Tally(count.conversations + 1, count.messages, count.characters, count.undated)
        for message in conversation:
            count = Tally(
                count.conversations,
                count.messages + 1,
                count.characters + len(message.content),
                count.undated + (message.occurred_at is None),
            )
    return count


def conversation_name(text: str, fallback: str = "conversation") -> str:
    """Return text as one line fit for a group or a session: no control characters, at most 200 characters."""
    clean = "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Cn", "Zl", "Zp"} else c for c in text)
    return " ".join(clean.split())[:MAX_GROUP_CHARS].strip() or fallback
