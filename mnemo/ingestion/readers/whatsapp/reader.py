"""WhatsApp's "Export chat" text, of Android and of iOS, in any of their layouts.

    12/05/2023, 14:05 - Ana: See you at the station      Android
    [12.05.23, 14:05:33] Ana: See you at the station     iOS

12 and 24 hours, slashes, dots and dashes, invisible marks; a line without a date continues the message before it.
Whether the day or the month comes first is decided over the whole file: by a number over 12, else by which
order keeps the messages in order, else by dots (day first). If neither tells, it is an error that asks for `dates`.
Times are local to the reading zone; in the hour that clocks show twice, the order of messages decides.

Group events, the encryption notice, deleted messages and calls have the role `system` and no speaker. Media left out
of the export become `[media omitted]` or `[image omitted]`, files as `[attached NAME]`. The session is the chat's
name and the local day.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from mnemo.ingestion.readers import stamps
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options, flat_metadata
from mnemo.ingestion.readers.files.source import Source, format_error
from mnemo.ingestion.readers.talk import file_title, marks
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.whatsapp.app_messages import MARKS, clean, is_group_event, spoken
from mnemo.ingestion.readers.whatsapp.words import CHAT_TITLE
from mnemo.models.graph import Message

__all__ = ["is_header", "read"]

_HEADER = re.compile(
    rf"[{MARKS}]*(?P<open>\[)?(?P<date>\d{{1,4}}[./-]\s?\d{{1,2}}[./-]\s?\d{{1,4}}|\d{{4}}년 \d{{1,2}}월 \d{{1,2}}일)"
    r"\.?,?\s+(?:um |at |à |a las |alle |às |om |klo |kl\. ?)?"
    r"(?:(?P<before>午前|午後|上午|下午|오전|오후)\s?)?"
    r"(?P<time>\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)"
    r"(?:\s?(?P<after>[AaPp]\.?\s?[Mm]\.?)|\sUhr)?(?P<close>\]\s?|\s[-\u2013]\s|,\s(?=[^:\n]{1,100}? : ))(?P<rest>.*)",
)
_SENDER = re.compile(r"(?P<sender>[^:\n]{1,100}?) ?:(?: (?P<text>.*)|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One dated entry with the lines that continue it."""

    line: int
    stamp: stamps.Stamp
    text: str
    ios: bool


def is_header(line: str) -> bool:
    """Whether a line begins a WhatsApp message."""
    return _HEADER.fullmatch(line) is not None


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the chat, named by the file's name without `WhatsApp Chat with`."""
    title = file_title(source).rsplit("/", 1)[-1]
    name = conversation_name(CHAT_TITLE.sub("", title), title)
    yield Conversation(name, source.label, partial(_messages, source, name, options))


def _messages(source: Source, name: str, options: Options) -> Iterator[Message]:
    order = options.dates
    if order == "auto":
        order = stamps.decide((entry.stamp for entry in _entries(source)), source.path)
    before: datetime | None = None
    for entry in _entries(source):
        naive = entry.stamp.time(order)
        if naive is None:
            source.leave_out(source.error(entry.line, f"{source.shown(entry.stamp.shown)} is no {order} date"))
            continue
        before = _after(before, naive, options.zone)
        speaker, content, media = _spoken(entry)
        if not content:
            continue
        yield Message(
            content=content,
            role="user" if speaker else "system",
            speaker=speaker,
            session=f"{name} {naive:%Y-%m-%d}",
            occurred_at=before,
            zone=options.zone.key,
            source=source.label,
            metadata=flat_metadata({"line": str(entry.line), "media": marks(media)}),
        )


def _after(before: datetime | None, naive: datetime, zone: ZoneInfo) -> datetime:
    """Localise; in an hour shown twice take the second if the first lies before the last message."""
    time, _ = localise(naive, zone)
    later = naive.replace(tzinfo=zone, fold=1)
    if before is not None and time.astimezone(UTC) < before.astimezone(UTC) <= later.astimezone(UTC):
        return later
    return time


def _entries(source: Source) -> Iterator[_Entry]:
    """Yield dated entries, with the lines that continue them."""
    held: tuple[int, re.Match[str], list[str]] | None = None
    for number, line in source.lines():
        match = _HEADER.fullmatch(line)
        if match:
            if held:
                yield _entry(*held)
            held = (number, match, [match["rest"]])
        elif held:
            held[2].append(line)
        elif line.strip(MARKS + " \t"):
            raise source.error(
                number, "has no date; a WhatsApp chat begins with a line such as '12/05/2023, 14:05 - Ana: …'"
            )
    if not held:
        raise format_error(source.path, "holds no dated messages")
    yield _entry(*held)


def _entry(number: int, match: re.Match[str], lines: list[str]) -> _Entry:
    half = match["after"] or match["before"]
    return _Entry(number, stamps.Stamp(match["date"], match["time"], half), "\n".join(lines), bool(match["open"]))


def _spoken(entry: _Entry) -> tuple[str | None, str, list[str]]:
    """Return speaker, content and marks of media; no speaker for what the app itself says."""
    match = _SENDER.fullmatch(entry.text)
    if not match or (not entry.ios and is_group_event(entry.text, match["sender"])):
        return None, clean(entry.text), []
    said, content, media = spoken(match["text"] or "")
    sender = clean(match["sender"]).removeprefix("~").strip()
    return (sender or None) if said else None, content, media
