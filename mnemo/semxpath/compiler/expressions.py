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

__all__ = ["Scores", "aggregation", "expression", "similarity"]

Scores: TypeAlias = Mapping[Similar, Vector | Mapping[str, float]]

_REDUCTIONS = {
    "max": "reduce(m = {head}, x IN [{tail}] | CASE WHEN x > m THEN x ELSE m END)",
    "min": "reduce(m = {head}, x IN [{tail}] | CASE WHEN x < m THEN x ELSE m END)",
}
_AGGREGATIONS: dict[AggregateKind, str] = {
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
    """Return a Cypher expression of type FLOAT for the score of a query expression.

    Args:
        expr: The query expression.
        atom: Returns the Cypher of a semantic match or an aggregate.
        attribute: Returns the Cypher of an attribute's value, by name.
        param: Adds a value to the parameters and returns the reference to it.
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


def aggregation(kind: AggregateKind, score: str) -> str:
    """Return a Cypher aggregation over the scores of rows; 0 if there are no rows."""
    return _AGGREGATIONS[kind].format(s=score)


def similarity(param: str, vector: str, text: str, *, table: bool) -> str:
    """Return the score of a semantic match.

    Args:
        param: Reference to the query vector, or to a table of scores by text.
        vector: Cypher of the subject's vector.
        text: Cypher of the subject's text.
        table: Whether `param` is a table.
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
            return _REDUCTIONS[kind].format(head=values[0], tail=", ".join(values[1:]))


def _condition(condition: Filter, value: str, param: Callable[[Any], str]) -> str:
    """Return a Cypher condition that is never null: false if the attribute is missing."""
    match condition.value:
        case bool():
            text = param("true" if condition.value else "false")
            return _comparison(f"toStringOrNull({value})", condition.op, text, value)
        case str() if condition.op == "contains":
            return f"coalesce(toStringOrNull({value}) CONTAINS {param(condition.value)}, false)"
        case str():
            return _comparison(f"toStringOrNull({value})", condition.op, param(condition.value), value)
        case _:
            return _comparison(f"toFloatOrNull({value})", condition.op, param(float(condition.value)), value)


def _comparison(left: str, op: str, right: str, value: str) -> str:
    if op == "!=":
        return f"({value} IS NOT NULL AND coalesce({left} <> {right}, true))"
    return f"coalesce({left} {op} {right}, false)"
