"""Extractive summaries without an LLM.

Keeps the most central sentences, those whose words occur in many of the others (as in LexRank, Erkan and Radev, 2004,
without the random walk). Nothing is rephrased.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from mnemo.providers.tokens import count_tokens, cut
from mnemo.text.sentences import sentences

__all__ = ["MAX_SENTENCES", "central_sentences"]

MAX_SENTENCES = 120
"""Longer texts are thinned out evenly to about this many sentences before comparing them."""

_WORD = re.compile(r"\w+")
_LEAST_LETTERS = 3


def central_sentences(parts: Sequence[tuple[str, float]], limit: int) -> str:
    """Return the most central sentences of texts, in their original order.

    Args:
        parts: Texts with weights; a sentence's weight is its share in the centrality of others.
        limit: Maximum number of tokens, at least 8. If no sentence fits, the most central one is cut.

    Returns:
        Distinct sentences joined by spaces. On ties the first is preferred.
    """
    lines, weights = _lines(parts)
    if not lines:
        return cut(" ".join(text for text, _ in parts), limit)
    ranks = _centrality(lines, weights)
    chosen: list[int] = []
    for place in sorted(range(len(lines)), key=lambda place: (-ranks[place], place)):
        candidate = sorted([*chosen, place])
        if count_tokens(" ".join(lines[each] for each in candidate)) <= limit:
            chosen = candidate
    if not chosen:
        return cut(lines[max(range(len(lines)), key=lambda place: (ranks[place], -place))], limit)
    return " ".join(lines[place] for place in chosen)


def _lines(parts: Sequence[tuple[str, float]]) -> tuple[list[str], list[float]]:
    """Return the distinct sentences, each with the sum of its weights."""
    found: dict[str, float] = {}
    for text, weight in parts:
        for line in sentences(text):
            found[line] = found.get(line, 0.0) + weight
    lines = list(found)
    step = max(1, -(-len(lines) // MAX_SENTENCES))
    lines = lines[::step]
    return lines, [found[line] for line in lines]


def _centrality(lines: Sequence[str], weights: Sequence[float]) -> list[float]:
    """Return each sentence's weighted mean similarity to all sentences, itself included."""
    bags = [Counter(_words(line)) for line in lines]
    spread = Counter(word for bag in bags for word in bag)
    scale = {word: log(1 + len(lines) / count) for word, count in spread.items()}
    vectors = [{word: count * scale[word] for word, count in bag.items()} for bag in bags]
    norms = [sqrt(sum(value * value for value in vector.values())) for vector in vectors]
    return [
        sum(
            weight * _dot(vectors[place], vectors[other]) / norms[other]
            for other, weight in enumerate(weights)
            if norms[other]
        )
        / norms[place]
        if norms[place]
        else 0.0
        for place in range(len(lines))
    ]


def _dot(left: dict[str, float], right: dict[str, float]) -> float:
    small, large = (left, right) if len(left) <= len(right) else (right, left)
    return sum(value * large[word] for word, value in small.items() if word in large)


def _words(line: str) -> list[str]:
    return [word for word in _WORD.findall(line.casefold()) if len(word) >= _LEAST_LETTERS or not word.isascii()]
