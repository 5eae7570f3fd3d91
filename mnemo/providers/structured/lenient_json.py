"""A lenient JSON parser for the output of language models. Pure.

Beyond JSON it accepts single quotes, trailing commas, comments, unescaped control characters in strings,
unquoted keys, `True`, `False` and `None`, and it reads `NaN` and `Infinity` as null. It never fills in
missing parts: text that ends inside a value raises `Truncated`.
"""

import json
import re
from typing import Any, NoReturn

__all__ = ["NotJson", "Truncated", "decode"]

_DEEPEST = 100
_LONGEST_NUMBER = 400
"""Digits; Python refuses to convert much longer ones."""
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_WORD = re.compile(r"-?[A-Za-z_$][\w$]*")
_UNFINISHED = re.compile(r"[-+\w.$]*")
_PLAIN = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_CLOSES = re.compile(r"\s*(?:[,:\]}]|$)")
_CONSTANTS: dict[str, Any] = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "None": None,
    "undefined": None, "NaN": None, "nan": None, "Infinity": None, "-Infinity": None, "-NaN": None,
}  # fmt: skip


class NotJson(ValueError):  # noqa: N818  # describes the text
    """The text is not JSON, even with leniency."""


class Truncated(NotJson):
    """The text ends inside a value."""


def decode(text: str, start: int = 0) -> tuple[Any, int]:
    """Parse one value.

    Args:
        text: Any text.
        start: Offset of the value; blanks and comments may precede it.

    Returns:
        The value and the offset just after it.

    Raises:
        Truncated: The text ends before the value does.
        NotJson: There is no value at that offset, it is nested deeper than 100, or a number has more than 400 digits.
    """
    return _Reader(text).value(start, 0)


class _Reader:
    """Parses values at offsets of one text; each method returns the value and the offset after it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """Parse a value at nesting depth `depth`."""
        at = self._blank(at)
        first = self._peek(at)
        if depth > _DEEPEST:
            self._fail(at)
        if first == "{":
            return self._object(at + 1, depth)
        if first == "[":
            return self._array(at + 1, depth)
        if first in _PLAIN:
            return self._string(at)
        return self._atom(at)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self._blank(at)
        while self._peek(at) != "}":
            name, at = self._name(at)
            at = self._blank(at)
            if self._peek(at) != ":":
                self._fail(at)
            found[name], at = self.value(at + 1, depth + 1)
            at = self._separator(at, "}")
        return found, at + 1

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._blank(at)
        while self._peek(at) != "]":
            item, at = self.value(at, depth + 1)
            found.append(item)
            at = self._separator(at, "]")
        return found, at + 1

    def _separator(self, at: int, end: str) -> int:
        """Skip one comma, which may be a trailing one."""
        at = self._blank(at)
        if self._peek(at) == ",":
            return self._blank(at + 1)
        if self._peek(at) != end:
            self._fail(at)
        return at

    def _name(self, at: int) -> tuple[str, int]:
        if self._peek(at) in _PLAIN:
            return self._string(at)
        word = _WORD.match(self._text, at)
        if word is None:
            self._fail(at)
        return word.group(), word.end()

    def _string(self, at: int) -> tuple[str, int]:
        """Parse a quoted string; a single quote inside a word, as in it's, does not end it."""
        quote, end = self._text[at], at + 1
        while True:
            plain = _PLAIN[quote].match(self._text, end)
            end = plain.end() if plain else end
            if self._peek(end) == "\\":
                end += 2
            elif quote == "'" and not _CLOSES.match(self._text, end + 1):
                end += 1
            else:
                return self._unescaped(at + 1, end), end + 1

    def _unescaped(self, start: int, end: int) -> str:
        raw = self._text[start:end]
        if "\\" not in raw:
            return raw
        quoted = re.sub(r'\\(.)|(")', lambda found: _escape(found.group(1)), raw, flags=re.DOTALL)
        try:
            text: str = json.loads(f'"{quoted}"', strict=False)
        except json.JSONDecodeError:
            self._fail(start)
        return text

    def _atom(self, at: int) -> tuple[Any, int]:
        number = _NUMBER.match(self._text, at)
        if number:
            self._peek(number.end())
            if number.end() - at > _LONGEST_NUMBER:
                self._fail(at)
            return json.loads(number.group()), number.end()
        word = _WORD.match(self._text, at)
        if word is None or word.group() not in _CONSTANTS:
            if _UNFINISHED.fullmatch(self._text, at):
                raise Truncated(at)
            self._fail(at)
        return _CONSTANTS[word.group()], word.end()

    def _blank(self, at: int) -> int:
        found = _BLANK.match(self._text, at)
        return found.end() if found else at

    def _peek(self, at: int) -> str:
        if at >= len(self._text):
            raise Truncated(at)
        return self._text[at]

    def _fail(self, at: int) -> NoReturn:
        raise NotJson(at)


def _escape(character: str | None) -> str:
    """Return the valid JSON escape for a possibly invalid one; None is an unescaped double quote."""
    if character is None:
        return '\\"'
    if character in '"\\/bfnrtu':
        return f"\\{character}"
    return character if character == "'" else f"\\\\{character}"
