"""The syntax tree of Semantic XPath: frozen values that compare by content, not by offset."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "MAX_CHARS",
    "MAX_DEPTH",
    "MAX_POSITION",
    "MAX_PREDICATES",
    "MAX_STEPS",
    "VERSION",
    "Aggregate",
    "And",
    "At",
    "Axis",
    "Complement",
    "Expr",
    "Filter",
    "Fold",
    "FoldKind",
    "Literals",
    "Mean",
    "Not",
    "Op",
    "Or",
    "Position",
    "Product",
    "Query",
    "Similar",
    "Span",
    "Step",
    "is_filter",
    "parts_of",
    "similars",
    "steps_of",
    "walk",
]

MAX_CHARS = 2_000
MAX_STEPS = 32
MAX_PREDICATES = 64
MAX_DEPTH = 24
"""Nesting of brackets, parentheses and prefix operators."""
MAX_POSITION = 1_000_000_000
VERSION = "Version"
"""Type name reserved for the versions of a tree."""

Axis: TypeAlias = Literal["child", "descendant"]
Op: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "contains"]
FoldKind: TypeAlias = Literal["min", "max", "avg", "gmean"]
AggregateKind: TypeAlias = Literal["min", "max", "avg", "gmean", "exists"]
Literals: TypeAlias = str | int | float | bool


@dataclass(frozen=True, slots=True)
class At:
    """One index, from 1 at the start or -1 at the end; selects nothing if the list is shorter."""

    index: int


@dataclass(frozen=True, slots=True)
class Span:
    """A range of indexes, both ends inclusive; None is open; ends outside the list are clamped."""

    first: int | None
    last: int | None


Position: TypeAlias = At | Span


@dataclass(frozen=True, slots=True)
class Similar:
    """A semantic match between the node, or one of its attributes, and a text."""

    name: str | None
    """Name of the attribute; None is the node."""
    text: str
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Filter:
    """An exact comparison with an attribute."""

    name: str
    op: Op
    value: Literals
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """The maximum of two or more parts."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class And:
    """The product of two or more parts, written with `and`."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Product:
    """The product of two or more parts, written with `*`."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """1 minus the part, written `not`."""

    part: "Expr"


@dataclass(frozen=True, slots=True)
class Complement:
    """1 minus the part, written `1 -`."""

    part: "Expr"


@dataclass(frozen=True, slots=True)
class Mean:
    """The sum of two or more parts, divided by a number above 0."""

    parts: tuple["Expr", ...]
    divisor: int | float


@dataclass(frozen=True, slots=True)
class Fold:
    """Minimum, maximum, mean or geometric mean of one or more expressions on the same node."""

    kind: FoldKind
    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Minimum, maximum, mean, geometric mean or existence over the nodes of a path."""

    kind: AggregateKind
    steps: tuple["Step", ...]


Expr: TypeAlias = Similar | Filter | Or | And | Product | Not | Complement | Mean | Fold | Aggregate


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path."""

    axis: Axis
    test: str | None
    """Type of the nodes; None is `*`."""
    position: Position | None = None
    predicates: tuple[Expr, ...] = ()
    offset: int = field(default=0, compare=False)
    """Start of the node test, in characters."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query."""

    steps: tuple[Step, ...]
    position: Position | None = None
    """The global position, applied after sorting."""
    text: str = field(default="", compare=False)

    @property
    def semantic(self) -> bool:
        """Whether the query contains a semantic match; its result is then sorted by score."""
        return next(similars(self.steps), None) is not None


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct subexpressions on the same node; steps of aggregates are not included."""
    match expr:
        case Or(parts) | And(parts) | Product(parts) | Mean(parts, _) | Fold(_, parts):
            return parts
        case Not(part) | Complement(part):
            return (part,)
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all its subexpressions, including those in steps of aggregates, in text order."""
    yield expr
    for part in parts_of(expr):
        yield from walk(part)
    if isinstance(expr, Aggregate):
        for step in expr.steps:
            for predicate in step.predicates:
                yield from walk(predicate)


def steps_of(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield the steps and the steps of aggregates inside them, in text order."""
    for step in steps:
        yield step
        for predicate in step.predicates:
            for expr in walk(predicate):
                if isinstance(expr, Aggregate):
                    yield from expr.steps


def similars(steps: tuple[Step, ...]) -> Iterator[Similar]:
    """Yield the semantic matches in steps, in text order."""
    for step in steps:
        for predicate in step.predicates:
            for expr in walk(predicate):
                if isinstance(expr, Similar):
                    yield expr


def is_filter(expr: Expr) -> bool:
    """Return whether an expression is a filter, which removes nodes, rather than a score.

    Filters are comparisons and `exists`, and `and`, `or` and `not` of filters; anything else is a score.
    """
    match expr:
        case Filter() | Aggregate("exists", _):
            return True
        case And(parts) | Or(parts):
            return all(is_filter(part) for part in parts)
        case Not(part):
            return is_filter(part)
        case _:
            return False
