"""A naive in-memory evaluator of Semantic XPath, written only from the definition of the language."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.tree import TreeNode
from mnemo.models.tree_text import as_text, node_text
from mnemo.semxpath.language.syntax import (
    VERSION,
    Aggregate,
    And,
    At,
    Complement,
    Expr,
    Filter,
    Fold,
    Mean,
    Not,
    Or,
    Position,
    Product,
    Query,
    Similar,
    Step,
    is_filter,
)

Scorer = Callable[[str, str], float]
"""Score of a subject (text of a node or value of an attribute) for a query text."""


@dataclass(eq=False)
class Place:
    """A node at one place in a versioned tree."""

    type: str
    attributes: Mapping[str, Any]
    path: str
    order: tuple[int, ...]
    children: list["Place"] = field(default_factory=list)

    def below(self) -> Iterator["Place"]:
        for child in self.children:
            yield child
            yield from child.below()


@dataclass
class History:
    """All versions of a tree, oldest first, each with its attributes and root, and the active one."""

    versions: Sequence[tuple[Mapping[str, Any], TreeNode]]
    active: int
    """Index into `versions`."""


@dataclass
class Options:
    version: int | None = None
    """Index into `versions`; None is the active one."""
    all_versions: bool = False
    threshold: float | None = None
    top_k: int | None = None
    limit: int | None = None


def evaluate(query: Query, history: History, scorer: Scorer, options: Options) -> list[tuple[str, float]]:
    """Return path and score of each match, in result order."""
    found = _Evaluator(history, scorer, options).start(query.steps)
    rows = [(place, round(score, 9)) for place, score in found.items()]
    rows.sort(key=lambda row: row[0].order)
    if query.semantic:
        rows = [row for row in rows if options.threshold is None or row[1] >= options.threshold]
        rows.sort(key=lambda row: -row[1])
    if query.position is not None:
        rows = choose(rows, query.position)
    if query.semantic and options.top_k is not None:
        rows = rows[: options.top_k]
    return [(place.path, score) for place, score in rows[: options.limit]]


def choose(items: list[Any], position: Position) -> list[Any]:
    """Return the items at a position."""
    count = len(items)
    kept = []
    for index, item in enumerate(items, start=1):
        both = {index, index - count - 1}
        if isinstance(position, At):
            inside = position.index in both
        else:
            first, last = position.first, position.last
            start = 1 if first is None else first if first > 0 else count + 1 + first
            end = count if last is None else last if last > 0 else count + 1 + last
            inside = start <= index <= end
        if inside:
            kept.append(item)
    return kept


def places(type_name: str, node: TreeNode, path: str, order: tuple[int, ...]) -> Place:
    """Return a node and its descendants with their paths."""
    place = Place(type_name, node.attributes, path, order)
    counts: dict[str, int] = {}
    for index, child in enumerate(node.children):
        counts[child.type] = counts.get(child.type, 0) + 1
        place.children.append(places(child.type, child, f"{path}/{child.type}[{counts[child.type]}]", (*order, index)))
    return place


class _Evaluator:
    def __init__(self, history: History, scorer: Scorer, options: Options) -> None:
        chosen = history.active if options.version is None else options.version
        self.whole = Place(history.versions[chosen][1].type, history.versions[chosen][1].attributes, "/", ())
        for index, (attributes, root) in enumerate(history.versions):
            place = places(VERSION, root, f"/Version[{index + 1}]", (index,))
            place.attributes = attributes
            self.whole.children.append(place)
        self.one = Place(self.whole.type, self.whole.attributes, "/", (), self.whole.children[chosen].children)
        self.scorer = scorer
        self.all = options.all_versions

    def face(self, steps: Sequence[Step]) -> Place:
        return self.whole if self.all or steps[0].test == VERSION else self.one

    def start(self, steps: Sequence[Step]) -> dict[Place, float]:
        first, rest = steps[0], steps[1:]
        if first.axis == "child" and first.test == self.whole.type:
            root = self.face(rest) if rest else self.one
            kept = choose([root], first.position) if first.position else [root]
            scored = self.score(kept, 1.0, first)
            return self.path(scored, rest)
        return self.path({self.face(steps): 1.0}, steps)

    def path(self, contexts: dict[Place, float], steps: Sequence[Step]) -> dict[Place, float]:
        for step in steps:
            found: dict[Place, float] = {}
            for context, score in contexts.items():
                listed = context.children if step.axis == "child" else list(context.below())
                listed = [place for place in listed if step.test in (None, place.type)]
                if step.position is not None:
                    listed = choose(listed, step.position)
                for place, own in self.score(listed, score, step).items():
                    found[place] = max(own, found.get(place, -math.inf))
            contexts = found
        return contexts

    def score(self, listed: list[Place], score: float, step: Step) -> dict[Place, float]:
        return {
            place: score * math.prod(own for _, own in factors)
            for place in listed
            for factors in [[(part, self.value(part, place)) for p in step.predicates for part in _conjuncts(p)]]
            if all(own == 1 for part, own in factors if is_filter(part))
        }

    def value(self, expr: Expr, place: Place) -> float:  # noqa: C901, PLR0911 - one case per kind
        match expr:
            case Or(parts):
                return max(self.value(part, place) for part in parts)
            case And(parts) | Product(parts):
                return math.prod(self.value(part, place) for part in parts)
            case Not(part) | Complement(part):
                return 1 - self.value(part, place)
            case Mean(parts, divisor):
                return sum(self.value(part, place) for part in parts) / divisor
            case Fold(kind, parts):
                return fold(kind, [self.value(part, place) for part in parts])
            case Similar(None, text, _):
                return self.scorer(node_text(place.type, place.attributes), text)
            case Similar(name, text, _):
                subject = as_text(place.attributes.get(name))
                return self.scorer(subject, text) if subject else 0.0
            case Filter():
                return float(holds(expr, place.attributes.get(expr.name)))
            case Aggregate(kind, steps):
                context = place
                if place in (self.one, self.whole):
                    context = self.face(steps)
                return fold(kind, list(self.path({context: 1.0}, steps).values()))
        raise AssertionError(expr)


def _conjuncts(expr: Expr) -> list[Expr]:
    if isinstance(expr, And) and not is_filter(expr):
        return [one for part in expr.parts for one in _conjuncts(part)]
    return [expr]


def fold(kind: str, values: list[float]) -> float:
    if kind == "exists":
        return float(bool(values))
    if not values:
        return 0.0
    if kind == "gmean":
        return 0.0 if min(values) <= 0 else math.exp(sum(map(math.log, values)) / len(values))
    return {"min": min, "max": max, "avg": lambda items: math.fsum(items) / len(items)}[kind](values)


def holds(condition: Filter, value: Any) -> bool:
    if value is None:
        return False
    expected = condition.value
    if condition.op == "contains":
        return str(expected) in as_text(value)
    if isinstance(expected, bool | str):
        own: Any = as_text(value)
        expected = as_text(expected)
    else:
        try:
            own = float(as_text(value)) if not isinstance(value, bool) else math.nan
        except ValueError:
            return condition.op == "!="
        if math.isnan(own):
            return condition.op == "!="
    return {
        "=": own == expected,
        "!=": own != expected,
        "<": own < expected,
        "<=": own <= expected,
        ">": own > expected,
        ">=": own >= expected,
    }[condition.op]
