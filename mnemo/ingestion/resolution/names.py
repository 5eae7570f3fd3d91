"""Names of entities: one key for the ways in which one name is written, and what makes two names alike."""

import difflib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

__all__ = [
    "MAX_TAGS",
    "MAX_TAG_WORDS",
    "digits",
    "extends",
    "is_acronym_of",
    "is_plural_of",
    "likeness",
    "name_key",
    "tidy_name",
    "tidy_tags",
]

MAX_TAGS = 5
MAX_TAG_WORDS = 3
MAX_NAME_CHARS = 120

_TITLES = frozenset(["dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "madam", "mme", "herr", "frau"])
_ARTICLES = frozenset(["the", "a", "an"])
_SMALL_WORDS = frozenset(["of", "the", "and", "for", "in", "on", "at", "de", "la", "du", "der", "die", "das", "to"])
_HONORIFICS = ("さん", "ちゃん", "くん", "さま", "様")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′`´＇", "'"))  # noqa: RUF001  # look-alikes are the point
_QUOTED = "\"'“”„«»「」『』()[]{}<>*_"
_POSSESSIVE = re.compile(r"'s?$")
_DIGITS = re.compile(r"\d+")
_SYMBOLS_KEPT = frozenset("+#@%$€£")


@lru_cache(maxsize=50_000)
def name_key(name: str) -> str:
    """Return the key under which a name is unique within a group.

    Folded: width and compatibility forms (NFKC), case, accents of Latin and Greek letters, quote
    marks, hyphens and blanks, dots within abbreviations, leading articles, a title before two or
    more words (`Mr Smith` and `Mrs Smith` stay two), a trailing possessive, and a Japanese
    honorific after two or more characters. Digits stay as they are. Empty only for a name of blanks.

    Idempotent: `name_key(name_key(name)) == name_key(name)`.
    """
    words = _words(_folded(name))
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 2 and words[0] in _TITLES:  # noqa: PLR2004  # a title and a surname alone stay together
        words = words[1:]
    key = " ".join(words)
    for honorific in _HONORIFICS:
        if key.endswith(honorific) and len(key) >= len(honorific) + 2:
            return name_key(key.removesuffix(honorific))
    return key or "".join(name.casefold().split())


def tidy_name(name: str) -> str:
    """Return a name fit to show: one line, no quote marks or punctuation at its ends, at most 120 characters."""
    text = " ".join(name.split()).strip(_QUOTED + ".,;:!?-–—… ")
    return text[:MAX_NAME_CHARS].rstrip()


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return at most 5 distinct tags of 1 to 3 words, lower case, in the order given; the rest is dropped."""
    tidied: dict[str, None] = {}
    for tag in tags:
        text = tidy_name(tag.replace("_", " ").lstrip("#")).lower()
        if text and len(text.split()) <= MAX_TAG_WORDS and len(tidied) < MAX_TAGS:
            tidied.setdefault(text)
    return tuple(tidied)


def digits(name: str) -> tuple[str, ...]:
    """Return the numbers in a name, sorted, leading zeros kept: two names that differ here are two things."""
    return tuple(sorted(_DIGITS.findall(unicodedata.normalize("NFKC", name))))


def is_acronym_of(short: str, long: str) -> bool:
    """Tell whether `short` is the initials of `long`, small words counted or not: NYC, New York City.

    `short` has 2 to 8 letters, capitals but for dots; `long` has as many words or more.
    """
    letters = short.replace(".", "")
    if not (2 <= len(letters) <= 8 and letters.isalpha() and letters.isupper()):  # noqa: PLR2004  # see above
        return False
    words = _words(_folded(long))
    every = "".join(word[0] for word in words)
    large = "".join(word[0] for word in words if word not in _SMALL_WORDS)
    return len(words) > 1 and letters.casefold() in {every, large}


def is_plural_of(one: str, other: str) -> bool:
    """Tell whether two keys differ by an English plural ending of their last word only."""
    short, long = sorted((one, other), key=len)
    if len(short) < 3:  # noqa: PLR2004  # `as` is no plural of `a`
        return False
    return long in {f"{short}s", f"{short}es"} or (short.endswith("y") and long == f"{short[:-1]}ies")


def extends(long: str, short: str) -> bool:
    """Tell whether key `long` is key `short` and further words: `sam lee` extends `sam`."""
    return long.startswith(f"{short} ")


def likeness(one: str, other: str) -> float:
    """Return how alike two keys are written, 0 to 1 (1 is equal); symmetric."""
    first, second = sorted((one, other))
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).translate(_APOSTROPHES).casefold()
    letters: list[str] = []
    for character in unicodedata.normalize("NFD", text):
        # Accents go from Latin and Greek letters only: elsewhere they make another letter (か, が; и, й).
        if unicodedata.combining(character) and letters and _sheds_accents(letters[-1]):
            continue
        letters.append(character)
    return unicodedata.normalize("NFKC", "".join(letters))


def _sheds_accents(character: str) -> bool:
    return unicodedata.name(character, "").startswith(("LATIN", "GREEK"))


def _words(text: str) -> list[str]:
    words = [_POSSESSIVE.sub("", word) or word for word in text.replace("&", " and ").split()]
    cleaned = "".join(_kept(" ".join(words), place) for place in range(len(" ".join(words))))
    return cleaned.split()


def _kept(text: str, place: int) -> str:
    character = text[place]
    if character.isalnum() or character in _SYMBOLS_KEPT:
        return character
    if unicodedata.category(character) in {"Mn", "Mc", "So", "Sk"}:
        return "" if character in "\ufe0e\ufe0f" else character
    if character == ".":
        between = text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()
        return "." if between else ""
    return "" if character == "'" or unicodedata.category(character) == "Cf" else " "
