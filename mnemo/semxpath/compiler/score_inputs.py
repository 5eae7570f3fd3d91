"""Gathers the vectors or score tables for the semantic matches of a query."""

from collections.abc import Awaitable, Callable, Collection

from mnemo.errors import ArgumentError
from mnemo.models.tree import Vector
from mnemo.semxpath.compiler.match_sites import sites
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.language.syntax import Query, Similar, Step

__all__ = ["MAX_SUBJECTS", "score_all"]

MAX_SUBJECTS = 20_000
"""Maximum number of texts scored outside the database for one match."""


async def score_all(
    query: Query,
    scorers: tuple[CosineScorer, Scorer | None],
    stored: Collection[str | None],
    subjects: Callable[[Similar, tuple[Step, ...]], Awaitable[list[str]]],
) -> tuple[dict[Similar, Vector | dict[str, float]], int]:
    """Return a vector or a table of scores by text per semantic match, and the number of round trips.

    Args:
        query: The query.
        scorers: The scorer of the stored vectors, and an optional scorer to use instead.
        stored: Attributes whose vectors are stored; None is the node.
        subjects: Returns the texts that a match compares, for the nodes of a path.

    Raises:
        ArgumentError: A match compares more texts than `MAX_SUBJECTS`.
        ProviderError, StoreError: See their kinds.
    """
    cosine, other = scorers
    scores: dict[Similar, Vector | dict[str, float]] = {}
    trips = 0
    for match, steps in sites(query):
        if other is None and match.name in stored:
            scores[match] = await cosine.question(match.text)
            continue
        texts = await subjects(match, steps)
        trips += 1
        if len(texts) > MAX_SUBJECTS:
            message = (
                f"at most {MAX_SUBJECTS:,} texts can be scored for {match.text!r}, got {len(texts):,}; narrow the path"
            )
            raise ArgumentError(message)
        table = scores.setdefault(match, {})
        if isinstance(table, dict):
            table.update(zip(texts, map(float, await (other or cosine).scores(match.text, texts)), strict=True))
    return scores, trips
