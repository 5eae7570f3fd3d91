"""LoCoMo (Maharana et al., 2024): long conversations of two speakers, in sessions.

Each sample is a separate conversation (`sample_id`) with its own memory. `session_N` is the session,
`dia_id` the message's id, `session_N_date_time` ("1:56 pm on 8 May, 2023") the time of all its turns, local
to the reading zone. An image's caption is added to what was said: ` [shares a photo of a dog]`. Date-times of
sessions that do not exist are ignored; questions and summaries are not read.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata
from mnemo.ingestion.readers.files.json_values import json_file
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.times import localise
from mnemo.models.graph import Message

__all__ = ["matches", "parse_time", "read"]

_SESSION = re.compile(r"session_(\d+)")
_METADATA = {"img_url": "image_url", "query": "image_query", "blip_caption": "image_caption"}


def matches(value: Any) -> bool:
    """Whether a JSON object is a sample, or a bare conversation in sessions."""
    if not isinstance(value, dict):
        return False
    body = value.get("conversation")
    return any(map(_SESSION.fullmatch, value)) or (isinstance(body, dict) and "role" not in value)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each sample; a file of one bare conversation counts too."""
    for where, value in json_file(source).items():
        place = Place(source, where, value)
        fields = place.mapping()
        body = place.key("conversation") if "conversation" in fields else place
        body.mapping()
        name = place.key("sample_id").identifier() or source.name
        load = partial(_messages, body, options)
        yield Conversation(conversation_name(name), source.label, load, scope="group")


def parse_time(text: str) -> datetime | None:
    """Parse a naive time such as `1:56 pm on 8 May, 2023`; None if it is none."""
    try:
        return datetime.strptime(" ".join(text.split()).upper(), "%I:%M %p ON %d %B, %Y")  # noqa: DTZ007  # local to the reading zone
    except ValueError:
        return None


def _messages(body: Place, options: Options) -> Iterator[Message]:
    numbers = sorted(int(match[1]) for key in body.value if (match := _SESSION.fullmatch(key)))
    if not numbers:
        raise body.error("has no sessions named session_1, session_2, …")
    for number in numbers:
        session = f"session_{number}"
        time, zone = _time(body.key(f"{session}_date_time"), options.zone)
        for turn in body.key(session).items():
            turn.mapping()
            yield Message(
                content=_content(turn),
                speaker=turn.key("speaker").text().strip(),
                session=session,
                occurred_at=time,
                zone=zone,
                source=body.source.label,
                source_id=turn.key("dia_id").text(),
                metadata=_metadata(turn.value),
            )


def _time(place: Place, zone: ZoneInfo) -> tuple[datetime | None, str | None]:
    if place.value is None:
        return None, zone.key
    time = parse_time(place.text())
    if time is None:
        raise place.must_be("a time such as '1:56 pm on 8 May, 2023'", place.source.shown(place.value))
    return localise(time, zone)


def _content(turn: Place) -> str:
    caption = turn.key("blip_caption").optional_text()
    image = f" [shares {caption}]" if caption else ""
    content = (turn.key("text").text().strip() + image).strip()
    if not content:
        raise turn.key("text").error("is blank, and there is no caption")
    return content


def _metadata(turn: dict[str, Any]) -> dict[str, str]:
    urls = turn.get("img_url")
    flat = {**turn, "img_url": " ".join(map(str, urls)) if isinstance(urls, list) else urls}
    return flat_metadata({name: flat.get(key) for key, name in _METADATA.items()})
