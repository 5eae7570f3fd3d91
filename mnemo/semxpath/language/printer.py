"""Formats a syntax tree as query text; parsing the text gives an equal tree."""

from mnemo.semxpath.language.lexer import NAME
from mnemo.semxpath.language.syntax import (
    Aggregate,
    And,
    At,
    Complement,
    Expr,
    Filter,
    Fold,
    Literals,
    Mean,
    Not,
    Or,
    Position,
    Product,
    Query,
    Similar,
    Span,
    Step,
)

__all__ = ["show", "show_name", "show_steps"]

_LEVELS: dict[type, int] = {Or: 1, And: 2, Not: 3, Complement: 4, Product: 5}
_ATOM = 6
_WORDS = frozenset({"node", "not", "or", "and"})


def show(query: Query) -> str:
    """Return a query as text; in each step the position comes before the predicates."""
    path = show_steps(query.steps)
    return path if query.position is None else f"({path})[{_position(query.position)}]"


def show_steps(steps: tuple[Step, ...]) -> str:
    """Return a path as text."""
    return "".join(_step(step) for step in steps)


def show_name(name: str) -> str:
    """Return a type or attribute name as written in a query, in backquotes if needed."""
    if NAME.fullmatch(name) and name not in _WORDS:
        return name
    return "`" + name.replace("`", "``") + "`"


def _step(step: Step) -> str:
    axis = "/" if step.axis == "child" else "//"
    test = "*" if step.test is None else show_name(step.test)
    position = "" if step.position is None else f"[{_position(step.position)}]"
    return axis + test + position + "".join(f"[{_expr(predicate, 0)}]" for predicate in step.predicates)


def _position(position: Position) -> str:
    match position:
        case At(index):
            return str(index)
        case Span(first, last):
            return f"{'' if first is None else first}:{'' if last is None else last}"


def _expr(expr: Expr, level: int) -> str:
    """Format an expression, in parentheses if it binds weaker than `level`."""
    own = _LEVELS.get(type(expr), _ATOM)
    text = _bare(expr, own)
    return f"({text})" if own < level else text


def _bare(expr: Expr, own: int) -> str:
    match expr:
        case Or(parts):
            return " or ".join(_expr(part, own + 1) for part in parts)
        case And(parts):
            return " and ".join(_expr(part, own + 1) for part in parts)
        case Product(parts):
            return " * ".join(_expr(part, own + 1) for part in parts)
        case Not(part):
            return f"not {_expr(part, own)}"
        case Complement(part):
            return f"1 - {_expr(part, own)}"
        case _:
            return _atom(expr)


def _atom(expr: Expr) -> str:
    match expr:
        case Mean(parts, divisor):
            return f"({' + '.join(_expr(part, 0) for part in parts)}) / {divisor!r}"
        case Fold(kind, parts):
            return f"{kind}({', '.join(_expr(part, 0) for part in parts)})"
        case Aggregate(kind, steps):
            return f"{kind}({show_steps(steps)})"
        case Similar(name, text, _):
            return f"{'node' if name is None else show_name(name)} ~= {_string(text)}"
        case Filter(name, op, value, _):
            return f"@{show_name(name)} {op} {_literal(value)}"
        case _:
            raise AssertionError(expr)


def _literal(value: Literals) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case _:
            return repr(value)


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
