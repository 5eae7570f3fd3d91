"""Mail: one message in an .eml file, or many in an mbox.

The writer is `From`, by name or the part before the @. `Date` is the time, in the writer's own offset. The plain
text is the message; HTML is read where there is no other. Quoted replies and signatures are left out. The session
is the subject without `Re:`; the message's id is its `Message-ID`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message as Mail
from email.utils import parseaddr, parsedate_to_datetime
from functools import partial
from itertools import dropwhile

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.chats.quoted import own_words
from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.documents.html_text import html_text
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk, attachment
from mnemo.ingestion.readers.times import localise
from mnemo.models.graph import Message

__all__ = ["is_mail", "read"]

_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*):(?:\s.*)?")
_KNOWN = {"from", "date", "subject", "message-id", "to", "mime-version", "received", "return-path", "delivered-to"}
_FEWEST_KNOWN = 3
_ENVELOPE = re.compile(rb"From \S+.*\d{4}\s*$|From [^\s:]+@\S+.*$|From -.*$")
_REPLY = re.compile(r"^(?:\s*(?:re|aw|fwd?|wg|sv|vs|antw|rif|r|res|enc|tr|rv|i)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_TITLE = re.compile(r"(?:jr|sr|ph\.?d|m\.?d|dr|esq|inc|ltd|llc|gmbh|ag|co|s\.?a|i{2,3}|iv)\b", re.IGNORECASE)
_DEEPEST = 10
_MALFORMED = (MessageError, ValueError, LookupError, TypeError, AttributeError)
"""What the mail parser of the standard library raises for broken headers."""


def is_mail(source: Source, lines: Sequence[str]) -> bool:
    """Whether a file is a mail or an mbox: it begins with headers of a mail, with or without an envelope line."""
    text = list(dropwhile(lambda line: not line.strip(), lines))
    if text and re.match(r"From \S", text[0]):
        text = text[1:]
    known = set()
    for line in text:
        if not line.strip():
            break
        match = _HEADER.fullmatch(line)
        if not match and not line[:1].isspace() and not line.startswith(">From "):
            return False
        known |= {match[1].lower()} & _KNOWN if match else set()
    return len(known) >= (_FEWEST_KNOWN if source.suffix not in {".eml", ".mbox", ".mbx"} else 1) and (
        "from" in known or "return-path" in known
    )


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the mails of a file as one conversation, a session for each subject."""
    yield Conversation(source.name, source.label, partial(_load, source, options))


def _load(source: Source, options: Options) -> Iterator[Message]:
    for number, data in _mails(source):
        try:
            message = _message(source, options, message_from_bytes(data), number)
        except ReaderError as error:
            source.leave_out(error)
            continue
        except _MALFORMED as error:
            source.leave_out(source.error(number, f"is no mail that can be parsed: {error}"))
            continue
        if message is not None:
            yield message


def _mails(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield each mail with the line where it begins; envelope lines divide an mbox."""
    held: list[bytes] = []
    begins, blank, many = 1, True, False
    with source.mapped_errors(), source.open() as file:
        for number, line in enumerate(file, 1):
            if blank and _ENVELOPE.match(line) and (many or not any(part.strip() for part in held)):
                if any(part.strip() for part in held):
                    yield begins, b"".join(held)
                held, begins, many = [], number + 1, True
            else:
                held.append(line[1:] if many and re.match(rb">+From ", line) else line)
            blank = not line.strip()
    if any(part.strip() for part in held):
        yield begins, b"".join(held).lstrip()


def _message(source: Source, options: Options, mail: Mail, line: int) -> Message | None:
    name, address = parseaddr(_header(mail, "From"))
    if not name and not address:
        raise source.error(line, "is no mail with a From")
    subject = _header(mail, "Subject")
    session = conversation_name(_REPLY.sub("", subject) or "no subject")
    texts, files = _parts(mail)
    identifier = _header(mail, "Message-ID").strip("<> ")
    return Talk(session, source, options, by_day=False).message(
        own_words(texts) or subject,
        speaker=_person(name) or address.split("@")[0],
        moment=_moment(source, mail, options),
        source_id=f"mail:{identifier}" if identifier else None,
        media=[attachment("file", file) for file in files],
        metadata={
            "subject": subject or None,
            "from": address or None,
            "to": _header(mail, "To") or None,
        },
    )


def _person(name: str) -> str:
    """Return a name with the given name first: `Lopes, Ana` is Ana Lopes."""
    plain = name.strip("'\" ")
    last, comma, first = (part.strip() for part in plain.partition(","))
    turned = bool(comma and last and first) and "," not in first and not _TITLE.match(first)
    return f"{first} {last}" if turned else plain


def _header(mail: Mail, name: str) -> str:
    """Return a header as text on one line, "" where it is missing."""
    value = mail.get(name)
    if value is None:
        return ""
    try:
        text = str(make_header(decode_header(str(value))))
    except (MessageError, LookupError, UnicodeError, ValueError):
        text = str(value)
    return " ".join(text.split())


def _moment(source: Source, mail: Mail, options: Options) -> tuple[datetime | None, str | None]:
    try:
        found = parsedate_to_datetime(_header(mail, "Date"))
        return localise(found if found.tzinfo else found.replace(tzinfo=UTC), options.zone)
    except (ValueError, TypeError, IndexError, OverflowError):
        source.findings.note("a mail has no date that can be read; its time is unknown")
        return None, options.zone.key


def _parts(mail: Mail) -> tuple[str, list[str]]:
    """Return the text of a mail, HTML only where it has no plain one, and the names of its attachments."""
    plain: list[str] = []
    html: list[str] = []
    files: list[str] = []
    waiting = [(mail, 0)]
    while waiting:
        part, depth = waiting.pop()
        name = part.get_filename()
        if name or part.get_content_disposition() == "attachment" or part.get_content_maintype() == "message":
            files.append(" ".join(str(name or part.get_content_type()).split()))
        elif part.is_multipart() and depth < _DEEPEST:
            inner = part.get_payload()
            mails = [each for each in inner if isinstance(each, Mail)] if isinstance(inner, list) else []
            waiting += [(each, depth + 1) for each in reversed(mails)]
        elif part.get_content_type() == "text/html":
            html.append(_decoded(part))
        elif part.get_content_type() == "text/plain":
            plain.append(_decoded(part))
    text = "\n\n".join(each for each in plain if each.strip())
    return text or "\n\n".join(html_text(each, with_quotes=False) for each in html), files


def _decoded(part: Mail) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    for charset in (part.get_content_charset(), "utf-8", "cp1252"):
        try:
            return payload.decode(charset) if charset else payload.decode("ascii")
        except (LookupError, UnicodeError):
            continue
    return payload.decode("utf-8", "replace")
