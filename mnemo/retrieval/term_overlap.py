"""Which of a question's words a message says, each counted by how few others say it: pure.

Beside BM25 of an index, which knows single messages and leaves out those it did not find: shares of a
question are comparable between questions and can be taken over several messages, so that an answer
counts together with what it answers.
"""

import math
import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from mnemo.store.lucene import STOPWORDS, fold, telling_words

__all__ = ["shares", "stem", "words"]

_LOOKED_AT = 4_000
"""Characters of a text that are read."""
_PLAIN = re.compile(r"[a-z0-9]+")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ing|ed|ly|er)$")
_DOUBLE = re.compile(r"([bdfgmnprt])\1$")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return an English word in lower case without its commonest endings; most words of other scripts as they are.

    A rough equal of the stems of the full-text index, in which `paint`, `paints` and `painting` are one.
    """
    plain = fold(word)
    if not plain.isascii() or not plain.isalpha():
        return plain
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):  # noqa: PLR2004  # has, gas
        plain = f"{plain[:-3]}y" if plain.endswith("ies") and len(plain) > 4 else plain[:-1]  # noqa: PLR2004  # ties
    bare = _ENDING.sub("", plain)
    if bare != plain:
        plain = _DOUBLE.sub(r"\1", bare)
    elif plain.endswith("e") and len(plain) > 3:  # noqa: PLR2004  # the, one
        plain = plain[:-1]
    return f"{plain[:-1]}i" if plain.endswith("y") and len(plain) > 3 else plain  # noqa: PLR2004  # day, boy


@lru_cache(maxsize=16_384)
def words(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that say much; of all, where no other stand in it."""
    text = text[:_LOOKED_AT]
    if not text.isascii():
        return frozenset(stem(word) for word in telling_words(text))
    found = set(_PLAIN.findall(text.lower()))
    return frozenset(stem(word) for word in found - STOPWORDS or found)


def shares(asked: Collection[str], said: Sequence[frozenset[str]]) -> list[dict[str, float]]:
    """Return, for each of several texts, those of the words asked for that it says, with their shares.

    Args:
        asked: Stems of a question; those that no text says count as the rarest.
        said: Stems of each text.

    Returns:
        Shares from 0 to 1, in all 1 for a text that says all of the words; larger for a word that few say.
    """
    weights = {word: _rarity(sum(word in each for each in said), len(said)) for word in sorted(asked)}
    total = sum(weights.values()) or 1.0
    return [{word: weights[word] / total for word in weights if word in each} for each in said]


def _rarity(count: int, total: int) -> float:
    """Return the weight of BM25: ln(1 + (total - count + 0.5) / (count + 0.5))."""
    return math.log(1.0 + (total - count + 0.5) / (count + 0.5))
