"""Compiles a query into one Cypher statement and its parameters; pure.

User text always becomes a parameter: types, attribute names, literals, positions and vectors.
A source (`tree_source`, `view_source`) provides the patterns that steps match: the relationships of a tree or of the
graph memory.

A path is compiled to rows of `n` (the node), `s` (its score), `o` (its place in document order) and, if a node may
occur in several versions, `w` (the version). Each nested path gets its own variables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemo.models.tree import QueryOptions
from mnemo.semxpath.compiler.expressions import Scores, aggregation, expression, similarity
from mnemo.semxpath.compiler.source import NodeListing, NodeSource, Params, QueryFrame
from mnemo.semxpath.language.syntax import (
    Aggregate,
    And,
    At,
    Expr,
    Position,
    Query,
    Similar,
    Span,
    Step,
    is_filter,
    parts_of,
)

__all__ = ["Compiled", "compile_query", "compile_subjects", "result_clauses", "statement_text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A statement and its parameters."""

    statement: str
    params: Mapping[str, Any]
    semantic: bool


@dataclass(slots=True)
class _Compiler:
    """State of one compilation."""

    source: NodeSource
    params: Params
    scores: Scores
    levels: int = 0
    lines: list[str] = field(default_factory=list)

    def start(self, steps: tuple[Step, ...]) -> QueryFrame:
        """Compile the main path."""
        clauses, frame = self.source.start()
        self.lines.append(clauses)
        if steps[0].axis == "child" and self.source.root(steps[0]):
            self.root_step(frame, steps[0])
            steps = steps[1:]
        return self.path(frame, steps)

    def root_step(self, frame: QueryFrame, step: Step) -> None:
        """Apply the position and predicates of a first step that names the root."""
        n, c = frame.var("n"), frame.var("c")
        extra = ", ".join(frame.var(letter) for letter in frame.carried[1:])
        self.lines.append(f"WITH {n} AS {c}, {extra}")
        if step.position is not None:
            self.lines.append(f"WITH * WHERE {_inside(self.params, step.position)}")
        self.score(frame, step, "")

    def path(self, frame: QueryFrame, steps: Sequence[Step]) -> QueryFrame:
        """Compile steps; return the frame after the last one."""
        deep = 0
        clauses, frame = self.source.enter(frame, steps)
        self.lines.append(clauses)
        for step in steps:
            listing = self.source.listing(self.params, frame, step)
            self.list(frame, step, listing)
            frame = QueryFrame(frame.level, listing.kinds, frame.ordered, frame.wide or listing.wide)
            deep += step.axis == "descendant"
            self.score(frame, step, listing.place)
            if self.source.repeats or (step.axis == "descendant" and deep > 1):
                self.distinct(frame)
        return frame

    def list(self, frame: QueryFrame, step: Step, listing: NodeListing) -> None:
        """Compile the candidates of a step; its position applies per context node."""
        if step.position is None or listing.placed:
            self.lines.append(listing.clauses)
            return
        c, q, rows, x, n = (frame.var(letter) for letter in ("c", "q", "rows", "x", "n"))
        wide = [frame.var("w")] if listing.wide else []
        row = ", ".join(f"{name}: {name}" for name in (c, q, *wide))
        back = ", ".join(f"{x}.{name} AS {name}" for name in (c, q, *wide))
        self.lines += [
            f"CALL ({n}) {{",
            listing.clauses,
            f"WITH {', '.join((c, q, *wide))} ORDER BY {listing.order}{_cut(self.params, step.position)}",
            f"WITH collect({{{row}}}) AS {rows}",
            f"UNWIND {_slice(self.params, step.position, rows)} AS {x}",
            f"RETURN {back}",
            "}",
        ]

    def score(self, frame: QueryFrame, step: Step, place: str) -> None:
        """Compile the predicates of a step; its candidates become the context of the next step."""
        c = frame.var("c")
        parts = [part for predicate in step.predicates for part in _conjuncts(predicate)]
        for kind in (True, False):
            for part in parts:
                if is_filter(part) is kind:
                    self.aggregates(frame, part)
            filters = [part for part in parts if is_filter(part)] if kind else []
            if filters:
                tests = " AND ".join(f"{self.expr(frame, part)} = 1.0" for part in filters)
                self.lines.append(f"WITH * WHERE {tests}")
        factors = [frame.var("s"), *(self.expr(frame, part) for part in parts if not is_filter(part))]
        row = [f"{c} AS {frame.var('n')}", f"{' * '.join(factors)} AS {frame.var('s')}"]
        if frame.ordered:
            row.append(f"{place or frame.var('o')} AS {frame.var('o')}")
        if frame.wide:
            row.append(frame.var("w"))
        self.lines.append(f"WITH {', '.join(row)}")

    def distinct(self, frame: QueryFrame) -> None:
        """Keep each node once, with its highest score and first place."""
        n, s, o, w = (frame.var(letter) for letter in "nsow")
        keys = [n, *([w] if frame.wide else [])]
        first = f"min({o})" if self.source.repeats else f"head(collect({o}))"
        order = [f"{first} AS {o}"] if frame.ordered else []
        self.lines.append(f"WITH {', '.join((*keys, f'max({s}) AS {s}', *order))}")

    def aggregates(self, frame: QueryFrame, expr: Expr) -> None:
        """Compile a subquery for each aggregate in an expression on `c`."""
        if isinstance(expr, Aggregate):
            self.levels += 1
            level = self.levels
            inner = QueryFrame(level, frame.kinds, ordered=False)
            n, c, s = inner.var("n"), frame.var("c"), inner.var("s")
            self.lines += [f"CALL ({c}) {{", f"WITH {c} AS {n}, 1.0 AS {s}"]
            inner = self.path(inner, expr.steps)
            value = aggregation(expr.kind, inner.var("s"))
            self.lines += [f"RETURN {value} AS g{level}", "}"]
            self.names[id(expr)] = f"g{level}"
            return
        for part in parts_of(expr):
            self.aggregates(frame, part)

    names: dict[int, str] = field(default_factory=dict)

    def expr(self, frame: QueryFrame, expr: Expr) -> str:
        """Return the Cypher of an expression on `c`."""

        def atom(part: Expr) -> str:
            if isinstance(part, Aggregate):
                return self.names[id(part)]
            assert isinstance(part, Similar)  # noqa: S101 - expression() handles all others itself
            return self.similar(frame, part)

        def attribute(name: str) -> str:
            return self.source.attribute(self.params, frame.var("c"), name)

        return expression(expr, atom, attribute, self.params.add)

    def similar(self, frame: QueryFrame, match: Similar) -> str:
        """Return the score of a semantic match on `c`."""
        c = frame.var("c")
        score = self.params.add(self.scores[match])
        if match.name is None:
            vector, text = self.source.subject(c, frame.kinds)
            return similarity(score, vector, text, table=isinstance(self.scores[match], Mapping))
        value = self.source.attribute(self.params, c, match.name)
        if not isinstance(self.scores[match], Mapping):
            stored = similarity(score, self.source.subject(c, frame.kinds)[0], "", table=False)
            return f"CASE WHEN {value} IS NULL THEN 0.0 ELSE {stored} END"
        return similarity(score, "", f"toStringOrNull({value})", table=True)


