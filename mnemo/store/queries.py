"""The `.cypher` files: found, read and held against their headers; pure apart from reading them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from mnemo.errors import SchemaError

__all__ = ["Mode", "QueryColumn", "CypherQuery", "all_queries", "cypher_root", "parse", "query"]

Mode: TypeAlias = Literal["read", "write", "schema"]

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
    """A parameter or a returned column, as a header states it."""

    name: str
    type: str
    """A Cypher type, such as LIST<FLOAT>."""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CypherQuery:
    """One `.cypher` file."""

    name: str
    """Its path below `cypher/`, without the suffix, such as graph/acknowledge."""
    summary: str
    """The first paragraph of its header."""
    mode: Mode
    params: tuple[QueryColumn, ...]
    returns: tuple[QueryColumn, ...]
    text: str
    """The whole file."""
    plain: bool = False
    """Whether its rows hold nothing but strings, numbers, booleans, lists and maps: they are handed on as they come."""

    @property
    def param_names(self) -> frozenset[str]:
        """The parameters that a caller passes: all of them, and no others."""
        return frozenset(param.name for param in self.params)

    @property
    def statement(self) -> str:
        """The text without comment lines, as it is sent."""
        lines = (line for line in self.text.splitlines() if not line.lstrip().startswith("//"))
        return "\n".join(lines).strip()


def cypher_root() -> Path:
    """Return the folder of the `.cypher` files: inside the installed package, else of the checkout."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


@cache
def query(name: str) -> CypherQuery:
    """Load one file, once.

    Args:
        name: Such as graph/acknowledge, for `cypher/graph/acknowledge.cypher`.

    Raises:
        SchemaError: There is no such file, or its header does not fit.
    """
    path = cypher_root() / f"{name}.cypher"
    if not _NAME.fullmatch(name) or not path.is_file():
        message = f"wanted the name of a file below cypher/, got {name!r}"
        raise SchemaError(message)
    return parse(name, path.read_text(encoding="utf-8"))


def all_queries() -> Iterator[CypherQuery]:
    """Yield every file below `cypher/`, by name."""
    root = cypher_root()
    for path in sorted(root.rglob("*.cypher")):
        yield query(path.relative_to(root).with_suffix("").as_posix())


def parse(name: str, text: str) -> CypherQuery:
    """Read a file's header and hold it against the parameters that its statement uses.

    Args:
        name: For messages and `Query.name`.
        text: The whole file.

    Raises:
        SchemaError: A line of the header does not fit, the mode is missing, a name comes twice, a
            parameter is stated but not used or used but not stated, or there is no single statement.
    """
    summary, fields = _header(name, text)
    modes = [value.split()[0] for key, value in fields if key == "mode"]
    if len(modes) != 1 or modes[0] not in get_args(Mode):
        raise _misfit(name, "wanted one line 'mode: read', 'mode: write' or 'mode: schema'")
    found = CypherQuery(
        name=name,
        summary=summary,
        mode=cast("Mode", modes[0]),
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
    open_summary = True
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        matched = _FIELD.fullmatch(line.rstrip())
        if matched and matched["key"] in {"mode", "rows", "param", "returns"}:
            fields.append((matched["key"], matched["value"]))
        elif line.strip() == "//":
            open_summary = False
        elif open_summary:
            summary.append(line[2:].strip())
    if not summary:
        raise _misfit(name, "wanted a first line that says what it does")
    return " ".join(summary), fields


def _columns(name: str, key: str, fields: list[tuple[str, str]]) -> tuple[QueryColumn, ...]:
    columns = []
    for value in (value for field, value in fields if field == key):
        matched = _COLUMN.fullmatch(value)
        if not matched or matched["type"].count("<") != matched["type"].count(">"):
            raise _misfit(name, f"wanted '{key}: name TYPE text', got '{key}: {value}'")
        columns.append(QueryColumn(name=matched["name"], type=matched["type"], text=matched["text"] or ""))
    names = [column.name for column in columns]
    if len(set(names)) != len(names):
        raise _misfit(name, f"a '{key}' is stated twice")
    return tuple(columns)


def _check_statement(found: CypherQuery) -> None:
    code = _STRING_OR_COMMENT.sub(" ", found.text).strip()
    if not code:
        raise _misfit(found.name, "there is no statement")
    if ";" in code.removesuffix(";"):
        raise _misfit(found.name, "wanted one statement, got several")
    used = set(_PARAMETER.findall(code))
    if used != found.param_names:
        stated, missing = sorted(found.param_names - used), sorted(used - found.param_names)
        raise _misfit(found.name, f"parameters stated but not used: {stated}; used but not stated: {missing}")


def _misfit(name: str, problem: str) -> SchemaError:
    return SchemaError(f"cypher/{name}.cypher: {problem}")
