"""Names of a window and their kinds, found by position and by capitals before anything is parsed.

`i live in ghent`, `my sister Odile` and `a dog called biscuit` show a name and its kind by the words before it. Such
names get capitals everywhere in the window, and the parser reads a well-known name of that kind in their place.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nameparser.config import CONSTANTS

from mnemo.ingestion.local.common_words import is_adverb, is_common, is_verbal
from mnemo.ingestion.local.lexicon import (
    ADDRESSED,
    ANIMALS,
    CALENDAR,
    KIN,
    NOT_NAMES,
    PALE_ADJECTIVES,
    PEOPLE,
    SELF,
    VAGUE,
)

__all__ = ["NameSpan", "WindowNames", "names_of"]

_WORD = r"[^\W\d_](?:[\w'’&.-]*\w)?"
_CAPITALISED = r"[A-ZÀ-ÖØ-ÞŠŽŁŚŻŹĆŃČĎĚŇŘŤŮŐŰĐĀĒĪŌŪ](?:[\w'’.-]*\w)?"
_RUN = rf"(?:{_CAPITALISED})(?: (?:{_CAPITALISED}))*"
_PARTICLES = sorted(
    {word for word in CONSTANTS.prefixes if word.isascii() and word.isalpha()}
    - {"st", "do", "mac", "te", "op", "tho", "bat", "bar", "bon", "san", "santa", "la", "le"}
    | {"do", "la", "le", "y", "e"},
    key=len,
    reverse=True,
)
_WITH_PARTICLE = re.compile(
    rf"(?<![\w'’])(?:{_CAPITALISED})(?: (?:{_CAPITALISED}))?"
    rf"(?: (?:{'|'.join(_PARTICLES)})(?: (?:{'|'.join(_PARTICLES)}))? (?:al-)?(?:{_CAPITALISED})| (?:al|el|bin|ibn)-(?:{_CAPITALISED}))(?: (?:{_CAPITALISED}))?"
)
_SHOUTED_PARTICLE = re.compile(
    rf"\b[A-ZÀ-Þ]{{2,}} (?:{'|'.join(p.upper() for p in _PARTICLES)})(?: (?:LA|DER|LOS|DEN))? [A-ZÀ-Þ]{{2,}}\b"
)
_ACCENTED = re.compile(rf"(?<![\w'’])(?:{_CAPITALISED})(?: (?:{_CAPITALISED}))+(?= [a-z])")
_SHOUTED = re.compile(r"(?:\b[A-ZÀ-Þ]+(?:['’][A-Z]+)?\b[ ,]*){3,}(?=[.!?]|\s|$)")
_SHOUTED_WORD = re.compile(r"(?<=[a-z] )[A-Z]{4,}\b")
_GOING = (
    r"live|lives|lived|living|reside[sd]?|based|parked|born|grew up|grown up|stay|stays|stayed|staying|settled|"
    r"move|moves|moved|moving|relocate[sd]?|relocating|fly|flies|flew|flying|drive|drives|drove|driving|travel|"
    r"travels|travell?ed|travell?ing|going|went|been|heading|headed|off|trip|trips|flight|flights|ferry|train|holiday|"
    r"studio|flat|apartment|house|cottage|home|office|funeral|wedding|mums?|dads?|parents|uni|post|conference"
)
_AFTER_GOING = re.compile(
    rf"\b(?i:{_GOING})(?i:,? (?:back|down|up|over|out|again|together|now|still|alone|here))*"
    rf" (?P<by>(?i:in|to|from|near|outside|via))(?P<the> the)? (?P<name>{_RUN}|{_WORD})(?!['’]s)(?!\w)"
)
_AFTER_BE_IN = re.compile(
    rf"\b(?i:i['’]?m|i am|we['’]?re|we are|he['’]?s|she['’]?s|they['’]?re|is|are|was|were|be) (?i:still |now |both |all )?(?i:in) (?P<name>{_RUN}|{_WORD})(?!['’]s)(?!\w)"
)
_AFTER_LEFT = re.compile(rf"\b(?i:left|leaving|visit|visits|visited|visiting) (?P<name>{_WORD})(?!['’]s)(?!\w)")
_AFTER_WORK = re.compile(
    rf"\b(?i:works?|worked|working|job|jobs|shifts?|position|internship|intern|interning|started|starting|employed|"
    rf"manager|assistant|engineer|nurse|cook|chef|developer|designer|teacher|barista|clerk|mornings|evenings|nights)"
    rf"(?i: (?:full[- ]time|part[- ]time|nights|mornings|weekends|now|back|over))*"
    rf" (?i:at|for) (?P<name>(?:{_WORD})(?: (?:{_WORD})){{0,2}})"
)
_CALLED = re.compile(
    rf"\b(?:(?i:(?:called|named|call|calls|calling|name|naming) (?:him|her|it|them)|named|called|name is|name['’]?s|names are))"
    rf" (?P<name>{_WORD})(?: (?:and|&|or) (?P<other>{_WORD}))?"
)
_AFTER_TITLE = re.compile(
    rf"\b(?P<title>(?i:mr|mrs|ms|dr|prof|professor|madame|monsieur|aunt|auntie|uncle|grandma|granny)\.?) (?P<name>{_CAPITALISED}|[a-z]['’][a-z]\w+|[a-z]\w+)"
)
_NOUN_OF_KIN = "|".join(sorted((re.escape(word) for word in PEOPLE), key=len, reverse=True))
_AFTER_KIN = re.compile(
    rf"\b(?i:my|our|his|her|their|your|ur|\w+['’]s)(?i: (?:new|old|other|little|big|best|older|younger|late))*"
    rf" (?i:(?:{_NOUN_OF_KIN}))(?:,? (?:(?i:is|are) )?(?P<name>{_RUN})|,? (?P<small>{_WORD}))"
)
_WITH_CAPITAL = re.compile(rf"(?P<before>^|[.!?…:\n\"“(]\s*|\s)(?P<name>{_RUN})")
_AFTER_PLACE_WORD = frozenset(
    ["in", "to", "from", "near", "at", "left", "visit", "around", "outside", "of", "via", "into", "leave", "leaving"]
)
_DETERMINERS = frozenset(
    [
        "a",
        "an",
        "the",
        "my",
        "our",
        "your",
        "ur",
        "his",
        "her",
        "its",
        "their",
        "this",
        "that",
        "these",
        "those",
        "some",
        "any",
        "no",
        "every",
        "each",
        "another",
        "other",
        "what",
        "which",
        "how",
        "such",
        "more",
        "most",
        "very",
        "so",
        "too",
        "to",
        "i",
        "we",
        "you",
        "they",
        "he",
        "she",
    ]
)
_TITLES = frozenset(["dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "st"])
_SHORTEST = 3
_STOPS = NOT_NAMES | SELF | ADDRESSED | VAGUE | PALE_ADJECTIVES
_RANK = {"person": 0, "organisation": 1, "place": 2, "": 3}


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name in a text."""

    start: int
    end: int
    kind: str
    """`person` (or a pet), `place` or `organisation`."""


