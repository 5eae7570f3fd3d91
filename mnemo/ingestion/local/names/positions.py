"""Finds names in text by the words before them and by their capitals."""

import re
from collections.abc import Iterator

from mnemo.ingestion.local.lexicon import (
    ANIMALS,
    CALENDAR_WORDS,
    FIRST_PERSON,
    GENERIC_ADJECTIVES,
    KIN,
    NOT_NAMES,
    PEOPLE,
    SECOND_PERSON,
    VAGUE_NOUNS,
)
from mnemo.ingestion.local.parsing.common_words import is_adverb, is_common, is_verbal
from mnemo.text.patterns import lazy_pattern

__all__ = ["CAPITALISED", "NOT_NAMED", "SHORTEST_NAME", "TITLES", "by_capital", "by_position"]

_WORD = r"[^\W\d_](?:[\w'’&.-]*\w)?"
CAPITALISED = r"[A-ZÀ-ÖØ-ÞŠŽŁŚŻŹĆŃČĎĚŇŘŤŮŐŰĐĀĒĪŌŪ](?:[\w'’.-]*\w)?"
_RUN = rf"(?:{CAPITALISED})(?: (?:{CAPITALISED}))*"
_MOTION_WORDS = (
    r"live|lives|lived|living|reside[sd]?|based|parked|born|grew up|grown up|stay|stays|stayed|staying|settled|"
    r"move|moves|moved|moving|relocate[sd]?|relocating|fly|flies|flew|flying|drive|drives|drove|driving|travel|"
    r"travels|travell?ed|travell?ing|going|went|been|heading|headed|off|trip|trips|flight|flights|ferry|train|holiday|"
    r"studio|flat|apartment|house|cottage|home|office|funeral|wedding|mums?|dads?|parents|uni|post|conference"
)
_AFTER_MOTION = lazy_pattern(
    rf"\b(?i:{_MOTION_WORDS})(?i:,? (?:back|down|up|over|out|again|together|now|still|alone|here))*"
    rf" (?P<by>(?i:in|to|from|near|outside|via))(?P<the> the)? (?P<name>{_RUN}|{_WORD})(?!['’]s)(?!\w)"
)
_AFTER_BE_IN = lazy_pattern(
    rf"\b(?i:i['’]?m|i am|we['’]?re|we are|he['’]?s|she['’]?s|they['’]?re|is|are|was|were|"
    rf"be) (?i:still |now |both |all )?(?i:in) (?P<name>{_RUN}|{_WORD})(?!['’]s)(?!\w)"
)
_AFTER_LEFT = lazy_pattern(rf"\b(?i:left|leaving|visit|visits|visited|visiting) (?P<name>{_WORD})(?!['’]s)(?!\w)")
_AFTER_WORK = lazy_pattern(
    rf"\b(?i:works?|worked|working|job|jobs|shifts?|position|internship|intern|interning|started|starting|employed|"
    rf"manager|assistant|engineer|nurse|cook|chef|developer|designer|teacher|barista|clerk|mornings|evenings|nights)"
    rf"(?i: (?:full[- ]time|part[- ]time|nights|mornings|weekends|now|back|over))*"
    rf" (?i:at|for) (?P<name>(?:{_WORD})(?: (?:{_WORD})){{0,2}})"
)
_CALLED = lazy_pattern(
    rf"\b(?:(?i:(?:called|named|call|calls|calling|name|naming) (?:him|her|it|them)|named|called|"
    rf"name is|name['’]?s|names are))"
    rf" (?P<name>{_WORD})(?: (?:and|&|or) (?P<other>{_WORD}))?"
)
_AFTER_TITLE = lazy_pattern(
    rf"\b(?P<title>(?i:mr|mrs|ms|dr|prof|professor|madame|monsieur|aunt|auntie|uncle|grandma|"
    rf"granny)\.?) (?P<name>{CAPITALISED}|[a-z]['’][a-z]\w+|[a-z]\w+)"
)
_PEOPLE_NOUNS = "|".join(sorted((re.escape(word) for word in PEOPLE), key=len, reverse=True))
_AFTER_KIN = lazy_pattern(
    rf"\b(?i:my|our|his|her|their|your|ur|\w+['’]s)(?i: (?:new|old|other|little|big|best|older|younger|late))*"
    rf" (?i:(?:{_PEOPLE_NOUNS}))(?:,? (?:(?i:is|are) )?(?P<name>{_RUN})|,? (?P<small>{_WORD}))"
)
_WITH_CAPITAL = lazy_pattern(rf"(?P<before>^|[.!?…:\n\"“(]\s*|\s)(?P<name>{_RUN})")
TITLES = frozenset(["dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "st"])
SHORTEST_NAME = 3
NOT_NAMED = NOT_NAMES | FIRST_PERSON | SECOND_PERSON | VAGUE_NOUNS | GENERIC_ADJECTIVES


def by_capital(text: str) -> Iterator[str]:
    """Yield words with a capital inside a mixed-case sentence, which are likely names."""
    if text.isupper():
        return
    for match in _WITH_CAPITAL.finditer(text):
        word = _strip_ending(match["name"])
        if re.search(r"['’]\w{1,2}$", word):
            continue  # I'm, They're
        inside = match["before"] == " " and text[: match.start()].rstrip()[-1:] not in set('.!?…:"“(-–—')
        words = word.split()
        named = (
            len(word) >= SHORTEST_NAME and all(each[1:].islower() for each in words) and word.lower() not in NOT_NAMED
        )
        named = named and not _is_calendar(words[0]) and words[0].lower() not in TITLES
        if inside and named:
            yield word


def by_position(text: str) -> Iterator[tuple[str, str]]:
    """Yield names with the kind that the words before them imply: person, place or organisation."""
    yield from _places(text)
    yield from _organisations(text)
    yield from _named_people(text)
    yield from _titled_people(text)
    yield from _relatives(text)


def _places(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_MOTION.finditer(text):
        name = match["name"]
        doubtful = name.islower() and is_common(name)
        if not (
            doubtful
            and (
                match["the"]
                or (name.endswith("s") and is_common(name[:-1]))
                or (match["by"] == "to" and is_verbal(name))
            )
        ):
            yield from ((place, "place") for place in _place_names(name))
    for match in _AFTER_BE_IN.finditer(text):
        yield from ((place, "place") for place in _place_names(match["name"]))
    for match in _AFTER_LEFT.finditer(text):
        word = _strip_ending(match["name"])
        if word.islower() and not is_common(word) and _can_be_place(word):
            yield _capitalise(word), "place"


def _organisations(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_WORK.finditer(text):
        words = list(_leading_name_words(match["name"]))
        if words and _can_be_place(words[0]):
            yield " ".join(map(_capitalise, words)), "organisation"


def _named_people(text: str) -> Iterator[tuple[str, str]]:
    for match in _CALLED.finditer(text):
        for word in filter(None, (match["name"], match["other"])):
            if (
                _strip_ending(word).lower() not in NOT_NAMED
                and not re.search(r"['’]", _strip_ending(word))
                and not _strip_ending(word).isupper()
                and not _is_calendar(word)
            ):
                yield _capitalise(_strip_ending(word)), "person"


def _titled_people(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_TITLE.finditer(text):
        name = _strip_ending(match["name"])
        kin = match["title"].lower().rstrip(".") in KIN
        doubtful = name.islower() and is_common(name)
        if (
            name.lower() not in NOT_NAMED
            and len(name) >= SHORTEST_NAME
            and not doubtful
            and not (kin and (name.islower() or "." in match["title"]))
            and not _is_calendar(name)
        ):
            yield f"{match['title'].capitalize()} {_capitalise(name)}", "person"


def _place_names(name: str) -> Iterator[str]:
    words = name.split()
    if len(words) > 1 or not name.islower():
        bare = _strip_ending(name)
        if (
            words[0].lower().rstrip(".") not in TITLES | NOT_NAMED
            and len(bare) >= SHORTEST_NAME
            and not _is_calendar(words[0])
        ):
            yield bare
    elif _can_be_place(_strip_ending(name)):
        yield _capitalise(_strip_ending(name))


def _relatives(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_KIN.finditer(text):
        name = _strip_ending(match["name"] or match["small"] or "")
        if match["name"]:
            if (
                name.split()[0].lower() not in NOT_NAMED
                and not re.search(r"['’]\w{1,2}$", name)
                and not _is_calendar(name)
                and not name.isupper()
            ):
                yield name, "person"
        elif (
            name.islower()
            and name not in NOT_NAMED
            and len(name) >= SHORTEST_NAME
            and (not is_common(name) or _is_pet_name(match, text))
        ):
            yield _capitalise(name), "person"


def _is_pet_name(match: re.Match[str], text: str) -> bool:
    """Return whether a common noun directly after a kind of pet is its name: our dog biscuit ate it."""
    words = match.group().split()
    after = re.match(r" (\w+)", text[match.end() :])
    pet = len(words) > 1 and words[-2].lower() in ANIMALS
    return (
        pet
        and not is_verbal(words[-1])
        and after is not None
        and (is_verbal(after[1]) or is_adverb(after[1]) or after[1] in {"is", "was", "has"})
    )


def _leading_name_words(name: str) -> Iterator[str]:
    for word in name.split():
        bare = _strip_ending(word)
        if bare.lower() in NOT_NAMED or _is_calendar(bare) or is_adverb(bare):
            return
        yield bare
        if bare != word:
            return


def _strip_ending(word: str) -> str:
    return word.rstrip(".'’-").removesuffix("'s").removesuffix("’s")


def _capitalise(name: str) -> str:
    if re.match(r"[a-z]['’][a-z]", name):
        return f"{name[0].upper()}{name[1]}{name[2:].capitalize()}"
    if len(name) <= 4 and not set("aeiouy") & set(name):  # noqa: PLR2004  # initials such as nyc
        return name.upper()
    return "-".join(part[:1].upper() + part[1:] for part in name.split("-"))


def _can_be_place(word: str) -> bool:
    lower = word.lower()
    kin = lower in KIN or lower.removesuffix("s") in PEOPLE
    return (
        len(word) >= SHORTEST_NAME
        and lower not in NOT_NAMED
        and not kin
        and not _is_calendar(lower)
        and not is_adverb(lower)
    )


def _is_calendar(word: str) -> bool:
    return word.lower().removesuffix("s") in CALENDAR_WORDS