def compile_query(
    query: Query, source: NodeSource, scores: Scores, options: QueryOptions, given: Mapping[str, Any]
) -> Compiled:
    """Compile a query.

    Args:
        query: Query, already checked against the schema.
        source: Source of the nodes.
        scores: Per semantic match, either a vector to compare stored vectors with, or a table of scores by
            subject text.
        options: Limits of the result.
        given: Parameters used by the source's clauses, such as group.

    Returns:
        A statement that returns one row: the addressed version, if any, and `rows`, the ordered result.
    """
    params = Params(given)
    compiler = _Compiler(source, params, scores)
    frame = compiler.start(query.steps)
    order, row = source.finish(frame)
    lines = [*compiler.lines, *result_clauses(query, params, frame, order, options), source.collected(row)]
    return Compiled(statement=statement_text(lines), params=params.values, semantic=query.semantic)


def compile_subjects(
    steps: tuple[Step, ...], name: str | None, source: NodeSource, given: Mapping[str, Any]
) -> Compiled:
    """Compile a query for the texts that a semantic match compares.

    Args:
        steps: Path to the nodes of the match, without semantic matches.
        name: Attribute of the match; None is the node.
        source: Source of the nodes.
        given: As for `compile_query`.

    Returns:
        A statement that returns one row; its `rows` are the distinct texts.
    """
    params = Params(given)
    compiler = _Compiler(source, params, {})
    frame = compiler.start(steps)
    n = frame.var("n")
    subject = (
        source.subject(n, frame.kinds)[1] if name is None else f"toStringOrNull({source.attribute(params, n, name)})"
    )
    lines = [*compiler.lines, f"WITH DISTINCT {subject} AS subject WHERE subject <> ''"]
    lines.append(source.collected("subject"))
    return Compiled(statement=statement_text(lines), params=params.values, semantic=False)


