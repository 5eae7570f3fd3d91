"""Names of a window and their kinds, found by position and capitals before parsing.

In `i live in ghent`, `my sister Odile` and `a dog called biscuit`, the words before a name give it away and imply its
kind. Such names get capitals everywhere in the window, and the parser sees a well-known name of that kind instead.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mnemo.ingestion.local.lexicon import KIN, NAME_PARTICLES, NOT_NAMES, PEOPLE
from mnemo.ingestion.local.names.positions import (
    CAPITALISED,
    NOT_NAMED,
    SHORTEST_NAME,
    TITLES,
    by_capital,
    by_position,
)
from mnemo.ingestion.local.parsing.common_words import is_common, is_verbal

__all__ = ["NameSpan", "WindowNames", "find_names"]

_PARTICLES = sorted(NAME_PARTICLES, key=len, reverse=True)
_WITH_PARTICLE = re.compile(
    rf"(?<![\w'’])(?:{CAPITALISED})(?: (?:{CAPITALISED}))?"
    rf"(?: (?:{'|'.join(_PARTICLES)})(?: (?:{'|'.join(_PARTICLES)}))? (?:al-)?(?:{CAPITALISED})| (?:al|"
    rf"el|bin|ibn)-(?:{CAPITALISED}))(?: (?:{CAPITALISED}))?"
)
_SHOUTED_PARTICLE = re.compile(
    rf"\b[A-ZÀ-Þ]{{2,}} (?:{'|'.join(p.upper() for p in _PARTICLES)})(?: (?:LA|DER|LOS|DEN))? [A-ZÀ-Þ]{{2,}}\b"
)
_ACCENTED = re.compile(rf"(?<![\w'’])(?:{CAPITALISED})(?: (?:{CAPITALISED}))+(?= [a-z])")
_SHOUTED = re.compile(r"(?:\b[A-ZÀ-Þ]+(?:['’][A-Z]+)?\b[ ,]*){3,}(?=[.!?]|\s|$)")
_SHOUTED_WORD = re.compile(r"(?<=[a-z] )[A-Z]{4,}\b")
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
_KIND_PRIORITY = {"person": 0, "organisation": 1, "place": 2, "": 3}


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name in a text."""

    start: int
    end: int
    kind: str
    """`person` (or a pet), `place` or `organisation`."""


class WindowNames:
    """The names of a window, with capitalised spelling and kind."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        """Set the kind of each name; an empty kind is unknown."""
        self._spelled = {name.lower(): name for name in kinds}
        self._kinds = {name.lower(): kind for name, kind in kinds.items()}
        words = sorted(map(re.escape, self._spelled), key=len, reverse=True)
        self._pattern = (
            re.compile(rf"(?<![\w@.'’/-])(?:{'|'.join(words)})(?![\w@/]|\.\w)", re.IGNORECASE) if words else None
        )

    def restore(self, text: str) -> str:
        """Return the text, of the same length, with capitals on lower-case names and shouted words in lower case."""
        text = _SHOUTED.sub(
            lambda match: (
                match.group() if _SHOUTED_PARTICLE.search(match.group()) else _lower_same_length(match.group())
            ),
            text,
        )
        text = _SHOUTED_WORD.sub(
            lambda match: match.group().lower() if text != text.upper() and is_verbal(match.group()) else match.group(),
            text,
        )
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._with_capitals(match, text), text)

    def possessive(self) -> re.Pattern[str] | None:
        """Return a pattern for known names with a bare s before a word, as in `kubas cast`; None without names."""
        people = [name for name, kind in self._kinds.items() if kind == "person"]
        return re.compile(rf"\b({'|'.join(map(re.escape, people))})s (?=[a-z])", re.IGNORECASE) if people else None

    def spans(self, text: str) -> list[NameSpan]:
        """Return the names of known kind in a restored text, in order, without overlap."""
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
        separate: list[NameSpan] = []
        for span in sorted(found, key=lambda span: (span.start, -span.end)):
            if not separate or separate[-1].end <= span.start:
                separate.append(span)
        return separate

    def _with_capitals(self, match: re.Match[str], text: str) -> str:
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
            if not place and not _is_used_as_name(text, match.end(), last):
                return word
        return self._spelled[word.lower()]


def _lower_same_length(text: str) -> str:
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def _is_used_as_name(text: str, end: int, last: str) -> bool:
    """Return whether a common word is used as a name: at the start, before punctuation, or before a verb."""
    after = text[end : end + 1]
    following = re.match(r"['’]?\s*([a-z']+)", text[end:])
    word = following[1] if following else ""
    return after in {"", ".", ",", "!", "?", "'", "’"} or last == "" or is_verbal(word) or word in NOT_NAMES


def _in_longer_name(text: str, start: int, end: int) -> bool:
    """Return whether the span is part of a longer name: York in New York."""
    after = re.match(rf" (?:{CAPITALISED})", text[end:])
    before = re.search(rf"(?:^|(?<=[\s(\"])){CAPITALISED} $", text[:start])
    opens = before is not None and before.group().strip().lower() in NOT_NAMED | TITLES | KIN | PEOPLE
    return (after is not None and text[end + 1 : end + 2] != "I") or (before is not None and not opens)


def find_names(speakers: Iterable[str], texts: Iterable[str]) -> WindowNames:
    """Return the names of a window: speakers, names by position, and words with a capital inside a sentence.

    Args:
        speakers: Names of the speakers.
        texts: All messages of the window, including its context.
    """
    kinds: dict[str, str] = {}
    spelled: dict[str, str] = {}

    def add(name: str, kind: str) -> None:
        known = spelled.setdefault(name.lower(), name)
        if _KIND_PRIORITY[kind] <= _KIND_PRIORITY[kinds.get(known, "")]:
            kinds[known] = kind

    for speaker in speakers:
        if len(speaker) >= SHORTEST_NAME and speaker.lower() not in NOT_NAMED | KIN:
            add(speaker, "person")
    for text in texts:
        for name in by_capital(text):
            add(name, "")
        for name, kind in by_position(text):
            add(name, kind)
    return WindowNames(kinds)
