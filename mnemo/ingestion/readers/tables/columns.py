"""Maps column and field names to roles: `Sender`, `sender_name` and `from` all hold the writer of a message."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

from mnemo.errors import ArgumentError

__all__ = ["COLUMNS", "Column", "author_name", "checked_columns", "columns_of", "is_message"]

Column: TypeAlias = Literal["content", "speaker", "time", "session", "id", "role", "zone"]

COLUMNS: tuple[Column, ...] = get_args(Column)

_NAMES: Mapping[Column, tuple[str, ...]] = {
    "content": (
        *("content", "contents", "text", "message", "body", "messagetext", "messagebody", "messagecontent", "msg"),
        *("textcontent", "utterance", "plaintext", "nachricht", "mensaje", "messaggio", "mensagem", "bericht", "texte"),
        *("texto", "testo", "tekst"),
    ),
    "speaker": (
        *("speaker", "author", "sender", "from", "sendername", "authorname", "speakername", "fromname", "name"),
        *("user", "username", "displayname", "userrealname", "nickname", "creator", "postedby", "writtenby"),
        *("participant", "handle", "who", "absender", "autor", "auteur", "mittente", "autore", "remitente"),
        *("remetente", "afzender", "expediteur", "sentby", "fromuser", "personname"),
    ),
    "time": (
        *(
            "time",
            "timestamp",
            "datetime",
            "date",
            "createdat",
            "createat",
            "created",
            "createddate",
            "createtime",
            "sentat",
        ),
        *("sent", "senttime", "sentdate", "datesent", "timesent", "ts", "timestampms", "when", "occurredat"),
        *("postedat", "published", "publishedat", "datum", "zeitstempel", "fecha", "data", "tijdstip", "dateutc"),
        *("unixtime", "sendtime", "messagetime", "messagedate", "timestamputc", "datumuhrzeit"),
    ),
    "session": (
        *("session", "sessionid", "conversation", "conversationid", "conversationname", "channel", "channelname"),
        *("chat", "chatname", "thread", "threadid", "threadname", "room", "chatid", "groupname", "kanal", "gruppe"),
    ),
    "id": ("id", "messageid", "uuid", "guid", "msgid", "sourceid"),
    "role": ("role",),
    "zone": ("zone", "timezone", "tz"),
}
_SENDERS = {"speaker", "sender", "sendername", "senderid", "from", "fromname", "speakername", "sentby", "absender"}
_VAGUE = {"name", "creator", "displayname"}
_CLOCKS = {"time", "uhrzeit", "zeit", "hora", "heure", "ora", "tijd", "clock", "timeofday"}
_DAYS = {"date", "datum", "fecha", "data", "day", "tag"}
_PERSON_KEYS = (
    *("nickname", "display_name", "displayName", "name", "real_name", "full_name", "username", "login", "email", "id"),
)


def checked_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return columns given by a caller.

    Raises:
        ArgumentError: A column is given for something that a message does not have.
    """
    if unknown := sorted(set(columns) - set(COLUMNS)):
        message = f"columns can be given for {', '.join(COLUMNS)}, got {unknown[0]!r}"
        raise ArgumentError(message)
    return dict(columns)


def columns_of(names: Iterable[str], given: Mapping[str, str]) -> dict[Column, tuple[str, ...]]:
    """Return the column names by role: one each, two for a time split into date and clock.

    Args:
        names: Of all columns, as they are written.
        given: What a caller says, by what it holds; wins over what the names say.
    """
    keys = {name: _key(name) for name in names}
    found: dict[Column, tuple[str, ...]] = {}
    taken = set(given.values())
    for column in COLUMNS:
        if column in given:
            found[column] = (given[column],)
            continue
        ranked = [name for known in _NAMES[column] for name, key in keys.items() if key == known and name not in taken]
        if ranked:
            found[column] = (ranked[0],)
            taken.add(ranked[0])
    if "time" in found and "time" not in given:
        day = next((name for name, key in keys.items() if key in _DAYS), None)
        clock = next((name for name, key in keys.items() if key in _CLOCKS), None)
        if day is not None and clock is not None:
            found["time"] = (day, clock)
    return found


def is_message(columns: Mapping[Column, tuple[str, ...]]) -> bool:
    """Whether columns are those of a message: a text, who wrote it, and a time unless it is plainly sent by someone.

    A `name` alone is no author: products and places have names and texts too.
    """
    if "content" not in columns or "speaker" not in columns:
        return False
    author = _key(columns["speaker"][0])
    return author in _SENDERS or ("time" in columns and author not in _VAGUE)


def author_name(value: object) -> str | None:
    """Return the name in an author field: a string, or an object with a name; None where there is none."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, dict):
        names = (value.get(key) for key in _PERSON_KEYS)
        return next((name.strip() for name in names if isinstance(name, str) and name.strip()), None)
    return None


def _key(name: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return re.sub(r"[\W_]", "", plain)
