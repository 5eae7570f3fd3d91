"""What the compiler knows of the whole memory seen as a tree: a table of views; pure.

    Memory → Session → Episode
    Memory → Category → Category | Entity | Episode
    Memory → Entity (those that no category holds) → Edge | Episode

A row's node is a map {t: its type, x: the stored node, or a map for what is made up}. One stored node may
stand in several places; it is returned once. Facts that ended by `as_of`, began after `begun_by` or were
retired, and episodes later than `as_of`, are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemo.semxpath.compiler.source import Kinds, NodeListing, Params, QueryFrame
from mnemo.semxpath.language.syntax import Step

__all__ = ["ATTRIBUTES", "STORED", "ViewSource"]

ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "Memory": ("name",),
    "Session": ("name", "began", "ended", "episodes"),
    "Category": ("uuid", "name", "tags", "content", "layer"),
    "Entity": ("uuid", "name", "summary", "tags", "aliases", "speaker"),
    "Edge": ("uuid", "fact", "relation", "valid_from", "valid_to", "recorded_at", "when", "precision"),
    "Episode": (
        "uuid",
        "content",
        "role",
        "speaker",
        "session",
        "position",
        "occurred_at",
        "zone",
        "source",
        "recorded_at",
        "status",
    ),
}
"""What queries may name of each type: properties of the data model."""

STORED: Mapping[str, str] = {"content": "Episode", "fact": "Edge"}
"""Attributes whose vector is the node's own, by the type that has it."""

_LISTS = frozenset({"tags", "aliases"})
_OPEN = frozenset({"valid_from", "valid_to"})
_ROOT = "Memory"

_EDGE = "{c}.valid_from <= $begun_by AND {c}.valid_to > $as_of AND {c}.retired_at = $never"
_EPISODE = "{c}.visible_from <= $as_of"
_EDGE_ORDER = "[{v}.valid_from, {v}.recorded_at, {v}.uuid]"
_EPISODE_ORDER = "[{v}.visible_from, {v}.session, {v}.position]"
_TOP = (
    "MATCH (h{z}:Hierarchy {{group: $group}}) "
    "WHERE coalesce(h{z}.current, true) AND NOT coalesce(h{z}.building, false)\n"
)


@dataclass(frozen=True, slots=True)
class _View:
    """How nodes of a type are found from one of another, and in which order they stand there."""

    clauses: str
    """Bind `{v}` for a parent `{u}`; other names end in `{z}`."""
    order: str


def _edges(above: str) -> _View:
    return _View(f"{above}MATCH ({{u}})<-[:SUBJECT|OBJECT]-({{v}}:Edge) WHERE {_EDGE.format(c='{v}')}", _EDGE_ORDER)


def _episodes(above: str) -> _View:
    return _View(f"{above}MATCH ({{u}})<-[:MENTIONS]-({{v}}:Episode) WHERE {_EPISODE.format(c='{v}')}", _EPISODE_ORDER)


