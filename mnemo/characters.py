"""Characters that text cannot keep or should not show: halves of characters, control and direction marks. Pure."""

import re

__all__ = ["half_character", "one_line", "visible", "whole"]

_HALF = re.compile("[\ud800-\udfff]")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]")
"""Control characters except tab and newline, direction marks, and characters without width that no script needs."""


def half_character(text: str) -> int | None:
    """Return the offset of the first half of a character (a lone surrogate), which cannot be encoded; None if whole."""
    found = None if text.isascii() else _HALF.search(text)
    return found.start() if found else None


def whole(text: str) -> str:
    """Return text that can be encoded: halves that follow each other are joined, single ones become U+FFFD."""
    return text if half_character(text) is None else _joined(text)


def one_line(text: str, limit: int) -> str:
    """Return text as one line for a name or a label: no control or direction marks, blanks joined, cut to a limit.

    Args:
        text: Any text, of any length.
        limit: Most characters of the result.
    """
    plain = re.sub(r"\s+", " ", whole(text[: 4 * limit]))
    return _UNSEEN.sub("", plain).strip()[:limit].rstrip()


def visible(text: str) -> str:
    r"""Return text that a terminal shows as it is: control and direction marks become escapes such as `\x1b`."""
    return _UNSEEN.sub(lambda found: found.group().encode("unicode_escape").decode(), whole(text))


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
