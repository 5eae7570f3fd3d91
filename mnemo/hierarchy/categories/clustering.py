"""Deterministic clustering of unit vectors."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["centre", "cluster", "medoid", "order_by_similarity", "split"]

Matrix = NDArray[np.float32]

_ROUNDS = 8
_LINKAGE_MOST = 2_000
"""Most vectors for average linkage; larger sets are split first."""


def centre(vectors: Matrix, mean: Matrix) -> Matrix:
    """Subtract the mean and normalise: models such as e5 put all texts into one narrow cone."""
    moved = vectors - mean
    lengths = np.linalg.norm(moved, axis=-1, keepdims=True)
    result: Matrix = moved / np.maximum(lengths, 1e-9)
    return result


def medoid(vectors: Matrix) -> int:
    """Return the index of the vector nearest to the mean; the first on a tie."""
    return int(np.argmax(vectors @ vectors.mean(axis=0)))


def cluster(vectors: Matrix, min_cosine: float) -> list[list[int]]:
    """Group vectors by average linkage; singletons are left out.

    Merges the nearest pair first, ties by index.

    Args:
        vectors: Shape (n, dimensions), unit length.
        min_cosine: Minimum mean cosine between two groups to merge them.
    """
    if len(vectors) > _LINKAGE_MOST:
        parts = split(vectors, _LINKAGE_MOST)
        found = [[part[place] for place in group] for part in parts for group in cluster(vectors[part], min_cosine)]
        return sorted(found)
    groups: dict[int, list[int]] = {place: [place] for place in range(len(vectors))}
    cosines = np.asarray(vectors @ vectors.T, np.float64)
    np.fill_diagonal(cosines, -1.0)
    while len(groups) > 1:
        one, other = divmod(int(np.argmax(cosines)), len(vectors))
        if cosines[one, other] < min_cosine:
            break
        sizes = len(groups[one]), len(groups[other])
        mean = (cosines[one] * sizes[0] + cosines[other] * sizes[1]) / sum(sizes)
        groups[one] = sorted((*groups[one], *groups.pop(other)))
        cosines[one], cosines[:, one] = mean, mean
        cosines[other], cosines[:, other] = -1.0, -1.0
        cosines[one, one] = -1.0
        gone = [place for place in range(len(vectors)) if place not in groups]
        cosines[one, gone] = -1.0
        cosines[gone, one] = -1.0
    return sorted(group for group in groups.values() if len(group) > 1)


def split(vectors: Matrix, most: int) -> list[list[int]]:
    """Split into parts of at most `most` similar vectors by halving along the main direction.

    Indexes ascend within a part; parts are ordered along the directions.
    """
    return _halved(vectors, list(range(len(vectors))), most)


def order_by_similarity(vectors: Matrix) -> list[int]:
    """Return all indexes, ordered so that similar vectors are close together."""
    return [place for part in split(vectors, 8) for place in part]


def _halved(vectors: Matrix, places: list[int], most: int) -> list[list[int]]:
    if len(places) <= most:
        return [places]
    chosen = vectors[places]
    order = np.argsort((chosen - chosen.mean(axis=0)) @ _direction(chosen), kind="stable")
    middle = len(places) // 2
    low, high = sorted(places[i] for i in order[:middle]), sorted(places[i] for i in order[middle:])
    return [*_halved(vectors, low, most), *_halved(vectors, high, most)]


def _direction(vectors: Matrix) -> NDArray[np.float64]:
    """Approximate the first principal direction by power iteration from the vector furthest from the mean."""
    moved = np.asarray(vectors - vectors.mean(axis=0), np.float64)
    direction: NDArray[np.float64] = moved[int(np.argmax((moved * moved).sum(axis=1)))]
    for _ in range(_ROUNDS):
        direction = moved.T @ (moved @ direction)
        length = float(np.linalg.norm(direction))
        if length == 0:
            break
        direction = direction / length
    return direction
