"""Surveys a path before anything is stored: formats, speakers, dates and sizes, file by file."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.reading import Reading
from mnemo.models.files import Report

__all__ = ["FileSurvey", "Survey", "survey"]

_SECONDS_A_MESSAGE = 0.01
_SECONDS_A_CHARACTER = 0.0002
"""Of the whole import on two cores: 28 chat messages a second, of about 130 characters each."""


@dataclass(slots=True, kw_only=True)
class FileSurvey:
    """One file."""

    file: str
    format: str = ""
    conversations: int = 0
    messages: int = 0
    characters: int = 0
    undated: int = 0
    """Messages whose time is unknown."""
    first: datetime | None = None
    """Time of the earliest message, aware; None where all are unknown."""
    last: datetime | None = None
    speakers: Counter[str] = field(default_factory=Counter)
    """Messages by speaker, most first."""

    @property
    def local_seconds(self) -> float:
        """About how long the local models take."""
        return self.messages * _SECONDS_A_MESSAGE + self.characters * _SECONDS_A_CHARACTER

    def take(self, conversation: Conversation) -> None:
        """Read a conversation and count it."""
        self.conversations += 1
        for message in conversation:
            self.messages += 1
            self.characters += len(message.content)
            if message.speaker is not None:
                self.speakers[message.speaker] += 1
            when = message.occurred_at
            if when is None:
                self.undated += 1
                continue
            self.first = when if self.first is None else min(self.first, when)
            self.last = when if self.last is None else max(self.last, when)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """All files, and what was left out."""

    files: tuple[FileSurvey, ...]
    report: Report

    @property
    def local_seconds(self) -> float:
        """About how long the local models take for all."""
        return sum(file.local_seconds for file in self.files)


def survey(reading: Reading) -> Survey:
    """Read all messages once, keep none, and return what they are.

    Raises:
        ReaderError: There is no such path, or a single file cannot be read.
    """
    found: dict[str, FileSurvey] = {}
    for conversation in reading:
        found.setdefault(conversation.file, FileSurvey(file=conversation.file)).take(conversation)
    report = reading.report()
    formats = {file.file: file.format for file in report.files}
    for file in found.values():
        file.format = formats.get(file.file, "")
    return Survey(files=tuple(file for file in found.values() if file.messages), report=report)
