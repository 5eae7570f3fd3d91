"""One file to read: its bytes, its encoding, its lines, and errors that name the place."""

import io
import os
import stat
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.files.encoding import Encoding, encoding_of
from mnemo.ingestion.readers.files.signatures import SNIFFED_BYTES, binary_kind
from mnemo.ingestion.readers.report import Findings

__all__ = ["MAX_FILE_BYTES", "EmptyFileError", "FileSource", "Source", "describe", "format_error", "shown_path"]

MAX_FILE_BYTES = 20_000_000_000
"""Largest file that is read; all formats but PDF, Word and single JSON objects are streamed."""
_BLOCK = 1 << 16
_SHOWN_CHARS = 40
_READING = (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What reading a file or a packed file raises; RuntimeError is a password that is missing."""


class EmptyFileError(ReaderError):
    """A file holds nothing to read; in a folder it is skipped."""


def describe(value: object) -> str:
    """Describe a JSON value for an error without showing its content."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else type(value).__name__)


def format_error(place: str, reason: str) -> ReaderError:
    """Return the error for a place (`file`, `file:line` or `file: JSON path`)."""
    return ReaderError(reason, place=place)


def shown_path(path: Path | str) -> str:
    r"""Return a path as text; bytes of its name that are not UTF-8 show as `\xe9`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class Source(ABC):
    """One file: of a folder or of an archive.

    `path` is how errors show it, `name` what its conversation is called if the format names none (its path below
    the folder read, without suffix), `label` its file name as `Message.source` shows it, `suffix` the lower-case
    ending with its dot, `findings` where a reader notes what it leaves out, `cache` a place for what was parsed
    of this file, and `shared` one for what all files of a folder or archive need, such as a list of users.
    """

    def __init__(self, path: str, name: str, findings: Findings, shared: dict[Any, Any]) -> None:
        """Keep the name and the path; nothing is opened yet."""
        self.path = path
        self.name = name
        self.findings = findings
        self.shared = shared
        self.cache: dict[str, Any] = {}
        self.label = Path(path).name
        self.suffix = Path(path).suffix.lower()

    @abstractmethod
    def open(self) -> BinaryIO:
        """Open it from the start; the caller closes it."""

    @abstractmethod
    def neighbour(self, name: str, up: int = 0) -> "Source | None":
        """Return the file of that name in the same folder, or in the folder `up` levels above; None if it is none."""

    @property
    @abstractmethod
    def folders(self) -> tuple[str, ...]:
        """Names of the folders that it is in, the nearest last."""

    @property
    def identity(self) -> str:
        """The absolute path, by which the same file is recognised later."""
        return self.path

    @contextmanager
    def mapped_errors(self) -> Iterator[None]:
        """Turn errors of the file system and of archives into a ReaderError."""
        try:
            yield
        except ReaderError:
            raise
        except _READING as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise format_error(self.path, f"cannot be read: {reason[:1].lower()}{reason[1:]}") from error

    def head(self, size: int = SNIFFED_BYTES) -> bytes:
        """Return the first bytes.

        Raises:
            ReaderError: The file cannot be read.
        """
        with self.mapped_errors(), self.open() as file:
            return file.read(size)

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding, noted in the findings where it is unusual.

        Raises:
            ReaderError: The file is missing, unreadable, empty or binary.
        """
        head = self.head()
        if not head.strip():
            raise EmptyFileError("is empty", place=self.path)
        if kind := binary_kind(head):
            raise format_error(self.path, f"is {kind}, not text")
        found = encoding_of(head, self._byte_blocks())
        if found.note:
            self.findings.note(found.note)
        return found

    def _byte_blocks(self) -> Iterator[bytes]:
        with self.mapped_errors(), self.open() as file:
            while block := file.read(_BLOCK):
                yield block

    @contextmanager
    def _opened(self) -> Iterator[io.TextIOWrapper]:
        encoding = self.encoding
        with (
            self.mapped_errors(),
            io.TextIOWrapper(self.open(), encoding=encoding.codec, errors=encoding.errors) as file,
        ):
            yield file

    def blocks(self) -> Iterator[str]:
        """Yield the text in blocks of about 65,536 characters, line ends as newlines.

        Raises:
            ReaderError: The file cannot be read.
        """
        with self._opened() as file:
            while block := file.read(_BLOCK):
                yield block

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield line numbers from 1 and lines without their ends, streamed.

        Raises:
            ReaderError: The file cannot be read.
        """
        with self._opened() as file:
            for number, line in enumerate(file, 1):
                yield number, line.rstrip("\n")

    def place(self, where: int | str) -> str:
        """Return `file:line` for a line number, `file:line: path` for both, `file: path` for a JSON path."""
        text = str(where)
        return f"{self.path}:{text}" if text[0].isdigit() else f"{self.path}: {text}"

    def error(self, where: int | str, reason: str) -> ReaderError:
        """Make the error for a place in this file."""
        return format_error(self.place(where), reason)

    def leave_out(self, error: ReaderError) -> None:
        """Skip a part that cannot be read; raise its error if everything has to be read."""
        self.findings.leave_out(error, self.path)

    def shown(self, text: object) -> str:
        """Show a wrong short value, such as a time, cut to 40 characters."""
        return repr(text[:_SHOWN_CHARS]) if isinstance(text, str) else repr(text)[:_SHOWN_CHARS]


class FileSource(Source):
    """A file of the file system."""

    def __init__(self, file: Path, name: str, findings: Findings, shared: dict[Any, Any] | None = None) -> None:
        """Keep the path; nothing is opened yet."""
        super().__init__(shown_path(file), name, findings, {} if shared is None else shared)
        self._file = file

    def open(self) -> BinaryIO:
        """Open the file.

        Raises:
            ReaderError: It is a device, a pipe or a socket, or larger than `MAX_FILE_BYTES`.
        """
        status = self._file.stat()
        if not stat.S_ISREG(status.st_mode):
            kinds = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
            kind = kinds.get(stat.S_IFMT(status.st_mode), "a device")
            raise format_error(self.path, f"is {kind}, not a file; write what it gives to a file and add that")
        if status.st_size > MAX_FILE_BYTES:
            size, most = (f"{count / 1e9:.1f} GB" for count in (status.st_size, MAX_FILE_BYTES))
            raise format_error(self.path, f"has {size}, and files may have at most {most}; divide it")
        return self._file.open("rb")

    def neighbour(self, name: str, up: int = 0) -> Source | None:
        """Return the file of that name in the same folder, or `up` levels above."""
        folder = self._file.absolute().parent
        for _ in range(up):
            folder = folder.parent
        file = folder / name
        return FileSource(file, file.stem, Findings(name), self.shared) if file.is_file() else None

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders that it is in, the nearest last."""
        return self._file.absolute().parent.parts[1:]

    @property
    def identity(self) -> str:
        """The resolved path."""
        return str(self._file.resolve())
