"""Interface between the compiler and the sources of nodes, and the variables of a compiled path; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from mnemo.semxpath.language.syntax import Step

__all__ = ["Kinds", "NodeListing", "NodeSource", "Params", "QueryFrame"]

Kinds: TypeAlias = frozenset[str]
"""Kinds of nodes that a path may reach, as named by the source."""


class Params:
    """Collects the parameters of a statement under generated names.

    Equal values get different names, so the statement depends only on the form of the query and the database
    plans each form once.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        """Start with named parameters."""
        self.values: dict[str, Any] = dict(start)
        self._count = 0

    def add(self, value: Any) -> str:
        """Add a value; return the reference to it, such as $p1."""
        name = f"p{self._count}"
        self._count += 1
        self.values[name] = value
        return f"${name}"


@dataclass(frozen=True, slots=True)
class QueryFrame:
    """Variables of one path."""

    level: int
    """0 for the query itself; nested paths count up."""
    kinds: Kinds
    ordered: bool
    """Whether rows carry their place, for the final order."""
    wide: bool = False
    """Whether rows carry the version, because a node may occur in several."""

    def var(self, letter: str) -> str:
        """Return the variable name of a letter at this level."""
        return f"{letter}{self.level}"

    @property
    def carried(self) -> tuple[str, ...]:
        """Letters of the variables in every row."""
        return ("n", "s", *("o" if self.ordered else ""), *("w" if self.wide else ""))


@dataclass(frozen=True, slots=True)
class NodeListing:
    """Clauses that list the candidates of one step per context node."""

    clauses: str
    """Bind the candidate `c`, its place relative to the context `q`, and `w` if `wide`."""
    order: str
    """Expression over `q` that sorts candidates in document order."""
    place: str
    """Expression over `o` and `q` for the position of the candidate."""
    kinds: Kinds
    wide: bool = False
    """Whether `w` is bound."""
    placed: bool = False
    """Whether the clauses already apply the position."""


class NodeSource(Protocol):
    """Source of the nodes of a path."""

    @property
    def repeats(self) -> bool:
        """Whether a node may occur in several places, so any step may reach it more than once."""
        ...

    def start(self) -> tuple[str, QueryFrame]:
        """Return clauses that bind the root at level 0, and the frame."""
        ...

    def root(self, step: Step) -> bool:
        """Return whether a first step names the root."""
        ...

    def enter(self, frame: QueryFrame, steps: Sequence[Step]) -> tuple[str, QueryFrame]:
        """Return clauses that prepare the context for steps, such as switching from a version to the whole tree."""
        ...

    def listing(self, params: Params, frame: QueryFrame, step: Step) -> NodeListing:
        """Return the clauses that list the candidates of a step."""
        ...

    def attribute(self, params: Params, var: str, name: str) -> str:
        """Return an expression for the value of an attribute; null if it is missing."""
        ...

    def subject(self, var: str, kinds: Kinds) -> tuple[str, str]:
        """Return expressions for the vector of a node and for the text it was made from."""
        ...

    def finish(self, frame: QueryFrame) -> tuple[str, str]:
        """Return the expression for document order, and the expression for a row of the result."""
        ...

    def collected(self, row: str) -> str:
        """Return the final clauses: one row with the addressed version, if any, and `rows`."""
        ...
