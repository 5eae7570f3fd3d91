"""Compiles predicates into Cypher expressions; pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mnemo.models.tree import Vector
from mnemo.semxpath.language.syntax import (
    Aggregate,
    AggregateKind,
    And,
    Complement,
    Expr,
    Filter,
    Fold,
    Mean,
    Not,
    Or,
    Product,
    Similar,
)

__all__ = ["Scores", "expression", "folded", "similarity"]

Scores: TypeAlias = Mapping[Similar, Vector | Mapping[str, float]]

_REDUCED = {
    "max": "reduce(m = {head}, x IN [{tail}] | CASE WHEN x > m THEN x ELSE m END)",
    "min": "reduce(m = {head}, x IN [{tail}] | CASE WHEN x < m THEN x ELSE m END)",
}
_FOLDED: dict[AggregateKind, str] = {
    "avg": "coalesce(avg({s}), 0.0)",
    "max": "coalesce(max({s}), 0.0)",
    "min": "coalesce(min({s}), 0.0)",
    "gmean": "CASE WHEN count({s}) = 0 OR min({s}) <= 0.0 THEN 0.0 "
    "ELSE exp(avg(CASE WHEN {s} > 0.0 THEN log({s}) END)) END",
    "exists": "CASE WHEN count(*) > 0 THEN 1.0 ELSE 0.0 END",
}


def expression(
    expr: Expr, atom: Callable[[Expr], str], attribute: Callable[[str], str], param: Callable[[Any], str]
) -> str:
    """Return a Cypher expression of type FLOAT for the score of an expression.

    Args:
        expr: The expression.
        atom: Writes a semantic match or an aggregate.
        attribute: Writes an attribute's value.
        param: Makes a value a parameter.
    """

    def write(part: Expr) -> str:
        return expression(part, atom, attribute, param)

    match expr:
        case Filter():
            return f"CASE WHEN {_condition(expr, attribute(expr.name), param)} THEN 1.0 ELSE 0.0 END"
        case Similar() | Aggregate():
            return atom(expr)
        case Not(part) | Complement(part):
            return f"(1.0 - {write(part)})"
        case Mean(parts, divisor):
            return f"(({' + '.join(map(write, parts))}) / {param(float(divisor))})"
        case _:
            return _fold(_kind(expr), [write(part) for part in expr.parts])


def folded(kind: AggregateKind, score: str) -> str:
    """Return an aggregation of the scores of rows; over no row it is 0."""
    return _FOLDED[kind].format(s=score)


def similarity(param: str, vector: str, text: str, *, table: bool) -> str:
    """Return the score of a semantic match.

    Args:
        param: Reference to the query's vector, or to a table of scores by text.
        vector: Expression for the subject's vector.
        text: Expression for the subject's text.
        table: Whether scores come from a table.
    """
    if table:
        return f"coalesce({param}[{text}], 0.0)"
    return f"coalesce(vector.similarity.cosine({vector}, {param}), 0.0)"


def _kind(expr: And | Product | Or | Fold) -> str:
    if isinstance(expr, Fold):
        return expr.kind
    return "max" if isinstance(expr, Or) else "product"


def _fold(kind: str, values: Sequence[str]) -> str:
    match kind:
        case "product":
            return f"({' * '.join(values)})"
        case "avg":
            return f"(({' + '.join(values)}) / {float(len(values))})"
        case "gmean":
            items = ", ".join(values)
            logs = f"reduce(t = 0.0, x IN [{items}] | t + log(x))"
            return f"CASE WHEN any(x IN [{items}] WHERE x <= 0.0) THEN 0.0 ELSE exp({logs} / {float(len(values))}) END"
        case _:
            return _REDUCED[kind].format(head=values[0], tail=", ".join(values[1:]))


def _condition(found: Filter, value: str, param: Callable[[Any], str]) -> str:
    """Return a condition that is never null: false where the attribute is missing."""
    match found.value:
        case bool():
            text = param("true" if found.value else "false")
            return _compared(f"toStringOrNull({value})", found.op, text, value)
        case str() if found.op == "contains":
            return f"coalesce(toStringOrNull({value}) CONTAINS {param(found.value)}, false)"
        case str():
            return _compared(f"toStringOrNull({value})", found.op, param(found.value), value)
        case _:
            return _compared(f"toFloatOrNull({value})", found.op, param(float(found.value)), value)


def _compared(own: str, op: str, wanted: str, value: str) -> str:
    if op == "!=":
        return f"({value} IS NOT NULL AND coalesce({own} <> {wanted}, true))"
    return f"coalesce({own} {op} {wanted}, false)"
