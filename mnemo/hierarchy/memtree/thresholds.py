"""How alike a text must be to go further down the tree over episodes: pure, and the rule's only copy.

MemTree (arXiv 2410.14052) goes from a node at depth d to its nearest child if their similarity is at
least θ(d) = θ0 · exp(λ · d / D). Similarity is s = (cosine - floor) / (1 - floor): with a floor of 0 the
cosine itself. Models whose cosines are compressed (e5: two unrelated sentences have about 0.77)
need a floor, or every text would go down everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

from mnemo.config import MemtreeSettings

__all__ = [
    "MAX_DEPTH",
    "MEASURED_FLOORS",
    "TOLERANCE",
    "Rule",
    "cosines",
    "least_cosine",
    "rule_of",
    "similarity",
    "theta",
]

MAX_DEPTH = 64
"""Nothing goes down from here, whatever the settings; the defaults stop at 27."""
TOLERANCE = 1e-6
"""Cosines of float32 vectors are no surer than this: that near to θ counts as θ, to each other as a tie."""
MEASURED_FLOORS: Mapping[str, float] = {"local/e5-small-v2-q": 0.77}
"""By embedding model: the floor taken unless one is set.

e5-small-v2-q, 300 turns of one LoCoMo conversation, whose pairs have cosines of 0.77 (1st percentile), 0.85
(median) and 0.92 (99th); summaries by sentences, 20 inserts a batch:

    floor   under the root   mean depth   deepest   inner nodes above an insert
    0       1                12.0         19        10.0
    0.70    6                 8.8         17         6.9
    0.75    18                6.8         19         4.9
    0.77    27                5.8         12         4.0  chosen: 99 in 100 pairs of one chat have a similarity
    0.79    46                4.7         11         2.9
    0.81    71                3.8         11         2.2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """When to go down."""

    base: float = 0.4
    """θ0, of a similarity."""
    rate: float = 0.5
    """λ."""
    normaliser: float = 15.0
    """D; 1 is the formula as printed, under which nothing attaches below depth 3."""
    floor: float = 0.0
    """Cosine of similarity 0."""


def rule_of(settings: MemtreeSettings, model: str) -> Rule:
    """Return the rule that the settings give for an embedding model."""
    floor = settings.similarity_floor
    return Rule(
        base=settings.threshold,
        rate=settings.rate,
        normaliser=settings.normaliser,
        floor=MEASURED_FLOORS.get(model, 0.0) if floor is None else floor,
    )


def theta(depth: int, rule: Rule) -> float:
    """Return the least similarity to go down from a node at `depth`, 0 for the root: θ0 · exp(λ · d / D)."""
    return rule.base * exp(rule.rate * depth / rule.normaliser)


def similarity(cosine: float, rule: Rule) -> float:
    """Return the similarity of a cosine; negative below the floor."""
    return (cosine - rule.floor) / (1.0 - rule.floor)


def least_cosine(settings: MemtreeSettings, model: str) -> float:
    """Return the cosine that a node must have to be found under these settings."""
    floor = rule_of(settings, model).floor
    return floor + settings.least_similarity * (1.0 - floor)


def cosines(rule: Rule) -> tuple[float, ...]:
    """Return the least cosine to go down from depth 0, 1, …, up to where none would do.

    Exactly θ goes down: each is lowered by `TOLERANCE`.
    """
    found: list[float] = []
    while len(found) < MAX_DEPTH and (least := theta(len(found), rule)) <= 1.0:
        found.append(rule.floor + least * (1.0 - rule.floor) - TOLERANCE)
    return tuple(found)
