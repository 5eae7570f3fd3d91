"""Looks up common English words in the parser's lemma tables."""

from collections.abc import Mapping
from functools import cache

from mnemo.ingestion.local.lexicon import JOB_TITLES, PEOPLE
from mnemo.providers import spacy_model

__all__ = ["is_adverb", "is_common", "is_role", "is_verbal"]

_ROLES = (
    "er",
    "or",
    "ist",
    "ian",
    "ant",
    "ent",
    "man",
    "woman",
    "eer",
    "ess",
    "naut",
    "fan",
    "vegan",
    "vegetarian",
    "member",
    "orphan",
    "widow",
)
_ENDINGS = ("s", "es", "ed", "ing", "er", "ly")


def is_common(word: str) -> bool:
    """Return whether a word or its base form is in the tables, which also contain some large towns."""
    return any(stem in words for stem in _stems(word) for words in _index().values())


def is_verbal(word: str) -> bool:
    """Return whether a word can be a verb or an adjective."""
    return any(stem in _index()["verb"] for stem in _stems(word)) or word.lower() in _index()["adj"]


def is_adverb(word: str) -> bool:
    """Return whether a word is an adverb and not a noun."""
    return word.lower() in _index()["adv"] and word.lower() not in _index()["noun"]


def is_role(noun: str) -> bool:
    """Return whether a noun can describe a person: a relative, a job title, or a noun in -er, -ist and the like."""
    return noun in PEOPLE | JOB_TITLES or noun.endswith(_ROLES)


@cache
def _index() -> Mapping[str, frozenset[str]]:
    lookups = spacy_model.load().get_pipe("lemmatizer").lookups  # type: ignore[attr-defined]  # of the loaded model
    index, exceptions = lookups.get_table("lemma_index"), lookups.get_table("lemma_exc")
    return {part: frozenset((*index[part], *exceptions.get(part, ()))) for part in ("noun", "verb", "adj", "adv")}


def _stems(word: str) -> tuple[str, ...]:
    lower = word.lower()
    cut = [lower.removesuffix(end) for end in _ENDINGS if lower.endswith(end)]
    undoubled = (stem[:-1] for stem in cut if len(stem) > 2 and stem[-2] == stem[-1])  # noqa: PLR2004  # compares two
    return (lower, *cut, *(f"{stem}e" for stem in cut), *undoubled)
