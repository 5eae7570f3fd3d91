"""Gathers what a query's semantic matches are scored by: vectors to compare stored ones with, or tables."""

from collections.abc import Awaitable, Callable, Collection

from mnemo.errors import ArgumentError
from mnemo.models.tree import Vector
from mnemo.semxpath.compiler.match_sites import sites
from mnemo.semxpath.compiler.scorers import CosineScorer, Scorer
from mnemo.semxpath.language.syntax import Query, Similar, Step

__all__ = ["MOST_SUBJECTS", "score_all"]

MOST_SUBJECTS = 20_000
"""Texts that one match may have scored outside of the database."""


async def score_all(
    query: Query,
    scorers: tuple[CosineScorer, Scorer | None],
    stored: Collection[str | None],
    subjects: Callable[[Similar, tuple[Step, ...]], Awaitable[list[str]]],
) -> tuple[dict[Similar, Vector | dict[str, float]], int]:
    """Return a vector or a table of scores by text for each semantic match, and the round trips that took.

    Args:
        query: The query.
        scorers: The one of the stored vectors, and one to be asked instead of them, if any.
        stored: Names whose vectors are stored: None is the node.
        subjects: Asks the database which texts a match looks at, on the nodes of a path.

    Raises:
        ArgumentError: A match looks at more texts than `MOST_SUBJECTS`.
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
        if len(texts) > MOST_SUBJECTS:
            message = f"wanted at most {MOST_SUBJECTS:,} texts to score for {match.text!r}, got {len(texts):,}"
            raise ArgumentError(message)
        table = scores.setdefault(match, {})
        if isinstance(table, dict):
            table.update(zip(texts, map(float, await (other or cosine).scores(match.text, texts)), strict=True))
    return scores, trips
