"""A question, and what it says by itself: about whom, of when, and what kind of answer it wants. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mnemo.errors import ArgumentError
from mnemo.retrieval import question_features
from mnemo.retrieval.question_dates import NamedDate, named_dates

__all__ = ["MAX_CHARS", "Person", "Question", "people_asked_about", "read", "without_names"]

MAX_CHARS = 8_000
"""Characters of a question that are looked at; a longer one is cut."""

_POSSESSIVE = r"(?:['’]s\b|['’](?=\s|$)|さん|ちゃん|くん|君|様|의|的|の)?"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who speaks in the group."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names, full ones first, then the first words of names of several words, longest first."""
        full = [name for name in (self.name, *self.aliases) if name.strip()]
        first = [name.split()[0] for name in full if len(name.split()) > 1]
        return tuple(sorted({*full, *first}, key=lambda name: (-len(name), name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked."""

    text: str
    """As asked, blanks at its ends left out."""
    bare: str
    """The same without the names of those asked about; `text` where nothing else is left."""
    people: tuple[Person, ...] = ()
    """Who is asked about, in the order of their names in the text."""
    dates: tuple[NamedDate, ...] = ()
    wants: frozenset[str] = field(default_factory=frozenset)
    """Kinds of answer: any of time, number, name."""


def read(text: str, people: Sequence[Person] = ()) -> Question:
    """Read a question.

    Args:
        text: As asked; only its first `MAX_CHARS` characters are looked at.
        people: Who speaks in the group; those that the text does not name are left out.

    Raises:
        ArgumentError: It is no string, or blank.
    """
    if not isinstance(text, str) or not text.strip():
        message = "wanted a question with at least one character that is not blank"
        raise ArgumentError(message)
    text = text.strip()[:MAX_CHARS]
    asked = people_asked_about(text, people)
    kinds = {
        "time": question_features.asks_when,
        "number": question_features.asks_number,
        "name": question_features.asks_name,
    }
    return Question(
        text=text,
        bare=without_names(text, asked),
        people=asked,
        dates=named_dates(text),
        wants=frozenset(kind for kind, asks in kinds.items() if asks(text)),
    )


def people_asked_about(text: str, people: Iterable[Person]) -> tuple[Person, ...]:
    """Return those whose name stands in a text as a word of its own, in the order of their first place in it."""
    places = {person: place for person in people if (place := _place(text, person)) is not None}
    return tuple(sorted(places, key=lambda person: (places[person], person.name)))


def without_names(text: str, people: Sequence[Person]) -> str:
    """Return a text without the names of people, possessives included; the text itself if no word is left."""
    bare = text
    for name in sorted({name for person in people for name in person.names}, key=lambda name: (-len(name), name)):
        bare = _pattern(name).sub(" ", bare)
    bare = " ".join(bare.split())
    return bare if any(character.isalnum() for character in bare) else text


def _place(text: str, person: Person) -> int | None:
    places = [match.start() for name in person.names if (match := _pattern(name).search(text))]
    return min(places, default=None)


def _pattern(name: str) -> re.Pattern[str]:
    """Match a name as a word; within scripts that have no blanks, wherever it stands."""
    before, after = (r"(?<!\w)" if _spaced(name[0]) else ""), (r"(?!\w)" if _spaced(name[-1]) else "")
    tail = "" if after else _POSSESSIVE
    possessive = r"(?:['’]s)?(?!\w)['’]?" if after else tail
    return re.compile(rf"{before}{re.escape(name)}{possessive}", re.IGNORECASE)


def _spaced(character: str) -> bool:
    return character.isalnum() and not "\u3040" <= character <= "\u9fff" and not "\uac00" <= character <= "\ud7a3"
