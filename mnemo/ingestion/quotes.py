"""Finds the words of a quote in an episode, and checks whether a name occurs in a window.

Texts are compared by their words. A word is folded: width, case, accents, apostrophes, and the dots of
abbreviations do not count (O’Brien is `obrien`, U.S.A. is `usa`, Côte is `cote`). All other punctuation
only separates words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

__all__ = ["Grounds", "find_quote"]

MAX_GAP = 300
"""Most characters that an ellipsis in a quote may leave out."""
_APOSTROPHES = frozenset("'’‘‛ʼʹ′`´＇ʻ")  # noqa: RUF001  # look-alikes are intended
_STROKED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"})
"""Letters that do not decompose into a letter and an accent."""
_ELLIPSIS = re.compile(r"\[?(?:…|\.{3,}|(?:\. ){2}\.)\]?")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힣豈-﫿]")
_MIN_LETTERS = 2
_MIN_PIECES = 2
_MIN_STEM = 4
_MAX_FOREIGN_ENDING = 5
_POSSESSIVE = "s"
_ADDED = frozenset(
    ["", "s", "es", "ed", "d", "ing", "ings", "er", "ers", "ion", "ions", "or", "ors", "ment", "al", "ly", "en"]
)
"""Endings that are added to a whole word; `son` and `o` are none, so that John does not prove a Johnson."""
_EXCHANGED = _ADDED | {"e", "y", "ies", "a", "i", "u", "ie", "em", "om", "ow", "ach", "ami"}
"""Endings that take each other's place, as in Warszawa, Warszawie."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A folded word and its place."""

    text: str
    parts: tuple[str, ...]
    """The word cut at its apostrophes: l'étang is `letang` and (`l`, `etang`)."""
    start: int
    end: int


def find_quote(content: str, quote: str) -> tuple[int, int] | None:
    """Find a quote in a text by its words, whatever the case, accents, punctuation and blanks.

    An ellipsis in the quote may leave out up to 300 characters. A part of a word is no match, unless the
    quote has several words or the script has no blanks.

    Returns:
        Offsets of the first place, such that `content[start:end]` is the quote as written there;
        None if it is not there or has fewer than 2 letters or digits.
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
    """A text as its folded words, one blank between two of them; none between characters of Chinese or Japanese."""

    def __init__(self, text: str) -> None:
        characters: list[str] = []
        self._places: list[int] = []
        before: _Word | None = None
        for word in _words(text):
            if before is not None and not _is_joined(before, word):
                characters.append(" ")
                self._places.append(word.start)
            before = word
            for place, letter in _letters(text, word.start, word.end):
                characters.append(letter)
                self._places.append(place)
        self._text = "".join(characters)
        self._source = text
        self.letters = len(self._text) - self._text.count(" ")

    def find(self, needle: "_Folded", after: int = 0) -> tuple[int, int] | None:
        """Return the offsets of a needle in the source from an offset on: whole words rather than parts."""
        part = None
        found = self._text.find(needle._text)  # noqa: SLF001  # another one of this class
        while found >= 0:
            last = found + len(needle._text)  # noqa: SLF001  # as above
            span = self._places[found], self._end(last - 1)
            if span[0] >= after:
                if self._is_edge(found) and self._is_edge(last):
                    return span
                part = part or span
            found = self._text.find(needle._text, found + 1)  # noqa: SLF001  # as above
        return part if " " in needle._text or _CJK.search(needle._text) else None  # noqa: SLF001  # as above

    def _end(self, place: int) -> int:
        end = self._places[place] + 1
        while end < len(self._source) and unicodedata.combining(self._source[end]):
            end += 1
        return end

    def _is_edge(self, place: int) -> bool:
        around = self._text[max(place - 1, 0) : place + 1]
        return place in {0, len(self._text)} or " " in around


@lru_cache(maxsize=256)
def _folded(text: str) -> _Folded:
    """Return the folded text; cached, since an episode is searched once for each of its facts."""
    return _Folded(text)


class Grounds:
    """The words of a window, against which names are checked."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read the window's texts and speakers once."""
        words = [word for text in texts for word in _words(text)]
        self._words = frozenset([*(form for word in words for form in (word.text, *word.parts)), *_initials(words)])
        self._dense = " ".join(word.text for word in words)

    def support(self, name: str) -> bool:
        """Return whether a name's words occur: each one with a capital or digit, and at least one of all.

        A word occurs as it is or in another inflection (painted, painting). In scripts without blanks the
        word, or two adjacent characters of it, must occur.
        """
        words = _words(name)
        strict = [word for word in words if _is_strict(name[word.start : word.end])]
        return all(self._has(word) for word in strict) and any(self._has(word) for word in words)

    def _has(self, word: _Word) -> bool:
        owner = [part for part in word.parts if part != _POSSESSIVE]
        if word.text in self._words or (owner and all(part in self._words for part in owner)):
            return True
        if _CJK.search(word.text):
            return word.text in self._dense or any(one + two in self._dense for one, two in pairwise(word.text))
        if any(character.isdigit() for character in word.text):
            return False
        return any(_is_inflection(word.text, other) for other in self._words)


