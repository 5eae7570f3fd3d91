"""Finds the semantic matches of a query and the nodes that each one compares; pure."""

from collections.abc import Iterator
from dataclasses import replace

from mnemo.semxpath.language.syntax import Aggregate, Expr, Query, Similar, Step, is_filter, parts_of, walk

__all__ = ["sites"]


def sites(query: Query) -> list[tuple[Similar, tuple[Step, ...]]]:
    """Return each semantic match with a path to the nodes it compares.

    The paths contain no semantic matches, as these never remove nodes; so a path may find more nodes than needed.
    """
    return list(_of_steps((), query.steps))


def _of_steps(before: tuple[Step, ...], steps: tuple[Step, ...]) -> Iterator[tuple[Similar, tuple[Step, ...]]]:
    for step in steps:
        before = (*before, replace(step, predicates=tuple(filter(_is_plain, step.predicates))))
        for predicate in step.predicates:
            yield from _of_expr(before, predicate)


def _of_expr(before: tuple[Step, ...], expr: Expr) -> Iterator[tuple[Similar, tuple[Step, ...]]]:
    match expr:
        case Similar():
            yield expr, before
        case Aggregate(_, steps):
            yield from _of_steps(before, steps)
        case _:
            for part in parts_of(expr):
                yield from _of_expr(before, part)


def _is_plain(expr: Expr) -> bool:
    return is_filter(expr) and not any(isinstance(part, Similar) for part in walk(expr))
