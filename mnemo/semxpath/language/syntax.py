"""The abstract syntax of Semantic XPath: frozen values, equal when they mean the same text."""

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
"""Brackets, parentheses and prefixes within one another."""
MAX_POSITION = 1_000_000_000
VERSION = "Version"
"""The reserved type of a tree's versions."""

Axis: TypeAlias = Literal["child", "descendant"]
Op: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "contains"]
FoldKind: TypeAlias = Literal["min", "max", "avg", "gmean"]
AggregateKind: TypeAlias = Literal["min", "max", "avg", "gmean", "exists"]
Literals: TypeAlias = str | int | float | bool


@dataclass(frozen=True, slots=True)
class At:
    """One place, from 1 at the start or from -1 at the end; none if the list is shorter."""

    index: int


@dataclass(frozen=True, slots=True)
class Span:
    """A range of places, both ends included; None is open; ends past the list are cut to it."""

    first: int | None
    last: int | None


Position: TypeAlias = At | Span


@dataclass(frozen=True, slots=True)
class Similar:
    """A semantic match of the node, or of one attribute, with a text."""

    name: str | None
    """The attribute; None is the node."""
    text: str
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Filter:
    """An exact condition on an attribute."""

    name: str
    op: Op
    value: Literals
    offset: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """The largest of its parts; two or more."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class And:
    """The product of its parts; two or more."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Product:
    """The product of its parts, written with `*`; two or more."""

    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """1 minus its part, written `not`."""

    part: "Expr"


@dataclass(frozen=True, slots=True)
class Complement:
    """1 minus its part, written `1 -`."""

    part: "Expr"


@dataclass(frozen=True, slots=True)
class Mean:
    """The sum of its parts (two or more) over a divisor above 0."""

    parts: tuple["Expr", ...]
    divisor: int | float


@dataclass(frozen=True, slots=True)
class Fold:
    """Minimum, maximum, mean or geometric mean of expressions on the same node; one or more."""

    kind: FoldKind
    parts: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Minimum, maximum, mean, geometric mean or existence over the nodes that a path reaches."""

    kind: AggregateKind
    steps: tuple["Step", ...]


Expr: TypeAlias = Similar | Filter | Or | And | Product | Not | Complement | Mean | Fold | Aggregate


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path."""

    axis: Axis
    test: str | None
    """The type; None is `*`."""
    position: Position | None = None
    predicates: tuple[Expr, ...] = ()
    offset: int = field(default=0, compare=False)
    """Of the test, in characters."""


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query."""

    steps: tuple[Step, ...]
    position: Position | None = None
    """The global position, applied after sorting."""
    text: str = field(default="", compare=False)

    @property
    def semantic(self) -> bool:
        """Whether a semantic match takes part anywhere: the result is then sorted by score."""
        return next(similars(self.steps), None) is not None


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    """Return the expressions directly inside one, those on the same node only."""
    match expr:
        case Or(parts) | And(parts) | Product(parts) | Mean(parts, _) | Fold(_, parts):
            return parts
        case Not(part) | Complement(part):
            return (part,)
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all inside it, steps of aggregates included, in order of the text."""
    yield expr
    for part in parts_of(expr):
        yield from walk(part)
    if isinstance(expr, Aggregate):
        for step in expr.steps:
            for predicate in step.predicates:
                yield from walk(predicate)


def steps_of(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield steps and those of aggregates inside them, in order of the text."""
    for step in steps:
        yield step
        for predicate in step.predicates:
            for expr in walk(predicate):
                if isinstance(expr, Aggregate):
                    yield from expr.steps


def similars(steps: tuple[Step, ...]) -> Iterator[Similar]:
    """Yield the semantic matches in steps, in order of the text."""
    for step in steps:
        for predicate in step.predicates:
            for expr in walk(predicate):
                if isinstance(expr, Similar):
                    yield expr


def is_filter(expr: Expr) -> bool:
    """Whether an expression is a condition: a node that fails it leaves the set.

    Exact filters and `exists` are, and `and`, `or`, `not` of such; anything else is a score.
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
