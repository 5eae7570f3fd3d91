"""A file on its way in: its encoding, its lines, its JSON, and errors that name the place."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemo.errors import ReaderError

__all__ = ["Source", "describe", "misfit"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SNIFFED_BYTES = 4096
_BLOCK_CHARS = 1 << 16
_SHOWN_CHARS = 40
_BLANKS = re.compile(r"[\s\x1e]*")


def describe(value: object) -> str:
    """Name a JSON value for an error without showing what it says."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else type(value).__name__)


def misfit(place: str, wanted: str, came: str) -> ReaderError:
    """Make the error that says `file:line` or `file: JSON path`, what was wanted, what came."""
    return ReaderError(f"{place}: wanted {wanted}, got {came}")


@dataclass(frozen=True, slots=True)
class Source:
    """One file and the name it goes by in errors and metadata."""

    path: Path
    name: str
    """The conversation's name if the format has none: the path below the folder read, without suffix."""

    @property
    def label(self) -> str:
        """The file as errors and `Message.source` show it."""
        return self.path.name

    def encoding(self) -> str:
        """Return the encoding by byte order mark, by zero bytes, else UTF-8.

        Raises:
            ReaderError: The file is missing, unreadable, empty or binary.
        """
        head = self._head()
        if not head.strip():
            raise misfit(str(self.path), "a file with content", "an empty file")
        for mark, name in _BOMS:
            if head.startswith(mark):
                return name
        if head.startswith(b"PK\x03\x04"):
            raise misfit(str(self.path), "a text file", "a zip archive (unpack it and read the folder)")
        even, odd = head[0::2].count(0), head[1::2].count(0)
        if not even and not odd:
            return "utf-8"
        if max(even, odd) * 5 < len(head):
            raise misfit(str(self.path), "a text file", "a binary file")
        return "utf-16-le" if odd > even else "utf-16-be"

    def _head(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                return file.read(_SNIFFED_BYTES)
        except OSError as error:
            raise misfit(str(self.path), "a file that can be read", error.strerror or type(error).__name__) from error

    def blocks(self) -> Iterator[str]:
        """Yield the text in blocks of 65,536 characters, line ends as newlines.

        Raises:
            ReaderError: The file cannot be read, or not in its encoding.
        """
        encoding = self.encoding()
        seen = 0
        try:
            with self.path.open(encoding=encoding) as file:
                while block := file.read(_BLOCK_CHARS):
                    seen += len(block)
                    yield block
        except UnicodeError as error:
            raise self._misfit_encoding(encoding, f"after character {seen}") from error
        except OSError as error:
            raise misfit(str(self.path), "a file that can be read", error.strerror or type(error).__name__) from error

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield line numbers from 1 and lines without their ends, streamed.

        Raises:
            ReaderError: The file cannot be read, or not in its encoding.
        """
        encoding = self.encoding()
        number = 0
        try:
            with self.path.open(encoding=encoding) as file:
                for number, line in enumerate(file, 1):
                    yield number, line.rstrip("\n")
        except UnicodeError as error:
            raise self._misfit_encoding(encoding, f"after line {number}") from error
        except OSError as error:
            raise misfit(str(self.path), "a file that can be read", error.strerror or type(error).__name__) from error

    def _misfit_encoding(self, encoding: str, place: str) -> ReaderError:
        return misfit(str(self.path), f"{encoding.upper()} text", f"other bytes {place} (save the file as UTF-8)")

    def values(self) -> Iterator[tuple[str, Any]]:
        """Yield JSON path and value of each item of a top-level array, or of the one top-level object.

        An array is streamed: one item at a time is in memory.

        Raises:
            ReaderError: It is no JSON array or object; names line and column.
        """
        buffer = _JsonBuffer(self)
        first = buffer.peek()
        if first != "[":
            value = buffer.value()
            buffer.end()
            yield "$", value
            return
        buffer.skip("[")
        index = 0
        while buffer.peek() != "]":
            if index:
                buffer.skip(",")
            yield f"$[{index}]", buffer.value()
            index += 1
        buffer.skip("]")
        buffer.end()

    def first(self) -> tuple[str, Any]:
        """Return JSON path and value of the first item of a top-level array, or of the first object; None of none.

        Raises:
            ReaderError: It does not begin with JSON.
        """
        if (buffer := _JsonBuffer(self)).peek() == "[":
            return next(self.values(), ("$", None))
        return "$", buffer.value()

    def place(self, where: int | str) -> str:
        """Return `file:line` for a line number, `file:line: path` for both, `file: path` for a JSON path."""
        text = str(where)
        return f"{self.path}:{text}" if text[0].isdigit() else f"{self.path}: {text}"

    def json_line(self, number: int, line: str) -> Any:
        """Parse one line of JSON Lines.

        Raises:
            ReaderError: The line is no JSON.
        """
        try:
            return json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            detail = (
                f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else "deep nesting"
            )
            raise misfit(self.place(number), "one JSON value on the line", detail) from error

    def shown(self, text: object) -> str:
        """Show a wrong short value, such as a time, cut to 40 characters."""
        return repr(text if not isinstance(text, str) else text[:_SHOWN_CHARS])


class _JsonBuffer:
    """The unread rest of a JSON file: grows by doubling, so that reading stays linear."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._blocks = source.blocks()
        self._text = ""
        self._at = 0
        self._lines = 1
        self._done = False
        self._decoder = json.JSONDecoder()

    def peek(self) -> str:
        """Return the next character that is no blank, "" at the end."""
        while True:
            self._at = self._match_blanks()
            if self._at < len(self._text) or not self._grow(1):
                return self._text[self._at : self._at + 1]

    def _match_blanks(self) -> int:
        match = _BLANKS.match(self._text, self._at)
        return match.end() if match else self._at

    def skip(self, character: str) -> None:
        """Step over one expected character."""
        if self.peek() != character:
            raise self._misfit(f"{character!r}")
        self._at += 1

    def end(self) -> None:
        """Check that nothing follows."""
        if self.peek():
            raise self._misfit("the end of the file (is it JSON Lines? then name the format)")

    def value(self) -> Any:
        """Parse the next value."""
        self.peek()
        wanted = _BLOCK_CHARS
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                beyond = error.pos - self._at
                if not self._grow(wanted):
                    raise self._malformed(error.msg, self._at + beyond) from error
                wanted *= 2
            except RecursionError as error:
                raise self._misfit("JSON of moderate depth") from error
            else:
                self._at = end
                return value

    def _malformed(self, problem: str, place: int) -> ReaderError:
        """Make the error for JSON that is wrong at a place of the text; a string that does not end, where it begins."""
        if problem.startswith(("Unterminated", "Invalid control")):
            place = self._text.rfind('"', self._at, place)
        self._at = min(max(self._at, place), len(self._text))
        return self._misfit(f"JSON ({problem})")

    def _grow(self, characters: int) -> bool:
        """Drop what was read, add at least that many characters; False at the end."""
        if self._done:
            return False
        self._lines += self._text.count("\n", 0, self._at)
        parts, size = [self._text[self._at :]], 0
        while size < characters:
            block = next(self._blocks, "")
            if not block:
                self._done = True
                break
            parts.append(block)
            size += len(block)
        self._text, self._at = "".join(parts), 0
        return size > 0

    def _misfit(self, wanted: str) -> ReaderError:
        line = self._lines + self._text.count("\n", 0, self._at)
        came = "something else" if self._at < len(self._text) else "the end of the file"
        return misfit(self._source.place(line), wanted, came)
