"""Parses the text of a query into a syntax tree; errors say where parsing failed and what was expected there."""

import math
from typing import Final, NoReturn, cast

from mnemo.errors import QuerySyntaxError
from mnemo.semxpath.language.lexer import Token, tokenize
from mnemo.semxpath.language.syntax import (
    MAX_DEPTH,
    MAX_POSITION,
    MAX_PREDICATES,
    MAX_STEPS,
    Aggregate,
    AggregateKind,
    And,
    At,
    Axis,
    Complement,
    Expr,
    Filter,
    Fold,
    FoldKind,
    Literals,
    Mean,
    Not,
    Op,
    Or,
    Position,
    Product,
    Query,
    Similar,
    Span,
    Step,
)

__all__ = ["parse"]

_AXES: Final = ("/", "//")
_SIMILAR: Final = ("~=", "=~")
_OPS: Final = ("=", "!=", "<", "<=", ">", ">=")
_FOLDS: Final = ("min", "max", "avg", "gmean")
_PREDICATE: Final = ("node ~= …", "a name ~= …", "@name = …", "avg(…)", "not …", "1 - …", "(")


def parse(query: str) -> Query:
    """Return the syntax tree of a query.

    Raises:
        QuerySyntaxError: The query does not parse or exceeds a limit of the language.
    """
    return _Parser(query).query()


