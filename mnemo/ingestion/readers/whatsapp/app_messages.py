"""Who says a line of a WhatsApp export: a person, or the app.

The app marks what it writes on iOS by an invisible mark (U+200E) at the start of the text, whatever the language;
Android leaves out the sender. Where these signs are missing, as in files that were cleaned, the sentences of the app
are known by their words in seven languages. What the app says belongs to nobody. Media left out of the export and
attached files belong to who sent them, and stand in square brackets.
"""

import re

from mnemo.ingestion.readers.whatsapp import words

__all__ = ["MARKS", "clean", "is_group_event", "spoken"]

MARKS = "\u200e\u200f\u202a\u202b\u202c\u2068\u2069\ufeff"
_NO_MARKS = {ord(mark): None for mark in MARKS} | {0x202F: " ", 0xA0: " "}
_APP_MARK = "\u200e"
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
_BRACKETED = re.compile(r"<[^<>\n\d]{6,40}>")
_MEDIA_FILE = re.compile(r"(?P<name>(?:IMG|VID|PTT|AUD|STK|DOC|PTV)-\d{8}-WA\d+\.\w{2,5}) \([^()\n]{3,40}\)")
_MARKED_FILE = re.compile(r"<[^<>:\n]{2,30}\s?: (?P<name>[^<>\n]+\.\w{1,5})>")
_SHORT_WORDS = 4


def clean(text: str) -> str:
    """Drop the invisible marks; spaces of odd kinds become plain ones."""
    return "\n".join(line.rstrip() for line in text.translate(_NO_MARKS).split("\n")).strip()


def is_group_event(before_colon: str) -> bool:
    """Whether the words before a colon are the app's own sentence, such as `Ana changed the subject to "A: b"`."""
    plain = clean(before_colon).translate(_QUOTES)
    return plain.count('"') % 2 == 1 or words.EVENT.fullmatch(plain) is not None


def spoken(raw: str, *, marked: bool) -> tuple[bool, str]:
    """Return whether a person says a text, and the text as it is kept.

    Args:
        raw: The text behind the sender, with its invisible marks.
        marked: Whether the file marks what the app writes, as iOS does.
    """
    content = words.EDITED.sub("", clean(raw))
    if any(kind.fullmatch(content) for kind in (words.DELETED, words.NOTICE, words.CALL)):
        return False, content
    named = _named_media(content)
    if named != content or not (marked and raw.startswith(_APP_MARK)):
        return True, named
    if words.EVENT.fullmatch(content) or len(content.split()) > _SHORT_WORDS or content[-1:] in ".!?":
        return False, content
    return True, f"[{content}]"


def _named_media(content: str) -> str:
    """Name what the export left out or put beside it; other contents as they are."""
    if match := words.OMITTED.fullmatch(content):
        return f"[{match['en'].lower()} omitted]" if match["en"] else f"[{content.strip('<>').lower()}]"
    if _BRACKETED.fullmatch(content) and " " in content:
        return f"[{content.strip('<>').lower()}]"
    if words.LOCATION.fullmatch(content):
        return f"[{content}]"
    named = words.ATTACHED.sub(_attached, content)
    named = _MEDIA_FILE.sub(_attached, named)
    return _MARKED_FILE.sub(_attached, named)


def _attached(match: re.Match[str]) -> str:
    fields = match.groupdict()
    name = fields.get("ios") or fields.get("android") or fields.get("name") or ""
    return f"[attached {name.strip()}]"
