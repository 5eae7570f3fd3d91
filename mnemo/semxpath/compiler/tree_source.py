"""What the compiler knows of a versioned tree: its relationships, its two faces, its columns; pure.

The root has two faces: the whole tree, whose children are the versions, and one version of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mnemo.models.tree_text import property_key
from mnemo.semxpath.compiler.source import Kinds, NodeListing, Params, QueryFrame
from mnemo.semxpath.language.syntax import VERSION, At, Span, Step

__all__ = ["TreeSource"]

_ROOT, _TREE, _VERSION, _NODE = "root", "tree", "version", "node"


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSource:
    """One tree, addressed whole or in one version.

    Parameters that its clauses name: group, tree and, when `version` is given, version.
    """

    root_type: str
    version: int | None = None
    """A version's number; None is the active one."""
    all_versions: bool = False
    repeats: bool = False
    """In one version a node stands in one place."""
    columns: Literal["matches", "places"] = "matches"
    """What a row of the result has: what the node is, or where it stands, for an edit."""

    def matched(self) -> str:
        """Bind the tree, the addressed version, its root, and the relationship to the version as `shown`."""
        version = "" if self.version is None else " {number: $version}"
        active = "MATCH (tree)-[:ACTIVE]->(version)\n" if self.version is None else ""
        return (
            "MATCH (tree:Tree {group: $group, name: $tree})\n"
            f"{active}MATCH (tree)-[shown:HAS_VERSION]->(version:Version{version})-[:ROOT]->(root:TreeNode)"
        )

    def start(self) -> tuple[str, QueryFrame]:
        """Bind the root of the addressed version, and the relationship to it as its place."""
        frame = QueryFrame(0, frozenset({_ROOT}), ordered=True)
        return f"{self.matched()}\nCALL (shown, root) {{\nWITH root AS n0, 1.0 AS s0, [shown] AS o0", frame

    def root(self, step: Step) -> bool:
        """Tell whether a leading step names the root."""
        return step.test == self.root_type

    def enter(self, frame: QueryFrame, steps: Sequence[Step]) -> tuple[str, QueryFrame]:
        """Turn the root to the whole tree, if the steps see its versions."""
        if not steps or _ROOT not in frame.kinds:
            return "", frame
        if not (self.all_versions or steps[0].test == VERSION):
            return "", QueryFrame(frame.level, frozenset({_NODE}), frame.ordered)
        n, s, o, t = (frame.var(letter) for letter in "nsot")
        place = f", [] AS {o}" if frame.ordered else ""
        clauses = f"MATCH ({t}:Tree {{group: $group, name: $tree}})\nWITH {t} AS {n}, {s}{place}"
        return clauses, QueryFrame(frame.level, frozenset({_TREE}), frame.ordered)

    def listing(self, params: Params, frame: QueryFrame, step: Step) -> NodeListing:
        """List children or descendants; those of the whole tree are the versions and what is below."""
        if _TREE in frame.kinds:
            return _of_tree(params, frame, step)
        if step.axis == "child":
            return _children(params, frame, step)
        return _descendants(params, frame, step)

    def attribute(self, params: Params, var: str, name: str) -> str:
        """Read the property of an attribute."""
        return f"{var}[{params.add(property_key(name))}]"

    def subject(self, var: str, kinds: Kinds) -> tuple[str, str]:  # noqa: ARG002 - nodes and versions keep the same
        """Name the stored vector and text."""
        return f"{var}.embedding", f"{var}.text"

    def finish(self, frame: QueryFrame) -> tuple[str, str]:
        """Sort by positions from the root; return the path as types and ordinals."""
        n, s, o = (frame.var(letter) for letter in "nso")
        order = f"[r IN {o} | r.position]"
        path = "[]" if _ROOT in frame.kinds else f"[r IN {o} | [coalesce(endNode(r).type, 'Version'), r.ordinal]]"
        version = f"CASE WHEN {n}:Version THEN {n} {{.number, .summary, .request, .created_at}} END"
        row = (
            f"{{uuid: {n}.uuid, type: {n}.type, attributes: {n}.attributes, "
            f"version: {version if _VERSION in frame.kinds else 'null'}, score: {s}, path: {path}}}"
        )
        if self.columns == "places":
            row = f"{{uuid: {n}.uuid, chain: [r IN {o} | startNode(r).uuid], positions: {order}, path: {path}}}"
        return order, row

    def collected(self, row: str) -> str:
        """Return the version, the tree with its revision, and the rows."""
        tree = "tree.uuid AS tree, tree.revision AS revision"
        return f"RETURN collect({row}) AS rows\n}}\nRETURN version.number AS version, {tree}, rows"


