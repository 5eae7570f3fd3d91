"""A summary made of a text's own sentences: pure, no LLM.

The most central sentences are kept (in the sense of LexRank, Erkan and Radev, 2004, without its
random walk): those whose words stand in many of the others. Nothing is rephrased.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from mnemo.providers.tokens import count_tokens, cut
from mnemo.text.sentences import sentences

__all__ = ["MAX_SENTENCES", "central"]

MAX_SENTENCES = 120
"""More than these are thinned out evenly before they are compared."""

_WORD = re.compile(r"\w+")
_LEAST_LETTERS = 3


def central(parts: Sequence[tuple[str, float]], limit: int) -> str:
    """Return the most central sentences of some texts, in the order in which they stand there.

    Args:
        parts: Texts with their weights: how much each of their sentences counts as a witness for others.
        limit: Most tokens, at least 8. A first sentence that is longer is cut.

    Returns:
        Sentences joined by blanks; each at most once. Ties keep the first.
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
    """Return the distinct sentences with the weights of all places where each stands, added up."""
    found: dict[str, float] = {}
    for text, weight in parts:
        for line in sentences(text):
            found[line] = found.get(line, 0.0) + weight
    lines = list(found)
    step = max(1, -(-len(lines) // MAX_SENTENCES))
    lines = lines[::step]
    return lines, [found[line] for line in lines]


def _centrality(lines: Sequence[str], weights: Sequence[float]) -> list[float]:
    """Return how much of all sentences each one says, weighted; its own weight counts too."""
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
