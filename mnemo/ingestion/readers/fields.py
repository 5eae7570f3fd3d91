"""Fields of JSON messages, checked: roles, texts, times, metadata."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVar
from zoneinfo import ZoneInfo

from mnemo.characters import whole
from mnemo.errors import ArgumentError, ReaderError
from mnemo.ingestion.readers.files.source import Source, describe
from mnemo.ingestion.readers.times import checked_zone, from_epoch, from_iso, localise
from mnemo.models.graph import Role

__all__ = ["ROLES", "Options", "Place", "flat_metadata", "read_each", "role_of", "speaker_of"]

T = TypeVar("T")

ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "prompter": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "document": "document",
}

_SECONDS = re.compile(r"\s*\d{9,13}(?:\.\d+)?\s*")


@dataclass(frozen=True, slots=True)
class Options:
    """How to read what a file leaves open."""

    zone: ZoneInfo
    """Zone of times that come without one."""
    dates: Literal["auto", "day-first", "month-first"] = "auto"
    """Order of day and month in dates such as 03/04/2025; `auto` decides over the whole file."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Names of columns or JSON fields by what they hold: content, speaker, time, session, id, role, zone."""


@dataclass(frozen=True, slots=True)
class Place:
    """A JSON value and its path, for errors that name the location."""

    source: Source
    where: int | str
    """Line number, JSON path, or both as `2: $.time`."""
    value: Any

    def key(self, name: str) -> "Place":
        """Return the value under a key, None if there is none or the value is no object."""
        value = self.value.get(name) if isinstance(self.value, dict) else None
        return Place(self.source, f"{self._path()}.{name}", value)

    def first(self, *names: str) -> "Place":
        """Return the value under the first of some keys that is not null, else under the first one."""
        found = next((name for name in names if self.key(name).value is not None), names[0])
        return self.key(found)

    def item(self, index: int) -> "Place":
        """Return an item of an array."""
        return Place(self.source, f"{self._path()}[{index}]", self.value[index])

    def _path(self) -> str:
        return f"{self.where}: $" if isinstance(self.where, int) else self.where

    def error(self, reason: str) -> ReaderError:
        """Make the error for this value."""
        return self.source.error(self.where, reason)

    def must_be(self, expected: str, got: str | None = None) -> ReaderError:
        """Make the error that says what this value must be and what it is."""
        return self.error(f"must be {expected}, got {got or describe(self.value)}")

    def mapping(self) -> dict[str, Any]:
        """Return the value as an object, or raise a ReaderError."""
        if not isinstance(self.value, dict):
            raise self.must_be("an object")
        value: dict[str, Any] = self.value
        return value

    def items(self) -> "list[Place]":
        """Return the items of the array, or raise a ReaderError."""
        if not isinstance(self.value, list):
            raise self.must_be("an array")
        return [self.item(index) for index in range(len(self.value))]

    def objects(self) -> "list[Place]":
        """Return the items of an array that are objects; an empty list where the value is no array."""
        if not isinstance(self.value, list):
            return []
        return [item for item in self.items() if isinstance(item.value, dict)]

    def text(self) -> str:
        """Return the value as a string, or raise a ReaderError; half of a character (a cut emoji) becomes U+FFFD."""
        if not isinstance(self.value, str):
            raise self.must_be("a string")
        return whole(self.value)

    def optional_text(self) -> str | None:
        """Return the value as a string that is not blank; None for null, blank or missing."""
        return None if self.value is None else self.text().strip() or None

    def any_text(self) -> str | None:
        """Return the value where it is a string that is not blank; None for anything else."""
        return self.optional_text() if isinstance(self.value, str) else None

    def identifier(self) -> str | None:
        """Return an id as a string, a whole number spelt out; None for null or missing."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        return self.optional_text()

    def any_identifier(self) -> str | None:
        """Return the value where it is a string or a whole number; None for anything else."""
        return self.identifier() if isinstance(self.value, (str, int)) and not isinstance(self.value, bool) else None

    def time(self, zone: ZoneInfo) -> tuple[datetime | None, str | None]:
        """Return the time, aware, and its zone's name; (None, zone's name) for null or missing.

        Raises:
            ReaderError: Neither ISO 8601 nor Unix seconds, or out of 1900 to 2200.
        """
        value = self.value
        if value is None:
            return None, zone.key
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        found = from_epoch(value) if number else from_iso(value) if isinstance(value, str) else None
        if found is None:
            shown = self.source.shown(value) if number or isinstance(value, str) else describe(value)
            raise self.must_be("a time such as 2025-03-09T18:30:00+01:00, or Unix seconds", shown)
        return localise(found, zone)

    def known_time(self, zone: ZoneInfo) -> tuple[datetime | None, str | None]:
        """Return the time as `time` does; a value that is no time is unknown, and noted.

        For exports of other programs: a message is worth more than its time. Unix seconds may be a string.
        """
        value = self.value
        if value is None or value == 0 or (isinstance(value, str) and not value.strip()):
            return None, zone.key
        place = self
        if isinstance(value, str) and _SECONDS.fullmatch(value):
            place = Place(self.source, self.where, float(value))
        try:
            return place.time(zone)
        except ReaderError:
            self.source.findings.note("a time could not be read; such messages have an unknown time")
            return None, zone.key

    def zone(self, default: ZoneInfo) -> ZoneInfo:
        """Return the IANA zone of that name, the default for null or missing, or raise a ReaderError."""
        name = self.optional_text()
        if name is None:
            return default
        try:
            return checked_zone(name)
        except ArgumentError as error:
            raise self.must_be("an IANA zone such as Europe/Paris", self.source.shown(name)) from error


def read_each(places: Iterable[Place], read: Callable[[Place], T | None]) -> Iterator[T]:
    """Yield what `read` makes of each place; leave out None, and with a reason what it cannot read."""
    for place in places:
        try:
            made = read(place)
        except ReaderError as error:
            place.source.leave_out(error)
            continue
        if made is not None:
            yield made


def role_of(place: Place, default: Role = "user") -> Role:
    """Return the role under that name, the default for null or missing, or raise a ReaderError."""
    if place.value is None:
        return default
    role = ROLES.get(place.text().strip().lower())
    if role is None:
        raise place.must_be(f"one of the roles {', '.join(ROLES)}", place.source.shown(place.value))
    return role


def speaker_of(role: Role, name: str | None) -> str | None:
    """Return who spoke: the name given, else `user` or `assistant`, nobody for other roles."""
    return name or (role if role in {"user", "assistant"} else None)


def flat_metadata(values: Mapping[str, Any]) -> dict[str, str]:
    """Turn a JSON object into metadata: strings as they are, other values as JSON text, nulls left out."""
    return {
        whole(key): whole(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True))
        for key, value in values.items()
        if value is not None
    }
