"""Checks messages and turns them into episodes: pure, all or nothing.

An episode's uuid is derived from its group and source id, so that a message stored twice is one episode.
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

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.errors import ArgumentError
from mnemo.models.graph import Episode, Message, Role

__all__ = ["MAX_KEY_CHARS", "Limits", "episode_uuid", "prepare"]

MAX_KEY_CHARS = 512
"""Most characters of a session, speaker, source id or zone: they are index keys."""

_NAMESPACE = uuid.UUID("5f6d6e65-6d6f-4a70-8e61-6d6573706163")
_ROLES = frozenset(get_args(Role))
_MARGIN = timedelta(days=2)
_MODERN = {"EST": "America/Panama", "HST": "Pacific/Honolulu", "MST": "America/Phoenix", "ROC": "Asia/Taipei"}
"""Zones that the database knows only by their new names."""
_NO_ZONES = frozenset(("Factory", "localtime", "posixrules"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds and defaults for messages."""

    max_chars: int
    """Longer contents are refused."""
    zone: str
    """IANA zone of times without one."""
    split: Callable[[str], Sequence[str]]
    """Cuts a content into one or more chunks, none blank."""


def episode_uuid(group: str, source_id: str) -> str:
    """Return the uuid of the episode with that idempotency key."""
    return str(uuid.uuid5(_NAMESPACE, f"{group}\n{source_id}"))


def prepare(group: str, messages: Iterable[Message], limits: Limits, recorded_at: datetime) -> list[Episode]:
    """Return the episodes of all messages in order, one per chunk; positions are left at 0.

    A message without a source id gets one from its session, speaker, time, content and how many
    equal messages came before it in `messages`, a document one for each chunk. Unknown times stay unknown.

    Args:
        group: A checked group.
        messages: In the order in which they were written, session by session or mixed.
        limits: Bounds and defaults.
        recorded_at: When they arrived, aware.

    Raises:
        ArgumentError: A message does not fit; names its index, from 0, and nothing of its content.
            Or two messages share a source id and differ in content.
    """
    alike: Counter[str] = Counter()
    hashes: dict[str, str] = {}
    episodes: list[Episode] = []
    for index, given in enumerate(messages):
        message = _checked(given, index, limits)
        contents = limits.split(message.content)
        if message.role == "document" and message.source_id is None and len(contents) > 1:
            # Each chunk by its own content: of a document with text added at its end, only the last one is new.
            parts = [replace(message, content=content) for content in contents]
            episodes.extend(_episode(group, part, _derived_id(part, alike), recorded_at) for part in parts)
            continue
        source_id = message.source_id or _derived_id(message, alike)
        digest = _hash(message.content)
        if hashes.setdefault(source_id, digest) != digest:
            raise _refusal(index, "source_id", "unique within the batch", "that of a message with other content")
        whole = _episode(group, message, source_id, recorded_at)
        episodes.extend(_chunks(whole, contents))
    return episodes


def _refusal(index: int, name: str, expected: str, given: str) -> ArgumentError:
    return ArgumentError(f"message {index}: {name} must be {expected}, got {given}; nothing was stored")


def _checked(message: Message, index: int, limits: Limits) -> Message:
    """Return the message with its names trimmed, its time in UTC and its zone."""
    if not isinstance(message, Message):
        raise _refusal(index, "the item", "a Message", type(message).__name__)
    _check_content(message.content, index, limits.max_chars)
    if message.role not in _ROLES:
        raise _refusal(index, "role", f"one of {', '.join(sorted(_ROLES))}", repr(message.role)[:40])
    _check_metadata(message.metadata, index)
    occurred_at, zone = _time(message, index, limits.zone)
    return replace(
        message,
        speaker=_key(message.speaker, "speaker", index) or None,
        session=_key(message.session, "session", index) or "",
        source=_key(message.source, "source", index) or None,
        source_id=_key(message.source_id, "source_id", index) or None,
        occurred_at=occurred_at,
        zone=zone,
    )


def _check_content(content: str, index: int, max_chars: int) -> None:
    if not isinstance(content, str):
        raise _refusal(index, "content", "a string", type(content).__name__)
    if not _visible(content):
        raise _refusal(index, "content", "more than blanks", "an empty or blank string")
    if len(content) > max_chars:
        raise _refusal(index, "content", f"at most {max_chars} characters", str(len(content)))
    _check_encodable(content, "content", index)


