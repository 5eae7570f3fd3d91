"""Chooses how the candidates of a query are scored, by how many there are; pure."""

from dataclasses import dataclass, replace

from mnemo.semxpath.compiler.core import QueryOptions
from mnemo.semxpath.language.syntax import At, Filter, Query, Similar, Span, Step

__all__ = ["INDEX_FROM", "IndexSearch", "ScoringChoice", "choose"]

INDEX_FROM = 1_000
"""Candidates from which on the vector index is asked.

Measured by `scripts/bench_trees index`, best ten of 300 to 10,000 candidates: scoring all takes about 17 µs each,
the index 5 to 11 ms at any number. They meet near 300; up to here scoring all takes 20 ms at most, and misses nothing.
"""
_OVERFETCH = 4
_FEWEST = 100
_MOST_WANTED = 500


@dataclass(frozen=True, slots=True)
class IndexSearch:
    """A search in the vector index, and the path that its hits must stand on."""

    steps: tuple[Step, ...]
    """Below the root, without positions and predicates; the last is the one searched."""
    match: Similar
    filters: tuple[Filter, ...]
    wanted: int
    """Rows of the result."""
    fetched: int
    """Nearest nodes asked for: more than wanted, as some are of other versions or places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringChoice:
    """How candidates are scored."""

    reason: str
    """In a sentence."""
    index: IndexSearch | None
    """None is exactly, one by one."""


def choose(
    query: Query, root: str, candidates: int, options: QueryOptions, index_from: int = INDEX_FROM
) -> ScoringChoice:
    """Return how to score.

    The index serves queries that end in one semantic match of the node, on steps without positions or
    other scores before it, and that want the best few: the same result within the index's recall.

    Args:
        query: A query on one version.
        root: The root's type.
        candidates: Nodes in the version that have the type of the last step.
        options: How the result is cut.
        index_from: Candidates from which on the index is asked.
    """
    if not query.semantic:
        return ScoringChoice(reason="no semantic match: structure and exact filters only", index=None)
    if candidates < index_from:
        return ScoringChoice(
            reason=f"{candidates:,} candidates, under {index_from:,}: each is scored exactly", index=None
        )
    search = _search(query, root, options)
    if search is None:
        return ScoringChoice(
            reason=f"{candidates:,} candidates, all scored exactly: the index serves the best few of one match "
            "on the node in the last step",
            index=None,
        )
    reason = f"{candidates:,} candidates: the {search.fetched} nearest by the vector index, then their places"
    return ScoringChoice(reason=reason, index=search)


def _search(query: Query, root: str, options: QueryOptions) -> IndexSearch | None:
    steps = query.steps
    if steps[0].axis == "child" and steps[0].test == root:
        steps = steps[1:]
    wanted = _wanted(query, options)
    if (
        not steps
        or wanted is None
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
    fetched = max(wanted * _OVERFETCH, _FEWEST)
    return IndexSearch(plain, matches[0], tuple(filters), wanted, fetched)


def _wanted(query: Query, options: QueryOptions) -> int | None:
    """Return how many of the best rows decide the result; None if all do."""
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
    return min(cuts) if cuts and min(cuts) <= _MOST_WANTED else None
