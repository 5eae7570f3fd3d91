"""Discord channels as DiscordChatExporter writes them in plain text, and as they are copied from the app.

    [09-Mar-24 06:21 PM] Ana#1234                 Ana — 03/09/2024 6:21 PM
    I moved to Ghent                              I moved to Ghent

The exporter's file begins with a frame that names guild and channel. Its `{Attachments}` become `[attached NAME]`;
embeds and reactions are left out. Dates with numbers alone are read in the order that fits the whole file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from mnemo.ingestion.readers import stamps
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.written import DateOrder, numeric_stamp, parse_date
from mnemo.models.graph import Message

__all__ = ["is_copied", "is_export", "read"]

_FRAME = re.compile(r"={20,}")
_FRAME_FIELD = re.compile(r"(Guild|Channel|Topic|After|Before): (.*)")
_EXPORTED = re.compile(r"\[(?P<time>[^\[\]]{8,40})\] (?P<name>[^\n]{1,80}?)(?:#\d{4})?(?: \(pinned\))?")
_COPIED = re.compile(
    r"(?P<name>\S[^\n]{0,60}?) — (?P<time>\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}:\d{2}(?:\s?[AP]M)?|"
    r"(?:Today|Yesterday) at \d{1,2}:\d{2}(?:\s?[AP]M)?)"
)
_MONTH_BETWEEN = re.compile(r"(\d{1,2})-([A-Za-z]{3})-(\d{2}) (.*)")
_SECTION = re.compile(r"\{(Attachments|Embed|Stickers|Reactions|Forwarded Message)\}")
_FEWEST = 2


@dataclass(slots=True)
class _Entry:
    """One message and the line of its header."""

    line: int
    name: str
    time: str
    lines: list[str]


def is_export(lines: Sequence[str]) -> bool:
    """Whether a file begins with the frame of DiscordChatExporter."""
    filled = [line for line in lines if line.strip()]
    return (
        len(filled) > 1 and _FRAME.fullmatch(filled[0]) is not None and filled[1].startswith(("Guild: ", "Channel: "))
    )


def is_copied(lines: Sequence[str]) -> bool:
    """Whether a file is text copied from the app: it begins with a header, and has two or more."""
    filled = [line for line in lines if line.strip()]
    found = [line for line in filled if _COPIED.fullmatch(line)]
    return len(found) >= _FEWEST and filled[0] == found[0]


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the channel as one conversation."""
    frame = dict(_frame(source))
    names = [frame[key].rsplit(" / ", 1)[-1] for key in ("Guild", "Channel") if frame.get(key)]
    name = " ".join(name for name in names if name != "Direct Messages") or source.name
    talk = Talk(conversation_name(name), source, options)
    yield Conversation(talk.name, source.label, partial(_messages, talk))


def _frame(source: Source) -> Iterator[tuple[str, str]]:
    rules = 0
    for _, line in source.lines():
        rules += _FRAME.fullmatch(line) is not None
        if rules != 1:
            if rules > 1 or line.strip():
                return
        elif match := _FRAME_FIELD.fullmatch(line):
            yield match[1], match[2].strip()


def _messages(talk: Talk) -> Iterator[Message]:
    source, order = talk.source, talk.options.dates
    if order == "auto":
        found = [stamp for entry in _entries(source) if (stamp := numeric_stamp(entry.time)) is not None]
        order = stamps.decide(found, source.path) if found else "auto"
    for entry in _entries(source):
        content, files = _content(entry.lines)
        moment = _moment(entry, order, talk)
        line = {"line": str(entry.line)}
        message = talk.message(content, speaker=entry.name, moment=moment, media=files, metadata=line)
        if message is not None:
            yield message


def _entries(source: Source) -> Iterator[_Entry]:
    held: _Entry | None = None
    rules = 0
    for number, line in source.lines():
        if _FRAME.fullmatch(line):
            rules += 1
            continue
        match = _header(line)
        if match is not None:
            if held is not None:
                yield held
            held = _Entry(number, match["name"].strip(), match["time"], [])
        elif held is not None and rules != 3:  # noqa: PLR2004  # the third rule opens the closing frame
            held.lines.append(line)
    if held is not None:
        yield held


def _header(line: str) -> re.Match[str] | None:
    match = _EXPORTED.fullmatch(line)
    if (
        match is not None
        and _written(match["time"], "day-first") is None
        and _written(match["time"], "month-first") is None
    ):
        match = None
    return match or _COPIED.fullmatch(line)


def _written(text: str, order: DateOrder) -> datetime | None:
    """Parse a header's time; the year of 09-Mar-24 is of this century."""
    if match := _MONTH_BETWEEN.fullmatch(text.strip()):
        text = f"{match[1]} {match[2]} 20{match[3]} {match[4]}"
    return parse_date(text, order)


def _content(lines: Sequence[str]) -> tuple[str, list[str]]:
    """Return the text and what is attached; embeds and reactions are left out."""
    section = ""
    text: list[str] = []
    files: list[str] = []
    for line in lines:
        if match := _SECTION.fullmatch(line.strip()):
            section = match[1]
        elif section in {"Attachments", "Stickers"} and line.strip():
            files.append(attachment("file", line.strip().split("?")[0]))
        elif not section or (not line.strip() and section == "Forwarded Message"):
            text.append(line)
    return "\n".join(text), files


def _moment(entry: _Entry, order: DateOrder, talk: Talk) -> tuple[datetime | None, str | None]:
    found = _written(entry.time, order)
    if found is None:
        talk.source.findings.note("a time such as `Today at 6:21 PM` does not say its day; such times are unknown")
        return None, talk.options.zone.key
    return localise(found, talk.options.zone)
