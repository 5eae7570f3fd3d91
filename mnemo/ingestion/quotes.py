"""Verbatim quotes: where in an episode the words of a fact stand, and whether a name occurs at all."""

import re
import unicodedata
from collections.abc import Iterable

from mnemo.ingestion.resolution.names import name_key

__all__ = ["Grounds", "find_quote"]

_SAME = str.maketrans(
    {
        **dict.fromkeys("’‘‚‛ʼ′`´＇", "'"),  # noqa: RUF001  # look-alikes are the point
        **dict.fromkeys("“”„‟«»″＂", '"'),  # noqa: RUF001  # look-alikes are the point
        **dict.fromkeys("‐‑‒–—―−", "-"),  # noqa: RUF001  # look-alikes are the point
    },
)
_ENDS = "\"' .…"
_MIN_LETTERS = 2
_STEM = 4


def find_quote(content: str, quote: str) -> tuple[int, int] | None:
    """Find a quote in a text, whatever the case, the blanks, and the shapes of quote marks and dashes.

    Quote marks, dots and blanks at the ends of the quote do not count.

    Returns:
        Offsets of the first place, such that `content[start:end]` is the quote as it stands there;
        None when it is not there or has fewer than 2 letters or digits.
    """
    haystack, places = _flat(content)
    needle = _flat(quote)[0].strip(_ENDS)
    if sum(character.isalnum() for character in needle) < _MIN_LETTERS:
        return None
    found = haystack.find(needle)
    if found < 0:
        return None
    return places[found], places[found + len(needle) - 1] + 1


class Grounds:
    """The words that a window gives: what a name must be made of to be believed."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read the window's texts and speakers once."""
        self._text = name_key(" ".join(texts))
        self._words = frozenset(self._text.split())
        self._stems = frozenset(word[:_STEM] for word in self._words if len(word) >= _STEM)

    def support(self, name: str) -> bool:
        """Tell whether a name's words occur: each with a capital or digit, and one at least of them all.

        A word counts when it occurs, or when one with the same first four letters does (painted,
        painting). In scripts without blanks the name, or two characters on end of it, must occur.
        """
        words = re.findall(r"[\w+#@]+", unicodedata.normalize("NFKC", name))
        strict = [word for word in words if word != word.lower() or any(c.isdigit() for c in word)]
        if not all(self._has(word) for word in strict):
            return False
        return any(self._has(word) for word in words)

    def _has(self, word: str) -> bool:
        key = name_key(word)
        if key in self._words or (not key.isascii() and _shares_pair(key, self._text)):
            return True
        return len(key) >= _STEM and not any(c.isdigit() for c in key) and key[:_STEM] in self._stems


def _shares_pair(key: str, text: str) -> bool:
    return key in text or any(key[place : place + 2] in text for place in range(len(key) - 1))


def _flat(text: str) -> tuple[str, list[int]]:
    """Fold a text, and say from which character of it each folded one comes."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        folded = unicodedata.normalize("NFKC", character.translate(_SAME)).translate(_SAME).casefold()
        for piece in folded:
            if piece.isspace() and (not characters or characters[-1] == " "):
                continue
            characters.append(" " if piece.isspace() else piece)
            places.append(place)
    return "".join(characters), places