def _is_joined(one: _Word, other: _Word) -> bool:
    """Whether blanks between two words do not count: in Chinese and Japanese, and between initials (J. K.)."""
    dense = _CJK.match(one.text[-1]) and _CJK.match(other.text)
    return bool(dense) or (len(one.text) == len(other.text) == 1 and (one.text + other.text).isalpha())


def _initials(words: Iterable[_Word]) -> Iterator[str]:
    """Yield single letters in a row as one word: J. K. is also `jk`."""
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
        return all(end in (_EXCHANGED if all(ends) else _ADDED) for end in ends)
    return all(len(end) <= _MAX_FOREIGN_ENDING for end in ends)


def _words(text: str) -> list[_Word]:
    """Return the folded words of a text, in order."""
    words: list[_Word] = []
    start = None
    for place in range(len(text) + 1):
        inside = place < len(text) and _is_inside(text, place, started=start is not None)
        if inside and start is None:
            start = place
        if not inside and start is not None:
            words.append(_word(text, start, place))
            start = None
    return [word for word in words if word.text]


def _word(text: str, start: int, end: int) -> _Word:
    folded = "".join(letter for _, letter in _letters(text, start, end))
    cut = "".join(" " if character in _APOSTROPHES else character for character in text[start:end]).split()
    parts = tuple(part for piece in cut if (part := "".join(letter for _, letter in _letters(piece, 0, len(piece)))))
    return _Word(folded, parts, start, end)


def _is_inside(text: str, place: int, *, started: bool) -> bool:
    """Whether a character belongs to a word: letters, digits, marks, and some signs between them."""
    character = text[place]
    if character.isalnum() or (started and unicodedata.category(character)[0] == "M"):
        return True
    following = text[place + 1 : place + 2]
    if not started or not following:
        return False
    if character in _APOSTROPHES or character == "$" or unicodedata.category(character) == "Cf":
        return following.isalnum()
    if character in ".,":
        digits = text[place - 1].isdigit() and following.isdigit()
        return digits or (character == "." and following.isalpha() and _is_initial(text, place))
    return False


def _is_initial(text: str, place: int) -> bool:
    """Whether the word before a dot is a single letter, as in U.S.A."""
    before = text[place - 2 : place - 1]
    return text[place - 1].isalpha() and not before.isalnum()


def _letters(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the folded letters of a word, each with the place that it comes from."""
    base = ""
    for place in range(start, end):
        character = text[place]
        if character.isascii() and character.isalnum():
            base = character.lower()
            yield place, base
        elif character == "$":
            yield place, "s"
        elif character in ".,":
            if text[place - 1].isdigit():
                yield place, "."
        elif character not in _APOSTROPHES and unicodedata.category(character) != "Cf":
            for letter in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", character).casefold()):
                if unicodedata.combining(letter) and _sheds_accents(base):
                    continue
                base = letter if letter.isalnum() else base
                yield from ((place, plain) for plain in letter.translate(_STROKED))


def _sheds_accents(letter: str) -> bool:
    """Whether accents only decorate a letter: in Latin and Greek; elsewhere they make another letter (か, が)."""
    return unicodedata.name(letter, "").startswith(("LATIN", "GREEK")) if letter else False
