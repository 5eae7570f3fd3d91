"""Splits the text of a query into tokens."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mnemo.errors import QuerySyntaxError
from mnemo.semxpath.language.syntax import MAX_CHARS

__all__ = ["NAME", "Token", "tokenize"]

TokenKind: TypeAlias = Literal["name", "quoted", "string", "number", "mark", "end"]

_WORD = r"[^\W\d][\w.\-]*"
NAME = re.compile(rf"{_WORD}(?::{_WORD})?")
"""Matches a name that can be written without backquotes."""

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
    """One token of a query."""

    kind: TokenKind
    value: str
    """Names and strings without quotes and escapes; other tokens as written; empty for `end`."""
    offset: int
    """Start of the token, in characters from the start of the query."""


def tokenize(query: str) -> list[Token]:
    """Return the tokens of a query; the last has kind `end`.

    Raises:
        QuerySyntaxError: The query is too long or contains an invalid character.
    """
    if len(query) > MAX_CHARS:
        message = f"a query must have at most {MAX_CHARS:,} characters, got {len(query):,}"
        raise QuerySyntaxError(message, query=query, offset=MAX_CHARS)
    surrogate = _SURROGATE.search(query)
    if surrogate:
        message = "the query contains an unpaired surrogate"
        raise QuerySyntaxError(message, query=query, offset=surrogate.start())
    result: list[Token] = []
    offset = 0
    while offset < len(query):
        match = _TOKEN.match(query, offset)
        if match is None:
            raise _lexer_error(query, offset)
        if match.lastgroup != "space":
            result.append(_token(match))
        offset = match.end()
    result.append(Token("end", "", len(query)))
    return result


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


def _lexer_error(query: str, offset: int) -> QuerySyntaxError:
    character = query[offset]
    if character in "\"'`":
        message = f"the quote {character} is not closed"
        return QuerySyntaxError(message, query=query, offset=offset, expected=(character,))
    return QuerySyntaxError(f"unexpected character {character!r}", query=query, offset=offset)