class _Parser:
    """Recursive descent over the tokens; each method consumes one construct."""

    def __init__(self, query: str) -> None:
        self._text = query
        self._tokens = tokenize(query)
        self._at = 0
        self._depth = 0
        self._steps = 0
        self._predicates = 0

    def query(self) -> Query:
        position = None
        if self._is("("):
            self._take("(")
            steps = self._path()
            self._take(")")
            self._take("[")
            position = self._position()
            self._take("]")
        else:
            steps = self._path()
        if self._now.kind != "end":
            self._fail(("/", "//", "["))
        return Query(steps, position, self._text)

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    def _ahead(self, count: int = 1) -> Token:
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    def _is(self, *marks: str) -> bool:
        return self._now.kind == "mark" and self._now.value in marks

    def _is_word(self, *words: str) -> bool:
        return self._now.kind == "name" and self._now.value in words and not self._ahead_is(*_SIMILAR)

    def _ahead_is(self, *marks: str) -> bool:
        return self._ahead().kind == "mark" and self._ahead().value in marks

    def _next(self) -> Token:
        token = self._now
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _take(self, *marks: str) -> Token:
        if not self._is(*marks):
            self._fail(marks)
        return self._next()

    def _fail(self, expected: tuple[str, ...], reason: str = "") -> NoReturn:
        token = self._now
        actual = "the end of the query" if token.kind == "end" else repr(self._text[token.offset :][:20])
        message = reason or f"expected {' or '.join(expected)}, got {actual}"
        raise QuerySyntaxError(message, query=self._text, offset=token.offset, expected=expected)

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail((), f"a query must have at most {MAX_DEPTH} levels of nesting")

    def _path(self) -> tuple[Step, ...]:
        steps = [self._step()]
        while self._is(*_AXES):
            steps.append(self._step())
        return tuple(steps)

    def _step(self) -> Step:
        axis = self._take(*_AXES)
        self._steps += 1
        if self._steps > MAX_STEPS:
            self._fail((), f"a query must have at most {MAX_STEPS} steps")
        offset = self._now.offset
        test = self._test()
        position: Position | None = None
        predicates: list[Expr] = []
        while self._is("["):
            self._take("[")
            if self._starts_position():
                if position is not None:
                    self._fail(_PREDICATE, "a step can have only one position")
                position = self._position()
            else:
                predicates.append(self._predicate())
            self._take("]")
        kind: Axis = "child" if axis.value == "/" else "descendant"
        return Step(kind, test, position, tuple(predicates), offset)

    def _test(self) -> str | None:
        if self._is("*"):
            self._next()
            return None
        if self._now.kind not in {"name", "quoted"}:
            self._fail(("a type", "*"))
        return self._next().value

    def _starts_position(self) -> bool:
        if self._is(":") or (self._is("-") and self._ahead().kind == "number"):
            return True
        return self._now.kind == "number" and not self._ahead_is("-")

    def _position(self) -> Position:
        first = None if self._is(":") else self._index()
        if not self._is(":"):
            if first is None:
                self._fail(("a position",))
            return At(first)
        self._next()
        return Span(first, None if self._is("]") else self._index())

    def _index(self) -> int:
        sign = 1
        if self._is("-"):
            self._next()
            sign = -1
        token = self._now
        if token.kind != "number" or not token.value.isdecimal():
            self._fail(("a whole number",))
        number = int(token.value)
        if not 1 <= number <= MAX_POSITION:
            reason = f"a position must be between 1 and {MAX_POSITION:,}, or negative from the end, got {number}"
            self._fail(("1", "-1"), reason)
        self._next()
        return sign * number

    def _predicate(self) -> Expr:
        self._predicates += 1
        if self._predicates > MAX_PREDICATES:
            self._fail((), f"a query must have at most {MAX_PREDICATES} predicates")
        return self._or()

    def _or(self) -> Expr:
        self._enter()
        parts = [self._and()]
        while self._is_word("or"):
            self._next()
            parts.append(self._and())
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _and(self) -> Expr:
        parts = [self._not()]
        while self._is_word("and"):
            self._next()
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _not(self) -> Expr:
        if not self._is_word("not"):
            return self._difference()
        self._enter()
        self._next()
        part = self._not()
        self._depth -= 1
        return Not(part)

    def _difference(self) -> Expr:
        if not (self._now.kind == "number" and self._now.value == "1" and self._ahead_is("-")):
            return self._product()
        self._enter()
        self._next()
        self._take("-")
        part = self._difference()
        self._depth -= 1
        return Complement(part)

    def _product(self) -> Expr:
        parts = [self._primary()]
        while self._is("*"):
            self._next()
            parts.append(self._primary())
        return parts[0] if len(parts) == 1 else Product(tuple(parts))

    def _primary(self) -> Expr:
        if self._is("("):
            return self._group()
        if self._is("@"):
            return self._filter()
        if self._now.kind == "name" and self._ahead_is("(") and self._now.value in {*_FOLDS, "exists"}:
            return self._call()
        if self._now.kind not in {"name", "quoted"}:
            self._fail(_PREDICATE)
        return self._similar()

    def _group(self) -> Expr:
        self._take("(")
        parts = [self._or()]
        while self._is("+"):
            self._next()
            parts.append(self._or())
        if len(parts) == 1:
            self._take(")")
            return parts[0]
        if not self._is(")"):
            self._fail(("+", ")"))
        self._next()
        self._take("/")
        return Mean(tuple(parts), self._divisor())

    def _divisor(self) -> int | float:
        if self._now.kind != "number":
            self._fail(("a number above 0",))
        number = self._number()
        if number <= 0:
            self._fail(("a number above 0",), f"the divisor must be above 0, got {number}")
        self._next()
        return number

    def _call(self) -> Expr:
        word = self._next().value
        self._take("(")
        if word == "exists" or self._is(*_AXES):
            self._enter()
            steps = self._path()
            self._depth -= 1
            self._take(")")
            return Aggregate(cast("AggregateKind", word), steps)
        parts = [self._or()]
        while self._is(","):
            self._next()
            parts.append(self._or())
        if not self._is(")"):
            self._fail((",", ")"))
        self._next()
        return Fold(cast("FoldKind", word), tuple(parts))

    def _similar(self) -> Similar:
        token = self._next()
        self._take(*_SIMILAR)
        name = None if token.kind == "name" and token.value == "node" else token.value
        return Similar(name, self._string(), token.offset)

    def _string(self) -> str:
        if self._now.kind != "string":
            self._fail(("a string in quotes",))
        return self._next().value

    def _filter(self) -> Filter:
        self._take("@")
        token = self._now
        if token.kind not in {"name", "quoted"}:
            self._fail(("a name",))
        self._next()
        if self._is_word("contains"):
            self._next()
            return Filter(token.value, "contains", self._string(), token.offset)
        if not self._is(*_OPS):
            self._fail((*_OPS, "contains"))
        op = cast("Op", self._next().value)
        return Filter(token.value, op, self._literal(), token.offset)

    def _literal(self) -> Literals:
        token = self._now
        if token.kind == "string":
            return self._next().value
        if token.kind == "name" and token.value in {"true", "false"}:
            return self._next().value == "true"
        negative = self._is("-")
        if negative:
            self._next()
        if self._now.kind != "number":
            self._fail(("a string in quotes", "a number", "true", "false"))
        number = self._number()
        self._next()
        return -number if negative else number

    def _number(self) -> int | float:
        text = self._now.value
        number = int(text) if text.isdecimal() and len(text) <= 18 else float(text)  # noqa: PLR2004 - 18 digits fit into 64 bits
        if math.isinf(number):
            self._fail(("a number",), "the number does not fit into a 64-bit float")
        return number
