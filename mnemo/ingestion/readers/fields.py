"""Fields of JSON messages, checked: roles, texts, times, metadata."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from mnemo.errors import ArgumentError, ReaderError
from mnemo.ingestion.readers.source import Source, describe, misfit
from mnemo.ingestion.readers.times import checked_zone, from_epoch, from_iso, localise
from mnemo.models.graph import Role

__all__ = ["ROLES", "Options", "Place", "flat_metadata", "role_of", "speaker_of"]

ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "document": "document",
}

_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Options:
    """How to read what a file leaves open."""

    zone: ZoneInfo
    """Zone of times that come without one."""
    dates: Literal["auto", "day-first", "month-first"] = "auto"
    """Order of day and month in WhatsApp exports; `auto` decides over the whole file."""


@dataclass(frozen=True, slots=True)
class Place:
    """A JSON value with where it stands, for errors that name the place."""

    source: Source
    where: int | str
    """Line number, JSON path, or both as `2: $.time`."""
    value: Any

    def key(self, name: str) -> "Place":
        """Return the value under a key, None if there is none."""
        return Place(self.source, f"{self._path()}.{name}", self.value.get(name))

    def item(self, index: int) -> "Place":
        """Return an item of an array."""
        return Place(self.source, f"{self._path()}[{index}]", self.value[index])

    def _path(self) -> str:
        return f"{self.where}: $" if isinstance(self.where, int) else self.where

    def misfit(self, wanted: str, came: str | None = None) -> ReaderError:
        """Make the error for this value: file and place, what was wanted, what came."""
        return misfit(self.source.place(self.where), wanted, came or describe(self.value))

    def mapping(self) -> dict[str, Any]:
        """Return the value as an object, or raise a ReaderError."""
        if not isinstance(self.value, dict):
            raise self.misfit("an object")
        value: dict[str, Any] = self.value
        return value

    def items(self) -> "list[Place]":
        """Return the items of the array, or raise a ReaderError."""
        if not isinstance(self.value, list):
            raise self.misfit("an array")
        return [self.item(index) for index in range(len(self.value))]

    def text(self) -> str:
        """Return the value as a string, or raise a ReaderError; half of a character (a cut emoji) becomes U+FFFD."""
        if not isinstance(self.value, str):
            raise self.misfit("a string")
        return _LONE.sub("\ufffd", self.value)

    def optional_text(self) -> str | None:
        """Return the value as a string that is not blank; None for null, blank or missing."""
        return None if self.value is None else self.text().strip() or None

    def identifier(self) -> str | None:
        """Return an id as a string, a whole number spelt out; None for null or missing."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        return self.optional_text()

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
            raise self.misfit("a time such as 2025-03-09T18:30:00+01:00, or Unix seconds", shown)
        return localise(found, zone)

    def zone(self, default: ZoneInfo) -> ZoneInfo:
        """Return the IANA zone of that name, the default for null or missing, or raise a ReaderError."""
        name = self.optional_text()
        if name is None:
            return default
        try:
            return checked_zone(name)
        except ArgumentError as error:
            raise self.misfit("an IANA zone such as Europe/Paris", self.source.shown(name)) from error


def role_of(place: Place, default: Role = "user") -> Role:
    """Return the role under that name, the default for null or missing, or raise a ReaderError."""
    if place.value is None:
        return default
    role = ROLES.get(place.text().strip().lower())
    if role is None:
        raise place.misfit(f"one of the roles {', '.join(ROLES)}", place.source.shown(place.value))
    return role


def speaker_of(role: Role, name: str | None) -> str | None:
    """Return who spoke: the name given, else `user` or `assistant`, nobody for other roles."""
    return name or (role if role in {"user", "assistant"} else None)


def flat_metadata(values: Mapping[str, Any]) -> dict[str, str]:
    """Turn a JSON object into metadata: strings as they are, other values as JSON text, nulls left out."""
    return {
        str(key): value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
        for key, value in values.items()
        if value is not None
    }
