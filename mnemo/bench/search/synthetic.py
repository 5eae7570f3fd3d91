"""Synthetic facts with clustered vectors, reproducible by seed. Pure."""

from dataclasses import dataclass

import numpy as np

from mnemo.providers.base import Vectors

__all__ = ["Facts", "exact_nearest", "facts"]

_SYLLABLES = ("ka", "lo", "mi", "ru", "ne", "ta", "so", "vi", "pe", "du", "ha", "zo")
_VERBS = ("visited", "painted", "repaired", "bought", "described", "lost", "found", "sold", "drew", "praised")
_CLUSTERS = 50
_NOISE = 0.5
_WORDS_PER_CLUSTER = 40
_PEOPLE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Sentences and questions with their vectors."""

    texts: tuple[str, ...]
    subjects: tuple[str, ...]
    """Subject of each sentence."""
    vectors: Vectors
    """(number of texts, dimensions), rows of unit length."""
    questions: tuple[str, ...]
    question_vectors: Vectors
    """(number of questions, dimensions), rows of unit length."""


def facts(count: int, *, questions: int, dimensions: int, seed: int) -> Facts:
    """Return facts in clusters: each uses words of its cluster, and its vector is the centre plus noise.

    Args:
        count: Number of facts, at least 1.
        questions: Number of questions, with words and vectors generated like those of facts.
        dimensions: Length of each vector.
        seed: Seed of the random numbers.
    """
    random = np.random.default_rng(seed)
    centres = random.normal(size=(_CLUSTERS, dimensions))
    of_fact, of_question = random.integers(_CLUSTERS, size=count), random.integers(_CLUSTERS, size=questions)
    people = [_word(3 * _CLUSTERS * _WORDS_PER_CLUSTER + number).capitalize() for number in range(_PEOPLE)]
    subjects = [people[number] for number in random.integers(_PEOPLE, size=count)]
    return Facts(
        texts=tuple(
            f"{subject} {_VERBS[verb]} the {_words(random, cluster)}"
            for subject, verb, cluster in zip(subjects, random.integers(len(_VERBS), size=count), of_fact, strict=True)
        ),
        subjects=tuple(subjects),
        vectors=_near(random, centres, of_fact),
        questions=tuple(
            f"Who {_VERBS[number % len(_VERBS)]} the {_words(random, cluster)}?"
            for number, cluster in enumerate(of_question)
        ),
        question_vectors=_near(random, centres, of_question),
    )


def exact_nearest(vectors: Vectors, question: Vectors, limit: int) -> list[int]:
    """Return the rows nearest by cosine, best first, ties by row."""
    similarity = vectors @ question
    return [int(row) for row in np.lexsort((np.arange(len(vectors)), -similarity))[:limit]]


def _near(random: np.random.Generator, centres: np.ndarray, clusters: np.ndarray) -> Vectors:
    vectors = centres[clusters] + _NOISE * random.normal(size=(len(clusters), centres.shape[1]))
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _words(random: np.random.Generator, cluster: int) -> str:
    chosen = random.integers(_WORDS_PER_CLUSTER, size=4)
    return " ".join(_word(int(cluster) * _WORDS_PER_CLUSTER + int(number)) for number in chosen)


def _word(number: int) -> str:
    """Return a word of syllables, distinct for each number."""
    base = len(_SYLLABLES)
    digits = [number % base, number // base % base, number // base**2 % base, number // base**3 % base]
    return "".join(_SYLLABLES[digit] for digit in digits)
