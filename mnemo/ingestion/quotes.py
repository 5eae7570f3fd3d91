"""Locates a quote in an episode, and checks whether a name occurs in a window.

Texts are compared word by word after folding, which removes differences of width, case, accents, apostrophes
and the dots of abbreviations (O’Brien is `obrien`, U.S.A. is `usa`, Côte is `cote`). Other punctuation only
separates words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

__all__ = ["WindowWords", "find_quote"]

MAX_GAP = 300
"""Most characters that an ellipsis in a quote may skip."""
_APOSTROPHES = frozenset("'’‘‛ʼʹ′`´＇ʻ")  # noqa: RUF001  # look-alikes are intended
_UNDECOMPOSABLE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
)
"""Letters that do not decompose into a letter and an accent."""
_ELLIPSIS = re.compile(r"\[?(?:…|\.{3,}|(?:\. ){2}\.)\]?")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힣豈-﫿]")
_MIN_LETTERS = 2
_MIN_PIECES = 2
_MIN_STEM = 4
_MAX_FOREIGN_ENDING = 5
_POSSESSIVE = "s"
_SUFFIXES = frozenset(
    ["", "s", "es", "ed", "d", "ing", "ings", "er", "ers", "ion", "ions", "or", "ors", "ment", "al", "ly", "en"]
)
"""Endings that may follow a whole word; without `son`, so that John does not support Johnson."""
_INTERCHANGEABLE_ENDINGS = _SUFFIXES | {"e", "y", "ies", "a", "i", "u", "ie", "em", "om", "ow", "ach", "ami"}
"""Endings that may replace one another, as in Warszawa, Warszawie."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A folded word and its offsets."""

    text: str
    parts: tuple[str, ...]
    """The word split at its apostrophes: l'étang has text `letang` and parts (`l`, `etang`)."""
    start: int
    end: int


def find_quote(content: str, quote: str) -> tuple[int, int] | None:
    """Find a quote in a text, ignoring case, accents, punctuation and blanks.

    An ellipsis in the quote may skip up to 300 characters. Part of a word does not match, unless the quote has
    several words or the script has no blanks.

    Returns:
        Offsets of the first match, so that `content[start:end]` is the quote as written there; None if there is
        no match or the quote has fewer than 2 letters or digits.
    """
    haystack, needle = _folded(content), _Folded(quote)
    if needle.letters < _MIN_LETTERS:
        return None
    whole = haystack.find(needle)
    if whole is not None:
        return whole
    pieces = [piece for part in _ELLIPSIS.split(quote) if (piece := _Folded(part)).letters]
    if len(pieces) < _MIN_PIECES or any(piece.letters < _MIN_LETTERS for piece in pieces):
        return None
    return _find_pieces(haystack, pieces)


def _find_pieces(haystack: "_Folded", pieces: list["_Folded"]) -> tuple[int, int] | None:
    spans: list[tuple[int, int]] = []
    for piece in pieces:
        span = haystack.find(piece, spans[-1][1] if spans else 0)
        if span is None:
            return None
        spans.append(span)
    close = all(after[0] - before[1] <= MAX_GAP for before, after in pairwise(spans))
    return (spans[0][0], spans[-1][1]) if close else None


class _Folded:
    """A text as folded words separated by single blanks; no blanks between Chinese or Japanese characters."""

    def __init__(self, text: str) -> None:
        characters: list[str] = []
        self._offsets: list[int] = []
        before: _Word | None = None
        for word in _words(text):
            if before is not None and not _is_joined(before, word):
                characters.append(" ")
                self._offsets.append(word.start)
            before = word
            for offset, letter in _letters(text, word.start, word.end):
                characters.append(letter)
                self._offsets.append(offset)
        self._text = "".join(characters)
        self._source = text
        self.letters = len(self._text) - self._text.count(" ")

    def find(self, needle: "_Folded", after: int = 0) -> tuple[int, int] | None:
        """Return the source offsets of a needle at or after an offset; whole words are preferred to parts of words."""
        part = None
        found = self._text.find(needle._text)  # noqa: SLF001  # another one of this class
        while found >= 0:
            last = found + len(needle._text)  # noqa: SLF001  # as above
            span = self._offsets[found], self._end(last - 1)
            if span[0] >= after:
                if self._is_edge(found) and self._is_edge(last):
                    return span
                part = part or span
            found = self._text.find(needle._text, found + 1)  # noqa: SLF001  # as above
        return part if " " in needle._text or _CJK.search(needle._text) else None  # noqa: SLF001  # as above

    def _end(self, offset: int) -> int:
        end = self._offsets[offset] + 1
        while end < len(self._source) and unicodedata.combining(self._source[end]):
            end += 1
        return end

    def _is_edge(self, offset: int) -> bool:
        around = self._text[max(offset - 1, 0) : offset + 1]
        return offset in {0, len(self._text)} or " " in around


@lru_cache(maxsize=256)
def _folded(text: str) -> _Folded:
    """Return the folded text; cached, because each episode is searched once per fact."""
    return _Folded(text)