def _visible(content: str) -> bool:
    """Whether a text has more than blanks, controls and zero-width characters."""
    return any(unicodedata.category(character)[0] not in "ZC" for character in content)


def _check_encodable(text: str, name: str, index: int) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _refusal(index, name, "valid Unicode", f"a lone surrogate at character {error.start}") from None


def _check_metadata(metadata: Mapping[str, str], index: int) -> None:
    if not isinstance(metadata, Mapping):
        raise _refusal(index, "metadata", "a mapping", type(metadata).__name__)
    for name, value in metadata.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise _refusal(
                index, "metadata", "a mapping of strings to strings", f"one with a value of type {type(value).__name__}"
            )
        _check_encodable(name + value, "metadata", index)


def _key(text: str | None, name: str, index: int) -> str | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise _refusal(index, name, "a string or None", type(text).__name__)
    if len(text) > MAX_KEY_CHARS:
        raise _refusal(index, name, f"at most {MAX_KEY_CHARS} characters", str(len(text)))
    _check_encodable(text, name, index)
    return text.strip()


def _time(message: Message, index: int, default_zone: str) -> tuple[datetime | None, str | None]:
    """Return the instant in UTC and the zone in which to show it."""
    named = _zone_name(message.zone, index)
    when = message.occurred_at
    if when is None:
        return None, named
    if not isinstance(when, datetime):
        raise _refusal(index, "occurred_at", "a datetime or None", type(when).__name__)
    try:
        local = when if when.utcoffset() is not None else when.replace(tzinfo=ZoneInfo(named or default_zone))
        instant = local.astimezone(UTC)
    except (OverflowError, ValueError):
        instant = DISTANT_PAST
    if not DISTANT_PAST + _MARGIN < instant < DISTANT_FUTURE - _MARGIN:
        raise _refusal(index, "occurred_at", "within the years 1 to 9999, or None for unknown", "a time outside them")
    return instant, named or _zone_of(local, index)


def _zone_name(zone: str | None, index: int) -> str | None:
    name = _key(zone, "zone", index)
    if not name:
        return None
    try:
        ZoneInfo("" if name in _NO_ZONES else name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _refusal(index, "zone", "an IANA zone such as Europe/Paris", "an unknown name") from None
    return _MODERN.get(name, name)


def _zone_of(local: datetime, index: int) -> str:
    """Return the IANA zone of an aware time; for a bare offset, one with that offset at that instant."""
    key = getattr(local.tzinfo, "key", None)
    if isinstance(key, str):
        return _MODERN.get(key, key)
    minutes, seconds = divmod((local.utcoffset() or timedelta()).total_seconds(), 60)
    found = None if seconds else _zone_at(int(minutes), local.astimezone(UTC).date().isoformat())
    if found is None:
        raise _refusal(index, "zone", "given for this offset from UTC", "None")
    return found


@lru_cache(maxsize=4096)
def _zone_at(minutes: int, day: str) -> str | None:
    """Return UTC, Etc/GMT±n for whole hours, else the first zone by name with that offset on that day."""
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
    return tuple(sorted(available_timezones() - _MODERN.keys() - _NO_ZONES))


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


def _derived_id(message: Message, alike: Counter[str]) -> str:
    when = message.occurred_at.isoformat() if message.occurred_at else None
    key = json.dumps([message.session, message.speaker, message.role, when, message.content])
    digest = hashlib.sha256(key.encode()).hexdigest()[:32]
    number = alike[digest]
    alike[digest] += 1
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


def _chunks(whole: Episode, contents: Sequence[str]) -> list[Episode]:
    """Return the episode itself, or one per chunk with its number after the source id."""
    if len(contents) == 1:
        return [whole]
    return [_chunk(whole, number, content) for number, content in enumerate(contents)]


def _chunk(whole: Episode, number: int, content: str) -> Episode:
    source_id = f"{whole.source_id}#{number}"
    return replace(
        whole,
        uuid=episode_uuid(whole.group, source_id),
        source_id=source_id,
        content=content,
        content_hash=_hash(content),
    )
