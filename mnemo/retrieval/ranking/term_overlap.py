"""How much of a question's vocabulary a message covers, rare words weighing more: pure.

This complements the full-text index, which scores single messages and only those it found. A share of the
question is comparable between questions and can be taken over several messages, so that an answer
counts together with the message that it replies to.
"""

import math
import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from mnemo.store.lucene import STOPWORDS, content_words, fold

__all__ = ["shares", "stem", "words"]

_MAX_CHARS = 4_000
"""Characters of a text that are read."""
_PLAIN = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the English Snowball stem of a word in lower case; words of other scripts as they are.

    The full-text index stems alike, so that `paint`, `paints` and `painting` are one word to both.
    """
    from snowballstemmer import stemmer  # noqa: PLC0415  # imports all its languages, 60 ms

    plain = fold(word)
    return str(stemmer("english").stemWord(plain)) if plain.isascii() and plain.isalpha() else plain


@lru_cache(maxsize=16_384)
def words(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text; of all its words if only stopwords remain."""
    text = text[:_MAX_CHARS]
    if not text.isascii():
        return frozenset(stem(word) for word in content_words(text))
    found = set(_PLAIN.findall(text.lower()))
    return frozenset(stem(word) for word in found - STOPWORDS or found)


def shares(asked: Collection[str], said: Sequence[frozenset[str]]) -> list[dict[str, float]]:
    """Return which of the question's words each text covers, with their shares.

    Args:
        asked: Stems of a question; those that no text has weigh most.
        said: Stems of each text.

    Returns:
        For each text its words with their shares of the question: their sum is 1 for a text with all of the words. Rare
        words have larger shares.
    """
    weights = {word: _rarity(sum(word in each for each in said), len(said)) for word in sorted(asked)}
    total = sum(weights.values()) or 1.0
    return [{word: weights[word] / total for word in weights if word in each} for each in said]


def _rarity(count: int, total: int) -> float:
    """Return the inverse document frequency of BM25: ln(1 + (total - count + 0.5) / (count + 0.5))."""
    return math.log(1.0 + (total - count + 0.5) / (count + 0.5))
