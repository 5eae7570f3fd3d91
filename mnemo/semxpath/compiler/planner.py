"""Decides whether a query scores all candidates or asks the vector index; pure."""

from dataclasses import dataclass, replace

from mnemo.models.tree import QueryOptions
from mnemo.semxpath.language.syntax import At, Filter, Query, Similar, Span, Step

__all__ = ["INDEX_FROM", "IndexSearch", "ScoringChoice", "choose"]

INDEX_FROM = 1_000
"""Minimum number of candidates for using the vector index.

Measured with `scripts/bench_trees index` for the best ten of 300 to 10,000 candidates: exact scoring takes about
17 µs per candidate, the index 5 to 11 ms regardless of their number. They break even near 300; below this minimum
exact scoring takes at most 20 ms and has full recall.
"""
_OVERFETCH = 4
_MIN_FETCHED = 100
_MAX_NEEDED = 500


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """A vector index search, and the path that its hits must match."""

    steps: tuple[Step, ...]
    """Steps below the root, without positions and predicates; the index is searched for the last one."""
    match: Similar
    filters: tuple[Filter, ...]
    needed: int
    """Number of rows that decide the result."""
    fetched: int
    """Number of nodes to request from the index; more than needed, as some are in other versions or on other paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringChoice:
    """How candidates are scored, and why."""

    reason: str
    """One sentence."""
    index: IndexSearch | None
    """Index search; None scores each candidate exactly."""


def choose(
    query: Query, root: str, candidates: int, options: QueryOptions, index_from: int = INDEX_FROM
) -> ScoringChoice:
    """Return how to score the candidates of a query.

    The index can serve queries whose last step has one semantic match of the node, whose earlier steps have neither
    positions nor predicates, and whose result is limited. The result is the same within the index's recall.

    Args:
        query: Query on one version.
        root: Type of the root.
        candidates: Number of nodes in the version with the type of the last step.
        options: Limits of the result.
        index_from: Minimum number of candidates for using the index.
    """
    if not query.semantic:
        return ScoringChoice(reason="no semantic match: structure and exact filters only", index=None)
    if candidates < index_from:
        return ScoringChoice(
            reason=f"{candidates:,} candidates, fewer than {index_from:,}: each is scored exactly", index=None
        )
    search = _search(query, root, options)
    if search is None:
        return ScoringChoice(
            reason=f"{candidates:,} candidates, all scored exactly: the vector index needs a limit "
            "and one semantic match on the node, in the last step",
            index=None,
        )
    reason = f"{candidates:,} candidates: the {search.fetched} nearest from the vector index, then filtered by path"
    return ScoringChoice(reason=reason, index=search)


def _search(query: Query, root: str, options: QueryOptions) -> IndexSearch | None:
    steps = query.steps
    if steps[0].axis == "child" and steps[0].test == root:
        steps = steps[1:]
    needed = _rows_needed(query, options)
    if (
        not steps
        or needed is None
        or any(step.position or step.predicates for step in (*query.steps[:-1], *steps[:-1]))
    ):
        return None
    last = steps[-1]
    matches = [part for part in last.predicates if isinstance(part, Similar) and part.name is None]
    filters = [part for part in last.predicates if isinstance(part, Filter)]
    whole = len(matches) == 1 and len(matches) + len(filters) == len(last.predicates)
    if last.position is not None or not whole:
        return None
    plain = tuple(replace(step, predicates=()) for step in steps)
    fetched = max(needed * _OVERFETCH, _MIN_FETCHED)
    return IndexSearch(plain, matches[0], tuple(filters), needed, fetched)


def _rows_needed(query: Query, options: QueryOptions) -> int | None:
    """Return how many of the best rows decide the result; None if all do, or more than the index serves."""
    cuts = [cut for cut in (options.top_k, options.limit) if cut is not None]
    match query.position:
        case At(index) if index > 0:
            cuts = [index]
        case Span(_, int(last)) if last > 0:
            cuts = [last]
        case None:
            pass
        case _:
            return None
    return min(cuts) if cuts and min(cuts) <= _MAX_NEEDED else None
