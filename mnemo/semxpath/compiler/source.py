"""What the compiler asks of the thing that a path walks over, and the variables it keeps; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from mnemo.semxpath.language.syntax import Step

__all__ = ["Kinds", "NodeListing", "NodeSource", "Params", "QueryFrame"]

Kinds: TypeAlias = frozenset[str]
"""What the nodes of a path may be, in the source's own words."""


class Params:
    """Collects parameters under names of its own.

    Equal values get names of their own each: the statement then depends on the form of the query alone, and the
    database plans each form once.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        """Start with parameters that have names already."""
        self.values: dict[str, Any] = dict(start)
        self._count = 0

    def add(self, value: Any) -> str:
        """Return the reference to a new parameter of this value, such as $p1."""
        name = f"p{self._count}"
        self._count += 1
        self.values[name] = value
        return f"${name}"


@dataclass(frozen=True, slots=True)
class QueryFrame:
    """The variables of one path."""

    level: int
    """0 is the query itself; nested paths count up."""
    kinds: Kinds
    ordered: bool
    """Whether places are carried, for the final order."""
    wide: bool = False
    """Whether the version is carried, because one node may stand in several."""

    def var(self, letter: str) -> str:
        """Return the variable of a letter at this level."""
        return f"{letter}{self.level}"

    @property
    def carried(self) -> tuple[str, ...]:
        """The letters that every row has."""
        return ("n", "s", *("o" if self.ordered else ""), *("w" if self.wide else ""))


@dataclass(frozen=True, slots=True)
class NodeListing:
    """How the candidates of one step are listed for each context node."""

    clauses: str
    """Bind the candidate `c`, its place relative to the context `q`, and `w` if it becomes wide here."""
    order: str
    """An expression over `q` that sorts candidates in document order."""
    place: str
    """An expression for the place to carry, over the frame's `o` and `q`."""
    kinds: Kinds
    wide: bool = False
    """Whether `w` is bound from here on."""
    placed: bool = False
    """Whether the clauses applied the position already."""


class NodeSource(Protocol):
    """What a path walks over."""

    @property
    def repeats(self) -> bool:
        """Whether one node may stand in several places, so that every step may reach it twice."""
        ...

    def start(self) -> tuple[str, QueryFrame]:
        """Return clauses that bind the root as the context of level 0, and its frame."""
        ...

    def root(self, step: Step) -> bool:
        """Tell whether a leading step names the root."""
        ...

    def enter(self, frame: QueryFrame, steps: Sequence[Step]) -> tuple[str, QueryFrame]:
        """Return clauses that make a context ready for steps: the root may turn to what they see."""
        ...

    def listing(self, params: Params, frame: QueryFrame, step: Step) -> NodeListing:
        """Return how a step lists its candidates."""
        ...

    def attribute(self, params: Params, var: str, name: str) -> str:
        """Return an expression for an attribute's value; null where there is none."""
        ...

    def subject(self, var: str, kinds: Kinds) -> tuple[str, str]:
        """Return expressions for a node's vector and for the text that stands for it."""
        ...

    def finish(self, frame: QueryFrame) -> tuple[str, str]:
        """Return the expression that sorts rows in document order, and one for a row of the result."""
        ...

    def collected(self, row: str) -> str:
        """Return the clauses that end the statement: one row with what was addressed and `rows`."""
        ...