class WindowNames:
    """The names of a window, their spelling with capitals and their kinds."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        """Keep the names with their kinds; an empty kind is unknown."""
        self._spelled = {name.lower(): name for name in kinds}
        self._kinds = {name.lower(): kind for name, kind in kinds.items()}
        words = sorted(map(re.escape, self._spelled), key=len, reverse=True)
        self._pattern = (
            re.compile(rf"(?<![\w@.'’/-])(?:{'|'.join(words)})(?![\w@/]|\.\w)", re.IGNORECASE) if words else None
        )

    def restore(self, text: str) -> str:
        """Return a text of the same length with capitals on names that it writes in lower case."""
        text = _SHOUTED.sub(
            lambda match: match.group() if _SHOUTED_PARTICLE.search(match.group()) else _lowered(match.group()), text
        )
        text = _SHOUTED_WORD.sub(
            lambda match: match.group().lower() if text != text.upper() and is_verbal(match.group()) else match.group(),
            text,
        )
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._cased(match, text), text)

    def possessive(self) -> re.Pattern[str] | None:
        """Return a pattern for a known name with a bare s before a word, such as kubas cast; None without names."""
        people = [name for name, kind in self._kinds.items() if kind == "person"]
        return re.compile(rf"\b({'|'.join(map(re.escape, people))})s (?=[a-z])", re.IGNORECASE) if people else None

    def spans(self, text: str) -> list[NameSpan]:
        """Return where names of a known kind stand in a text with restored capitals, in order, apart."""
        found = [NameSpan(*match.span(), "person") for match in _WITH_PARTICLE.finditer(text)]
        found += [NameSpan(*match.span(), "person") for match in _SHOUTED_PARTICLE.finditer(text)]
        found += [
            NameSpan(*match.span(), "person") for match in _ACCENTED.finditer(text) if not match.group().isascii()
        ]
        for match in self._pattern.finditer(text) if self._pattern is not None else ():
            kind = self._kinds[match.group().lower()]
            taken = any(each.start < match.end() and match.start() < each.end for each in found)
            if kind and not taken and match.group()[:1].isupper() and not _in_longer_name(text, *match.span()):
                found.append(NameSpan(*match.span(), kind))
        apart: list[NameSpan] = []
        for span in sorted(found, key=lambda span: (span.start, -span.end)):
            if not apart or apart[-1].end <= span.start:
                apart.append(span)
        return apart

    def _cased(self, match: re.Match[str], text: str) -> str:
        word = match.group()
        if not word[:1].islower():
            return word
        before = text[: match.start()].split()
        last = before[-1].lower() if before else ""
        if is_common(word):
            place = self._kinds[word.lower()] in {"place", "organisation"}
            fits = last in _AFTER_PLACE_WORD | {"for"} if place else last not in _DETERMINERS
            if not fits or text[match.end() : match.end() + 1] == "-":
                return word
            if not place and not _stands_as_name(text, match.end(), last):
                return word
        return self._spelled[word.lower()]


def _lowered(text: str) -> str:
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _stands_as_name(text: str, end: int, last: str) -> bool:
    """Whether a common word is used without an article where a name stands: at the head or after a verb."""
    after = text[end : end + 1]
    following = re.match(r"['’]?\s*([a-z']+)", text[end:])
    word = following[1] if following else ""
    return after in {"", ".", ",", "!", "?", "'", "’"} or last == "" or is_verbal(word) or word in NOT_NAMES


def _in_longer_name(text: str, start: int, end: int) -> bool:
    """Whether capitals go on before or after: York of New York."""
    after = re.match(rf" (?:{_CAPITALISED})", text[end:])
    before = re.search(rf"(?:^|(?<=[\s(\"])){_CAPITALISED} $", text[:start])
    opens = before is not None and before.group().strip().lower() in _STOPS | _TITLES | KIN | PEOPLE
    return (after is not None and text[end + 1 : end + 2] != "I") or (before is not None and not opens)


def names_of(speakers: Iterable[str], texts: Iterable[str]) -> WindowNames:
    """Return the names of a window: of speakers, by position, and words with a capital within a sentence.

    Args:
        speakers: Names of those who talk.
        texts: All messages that may name something, the window's context too.
    """
    kinds: dict[str, str] = {}
    spelled: dict[str, str] = {}

    def note(name: str, kind: str) -> None:
        known = spelled.setdefault(name.lower(), name)
        if _RANK[kind] <= _RANK[kinds.get(known, "")]:
            kinds[known] = kind

    for speaker in speakers:
        if len(speaker) >= _SHORTEST and speaker.lower() not in _STOPS | KIN:
            note(speaker, "person")
    for text in texts:
        for name in _by_capital(text):
            note(name, "")
        for name, kind in _by_position(text):
            note(name, kind)
    return WindowNames(kinds)


def _by_capital(text: str) -> Iterator[str]:
    """Yield words that only a name explains: a capital within a sentence of mixed case."""
    if text.isupper():
        return
    for match in _WITH_CAPITAL.finditer(text):
        word = _bare(match["name"])
        if re.search(r"['’]\w{1,2}$", word):
            continue  # I'm, They're
        inside = match["before"] == " " and text[: match.start()].rstrip()[-1:] not in set('.!?…:"“(-–—')
        words = word.split()
        named = len(word) >= _SHORTEST and all(each[1:].islower() for each in words) and word.lower() not in _STOPS
        named = named and not _is_calendar(words[0]) and words[0].lower() not in _TITLES
        if inside and named:
            yield word


def _by_position(text: str) -> Iterator[tuple[str, str]]:
    """Yield names with the kind that the words before them show."""
    yield from _places(text)
    yield from _organisations(text)
    yield from _called(text)
    yield from _after_title(text)
    yield from _after_kin(text)


def _places(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_GOING.finditer(text):
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
            yield from ((place, "place") for place in _place(name))
    for match in _AFTER_BE_IN.finditer(text):
        yield from ((place, "place") for place in _place(match["name"]))
    for match in _AFTER_LEFT.finditer(text):
        word = _bare(match["name"])
        if word.islower() and not is_common(word) and _may_be_place(word):
            yield _titled(word), "place"


def _organisations(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_WORK.finditer(text):
        words = list(_until_stop(match["name"]))
        if words and _may_be_place(words[0]):
            yield " ".join(map(_titled, words)), "organisation"


def _called(text: str) -> Iterator[tuple[str, str]]:
    for match in _CALLED.finditer(text):
        for word in filter(None, (match["name"], match["other"])):
            if (
                _bare(word).lower() not in _STOPS
                and not re.search(r"['’]", _bare(word))
                and not _bare(word).isupper()
                and not _is_calendar(word)
            ):
                yield _titled(_bare(word)), "person"


def _after_title(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_TITLE.finditer(text):
        name = _bare(match["name"])
        kin = match["title"].lower().rstrip(".") in KIN
        doubtful = name.islower() and is_common(name)
        if (
            name.lower() not in _STOPS
            and len(name) >= _SHORTEST
            and not doubtful
            and not (kin and (name.islower() or "." in match["title"]))
            and not _is_calendar(name)
        ):
            yield f"{match['title'].capitalize()} {_titled(name)}", "person"


def _place(name: str) -> Iterator[str]:
    words = name.split()
    if len(words) > 1 or not name.islower():
        bare = _bare(name)
        if (
            words[0].lower().rstrip(".") not in _TITLES | _STOPS
            and len(bare) >= _SHORTEST
            and not _is_calendar(words[0])
        ):
            yield bare
    elif _may_be_place(_bare(name)):
        yield _titled(_bare(name))


def _after_kin(text: str) -> Iterator[tuple[str, str]]:
    for match in _AFTER_KIN.finditer(text):
        name = _bare(match["name"] or match["small"] or "")
        if match["name"]:
            if (
                name.split()[0].lower() not in _STOPS
                and not re.search(r"['’]\w{1,2}$", name)
                and not _is_calendar(name)
                and not name.isupper()
            ):
                yield name, "person"
        elif (
            name.islower()
            and name not in _STOPS
            and len(name) >= _SHORTEST
            and (not is_common(name) or _is_pet_name(match, text))
        ):
            yield _titled(name), "person"


def _is_pet_name(match: re.Match[str], text: str) -> bool:
    """Whether a common noun right behind a kind of pet is its name: our dog biscuit ate it."""
    words = match.group().split()
    after = re.match(r" (\w+)", text[match.end() :])
    pet = len(words) > 1 and words[-2].lower() in ANIMALS
    return (
        pet
        and not is_verbal(words[-1])
        and after is not None
        and (is_verbal(after[1]) or is_adverb(after[1]) or after[1] in {"is", "was", "has"})
    )


def _until_stop(name: str) -> Iterator[str]:
    for word in name.split():
        bare = _bare(word)
        if bare.lower() in _STOPS or _is_calendar(bare) or is_adverb(bare):
            return
        yield bare
        if bare != word:
            return


def _bare(word: str) -> str:
    return word.rstrip(".'’-").removesuffix("'s").removesuffix("’s")


def _titled(name: str) -> str:
    if re.match(r"[a-z]['’][a-z]", name):
        return f"{name[0].upper()}{name[1]}{name[2:].capitalize()}"
    if len(name) <= 4 and not set("aeiouy") & set(name):  # noqa: PLR2004  # initials such as nyc
        return name.upper()
    return "-".join(part[:1].upper() + part[1:] for part in name.split("-"))


def _may_be_place(word: str) -> bool:
    lower = word.lower()
    kin = lower in KIN or lower.removesuffix("s") in PEOPLE
    return (
        len(word) >= _SHORTEST and lower not in _STOPS and not kin and not _is_calendar(lower) and not is_adverb(lower)
    )


def _is_calendar(word: str) -> bool:
    return word.lower().removesuffix("s") in CALENDAR
