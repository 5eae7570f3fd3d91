"""What became of the files that were added: read, left out with a reason, or skipped because they hold no text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mnemo.models.results import Processed

__all__ = ["FileReport", "FilesAdded", "LeftOut", "Report"]

_SHOWN = 30
"""Lines of a report that name what was left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A file, or a part of one, that was not read."""

    file: str
    """Its path below the folder or archive that was read."""
    where: str = ""
    """Line number or JSON path of the part; empty for the whole file."""
    reason: str

    def __str__(self) -> str:
        """Return file, place and reason as one line."""
        return ": ".join(filter(None, (self.file, self.where, self.reason)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """One file of which at least one message was read."""

    file: str
    format: str
    conversations: int
    messages: int
    notes: tuple[str, ...] = ()
    """What the reader had to decide, such as the encoding; nothing is missing because of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of a path: final once every conversation was read to its end."""

    files: tuple[FileReport, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """Files and parts that should have been read and were not. Empty means that nothing is missing."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Files that hold no text to remember, counted by kind, such as images and hidden files."""

    @property
    def messages(self) -> int:
        """Messages read."""
        return sum(file.messages for file in self.files)

    def lines(self) -> Iterator[str]:
        """Yield the report as lines of text, such as `read 1 file, left out 5:`; nothing for one plain file."""
        if self.left_out:
            yield f"read {_count(len(self.files), 'file')}, left out {len(self.left_out)}:"
            yield from (f"  {each}" for each in self.left_out[:_SHOWN])
            if len(self.left_out) > _SHOWN:
                yield f"  and {len(self.left_out) - _SHOWN} more"
        elif len(self.files) != 1 or self.skipped:
            yield f"read {_count(len(self.files), 'file')}"
        if self.skipped:
            kinds = ", ".join(f"{kind}: {count:,}" for kind, count in self.skipped.items())
            yield f"skipped {_count(sum(self.skipped.values()), 'other file')} ({kinds})"
        for file in self.files:
            yield from (f"note: {file.file}: {note}" for note in file.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesAdded:
    """What `add_file` read, stored and replaced."""

    groups: tuple[str, ...]
    """Groups written to, in the order of their first message."""
    conversations: int
    """Conversations and documents read."""
    messages: int
    """Messages read, in the shape that the profile gives them."""
    new: int
    """Episodes that were not stored before."""
    known: int
    """Episodes that were stored already."""
    replaced: int
    """Episodes of former versions of documents, deleted."""
    processed: Processed | None
    """Result of processing; None if that was left for later."""
    elapsed_s: float
    report: Report = field(default_factory=Report)
    """Files read, and what was left out of them with the reasons."""

    @property
    def rate(self) -> float:
        """Episodes processed per second."""
        done = self.processed.done if self.processed else 0
        return done / self.elapsed_s if self.elapsed_s else 0.0


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
