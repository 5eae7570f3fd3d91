"""Collects what was read, left out with a reason, or skipped because it holds no text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemo.errors import ReaderError
from mnemo.models.files import FileReport, LeftOut, Report

__all__ = ["Findings", "StrictFindings", "summed"]

_KEPT_PARTS = 20
"""Parts of one file that are named one by one; the rest is counted."""


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
