"""Compares names of entities; maps all spellings of a name to one key."""

import difflib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

__all__ = [
    "MAX_TAGS",
    "MAX_TAG_WORDS",
    "ROLE_WORDS",
    "digits",
    "extends",
    "has_pronoun",
    "is_acronym_of",
    "is_alias",
    "is_plural_of",
    "name_key",
    "spelling_similarity",
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
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′`´＇", "'"))  # noqa: RUF001  # look-alikes are intended
_PRONOUNS = frozenset(
    [
        *("my", "our", "your", "his", "her", "their", "mine", "ours", "yours", "hers", "theirs", "me", "you", "him"),
        *("them", "us", "someone", "somebody", "mein", "meine", "meiner", "mon", "mes", "mis", "mio", "meu", "minha"),
        *("mijn", "unser", "unsere", "notre", "nuestro"),
    ]
)
_DESCRIPTION_WORDS = _PRONOUNS | frozenset(
    [
        *("its", "i", "he", "she", "they", "we", "it", "this", "that", "these", "those", "some", "everyone"),
        *("everybody", "another", "one", "who", "ma", "mi", "mia"),
    ]
)
ROLE_WORDS = frozenset(
    [
        *("friend", "friends", "buddy", "buddies", "pal", "pals", "mate", "mates", "dude", "dudes", "bro", "bros"),
        *("bestie", "besties", "bff", "mum", "mom", "mommy", "mummy", "mama", "mother", "dad", "daddy", "papa"),
        *("father", "parent", "parents", "sister", "sisters", "sis", "brother", "brothers", "sibling", "siblings"),
        *("son", "sons", "daughter", "daughters", "kid", "kids", "child", "children", "baby", "babies", "twin"),
        *("twins", "wife", "husband", "hubby", "partner", "spouse", "boyfriend", "girlfriend", "fiance", "fiancee"),
        *("ex", "cousin", "cousins", "uncle", "aunt", "auntie", "nephew", "niece", "grandma", "granny", "nan"),
        *("nana", "grandpa", "granddad", "grandmother", "grandfather", "grandparents", "family", "folks"),
        *("relative", "relatives", "boss", "manager", "supervisor", "colleague", "colleagues", "coworker"),
        *("coworkers", "teammate", "teammates", "classmate", "classmates", "roommate", "roommates", "flatmate"),
        *("flatmates", "housemate", "housemates", "neighbour", "neighbours", "neighbor", "neighbors", "landlord"),
        *("landlady", "tenant", "teacher", "doctor", "dentist", "therapist", "coach", "client", "customer", "guest"),
        *("stranger", "acquaintance", "guy", "guys", "girl", "girls", "boy", "boys", "man", "men", "woman", "women"),
        *("lady", "ladies", "gentleman", "person", "people", "team", "crew", "gang", "group", "couple", "honey"),
        *("sweetheart", "darling", "dear", "love", "babe", "sweetie", "freund", "freundin", "freunde", "ami", "amie"),
        *("amis", "amigo", "amiga", "amigos", "amico", "amica", "vriend", "vriendin", "user", "speaker", "narrator"),
    ]
)
"""Nouns for people whose referent depends on the speaker; folded as by `name_key`."""
_QUOTED = "\"'“”„«»「」『』()[]{}<>*_"
_POSSESSIVE = re.compile(r"'s?$")
_ABBREVIATION = re.compile(r"(?:^|[\s.])\w\.\w\.$")
_DIGITS = re.compile(r"\d+")
_SYMBOLS_KEPT = frozenset("+#@%$€£")


@lru_cache(maxsize=50_000)
def name_key(name: str) -> str:
    """Return the key that identifies a name within a group.

    Ignores width and compatibility forms (NFKC), case, accents of Latin and Greek letters, quote
    marks, hyphens and blanks, dots within abbreviations, leading articles, a title before two or
    more words (`Mr Smith` and `Mrs Smith` stay different), a trailing possessive, and a Japanese
    honorific after two or more characters. Keeps digits. Empty only for a blank name.

    Idempotent: `name_key(name_key(name)) == name_key(name)`.
    """
    words = _words(_fold(name))
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
    """Return a name for display: one line, at most 120 characters, no quote marks or punctuation at its ends.

    Keeps the last dot of an abbreviation (U.S.A.).
    """
    text = " ".join(name.split()).strip(_QUOTED + ",;:!?-–—… ").lstrip(". ")
    trimmed = text.rstrip(_QUOTED + ".,;:!?-–—… ")
    if _ABBREVIATION.search(text[: len(trimmed) + 1]):
        trimmed = text[: len(trimmed) + 1]
    return trimmed[:MAX_NAME_CHARS].rstrip()


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the first 5 distinct tags of 1 to 3 words, in lower case and in order; drop the rest."""
    tidied: dict[str, None] = {}
    for tag in tags:
        text = tidy_name(tag.replace("_", " ").lstrip("#")).lower()
        if text and len(text.split()) <= MAX_TAG_WORDS and len(tidied) < MAX_TAGS:
            tidied.setdefault(text)
    return tuple(tidied)


def is_alias(alias: str, name: str) -> bool:
    """Return whether a text is an alternative name rather than a description such as "my sister" or "buddy".

    A name has a capital, a digit or a letter of a script without capitals, and is not made of common nouns for people
    (`ROLE_WORDS`). Lower case is accepted if `name` is in lower case too or starts with the alias.

    Args:
        alias: A possible alias, as returned by `tidy_name`.
        name: The entity's name.
    """
    words = alias.split()
    keys = [name_key(word) for word in words]
    if not words or _DESCRIPTION_WORDS.intersection(keys) or keys[-1] in ROLE_WORDS or not keys[-1]:
        return False
    if all(key in ROLE_WORDS or key in _SMALL_WORDS or key in _ARTICLES for key in keys):
        return False
    if any(character != character.lower() or _is_uncased(character) for character in alias):
        return True
    common_noun = name == name.lower()
    return (common_noun and keys[0] not in _ARTICLES) or name_key(name).startswith(name_key(alias))


def has_pronoun(name: str) -> bool:
    """Return whether a name depends on the speaker: her boss, a friend of mine."""
    words = name.split()
    return len(words) > 1 and bool(_PRONOUNS.intersection(word.casefold() for word in words if word == word.lower()))


def _is_uncased(character: str) -> bool:
    """Return whether it is a digit, or a letter of a script without capitals."""
    return character.isdigit() or (character.isalpha() and character.lower() == character.upper())


def digits(name: str) -> tuple[str, ...]:
    """Return the numbers in a name, sorted, with leading zeros; names with different numbers differ."""
    return tuple(sorted(_DIGITS.findall(unicodedata.normalize("NFKC", name))))


def is_acronym_of(short: str, long: str) -> bool:
    """Return whether `short` is the initials of `long`, with or without words such as `of`: NYC, New York City.

    `short` has 2 to 8 capital letters, with or without dots; `long` has at least as many words.
    """
    letters = short.replace(".", "")
    if not (2 <= len(letters) <= 8 and letters.isalpha() and letters.isupper()):  # noqa: PLR2004  # see above
        return False
    words = _words(_fold(long))
    all_initials = "".join(word[0] for word in words)
    main_initials = "".join(word[0] for word in words if word not in _SMALL_WORDS)
    return len(words) > 1 and letters.casefold() in {all_initials, main_initials}


def is_plural_of(one: str, other: str) -> bool:
    """Return whether two keys differ only by an English plural ending of their last word."""
    short, long = sorted((one, other), key=len)
    if len(short) < 3:  # noqa: PLR2004  # `as` is not the plural of `a`
        return False
    return long in {f"{short}s", f"{short}es"} or (short.endswith("y") and long == f"{short[:-1]}ies")


def extends(long: str, short: str) -> bool:
    """Return whether key `long` is key `short` plus more words: `sam lee` extends `sam`."""
    return long.startswith(f"{short} ")


def spelling_similarity(one: str, other: str) -> float:
    """Return the similarity of two keys' spellings, from 0 to 1 (equal); symmetric."""
    first, second = sorted((one, other))
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def _fold(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).translate(_APOSTROPHES).casefold()
    letters: list[str] = []
    for character in unicodedata.normalize("NFD", text):
        # Remove accents from Latin and Greek letters only; elsewhere they make another letter (か, が; и, й).
        if unicodedata.combining(character) and letters and _ignores_accents(letters[-1]):
            continue
        letters.append(character)
    return unicodedata.normalize("NFKC", "".join(letters))


def _ignores_accents(character: str) -> bool:
    return unicodedata.name(character, "").startswith(("LATIN", "GREEK"))


def _words(text: str) -> list[str]:
    words = [_POSSESSIVE.sub("", word) or word for word in text.replace("&", " and ").split()]
    cleaned = "".join(_key_character(" ".join(words), index) for index in range(len(" ".join(words))))
    return cleaned.split()


def _key_character(text: str, index: int) -> str:
    character = text[index]
    if character.isalnum() or character in _SYMBOLS_KEPT:
        return character
    if unicodedata.category(character) in {"Mn", "Mc", "So", "Sk"}:
        return "" if character in "\ufe0e\ufe0f" else character
    if character == ".":
        between = text[index - 1 : index].isdigit() and text[index + 1 : index + 2].isdigit()
        return "." if between else ""
    return "" if character == "'" or unicodedata.category(character) == "Cf" else " "