def _of_tree(params: Params, frame: QueryFrame, step: Step) -> NodeListing:
    n, c, q, w, h, rs = (frame.var(letter) for letter in ("n", "c", "q", "w", "h", "rs"))
    place = f"{frame.var('o')} + {q}"
    order = f"[r IN {q} | r.position]"
    versions = f"MATCH ({n})-[{h}:HAS_VERSION]->({c}:Version)"
    bind = f"WITH *, [{h}] AS {q}, {c} AS {w}"
    if step.test == VERSION or step.axis == "child":
        none = "" if step.test in {None, VERSION} else " WHERE false"
        return NodeListing(f"{versions}{none}\n{bind}", order, place, frozenset({_VERSION}), wide=True)
    test = _typed(params, c, step)
    below = (
        f"MATCH ({n})-[{h}:HAS_VERSION]->({w}:Version)-[:ROOT]->() (()-[{rs}:CHILD]->())+ ({c}:TreeNode){test}\n"
        f"WITH *, [{h}] + {rs} AS {q}"
    )
    if step.test is not None:
        return NodeListing(below, order, place, frozenset({_NODE}), wide=True)
    both = f"CALL ({n}) {{\n{versions}\n{bind}\nRETURN {c}, {q}, {w}\nUNION ALL\n{below}\nRETURN {c}, {q}, {w}\n}}"
    return NodeListing(both, order, place, frozenset({_VERSION, _NODE}), wide=True)


def _children(params: Params, frame: QueryFrame, step: Step) -> NodeListing:
    c, q = frame.var("c"), frame.var("q")
    tests = []
    if step.test is not None:
        tests.append(f"{c}.type = {params.add(step.test)}")
    counted = f"{q}.{'position' if step.test is None else 'ordinal'}"
    match step.position:
        case At(index) if index > 0:
            tests.append(f"{counted} = {params.add(index)}")
        case Span(first, last) if (first or 1) > 0 and (last or 1) > 0:
            tests += [f"{counted} >= {params.add(first)}"] if first else []
            tests += [f"{counted} <= {params.add(last)}"] if last else []
        case None:
            pass
        case _:
            return _listed_children(frame, tests, placed=False)
    return _listed_children(frame, tests, placed=True)


def _listed_children(frame: QueryFrame, tests: list[str], *, placed: bool) -> NodeListing:
    c, q = frame.var("c"), frame.var("q")
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    return NodeListing(
        f"MATCH {_inner(frame)}-[{q}:CHILD]->({c}:TreeNode){where}",
        f"{q}.position",
        f"{frame.var('o')} + [{q}]",
        frozenset({_NODE}),
        placed=placed,
    )


def _descendants(params: Params, frame: QueryFrame, step: Step) -> NodeListing:
    c, q = frame.var("c"), frame.var("q")
    return NodeListing(
        f"MATCH {_inner(frame)} (()-[{q}:CHILD]->())+ ({c}:TreeNode){_typed(params, c, step)}",
        f"[r IN {q} | r.position]",
        f"{frame.var('o')} + {q}",
        frozenset({_NODE}),
    )


def _inner(frame: QueryFrame) -> str:
    """Return the pattern from a context to the stored node whose children are meant: a version's is its root."""
    n = frame.var("n")
    if _VERSION not in frame.kinds:
        return f"({n})"
    return f"({n})-[:ROOT]->{'()' if frame.kinds == {_VERSION} else '{0,1}()'}"


def _typed(params: Params, var: str, step: Step) -> str:
    return "" if step.test is None else f" WHERE {var}.type = {params.add(step.test)}"
