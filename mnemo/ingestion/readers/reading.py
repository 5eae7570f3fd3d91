"""Reads a file, a folder or an archive; parts that cannot be read are skipped and reported.

A folder holds files of any formats. What it cannot read is left out with the reason, what holds no text (images,
hidden files, accounts and settings of an export) is skipped and counted. A single file that cannot be read is an
error.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.checks import sound
from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.detect import CHATS, READERS, Format, UnknownShapeError, detect
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.archive import Archive
from mnemo.ingestion.readers.files.folder import SUFFIXES, listing, order, skipped_kind
from mnemo.ingestion.readers.files.packed import packed_kind
from mnemo.ingestion.readers.files.source import EmptyFileError, FileSource, Source, format_error, shown_path
from mnemo.ingestion.readers.report import Findings, summed
from mnemo.models.files import Report
from mnemo.models.graph import Message

__all__ = ["Reading"]

_Found: TypeAlias = tuple[Source, Format | None]
"""A file and its format; None for one that cannot be read, whose findings say why."""
_DOCUMENTS: frozenset[Format] = frozenset(("text", "markdown", "html", "pdf", "docx", "csv", "records"))


class Reading:
    """The conversations of a path, and a report of what was read; iterate it, then ask for the report."""

    def __init__(
        self,
        path: Path,
        format_: Format | Literal["auto"],
        options: Options,
        findings: Callable[[str], Findings] = Findings,
    ) -> None:
        """Keep what to read; nothing is opened yet.

        Args:
            path: A file, a folder or a zip archive.
            format_: Of all files, or `auto` to tell each by its content.
            options: How to read what files leave open.
            findings: Makes what notes problems; `StrictFindings` raises the first one.
        """
        self.path = path
        self._format = format_
        self._options = options
        self._make = findings
        self._findings: list[Findings] = []
        self._skipped: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Conversation]:
        """Yield the conversations with unique names; their messages are read when they are iterated.

        Raises:
            ReaderError: There is no such path, a folder holds no file of a format read here, or nothing of a
                single file can be read; that is known at the latest when its last conversation was read.
        """
        self._findings, self._skipped = [], Counter()
        names: Counter[str] = Counter()
        for source, format_ in self._files():
            if format_ is None:
                continue
            source.findings.format = format_
            for conversation in self._conversations(source, format_):
                names[conversation.name] += 1
                number = names[conversation.name]
                name = conversation.name if number == 1 else f"{conversation.name[:190]} #{number}"
                yield self._counted(replace(conversation, name=name, file=source.findings.file), source)
        self._check_single()

    def _check_single(self) -> None:
        """Raise where the path is one plain file, and its conversations were read and hold no message."""
        left = self._findings[0].left_out() if self.path.is_file() and len(self._findings) == 1 else ()
        if left and self._findings[0].file == self.path.name and self._findings[0].report() is None:
            path = shown_path(self.path)
            place = f"{path}: {left[0].where}" if left[0].where else path
            raise ReaderError(left[0].reason, place=place)

    def report(self) -> Report:
        """Return what became of each file; complete once all conversations were iterated to their ends."""
        return summed(self._findings, self._skipped)

    def _conversations(self, source: Source, format_: Format) -> Iterator[Conversation]:
        try:
            yield from READERS[format_](source, self._options)
        except ReaderError as error:
            source.leave_out(error)

    def _counted(self, conversation: Conversation, source: Source) -> Conversation:
        """Return the conversation with its messages checked and counted, and its errors noted."""
        findings = source.findings
        findings.conversations += 1
        load = conversation.load

        def counting() -> Iterator[Message]:
            count = 0
            try:
                for message in sound(load(), findings):
                    count += 1
                    yield message
            except ReaderError as error:
                source.leave_out(error)
            finally:
                findings.counts[conversation.name] = count

        return replace(conversation, load=counting)

    def _files(self) -> Iterator[_Found]:
        """Yield each readable file with its format."""
        if not self.path.exists():
            raise format_error(shown_path(self.path), "there is no such file or folder")
        if self.path.is_dir():
            yield from self._folder()
            return
        source = FileSource(self.path, self.path.stem, self._new(self.path.name))
        if _is_archive(source):
            self._findings.clear()
            yield from self._archive(source, "")
            return
        yield source, (detect(source, self._options) if self._format == "auto" else self._format)

    def _folder(self) -> Iterator[_Found]:
        found = listing(self.path)
        self._skipped += found.skipped
        for error in found.errors:
            self._new(self._below(Path(error.place))).leave_out(error, error.place)
        if not found.files and not found.errors:
            raise format_error(shown_path(self.path), f"holds no file that is read here: {', '.join(sorted(SUFFIXES))}")
        shared = {"vault": found.vault}
        for file in found.files:
            name = file.relative_to(self.path)
            source = FileSource(file, name.with_suffix("").as_posix(), self._new(name.as_posix()), shared)
            if _is_archive(source):
                self._findings.pop()
                yield from self._archive(source, f"{name.as_posix()}/")
            else:
                yield self._told(source)

    def _archive(self, source: FileSource, prefix: str) -> Iterator[_Found]:
        """Yield the files of an archive; where it holds a chat export, the chats alone."""
        archive = Archive(source)
        for error in archive.errors:
            inside = error.place.removeprefix(f"{source.path}/")
            self._new(prefix + inside).leave_out(error, error.place)
        found = [self._told(each) for each in self._entries(archive, prefix)]
        exports = any(format_ in CHATS for _, format_ in found)
        for each, format_ in found:
            if exports and (format_ in _DOCUMENTS or "shape" in each.cache):
                self._skip(each, "other parts of an export")
            else:
                yield each, format_
        if not found and not archive.errors:
            raise format_error(source.path, "is an archive without files that are read here")

    def _entries(self, archive: Archive, prefix: str) -> Iterator[Source]:
        paths = sorted(archive.paths(), key=lambda path: order(path.as_posix()))
        siblings: dict[str, set[str]] = {}
        for path in paths:
            siblings.setdefault(str(path.parent), set()).add(path.name)
        archive.shared["vault"] = any({".obsidian", ".logseq"} & set(path.parts) for path in paths)
        for path in paths:
            if any(part.startswith(".") or part == "__MACOSX" for part in path.parts):
                self._skipped["hidden"] += 1
            elif kind := skipped_kind(path.name, siblings[str(path.parent)]):
                self._skipped[kind] += 1
            elif (source := archive.source(path, self._new(prefix + path.as_posix()))) is not None:
                yield source

    def _told(self, source: Source) -> _Found:
        """Return a file with its format; with None where it is skipped, or left out with its reason."""
        try:
            format_ = detect(source, self._options) if self._format == "auto" else self._format
        except EmptyFileError:
            self._skip(source, "empty")
            return source, None
        except ReaderError as error:
            source.leave_out(error)
            if isinstance(error, UnknownShapeError):
                source.cache["shape"] = "unknown"
            return source, None
        if source.suffix == ".log" and format_ in _DOCUMENTS:
            self._skip(source, "of other kinds")
            return source, None
        return source, format_

    def _skip(self, source: Source, kind: str) -> None:
        self._findings.remove(source.findings)
        self._skipped[kind] += 1

    def _new(self, file: str) -> Findings:
        found = self._make(file)
        self._findings.append(found)
        return found

    def _below(self, path: Path) -> str:
        return path.relative_to(self.path).as_posix() if path.is_relative_to(self.path) else str(path)


def _is_archive(source: Source) -> bool:
    """Return whether a file is a zip archive of files, and not an Office file or the like."""
    try:
        return source.head(4) == b"PK\x03\x04" and packed_kind(source) is None
    except ReaderError:
        return False
