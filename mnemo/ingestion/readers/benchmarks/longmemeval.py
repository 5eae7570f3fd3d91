"""LongMemEval (Wu et al., 2024): a history of dated chat sessions for each question.

Each question is a separate conversation (`question_id`) with its own memory. The sessions come in the
order of `haystack_sessions`, named by `haystack_session_ids`; all turns of one have its time from
`haystack_dates` ("2023/05/20 (Sat) 02:21"), local to the reading zone. A message's id is `session:index`.
Question and answer are not read; `has_answer` is kept in the metadata.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from mnemo.ingestion.readers.assistants.openai import content_text
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata, role_of, speaker_of
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.times import localise
from mnemo.models.graph import Message

__all__ = ["matches", "parse_time", "read"]

_TIME = re.compile(r"(\d{4}/\d{2}/\d{2})(?:\s*\([A-Za-z]+\))?\s+(\d{2}:\d{2})")


def matches(value: Any) -> bool:
    """Whether a JSON object is a question with its history."""
    return isinstance(value, dict) and "haystack_sessions" in value


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the history of each question."""
    for where, value in json_file(source).items():
        place = Place(source, where, value)
        place.mapping()
        name = place.key("question_id").identifier() or source.name
        yield Conversation(conversation_name(name), source.label, partial(_messages, place, options), scope="group")


def parse_time(text: str) -> datetime | None:
    """Parse a naive time such as `2023/05/20 (Sat) 02:21`; None if it is none."""
    match = _TIME.fullmatch(text.strip())
    if not match:
        return None
    try:
        return datetime.strptime(f"{match[1]} {match[2]}", "%Y/%m/%d %H:%M")  # noqa: DTZ007  # local to the reading zone
    except ValueError:
        return None


def _messages(place: Place, options: Options) -> Iterator[Message]:
    sessions = place.key("haystack_sessions").items()
    names = _aligned(place.key("haystack_session_ids"), len(sessions))
    dates = _aligned(place.key("haystack_dates"), len(sessions))
    taken: dict[str, int] = {}
    for index, session in enumerate(sessions):
        given = names[index].identifier() if names else None
        name = given or f"session_{index + 1}"
        taken[name] = taken.get(name, 0) + 1
        if taken[name] > 1:
            name = f"{name} {taken[name]}"
        time, zone = _time(dates[index], options.zone) if dates else (None, options.zone.key)
        yield from _session(session, name, (time, zone))


def _aligned(place: Place, length: int) -> list[Place] | None:
    """Return one item per session; None for all if the list is missing."""
    if place.value is None:
        return None
    items = place.items()
    if len(items) != length:
        raise place.error(f"must have one item for each of {length} sessions, got {len(items)}")
    return items


def _time(place: Place, zone: ZoneInfo) -> tuple[datetime | None, str | None]:
    if place.value is None:
        return None, zone.key
    time = parse_time(place.text())
    if time is None:
        raise place.must_be("a time such as '2023/05/20 (Sat) 02:21'", place.source.shown(place.value))
    return localise(time, zone)


def _session(session: Place, name: str, moment: tuple[datetime | None, str | None]) -> Iterator[Message]:
    for number, turn in enumerate(session.items()):
        turn.mapping()
        content = content_text(turn.key("content"))
        if not content:
            continue
        role = role_of(turn.key("role"))
        yield Message(
            content=content,
            role=role,
            speaker=speaker_of(role, turn.key("name").optional_text()),
            session=name,
            occurred_at=moment[0],
            zone=moment[1],
            source=session.source.label,
            source_id=f"{name}:{number}",
            metadata=flat_metadata({"has_answer": turn.value.get("has_answer")}),
        )