class WindowWords:
    """The words of a window, against which names are checked."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Index the words of the window's texts and speakers."""
        words = [word for text in texts for word in _words(text)]
        self._words = frozenset([*(form for word in words for form in (word.text, *word.parts)), *_initials(words)])
        self._dense = " ".join(word.text for word in words)

    def contains_name(self, name: str) -> bool:
        """Return whether a name occurs: all its words with a capital or digit, and at least one word.

        Another inflection of a word counts (painted, painting). In scripts without blanks, the word or two adjacent
        characters of it must occur.
        """
        words = _words(name)
        strict = [word for word in words if _is_strict(name[word.start : word.end])]
        return all(self._contains_word(word) for word in strict) and any(self._contains_word(word) for word in words)

    def _contains_word(self, word: _Word) -> bool:
        parts_without_s = [part for part in word.parts if part != _POSSESSIVE]
        if word.text in self._words or (parts_without_s and all(part in self._words for part in parts_without_s)):
            return True
        if _CJK.search(word.text):
            return word.text in self._dense or any(one + two in self._dense for one, two in pairwise(word.text))
        if any(character.isdigit() for character in word.text):
            return False
        return any(_is_inflection(word.text, other) for other in self._words)


def _is_joined(one: _Word, other: _Word) -> bool:
    """Return whether to join two words: in Chinese and Japanese, and between initials (J. K.)."""
    is_cjk = _CJK.match(one.text[-1]) and _CJK.match(other.text)
    return bool(is_cjk) or (len(one.text) == len(other.text) == 1 and (one.text + other.text).isalpha())


def _initials(words: Iterable[_Word]) -> Iterator[str]:
    """Yield runs of single letters as one word: J. K. gives `jk`."""
    for single, run in groupby(words, key=lambda word: len(word.text) == 1):
        if single:
            yield "".join(word.text for word in run)


def _is_strict(word: str) -> bool:
    return word != word.lower() or any(character.isdigit() for character in word)


def _is_inflection(one: str, other: str) -> bool:
    common = 0
    while common < min(len(one), len(other)) and one[common] == other[common]:
        common += 1
    if common < _MIN_STEM:
        return False
    ends = one[common:], other[common:]
    if (one + other).isascii():
        return all(end in (_INTERCHANGEABLE_ENDINGS if all(ends) else _SUFFIXES) for end in ends)
    return all(len(end) <= _MAX_FOREIGN_ENDING for end in ends)


def _words(text: str) -> list[_Word]:
    """Return the folded words of a text, in order."""
    words: list[_Word] = []
    start = None
    for offset in range(len(text) + 1):
        inside = offset < len(text) and _is_word_character(text, offset, started=start is not None)
        if inside and start is None:
            start = offset
        if not inside and start is not None:
            words.append(_word(text, start, offset))
            start = None
    return [word for word in words if word.text]


def _word(text: str, start: int, end: int) -> _Word:
    folded = "".join(letter for _, letter in _letters(text, start, end))
    cut = "".join(" " if character in _APOSTROPHES else character for character in text[start:end]).split()
    parts = tuple(part for piece in cut if (part := "".join(letter for _, letter in _letters(piece, 0, len(piece)))))
    return _Word(folded, parts, start, end)


def _is_word_character(text: str, offset: int, *, started: bool) -> bool:
    """Return whether a character is part of a word: a letter, digit or mark, or certain signs between them."""
    character = text[offset]
    if character.isalnum() or (started and unicodedata.category(character)[0] == "M"):
        return True
    following = text[offset + 1 : offset + 2]
    if not started or not following:
        return False
    if character in _APOSTROPHES or character == "$" or unicodedata.category(character) == "Cf":
        return following.isalnum()
    if character in ".,":
        digits = text[offset - 1].isdigit() and following.isdigit()
        return digits or (character == "." and following.isalpha() and _is_initial(text, offset))
    return False


def _is_initial(text: str, offset: int) -> bool:
    """Return whether the word before a dot is a single letter, as in U.S.A."""
    before = text[offset - 2 : offset - 1]
    return text[offset - 1].isalpha() and not before.isalnum()


def _letters(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the folded letters of a word, each with its offset in the text."""
    base = ""
    for offset in range(start, end):
        character = text[offset]
        if character.isascii() and character.isalnum():
            base = character.lower()
            yield offset, base
        elif character == "$":
            yield offset, "s"
        elif character in ".,":
            if text[offset - 1].isdigit():
                yield offset, "."
        elif character not in _APOSTROPHES and unicodedata.category(character) != "Cf":
            for letter in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", character).casefold()):
                if unicodedata.combining(letter) and _ignores_accents(base):
                    continue
                base = letter if letter.isalnum() else base
                yield from ((offset, plain) for plain in letter.translate(_UNDECOMPOSABLE))


def _ignores_accents(letter: str) -> bool:
    """Return whether to ignore a letter's accents: in Latin and Greek; elsewhere they make another letter (か, が)."""
    return unicodedata.name(letter, "").startswith(("LATIN", "GREEK")) if letter else False
