"""Random trees with versions that share nodes, random queries on them, and a bulk loader."""

import json
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from mnemo.models.tree import TreeNode
from mnemo.models.tree_text import label_of, properties
from mnemo.semxpath.language.syntax import (
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
    Span,
    Step,
)
from mnemo.semxpath.schema import infer, merge, schema_to_json
from mnemo.store.driver import Call, Database
from mnemo.store.trees import nodes as store
from mnemo.store.trees.nodes import VersionDraft
from support.embedders import vector
from support.tree_oracle import History

TYPES = ("A", "B", "C")
ROOTS = ("R", "R", "R", "A")
CREATED = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class RandomTree:
    name: str
    history: History
    root: str


def random_tree(random: Random, name: str) -> RandomTree:
    """Return a tree of 1 to 4 levels below the root, with 1 to 3 versions."""
    root = random.choice(ROOTS)
    node = _grown(random, root, random.choice([1, 2, 3, 3, 4]))
    versions = [(_version(1), node)]
    for number in range(2, random.randint(2, 4)):
        node = replace(_changed(random, node), type=root)
        versions.append((_version(number), node))
    return RandomTree(name, History(versions, random.randrange(len(versions))), root)


def _version(number: int) -> dict[str, Any]:
    return {"number": number, "summary": f"s{number % 2}", "request": ""}


def _grown(random: Random, type_name: str, depth: int) -> TreeNode:
    width = random.randint(depth > 1, 4) if depth else 0
    children = tuple(_grown(random, random.choice(TYPES), depth - 1) for _ in range(width))
    return TreeNode(type=type_name, attributes=_attributes(random), children=children)


def _attributes(random: Random) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    if random.random() < 0.8:
        attributes["k"] = random.choice(["u", "v", "uv", "7"])
    if random.random() < 0.6:
        attributes["n"] = random.choice([1, 2, 2.5, -3, "2", "x"])
    if random.random() < 0.3:
        attributes["flag"] = random.choice([True, False])
    return attributes


def _changed(random: Random, node: TreeNode) -> TreeNode:
    """Return a changed copy of a tree that shares all nodes except those on the paths to the changes."""
    children = list(node.children)
    if not children or random.random() < 0.3:
        return replace(node, attributes=_attributes(random))
    at = random.randrange(len(children))
    match random.randrange(4):
        case 0:
            del children[at]
        case 1:
            children.insert(at, _grown(random, random.choice(TYPES), 1))
        case 2:
            children.append(children.pop(at))
        case _:
            children[at] = _changed(random, children[at])
    return replace(node, children=tuple(children))


async def store_trees(db: Database, group: str, trees: Sequence[RandomTree]) -> None:
    """Store trees; a node object in several versions is stored once.

    All get one schema, so that a query on any of them may name what others have.
    """
    roots = [root for tree in trees for _, root in tree.history.versions]
    schema = infer(roots[0])
    for root in roots[1:]:
        schema = merge(schema, infer(root))
    nodes: dict[int, tuple[str, TreeNode]] = {}
    rows, links, calls = [], [], []
    first = ""
    for tree in trees:
        tree_uuid = str(uuid.uuid4())
        for _, root in tree.history.versions:
            for node in root.walk():
                if id(node) in nodes:
                    continue
                own = str(uuid.uuid4())
                nodes[id(node)] = (own, node)
                stored = {**properties(node.type, node.attributes), "uuid": own, "key": own, "tree": tree_uuid}
                text_vector = vector(stored["text"])
                rows.append({"parent": None, "label": label_of(node.type), "properties": stored, "vector": text_vector})
        made = _versions(group, tree, tree_uuid, nodes)
        made[0][1]["tree"]["schema"] = schema_to_json(schema)
        first = first or made[0][1]["version"]["uuid"]
        calls += made
    for own, node in nodes.values():
        counts: Counter[str] = Counter()
        for position, child in enumerate(node.children, start=1):
            counts[child.type] += 1
            place = {"position": position, "ordinal": counts[child.type]}
            links.append({"parent": own, "child": nodes[id(child)][0], **place})
    stored_group: list[Call] = [("tree/add_nodes", {"group": group, "rows": rows}), *calls]
    await db.run_all([*stored_group, ("tree/link_children", {"group": group, "version": first, "rows": links})])


def _versions(group: str, tree: RandomTree, tree_uuid: str, nodes: dict[int, tuple[str, TreeNode]]) -> list[Call]:
    calls: list[Call] = []
    for attributes, root in tree.history.versions:
        number = attributes["number"]
        draft = VersionDraft(
            uuid=str(uuid.uuid4()),
            number=number,
            summary=attributes["summary"],
            request="",
            created_at=CREATED,
            counts=Counter(node.type for node in root.walk()),
        )
        version = store.version_properties(draft, "hash")
        top = nodes[id(root)][0]
        both = {"group": group, "version": version, "vector": vector(draft.text)}
        if number == 1:
            head = {"uuid": tree_uuid, "name": tree.name, "root": tree.root}
            calls.append(("tree/create", {**both, "tree": head, "root": top, "stage": ""}))
        else:
            base = {"tree": tree.name, "base": number - 1, "parent": number - 1, "schema": None}
            calls.append(("tree/open_version", {**both, **base}))
            calls.append(("tree/set_root", {"group": group, "version": draft.uuid, "root": top}))
    active = tree.history.versions[tree.history.active][0]["number"]
    calls.append(("tree/checkout", {"group": group, "tree": tree.name, "number": active}))
    return calls


