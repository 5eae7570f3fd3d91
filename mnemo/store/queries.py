"""Finds and reads the `.cypher` files and checks their headers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from mnemo.errors import SchemaError

__all__ = ["CypherQuery", "QueryColumn", "QueryMode", "all_queries", "cypher_root", "load_query", "parse"]

QueryMode: TypeAlias = Literal["read", "write", "schema"]

_PACKAGED = Path(__file__).parents[1] / "_cypher"
_CHECKOUT = Path(__file__).parents[2] / "cypher"
_NAME = re.compile(r"[a-z0-9_]+(?:/[A-Za-z0-9_]+)+")
_FIELD = re.compile(r"//\s*(?P<key>[a-z]+):\s*(?P<value>.*\S)")
_SCALAR = (
    r"(?:ANY|BOOLEAN|STRING|INTEGER|FLOAT|DATE|ZONED DATETIME|LOCAL DATETIME|DURATION"
    r"|NODE|RELATIONSHIP|PATH|MAP|VECTOR)"
)
_COLUMN = re.compile(rf"(?P<name>[a-z][a-z0-9_]*)\s+(?P<type>(?:LIST<)*{_SCALAR}>*)(?:\s+(?P<text>.*))?")
_STRING_OR_COMMENT = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*` | //[^\n]* | /\*.*?\*/""", re.DOTALL | re.VERBOSE
)
_PARAMETER = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryColumn:
    """A parameter or a returned column in a header."""

    name: str
    type: str
    """A Cypher type, such as LIST<FLOAT>."""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CypherQuery:
    """One `.cypher` file."""

    name: str
    """Path below `cypher/` without the suffix, such as graph/acknowledge."""
    summary: str
    """First paragraph of the header."""
    mode: QueryMode
    params: tuple[QueryColumn, ...]
    returns: tuple[QueryColumn, ...]
    text: str
    """The whole text of the file."""
    plain: bool = False
    """Whether rows hold only strings, numbers, booleans, lists and maps, which need no conversion."""

    @property
    def param_names(self) -> frozenset[str]:
        """Names of the parameters; a caller must pass exactly these."""
        return frozenset(param.name for param in self.params)

    @property
    def statement(self) -> str:
        """The text without comment lines, as sent to the server."""
        lines = (line for line in self.text.splitlines() if not line.lstrip().startswith("//"))
        return "\n".join(lines).strip()


def cypher_root() -> Path:
    """Return the folder of the `.cypher` files: in the installed package, else in the checkout."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


@cache
def load_query(name: str) -> CypherQuery:
    """Load one file; the result is cached.

    Args:
        name: Name such as graph/acknowledge, for `cypher/graph/acknowledge.cypher`.

    Raises:
        SchemaError: There is no such file, or its header is invalid.
    """
    path = cypher_root() / f"{name}.cypher"
    if not _NAME.fullmatch(name) or not path.is_file():
        message = f"there is no query {name!r} below cypher/"
        raise SchemaError(message)
    return parse(name, path.read_text(encoding="utf-8"))


def all_queries() -> Iterator[CypherQuery]:
    """Yield all files below `cypher/`, by name."""
    root = cypher_root()
    for path in sorted(root.rglob("*.cypher")):
        yield load_query(path.relative_to(root).with_suffix("").as_posix())


def parse(name: str, text: str) -> CypherQuery:
    """Read a file's header and compare it with the parameters its statement uses.

    Args:
        name: Name for messages and `CypherQuery.name`.
        text: The whole text of the file.

    Raises:
        SchemaError: A header line is invalid, the mode is missing, a name is duplicated, the stated parameters
            differ from those used, or the file does not contain exactly one statement.
    """
    summary, fields = _header(name, text)
    modes = [value.split()[0] for key, value in fields if key == "mode"]
    if len(modes) != 1 or modes[0] not in get_args(QueryMode):
        raise _header_error(name, "the header must have one line 'mode: read', 'mode: write' or 'mode: schema'")
    found = CypherQuery(
        name=name,
        summary=summary,
        mode=cast("QueryMode", modes[0]),
        params=_columns(name, "param", fields),
        returns=_columns(name, "returns", fields),
        text=text,
        plain=("rows", "plain") in fields,
    )
    _check_statement(found)
    return found


def _header(name: str, text: str) -> tuple[str, list[tuple[str, str]]]:
    summary: list[str] = []
    fields: list[tuple[str, str]] = []
    in_summary = True
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        matched = _FIELD.fullmatch(line.rstrip())
        if matched and matched["key"] in {"mode", "rows", "param", "returns"}:
            fields.append((matched["key"], matched["value"]))
        elif line.strip() == "//":
            in_summary = False
        elif in_summary:
            summary.append(line[2:].strip())
    if not summary:
        raise _header_error(name, "the first line must say what the query does")
    return " ".join(summary), fields


def _columns(name: str, key: str, fields: list[tuple[str, str]]) -> tuple[QueryColumn, ...]:
    columns = []
    for value in (value for field, value in fields if field == key):
        matched = _COLUMN.fullmatch(value)
        if not matched or matched["type"].count("<") != matched["type"].count(">"):
            raise _header_error(name, f"expected '{key}: name TYPE text', got '{key}: {value}'")
        columns.append(QueryColumn(name=matched["name"], type=matched["type"], text=matched["text"] or ""))
    names = [column.name for column in columns]
    if len(set(names)) != len(names):
        raise _header_error(name, f"a '{key}' is duplicated")
    return tuple(columns)


def _check_statement(found: CypherQuery) -> None:
    code = _STRING_OR_COMMENT.sub(" ", found.text).strip()
    if not code:
        raise _header_error(found.name, "there is no statement")
    if ";" in code.removesuffix(";"):
        raise _header_error(found.name, "the file must contain one statement, got several")
    used = set(_PARAMETER.findall(code))
    if used != found.param_names:
        unused, missing = sorted(found.param_names - used), sorted(used - found.param_names)
        raise _header_error(found.name, f"parameters stated but not used: {unused}; used but not stated: {missing}")


def _header_error(name: str, problem: str) -> SchemaError:
    return SchemaError(f"cypher/{name}.cypher: {problem}")
