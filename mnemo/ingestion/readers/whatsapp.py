"""WhatsApp's "Export chat" text, of Android and of iOS, in any of their layouts.

    12/05/2023, 14:05 - Ana: See you at the station      Android
    [12.05.23, 14:05:33] Ana: See you at the station     iOS

12 and 24 hours, slashes, dots and dashes, invisible marks; a line without a date continues the message before it.
Whether the day or the month comes first is decided over the whole file: by a number over 12, else by which
order keeps the messages in order, else by dots (day first). If neither tells, it is an error that asks for `dates`.
Times are local to the reading zone; in the hour that clocks show twice, the order of messages decides.

Group events and the encryption notice have the role `system` and no speaker. Media left out of the export stand as
`[media omitted]` or `[image omitted]`, files as `[attached NAME]`. The session is the chat's name and the local day.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from mnemo.ingestion.readers import whatsapp_dates as dates
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.source import Source, misfit
from mnemo.ingestion.readers.times import localise
from mnemo.models.graph import Message

__all__ = ["is_header", "read"]

_MARKS = "\u200e\u200f\u202a\u202b\u202c\ufeff"
_HEADER = re.compile(
    rf"[{_MARKS}]*(?P<open>\[)?(?P<date>\d{{1,4}}[./-]\s?\d{{1,2}}[./-]\s?\d{{1,4}}|\d{{4}}년 \d{{1,2}}월 \d{{1,2}}일)"
    r"\.?,?\s+(?:um |at |à |a las |klo |kl\. ?)?"
    r"(?:(?P<before>午前|午後|上午|下午|오전|오후)\s?)?"
    r"(?P<time>\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)"
    r"(?:\s?(?P<after>[AaPp]\.?\s?[Mm]\.?)|\sUhr)?(?P<close>\]\s?|\s[-\u2013]\s|,\s(?=[^:\n]{1,100}? : ))(?P<rest>.*)",
)
_SENDER = re.compile(r"(?P<sender>[^:\n]{1,100}?) ?:(?: (?P<text>.*)|$)", re.DOTALL)
_EVENT = re.compile(
    r"(?:messages (?:and calls|to this \w+|you send).*(?:end-to-end encrypted|secured)|"
    r".* (?:created|changed|joined|added|removed|left|deleted|pinned|turned (?:on|off)|started|updated)\b(?! to me).*)",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"messages (?:and calls|to this \w+|you send).*(?:end-to-end encrypted|secured).*|"
    r"(?:you deleted this message|this message was deleted|waiting for this message.*|null)\.?|"
    r"(?:missed|silenced) (?:group )?(?:voice|video) call.*",
    re.IGNORECASE | re.DOTALL,
)
_OMITTED = re.compile(
    r"<?(?P<kind>media|image|video|audio|sticker|gif|document|contact card|voice message) omitted>?", re.IGNORECASE
)
_ATTACHED = re.compile(
    r"<attached: (?P<ios>[^>\n]+)>|(?P<android>[^\n/]+\.\w{1,5}) \((?:file attached|datei angehängt|archivo adjunto)\)",
    re.IGNORECASE,
)
_EDITED = re.compile(r"\s*<This message was edited>\s*$")
_TITLE = re.compile(
    r"^(?:WhatsApp Chat (?:with|-)|WhatsApp-Chat mit|Chat de WhatsApp con|Discussion WhatsApp avec)\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One dated entry with the lines that continue it."""

    line: int
    stamp: dates.Stamp
    text: str
    ios: bool


def is_header(line: str) -> bool:
    """Whether a line begins a WhatsApp message."""
    return _HEADER.fullmatch(line) is not None


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the chat, named by the file's name without `WhatsApp Chat with`."""
    name = conversation_name(_TITLE.sub("", source.name), source.name)
    yield Conversation(name, source.label, partial(_messages, source, name, options))


def _messages(source: Source, name: str, options: Options) -> Iterator[Message]:
    order = options.dates
    if order == "auto":
        order = dates.decide((entry.stamp for entry in _entries(source)), str(source.path))
    before: datetime | None = None
    for entry in _entries(source):
        naive = entry.stamp.time(order)
        if naive is None:
            raise misfit(source.place(entry.line), f"a {order} date", source.shown(entry.stamp.shown))
        before = _after(before, naive, options.zone)
        speaker, content = _spoken(entry)
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
            metadata={"line": str(entry.line)},
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
        elif line.strip(_MARKS + " \t"):
            raise misfit(
                source.place(number), "a dated message such as '12/05/2023, 14:05 - Ana: …'", "a line without a date"
            )
    if not held:
        raise misfit(str(source.path), "dated messages", "none")
    yield _entry(*held)


def _entry(number: int, match: re.Match[str], lines: list[str]) -> _Entry:
    half = match["after"] or match["before"]
    return _Entry(number, dates.Stamp(match["date"], match["time"], half), "\n".join(lines), bool(match["open"]))


def _spoken(entry: _Entry) -> tuple[str | None, str]:
    """Return speaker and content; no speaker for what the app itself says."""
    match = _SENDER.fullmatch(entry.text)
    whole = _clean(entry.text)
    if not match or (not entry.ios and _is_event(match["sender"])):
        return None, whole
    content = _media(_EDITED.sub("", _clean(match["text"] or "")))
    if _NOTICE.fullmatch(content) or (entry.ios and _is_ios_event(match["text"] or "", content)):
        return None, content
    return _clean(match["sender"]).removeprefix("~").strip() or None, content


def _is_event(sender: str) -> bool:
    """Whether the words before a colon are the app's own sentence, such as `Ana changed the subject to "A: b"`."""
    return '"' in sender or "“" in sender or _EVENT.fullmatch(_clean(sender)) is not None


def _is_ios_event(raw: str, content: str) -> bool:
    """Whether iOS, which marks its own sentences, marked one that tells an event."""
    return raw.startswith("\u200e") and not content.startswith("[") and _EVENT.fullmatch(content) is not None


def _clean(text: str) -> str:
    """Drop the invisible marks; spaces of odd kinds become plain ones."""
    plain = text.translate({ord(mark): None for mark in _MARKS} | {0x202F: " ", 0xA0: " "})
    return "\n".join(line.rstrip() for line in plain.split("\n")).strip()


def _media(content: str) -> str:
    """Name what the export left out or put beside it."""
    named = _ATTACHED.sub(lambda match: f"[attached {(match['ios'] or match['android']).strip()}]", content)
    if match := _OMITTED.fullmatch(named):
        return f"[{match['kind'].lower()} omitted]"
    return named
