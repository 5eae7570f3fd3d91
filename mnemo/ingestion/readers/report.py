"""What became of each file: read, left out with a reason, or skipped because it holds no text."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mnemo.errors import ReaderError

__all__ = ["FileReport", "Findings", "LeftOut", "Report", "StrictFindings", "summed"]

_KEPT_PARTS = 20
"""Parts of one file that are named one by one; the rest is counted."""
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


@dataclass(slots=True)
class Findings:
    """Collects what a reader finds out about one file while it reads."""

    file: str
    format: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    """Messages by conversation, of those read to their end."""
    conversations: int = 0
    notes: dict[str, None] = field(default_factory=dict)
    parts: dict[tuple[str, str], None] = field(default_factory=dict)
    """Place and reason of what was left out."""
    refused: str = ""
    """Why the whole file was left out."""

    def note(self, text: str) -> None:
        """Keep a remark about the file; the same one again is kept once."""
        self.notes[text] = None

    def leave_out(self, error: ReaderError, path: str) -> None:
        """Keep a part that cannot be read, or the whole file where the error names no place inside it."""
        where = error.place.removeprefix(path).strip(": ")
        if where:
            self.parts[where, error.reason] = None
        else:
            self.refused = error.reason

    def left_out(self) -> Sequence[LeftOut]:
        """Return what is missing, the parts of one file bounded."""
        if not any(self.counts.values()):
            return [self._whole()] if len(self.counts) == self.conversations else []
        kept = [LeftOut(file=self.file, where=where, reason=reason) for where, reason in self.parts][:_KEPT_PARTS]
        if len(self.parts) > _KEPT_PARTS:
            kept.append(LeftOut(file=self.file, reason=f"and {len(self.parts) - _KEPT_PARTS} more parts of this file"))
        if self.refused:
            kept.append(LeftOut(file=self.file, where="from some point on", reason=self.refused))
        return kept

    def _whole(self) -> LeftOut:
        """Return the entry for a file that gave no message at all."""
        if self.refused or not self.parts:
            reason = self.refused or f"holds no messages (read as {self.format})"
            return LeftOut(file=self.file, reason=reason)
        where, reason = next(iter(self.parts))
        more = f" (and {len(self.parts) - 1} more like it)" if len(self.parts) > 1 else ""
        return LeftOut(file=self.file, where=where, reason=reason + more)

    def report(self) -> FileReport | None:
        """Return the file's entry, None if no message was read."""
        messages = sum(self.counts.values())
        if not messages and len(self.counts) == self.conversations:
            return None
        return FileReport(
            file=self.file,
            format=self.format,
            conversations=self.conversations,
            messages=messages,
            notes=tuple(self.notes),
        )


class StrictFindings(Findings):
    """Raises what cannot be read instead of going on without it."""

    def leave_out(self, error: ReaderError, path: str) -> None:  # noqa: ARG002  # the other findings need it
        """Raise the error."""
        raise error


def summed(findings: Sequence[Findings], skipped: Counter[str]) -> Report:
    """Join the findings of all files into one report."""
    return Report(
        files=tuple(report for each in findings if (report := each.report()) is not None),
        left_out=tuple(part for each in findings for part in each.left_out()),
        skipped=dict(skipped.most_common()),
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