_SESSION = _View(
    "MATCH (e{z}:Episode {{group: $group}}) WHERE e{z}.visible_from <= $as_of\n"
    "WITH e{z}.session AS name{z}, min(e{z}.visible_from) AS began{z}, max(e{z}.visible_from) AS ended{z}, "
    "count(*) AS count{z}\n"
    "WITH {{name: name{z}, began: began{z}, ended: ended{z}, episodes: count{z}}} AS {v}",
    "[{v}.began, {v}.name]",
)
_CHILDREN: Mapping[tuple[str, str], _View] = {
    ("Memory", "Session"): _SESSION,
    ("Memory", "Category"): _View(
        f"{_TOP}MATCH (h{{z}})-[l{{z}}:CONTAINS]->({{v}}:Category)", "[h{z}.kind, l{z}.position, {v}.uuid]"
    ),
    ("Memory", "Entity"): _View(
        "MATCH ({v}:Entity {{group: $group}}) WHERE NOT EXISTS {{ ({v})<-[:CONTAINS]-(:Category) }}",
        "[{v}.name_key, {v}.uuid]",
    ),
    ("Session", "Episode"): _View(
        f"MATCH ({{v}}:Episode {{{{group: $group, session: {{u}}.name}}}}) WHERE {_EPISODE.format(c='{v}')}",
        "[{v}.position]",
    ),
    ("Category", "Category"): _View("MATCH ({u})-[l{z}:CONTAINS]->({v}:Category)", "[l{z}.position, {v}.uuid]"),
    ("Category", "Entity"): _View("MATCH ({u})-[l{z}:CONTAINS]->({v}:Entity)", "[l{z}.position, {v}.uuid]"),
    ("Category", "Episode"): _View(
        f"MATCH ({{u}})-[l{{z}}:CONTAINS]->({{v}}:Episode) WHERE {_EPISODE.format(c='{v}')}",
        "[l{z}.position, {v}.uuid]",
    ),
    ("Entity", "Edge"): _edges(""),
    ("Entity", "Episode"): _episodes(""),
}
_DEEP = "MATCH ({u}) (()-[l{z}:CONTAINS]->())+ ({v}:TYPE)"
_DEEP_ORDER = "[r IN l{z} | coalesce(r.position, 0)] + [{v}.uuid]"
_DESCENDANTS: Mapping[tuple[str, str], _View] = {
    **_CHILDREN,
    ("Memory", "Category"): _View(
        f"{_TOP}MATCH (h{{z}}) (()-[l{{z}}:CONTAINS]->())+ ({{v}}:Category)", f"[h{{z}}.kind] + {_DEEP_ORDER}"
    ),
    ("Memory", "Entity"): _View("MATCH ({v}:Entity {{group: $group}})", "[{v}.name_key, {v}.uuid]"),
    ("Memory", "Edge"): _View(f"MATCH ({{v}}:Edge {{{{group: $group}}}}) WHERE {_EDGE.format(c='{v}')}", _EDGE_ORDER),
    ("Memory", "Episode"): _View(
        f"MATCH ({{v}}:Episode {{{{group: $group}}}}) WHERE {_EPISODE.format(c='{v}')}", _EPISODE_ORDER
    ),
    ("Category", "Category"): _View(_DEEP.replace("TYPE", "Category"), _DEEP_ORDER),
    ("Category", "Entity"): _View(_DEEP.replace("TYPE", "Entity"), _DEEP_ORDER),
    ("Category", "Edge"): _View(
        "MATCH ({u})-[:CONTAINS]->+(x{z}:Entity)\nMATCH (x{z})<-[:SUBJECT|OBJECT]-({v}:Edge) "
        f"WHERE {_EDGE.format(c='{v}')}",
        _EDGE_ORDER,
    ),
    ("Category", "Episode"): _View(
        "MATCH ({u})-[:CONTAINS]->+(x{z}:Episode|Entity)\nMATCH (x{z})<-[:MENTIONS]-{{0,1}}({v}:Episode) "
        f"WHERE {_EPISODE.format(c='{v}')}",
        _EPISODE_ORDER,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSource:
    """The memory of a group at a moment. Parameters that its clauses name: group, as_of, begun_by, never and past."""

    repeats: bool = True
    """One stored node may stand in several places."""

    def start(self) -> tuple[str, QueryFrame]:
        """Bind the root, which is made up."""
        root = "{t: 'Memory', x: {name: 'Memory'}}"
        return f"CALL () {{\nWITH {root} AS n0, 1.0 AS s0, [] AS o0", QueryFrame(0, frozenset({_ROOT}), ordered=True)

    def root(self, step: Step) -> bool:
        """Tell whether a leading step names the root."""
        return step.test == _ROOT

    def enter(self, frame: QueryFrame, steps: Sequence[Step]) -> tuple[str, QueryFrame]:  # noqa: ARG002 - the root has one face
        """Leave the context as it is."""
        return "", frame

    def listing(self, params: Params, frame: QueryFrame, step: Step) -> NodeListing:  # noqa: ARG002 - types are fixed text here
        """List nodes by each view that leads from a type of the context to the type of the step."""
        table = _CHILDREN if step.axis == "child" else _DESCENDANTS
        found = {pair: view for pair, view in table.items() if pair[0] in frame.kinds and step.test in {None, pair[1]}}
        n, c, q, o = (frame.var(letter) for letter in "ncqo")
        parts = [
            _part(view, pair, (n, c, q), f"{frame.level}_{index}") for index, (pair, view) in enumerate(found.items())
        ]
        empty = f"WITH {n} WHERE false\nWITH {n} AS {c}, [] AS {q}\nRETURN {c}, {q}"
        union = "\nUNION ALL\n".join(parts) or empty
        kinds = frozenset(kind for _, kind in found)
        return NodeListing(f"CALL ({n}) {{\n{union}\n}}", q, f"{o} + [{q}]", kinds)

    def attribute(self, params: Params, var: str, name: str) -> str:  # noqa: ARG002 - names are checked, and fixed text
        """Read a property of the data model; lists as text, open ends as missing."""
        value = f"{var}.x.{name}"
        if name not in {attribute for names in ATTRIBUTES.values() for attribute in names}:
            return "null"
        if name in _LISTS:
            items = f"coalesce({value}, [])"
            return f"reduce(t = '', i IN {items} | t + CASE t WHEN '' THEN '' ELSE ', ' END + i)"
        if name in _OPEN:
            return f"CASE WHEN {value} IN [$past, $never] THEN null ELSE {value} END"
        return value

    def subject(self, var: str, kinds: Kinds) -> tuple[str, str]:  # noqa: ARG002 - the same for all
        """Name the stored vector, and the text that it is of."""
        return f"{var}.x.embedding", f"coalesce({var}.x.fact, {var}.x.content, {var}.x.name)"

    def finish(self, frame: QueryFrame) -> tuple[str, str]:
        """Sort by places from the root down; return type and attributes."""
        n, s, o = (frame.var(letter) for letter in "nso")
        kinds = frame.kinds or {_ROOT}
        names = dict.fromkeys(name for kind in sorted(kinds) for name in ATTRIBUTES[kind])
        attributes = ", ".join(f"`{name}`: {n}.x.`{name}`" for name in names)
        return o, f"{{uuid: {n}.x.uuid, type: {n}.t, attributes: {{{attributes}}}, score: {s}}}"

    def collected(self, row: str) -> str:
        """Return the rows."""
        return f"RETURN collect({row}) AS rows\n}}\nRETURN rows"


def _part(view: _View, pair: tuple[str, str], names: tuple[str, str, str], suffix: str) -> str:
    n, c, q = names
    u, v = f"u{suffix}", f"v{suffix}"
    clauses = view.clauses.format(u=u, v=v, z=suffix)
    order = view.order.format(u=u, v=v, z=suffix)
    kind = list(ATTRIBUTES).index(pair[1])
    guard = f"WITH {n} WHERE {n}.t = '{pair[0]}'\nWITH {n}.x AS {u}"
    return f"{guard}\n{clauses}\nWITH {{t: '{pair[1]}', x: {v}}} AS {c}, [{kind}] + {order} AS {q}\nRETURN {c}, {q}"