def statement_text(lines: list[str]) -> str:
    """Return clauses as one Cypher statement."""
    return "CYPHER 25\n" + "\n".join(line for line in lines if line)


def result_clauses(query: Query, params: Params, frame: QueryFrame, order: str, options: QueryOptions) -> list[str]:
    """Return the clauses that sort and limit the rows of level 0."""
    n, s, o = (frame.var(letter) for letter in "nso")
    lines = []
    if query.semantic:
        where = "" if options.threshold is None else f" WHERE {s} >= {params.add(float(options.threshold))}"
        lines.append(f"WITH {n}, round({s}, 9) AS {s}, {o}{where}")
    lines.append(f"WITH {n}, {s}, {o} ORDER BY {f'{s} DESC, ' if query.semantic else ''}{order}")
    if query.position is not None:
        lines.append(f"WITH collect({{n: {n}, s: {s}, o: {o}}}) AS found")
        lines.append(f"UNWIND {_slice(params, query.position, 'found')} AS x")
        lines.append(f"WITH x.n AS {n}, x.s AS {s}, x.o AS {o}")
    cuts = [options.limit, options.top_k if query.semantic else None]
    limit = min((cut for cut in cuts if cut is not None), default=None)
    if limit is not None:
        lines[-1] += f" LIMIT {params.add(limit)}"
    return lines


def _conjuncts(expr: Expr) -> list[Expr]:
    """Split a score at its outermost `and`, so that filters in it remove nodes."""
    if isinstance(expr, And) and not is_filter(expr):
        return [conjunct for part in expr.parts for conjunct in _conjuncts(part)]
    return [expr]


def _cut(params: Params, position: Position) -> str:
    """Return a LIMIT clause if the first items of a sorted list suffice for a position, else an empty text."""
    match position:
        case At(last) if last > 0:
            return f" LIMIT {params.add(last)}"
        case Span(first, int(last)) if last > 0 and (first is None or first > 0):
            return f" LIMIT {params.add(last)}"
        case _:
            return ""


def _slice(params: Params, position: Position, rows: str) -> str:
    """Return a Cypher expression for the items of a list at a position."""
    match position:
        case At(index) if index > 0:
            return f"{rows}[{params.add(index)} - 1..{params.add(index)}]"
        case At(index):
            start = f"size({rows}) + {params.add(index)}"
            return f"CASE WHEN {start} >= 0 THEN [{rows}[{start}]] ELSE [] END"
        case Span(first, last):
            return f"{rows}[{_bound(params, first, rows, 0)}..{_bound(params, last, rows, 1)}]"


def _bound(params: Params, place: int | None, rows: str, last: int) -> str:
    """Return one end of a slice as an offset, at least 0; `last` is 1 for the upper end and 0 for the lower."""
    if place is None:
        return f"size({rows})" if last else "0"
    if place > 0:
        return params.add(place) if last else f"{params.add(place)} - 1"
    offset = f"size({rows}) + {params.add(place + last)}"
    return f"CASE WHEN {offset} > 0 THEN {offset} ELSE 0 END"


def _inside(params: Params, position: Position) -> str:
    """Return a Cypher condition: whether the only item of a list is at a position."""
    match position:
        case At(index):
            return params.add(index) + " IN [1, -1]"
        case Span(first, last):
            bounds = []
            if first is not None:
                bounds.append(f"({params.add(first)} <= 1)")
            if last is not None:
                bounds.append(f"({params.add(last)} >= 1 OR {params.add(last)} = -1)")
            return " AND ".join(bounds) or "true"
