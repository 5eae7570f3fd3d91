"""The values of a JSON file: one object, the items of an array, or one value a line.

An array is streamed, one item at a time in memory. A single object is parsed whole and kept.
"""

import json
import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, TypeAlias

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.files.source import Source, format_error

__all__ = ["JsonFile", "Shape", "json_file", "looks_like_json", "parse_line"]

Shape: TypeAlias = Literal["object", "array", "lines", "value"]

_BLOCK_CHARS = 1 << 16
_BLANKS = re.compile(r"[\s\x1e\ufeff]*")
_BEGINS = re.compile(r"""[\s\ufeff]*(?:\[\s*(?:$|[\[{\]])|\{\s*(?:$|"|\}))""")
_LINE_SUFFIXES = {".jsonl", ".ndjson"}
_PEEKED = 50
_LONGEST_INTEGER = 400


def _integer(digits: str) -> int | float:
    """Return a whole number; an infinite one if it has more digits than any value that is read here."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else math.inf


_DECODER = json.JSONDecoder(parse_int=_integer)


def looks_like_json(line: str) -> bool:
    """Whether the first line of a file begins a JSON object or array, and not words in brackets."""
    return _BEGINS.match(line) is not None


def json_file(source: Source) -> "JsonFile":
    """Return the file's values; parsed once where they are a single object."""
    if "json" not in source.cache:
        source.cache["json"] = JsonFile(source)
    found: JsonFile = source.cache["json"]
    return found


def parse_line(source: Source, number: int, line: str) -> Any:
    """Parse one line of JSON Lines.

    Raises:
        ReaderError: The line is no JSON.
    """
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        detail = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else "too deep"
        raise source.error(number, f"is not one JSON value on the line ({detail})") from error


class JsonFile:
    """The values of one file, and their layout."""

    def __init__(self, source: Source) -> None:
        """Look at the beginning of the file.

        Raises:
            ReaderError: It does not begin with JSON.
        """
        self._source = source
        self._whole: Any = None
        self.shape: Shape = self._shape()

    def items(self) -> Iterator[tuple[int | str, Any]]:
        """Yield the place and value of each item: a JSON path such as `$[3]`, `$`, or a line number.

        A line that is no JSON is left out; an array that breaks off raises after its last whole item.

        Raises:
            ReaderError: It is no JSON; names line and column.
        """
        if self.shape == "lines":
            yield from self._lines()
        elif self.shape == "array":
            yield from self._array()
        else:
            yield "$", self._whole

    def head(self) -> list[Any]:
        """Return up to 50 first items, fewer where one cannot be parsed.

        Raises:
            ReaderError: Not even the first one can be parsed.
        """
        found: list[Any] = []
        try:
            found.extend(value for _, value in islice(self._raw(), _PEEKED))
        except ReaderError:
            if not found:
                raise
        return found

    def _raw(self) -> Iterator[tuple[int | str, Any]]:
        """Yield items without leaving any out."""
        if self.shape != "lines":
            yield from self.items()
            return
        for number, line in self._source.lines():
            if line.strip():
                try:
                    yield number, _DECODER.decode(line)
                except (ValueError, RecursionError):
                    continue

    def _shape(self) -> Shape:
        buffer = _JsonBuffer(self._source)
        first = buffer.peek()
        if self._source.suffix in _LINE_SUFFIXES and not self._is_one_array(first):
            return "lines"
        if first == "[":
            return "array"
        if self._has_two_lines():
            return "lines"
        self._whole = buffer.value()
        buffer.end()
        return "object" if isinstance(self._whole, dict) else "value"

    def _is_one_array(self, first: str) -> bool:
        """Whether a file called .jsonl is one array after all, on one line or on several."""
        if first != "[":
            return False
        lines = list(islice((line for _, line in self._source.lines() if line.strip()), 2))
        return len(lines) == 1 or not lines[0].rstrip().endswith("]")

    def _has_two_lines(self) -> bool:
        """Whether the first two lines that are not blank are whole JSON values."""
        lines = list(islice((line for _, line in self._source.lines() if line.strip("\ufeff \t")), 2))
        if len(lines) < 2:  # noqa: PLR2004  # two lines
            return False
        try:
            return all(_DECODER.decode(line.lstrip("\ufeff")) is not None for line in lines)
        except (ValueError, RecursionError):
            return False

    def _lines(self) -> Iterator[tuple[int | str, Any]]:
        for number, line in self._source.lines():
            if not line.strip("\ufeff \t\r"):
                continue
            try:
                value = parse_line(self._source, number, line.lstrip("\ufeff"))
            except ReaderError as error:
                self._source.leave_out(error)
                continue
            yield number, value

    def _array(self) -> Iterator[tuple[int | str, Any]]:
        buffer = _JsonBuffer(self._source)
        buffer.skip("[")
        index = 0
        while buffer.peek() != "]":
            if index:
                buffer.skip(",")
            yield f"$[{index}]", buffer.value()
            index += 1
        buffer.skip("]")
        buffer.end()


class _JsonBuffer:
    """The unread rest of a JSON file: grows by doubling, so that reading stays linear."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._blocks = source.blocks()
        self._text = ""
        self._at = 0
        self._lines = 1
        self._done = False

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
            raise self._error(f"is not valid JSON: expected {character!r}")
        self._at += 1

    def end(self) -> None:
        """Check that nothing follows."""
        if self.peek():
            raise self._error("has text after the end of the JSON value")

    def value(self) -> Any:
        """Parse the next value."""
        self.peek()
        size = _BLOCK_CHARS
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                beyond = error.pos - self._at
                if not self._grow(size):
                    raise self._malformed(error.msg, self._at + beyond) from error
                size *= 2
            except RecursionError as error:
                raise self._error("is not readable: its JSON is nested too deeply") from error
            except ValueError as error:
                raise self._error(f"is not readable: {error}") from error
            else:
                if end == len(self._text) and self._grow(size):
                    size *= 2
                    continue
                self._at = end
                return value

    def _malformed(self, problem: str, place: int) -> ReaderError:
        """Make the error for a place of the text; for a string that does not end, where it begins."""
        if problem.startswith(("Unterminated", "Invalid control")):
            place = self._text.rfind('"', self._at, place)
        self._at = min(max(self._at, place), len(self._text))
        return self._error(f"is not valid JSON: {problem[:1].lower()}{problem[1:]}")

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

    def _error(self, reason: str) -> ReaderError:
        line = self._lines + self._text.count("\n", 0, self._at)
        ends = "" if self._at < len(self._text) or "nested" in reason else " (the file ends there)"
        return format_error(self._source.place(line), reason + ends)
