"""Checks messages and turns them into episodes, all or none. Pure.

An episode's uuid is derived from its group and source id, so a message stored twice is one episode.
"""

import hashlib
import json
import unicodedata
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from mnemo.characters import whole
from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.errors import ArgumentError
from mnemo.models.graph import Episode, Message, Role

__all__ = ["MAX_KEY_CHARS", "Limits", "episode_uuid", "prepare"]

MAX_KEY_CHARS = 512
"""Most characters of a session, speaker, source id or zone: they are index keys."""

_NAMESPACE = uuid.UUID("5f6d6e65-6d6f-4a70-8e61-6d6573706163")
_ROLES = frozenset(get_args(Role))
_MARGIN = timedelta(days=2)
_CURRENT_ZONE_NAMES = {
    "EST": "America/Panama",
    "HST": "Pacific/Honolulu",
    "MST": "America/Phoenix",
    "ROC": "Asia/Taipei",
}
"""Current names of zones that the time zone database lists under another name."""
_NO_ZONES = frozenset(("Factory", "localtime", "posixrules"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits and defaults for messages."""

    max_chars: int
    """Most characters of a content."""
    zone: str
    """IANA zone for times without one."""
    split: Callable[[str], Sequence[str]]
    """Splits a content into one or more chunks, none blank."""


def episode_uuid(group: str, source_id: str) -> str:
    """Return the uuid of the episode with this group and source id."""
    return str(uuid.uuid5(_NAMESPACE, f"{group}\n{source_id}"))


def prepare(group: str, messages: Iterable[Message], limits: Limits, recorded_at: datetime) -> list[Episode]:
    """Return the episodes of all messages in order, one per chunk; their positions are 0.

    A message without a source id gets one derived from its session, speaker, time, content and the number of
    equal messages before it; a document gets one per chunk. Unknown times stay unknown.

    Args:
        group: A checked group.
        messages: In the order in which they were written; sessions may be mixed.
        limits: Limits and defaults.
        recorded_at: When they arrived, aware.

    Raises:
        ArgumentError: A message is invalid, or two with the same source id differ in content. The error names the
            message's index, from 0, but none of its content.
    """
    equal_messages: Counter[str] = Counter()
    hashes: dict[str, str] = {}
    episodes: list[Episode] = []
    for index, raw in enumerate(messages):
        message = _checked(raw, index, limits)
        contents = limits.split(message.content)
        if message.role == "document" and message.source_id is None and len(contents) > 1:
            # One id per chunk, from its content: if text is appended to a document, only the last chunk is new.
            parts = [replace(message, content=content) for content in contents]
            episodes.extend(_episode(group, part, _derived_id(part, equal_messages), recorded_at) for part in parts)
            continue
        source_id = message.source_id or _derived_id(message, equal_messages)
        digest = _hash(message.content)
        if hashes.setdefault(source_id, digest) != digest:
            raise _invalid(index, "source_id", "unique within the batch", "that of a message with other content")
        episode = _episode(group, message, source_id, recorded_at)
        episodes.extend(_chunks(episode, contents))
    return episodes


def _invalid(index: int, name: str, expected: str, raw: str) -> ArgumentError:
    return ArgumentError(f"message {index}: {name} must be {expected}, got {raw}; nothing was stored")


def _checked(message: Message, index: int, limits: Limits) -> Message:
    """Return the message without halves of characters, with trimmed names, its time in UTC, and its zone."""
    if not isinstance(message, Message):
        raise _invalid(index, "the item", "a Message", type(message).__name__)
    _check_content(message.content, index, limits.max_chars)
    if message.role not in _ROLES:
        raise _invalid(index, "role", f"one of {', '.join(sorted(_ROLES))}", repr(message.role)[:40])
    _check_metadata(message.metadata, index)
    occurred_at, zone = _time(message, index, limits.zone)
    return replace(
        message,
        content=whole(message.content),
        metadata={whole(name): whole(value) for name, value in message.metadata.items()},
        speaker=_key(message.speaker, "speaker", index) or None,
        session=_key(message.session, "session", index) or "",
        source=_key(message.source, "source", index) or None,
        source_id=_key(message.source_id, "source_id", index) or None,
        occurred_at=occurred_at,
        zone=zone,
    )


def _check_content(content: str, index: int, max_chars: int) -> None:
    if not isinstance(content, str):
        raise _invalid(index, "content", "a string", type(content).__name__)
    if not _is_visible(content):
        raise _invalid(index, "content", "more than blanks", "an empty or blank string")
    if len(content) > max_chars:
        raise _invalid(index, "content", f"at most {max_chars} characters", str(len(content)))


def _is_visible(content: str) -> bool:
    """Return whether a text has more than blanks, control and zero-width characters."""
    return any(unicodedata.category(character)[0] not in "ZC" for character in content)


def _check_metadata(metadata: Mapping[str, str], index: int) -> None:
    if not isinstance(metadata, Mapping):
        raise _invalid(index, "metadata", "a mapping", type(metadata).__name__)
    for name, value in metadata.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise _invalid(
                index, "metadata", "a mapping of strings to strings", f"one with a value of type {type(value).__name__}"
            )


def _key(text: str | None, name: str, index: int) -> str | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise _invalid(index, name, "a string or None", type(text).__name__)
    if len(text) > MAX_KEY_CHARS:
        raise _invalid(index, name, f"at most {MAX_KEY_CHARS} characters", str(len(text)))
    return whole(text).strip()


def _time(message: Message, index: int, default_zone: str) -> tuple[datetime | None, str | None]:
    """Return the instant in UTC and the zone for display."""
    zone_name = _zone_name(message.zone, index)
    when = message.occurred_at
    if when is None:
        return None, zone_name
    if not isinstance(when, datetime):
        raise _invalid(index, "occurred_at", "a datetime or None", type(when).__name__)
    try:
        local = when if when.utcoffset() is not None else when.replace(tzinfo=ZoneInfo(zone_name or default_zone))
        instant = local.astimezone(UTC)
    except (OverflowError, ValueError):
        instant = DISTANT_PAST
    if not DISTANT_PAST + _MARGIN < instant < DISTANT_FUTURE - _MARGIN:
        raise _invalid(index, "occurred_at", "within the years 1 to 9999, or None for unknown", "a time outside them")
    return instant, zone_name or _zone_of(local, index)


def _zone_name(zone: str | None, index: int) -> str | None:
    name = _key(zone, "zone", index)
    if not name:
        return None
    try:
        ZoneInfo("" if name in _NO_ZONES else name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _invalid(index, "zone", "an IANA zone such as Europe/Paris", "an unknown name") from None
    return _CURRENT_ZONE_NAMES.get(name, name)


def _zone_of(local: datetime, index: int) -> str:
    """Return the IANA zone of an aware time; for a plain offset, a zone with that offset at that instant."""
    key = getattr(local.tzinfo, "key", None)
    if isinstance(key, str):
        return _CURRENT_ZONE_NAMES.get(key, key)
    minutes, seconds = divmod((local.utcoffset() or timedelta()).total_seconds(), 60)
    found = None if seconds else _zone_at(int(minutes), local.astimezone(UTC).date().isoformat())
    if found is None:
        raise _invalid(index, "zone", "given for this offset from UTC", "None")
    return found


@lru_cache(maxsize=4096)
def _zone_at(minutes: int, day: str) -> str | None:
    """Return UTC, Etc/GMT±n for whole hours, or else the first zone by name with that offset on that day."""
    if minutes == 0:
        return "UTC"
    hours, rest = divmod(minutes, 60)
    if rest == 0:
        name = f"Etc/GMT{-hours:+d}"
        return name if name in _zones() else None
    noon = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    offset = timedelta(minutes=minutes)
    return next((name for name in _zones() if noon.astimezone(ZoneInfo(name)).utcoffset() == offset), None)


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones() - _CURRENT_ZONE_NAMES.keys() - _NO_ZONES))


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


def _derived_id(message: Message, equal_messages: Counter[str]) -> str:
    when = message.occurred_at.isoformat() if message.occurred_at else None
    key = json.dumps([message.session, message.speaker, message.role, when, message.content])
    digest = hashlib.sha256(key.encode()).hexdigest()[:32]
    number = equal_messages[digest]
    equal_messages[digest] += 1
    return f"auto:{digest}:{number}"


def _episode(group: str, message: Message, source_id: str, recorded_at: datetime) -> Episode:
    return Episode(
        uuid=episode_uuid(group, source_id),
        group=group,
        content=message.content,
        role=message.role,
        speaker=message.speaker,
        session=message.session,
        position=0,
        occurred_at=message.occurred_at,
        zone=message.zone,
        source=message.source,
        source_id=source_id,
        content_hash=_hash(message.content),
        recorded_at=recorded_at,
        metadata=dict(message.metadata),
    )


def _chunks(episode: Episode, contents: Sequence[str]) -> list[Episode]:
    """Return the episode itself, or one episode per chunk with the chunk's number after the source id."""
    if len(contents) == 1:
        return [episode]
    return [_chunk(episode, number, content) for number, content in enumerate(contents)]


def _chunk(episode: Episode, number: int, content: str) -> Episode:
    source_id = f"{episode.source_id}#{number}"
    return replace(
        episode,
        uuid=episode_uuid(episode.group, source_id),
        source_id=source_id,
        content=content,
        content_hash=_hash(content),
    )
