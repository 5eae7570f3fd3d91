"""LoCoMo (Maharana et al., 2024): long conversations of two speakers, in sessions.

Each sample is a conversation of its own (`sample_id`), and a memory of its own. `session_N` is the session,
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
from mnemo.ingestion.readers.source import Source
from mnemo.ingestion.readers.times import localise
from mnemo.models.graph import Message

__all__ = ["parse_time", "read"]

_SESSION = re.compile(r"session_(\d+)")
_METADATA = {"img_url": "image_url", "query": "image_query", "blip_caption": "image_caption"}


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield each sample; a file of one bare conversation counts too."""
    for path, value in source.values():
        place = Place(source, path, value)
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
        raise body.misfit("sessions named session_1, session_2, …", "none")
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
        raise place.misfit("a time such as '1:56 pm on 8 May, 2023'", place.source.shown(place.value))
    return localise(time, zone)


def _content(turn: Place) -> str:
    caption = turn.key("blip_caption").optional_text()
    image = f" [shares {caption}]" if caption else ""
    content = (turn.key("text").text().strip() + image).strip()
    if not content:
        raise turn.key("text").misfit("a text or a caption", "a blank one")
    return content


def _metadata(turn: dict[str, Any]) -> dict[str, str]:
    urls = turn.get("img_url")
    flat = {**turn, "img_url": " ".join(map(str, urls)) if isinstance(urls, list) else urls}
    return flat_metadata({name: flat.get(key) for key, name in _METADATA.items()})