def random_query(random: Random, *, matches: bool) -> Query:
    """Return a random query on random trees, with semantic matches if `matches`."""
    writer = _Writer(random, matches=matches)
    steps = writer.path(random.randint(1, 3))
    start = random.random()
    if start < 0.25:
        steps = (Step("child", "R", _position(random, 0.2)), *steps)
    elif start < 0.5:
        steps = (Step("child", "Version", _position(random, 0.4), writer.predicates(0.3, version=True)), *steps)
    elif start < 0.6:
        steps = (Step("child", "A", None, writer.predicates(0.3)), Step("child", "Version"), *steps)
    return Query(steps, _position(random, 0.15))


class _Writer:
    def __init__(self, random: Random, *, matches: bool) -> None:
        self.random = random
        self.matches = matches

    def path(self, length: int) -> tuple[Step, ...]:
        return tuple(self._step(0.45) for _ in range(length))

    def _step(self, chance: float) -> Step:
        test = self.random.choice([*TYPES, None])
        axis = self.random.choice(["child", "descendant"])
        return Step(axis, test, _position(self.random, 0.25), self.predicates(chance))

    def predicates(self, chance: float, *, version: bool = False) -> tuple[Expr, ...]:
        found = []
        while self.random.random() < chance and len(found) < 2:
            found.append(self._expr(2, version=version))
        return tuple(found)

    def _expr(self, depth: int, *, version: bool = False) -> Expr:  # noqa: PLR0911 - one case per kind
        draw = self.random.random()
        if depth == 0 or draw < 0.4:
            return self._atom(version=version)
        if draw < 0.6:
            steps = tuple(self._step(0.25 if depth > 1 else 0) for _ in range(self.random.choice([1, 1, 2])))
            return Aggregate(self.random.choice(["avg", "min", "max", "gmean", "exists"]), steps)
        parts = tuple(self._expr(depth - 1, version=version) for _ in range(2))
        match self.random.randrange(7):
            case 0:
                return Or(parts)
            case 1:
                return And(parts)
            case 2:
                return Product(parts)
            case 3:
                return Not(parts[0])
            case 4:
                return Complement(parts[0])
            case 5:
                return Mean(parts, 2)
            case _:
                return Fold(self.random.choice(["min", "max", "avg", "gmean"]), parts)

    def _atom(self, *, version: bool) -> Expr:
        if self.matches and self.random.random() < 0.6:
            name = None if version or self.random.random() < 0.7 else "k"
            return Similar(name, self.random.choice(["m", "q"]))
        if version:
            return Filter("number", self.random.choice(["=", "<", ">="]), self.random.randint(1, 3))
        return self.random.choice(
            [
                Filter("k", self.random.choice(["=", "!=", "<", ">="]), self.random.choice(["u", "v"])),
                Filter("k", "contains", "u"),
                Filter("n", self.random.choice(["=", "!=", "<", "<=", ">", ">="]), self.random.choice([2, 1.5])),
                Filter("flag", self.random.choice(["=", "!="]), value=True),
            ]
        )


def _position(random: Random, chance: float) -> Position | None:
    if random.random() > chance:
        return None
    places = [1, 1, 2, 3, -1, -2]
    if random.random() < 0.6:
        return At(random.choice(places))
    return Span(random.choice([None, *places]), random.choice([None, *places]))


def as_json(tree: RandomTree) -> str:
    """Return a tree as JSON, for failure messages."""
    return json.dumps([[dict(version), _plain(root)] for version, root in tree.history.versions])


def _plain(node: TreeNode) -> list[Any]:
    return [node.type, dict(node.attributes), [_plain(child) for child in node.children]]


def varied(random: Random, query: Query) -> Query:
    """Return a query of the same form with other types, texts, literals and positions of the same sign."""
    return Query(tuple(_varied_step(random, step) for step in query.steps), _varied_place(random, query.position))


def _varied_step(random: Random, step: Step) -> Step:
    free = step.test is not None and step.test in TYPES
    return replace(
        step,
        test=random.choice(TYPES) if free else step.test,
        position=_varied_place(random, step.position),
        predicates=tuple(_varied_expr(random, predicate) for predicate in step.predicates),
    )


def _varied_place(random: Random, position: Position | None) -> Position | None:
    def other(place: int | None) -> int | None:
        return None if place is None else random.choice([1, 1, 2, 3]) * (1 if place > 0 else -1)

    match position:
        case At(index):
            return At(other(index) or 1)
        case Span(first, last):
            return Span(other(first), other(last))
        case _:
            return None


def _varied_expr(random: Random, expr: Expr) -> Expr:  # noqa: PLR0911 - one case per kind
    match expr:
        case Similar(name, _, _):
            return Similar(name, random.choice(["m", "q"]))
        case Filter("k", op, str(), _):
            return Filter("k", op, random.choice(["u", "v"]))
        case Filter("n", op, _, _):
            return Filter("n", op, random.choice([2, 1.5]))
        case Aggregate(kind, steps):
            return Aggregate(kind, tuple(_varied_step(random, step) for step in steps))
        case Or() | And() | Product() | Mean() | Fold():
            return replace(expr, parts=tuple(_varied_expr(random, part) for part in expr.parts))
        case Not(part) | Complement(part):
            return replace(expr, part=_varied_expr(random, part))
        case _:
            return expr
