"""Parses a question: people, dates and kinds of answer that its words name. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mnemo.errors import ArgumentError
from mnemo.retrieval.question import features
from mnemo.retrieval.question.dates import NamedDate, named_dates

__all__ = ["MAX_CHARS", "Person", "Question", "people_asked_about", "read", "without_names"]

MAX_CHARS = 8_000
"""Characters of a question that are read; the rest is ignored."""

_POSSESSIVE = r"(?:['’]s\b|['’](?=\s|$)|さん|ちゃん|くん|君|様|의|的|の)?"


@dataclass(frozen=True, slots=True)
class Person:
    """A speaker of the group."""

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
    """A parsed question."""

    text: str
    """As asked, without blanks at its ends."""
    bare: str
    """The same without the names of `people`; `text` if nothing else is left."""
    people: tuple[Person, ...] = ()
    """Speakers that the text names, in the order of their names in it."""
    dates: tuple[NamedDate, ...] = ()
    wants: frozenset[str] = field(default_factory=frozenset)
    """Kinds of answer that are asked for: any of time, number, name."""


def read(text: str, people: Sequence[Person] = ()) -> Question:
    """Parse a question.

    Args:
        text: As asked; only its first `MAX_CHARS` characters are read.
        people: Speakers of the group; those that the text does not name are ignored.

    Raises:
        ArgumentError: The text is no string, or blank.
    """
    if not isinstance(text, str) or not text.strip():
        message = "the question must not be blank"
        raise ArgumentError(message)
    text = text.strip()[:MAX_CHARS]
    asked = people_asked_about(text, people)
    kinds = {
        "time": features.asks_when,
        "number": features.asks_number,
        "name": features.asks_name,
    }
    return Question(
        text=text,
        bare=without_names(text, asked),
        people=asked,
        dates=named_dates(text),
        wants=frozenset(kind for kind, asks in kinds.items() if asks(text)),
    )


def people_asked_about(text: str, people: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people whose names a text has as whole words, in the order of their first place in it."""
    places = {person: place for person in people if (place := _place(text, person)) is not None}
    return tuple(sorted(places, key=lambda person: (places[person], person.name)))


def without_names(text: str, people: Sequence[Person]) -> str:
    """Remove the names of people and their possessives from a text; return it unchanged if no word would be left."""
    bare = text
    for name in sorted({name for person in people for name in person.names}, key=lambda name: (-len(name), name)):
        bare = _pattern(name).sub(" ", bare)
    bare = " ".join(bare.split())
    return bare if any(character.isalnum() for character in bare) else text


def _place(text: str, person: Person) -> int | None:
    places = [match.start() for name in person.names if (match := _pattern(name).search(text))]
    return min(places, default=None)


def _pattern(name: str) -> re.Pattern[str]:
    """Match a name as a whole word, or anywhere in scripts without blanks."""
    before, after = (r"(?<!\w)" if _spaced(name[0]) else ""), (r"(?!\w)" if _spaced(name[-1]) else "")
    tail = "" if after else _POSSESSIVE
    possessive = r"(?:['’]s)?(?!\w)['’]?" if after else tail
    return re.compile(rf"{before}{re.escape(name)}{possessive}", re.IGNORECASE)


def _spaced(character: str) -> bool:
    return character.isalnum() and not "\u3040" <= character <= "\u9fff" and not "\uac00" <= character <= "\ud7a3"
