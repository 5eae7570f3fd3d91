"""Cuts the text of a query into tokens."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mnemo.errors import QuerySyntaxError
from mnemo.semxpath.language.syntax import MAX_CHARS

__all__ = ["NAME", "Token", "tokens"]

TokenKind: TypeAlias = Literal["name", "quoted", "string", "number", "mark", "end"]

_WORD = r"[^\W\d][\w.\-]*"
NAME = re.compile(rf"{_WORD}(?::{_WORD})?")
"""A name that needs no backquotes."""

_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<name>{NAME.pattern})
    |(?P<quoted>`(?:[^`]|``)+`)
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |(?P<mark>//|~=|=~|!=|<=|>=|[/\[\](),:*+\-=<>@])""",
    re.VERBOSE | re.DOTALL,
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the query."""

    kind: TokenKind
    value: str
    """A name or string without its quotes and escapes; else as written; empty at the end."""
    offset: int
    """In characters from the start of the query."""


def tokens(query: str) -> list[Token]:
    """Return the tokens of a query, the last of kind `end`.

    Raises:
        QuerySyntaxError: The query is too long, or has something that is no token.
    """
    if len(query) > MAX_CHARS:
        message = f"wanted a query of at most {MAX_CHARS:,} characters, got {len(query):,}"
        raise QuerySyntaxError(message, query=query, offset=MAX_CHARS)
    surrogate = _SURROGATE.search(query)
    if surrogate:
        message = "wanted text, got half of a surrogate pair"
        raise QuerySyntaxError(message, query=query, offset=surrogate.start())
    found: list[Token] = []
    offset = 0
    while offset < len(query):
        match = _TOKEN.match(query, offset)
        if match is None:
            raise _unreadable(query, offset)
        if match.lastgroup != "space":
            found.append(_token(match))
        offset = match.end()
    found.append(Token("end", "", len(query)))
    return found


def _token(match: re.Match[str]) -> Token:
    text = match.group()
    match match.lastgroup:
        case "string":
            return Token("string", _ESCAPE.sub(r"\1", text[1:-1]), match.start())
        case "quoted":
            return Token("quoted", text[1:-1].replace("``", "`"), match.start())
        case "name":
            return Token("name", text, match.start())
        case "number":
            return Token("number", text, match.start())
        case _:
            return Token("mark", text, match.start())


def _unreadable(query: str, offset: int) -> QuerySyntaxError:
    character = query[offset]
    if character in "\"'`":
        message = f"the quote {character} that opens here is not closed"
        return QuerySyntaxError(message, query=query, offset=offset, expected=(character,))
    return QuerySyntaxError(f"{character!r} has no meaning here", query=query, offset=offset)
