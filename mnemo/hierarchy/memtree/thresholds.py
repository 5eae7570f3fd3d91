"""The similarity threshold for descending in the memtree. The rule is defined only here.

MemTree (arXiv 2410.14052) descends from a node at depth d to its nearest child if their similarity is at least
θ(d) = θ0 · exp(λ · d / D). Similarity is s = (cosine - floor) / (1 - floor); with a floor of 0 it is the cosine.
Models with a narrow range of cosines (e5: about 0.77 for two unrelated sentences) need a floor, or every text would
descend everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

from mnemo.config import MemtreeSettings

__all__ = [
    "MAX_DEPTH",
    "MEASURED_FLOORS",
    "TOLERANCE",
    "DescentRule",
    "descent_rule",
    "min_cosines",
    "min_search_cosine",
    "similarity",
    "theta",
]

MAX_DEPTH = 64
"""Maximum depth to descend from, whatever the settings; the defaults stop at 27."""
TOLERANCE = 1e-6
"""Precision of cosines of float32 vectors: within it a cosine counts as equal to θ, and two cosines as a tie."""
MEASURED_FLOORS: Mapping[str, float] = {"local/e5-small-v2-q": 0.77}
"""Default similarity floor by embedding model.

e5-small-v2-q, 300 turns of one LoCoMo conversation; cosines of pairs are 0.77 (1st percentile), 0.85
(median) and 0.92 (99th); extracts, 20 inserts per batch:

    floor   under the root   mean depth   deepest   inner nodes above an insert
    0       1                12.0         19        10.0
    0.70    6                 8.8         17         6.9
    0.75    18                6.8         19         4.9
    0.77    27                5.8         12         4.0  chosen: 99 of 100 pairs of a chat have a positive similarity
    0.79    46                4.7         11         2.9
    0.81    71                3.8         11         2.2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescentRule:
    """The parameters of the threshold θ."""

    base: float = 0.4
    """θ0, a similarity."""
    rate: float = 0.5
    """λ."""
    normaliser: float = 15.0
    """D; 1 gives the formula as printed in the paper, with which nothing attaches below depth 3."""
    floor: float = 0.0
    """The cosine that counts as similarity 0."""


def descent_rule(settings: MemtreeSettings, model: str) -> DescentRule:
    """Return the rule for an embedding model under these settings."""
    floor = settings.similarity_floor
    return DescentRule(
        base=settings.threshold,
        rate=settings.rate,
        normaliser=settings.normaliser,
        floor=MEASURED_FLOORS.get(model, 0.0) if floor is None else floor,
    )


def theta(depth: int, rule: DescentRule) -> float:
    """Return the minimum similarity to descend from `depth` (0 for the root): θ0 · exp(λ · d / D)."""
    return rule.base * exp(rule.rate * depth / rule.normaliser)


def similarity(cosine: float, rule: DescentRule) -> float:
    """Convert a cosine to a similarity; negative below the floor."""
    return (cosine - rule.floor) / (1.0 - rule.floor)


def min_search_cosine(settings: MemtreeSettings, model: str) -> float:
    """Return the minimum cosine of a search result under these settings."""
    floor = descent_rule(settings, model).floor
    return floor + settings.least_similarity * (1.0 - floor)


def min_cosines(rule: DescentRule) -> tuple[float, ...]:
    """Return the minimum cosine to descend from depth 0, 1, …, as far as θ is at most 1.

    Each is lowered by `TOLERANCE`, so that a similarity of exactly θ descends.
    """
    found: list[float] = []
    while len(found) < MAX_DEPTH and (minimum := theta(len(found), rule)) <= 1.0:
        found.append(rule.floor + minimum * (1.0 - rule.floor) - TOLERANCE)
    return tuple(found)
