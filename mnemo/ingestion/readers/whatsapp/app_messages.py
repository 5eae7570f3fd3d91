"""Tells people's messages in a WhatsApp export from those of the app itself.

The app marks what it writes on iOS by an invisible mark (U+200E) at the start of the text, whatever the language;
Android leaves out the sender. Where these signs are missing, as in files that were cleaned, the sentences of the app
are known by their words in seven languages. What the app says belongs to nobody. Media left out of the export and
attached files belong to their sender and are shown in square brackets.
"""

import re

from mnemo.ingestion.readers.whatsapp import words

__all__ = ["MARKS", "clean", "is_group_event", "spoken"]

MARKS = "\u200e\u200f\u202a\u202b\u202c\u2068\u2069\ufeff"
_NO_MARKS = {ord(mark): None for mark in MARKS} | {0x202F: " ", 0xA0: " "}
_APP_MARK = "\u200e"
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
_OPEN_QUOTE = re.compile(r"\s'[^']*$")
_BRACKETED = re.compile(r"<[^<>\n\d]{6,40}>")
_MEDIA_FILE = re.compile(r"(?P<name>(?:IMG|VID|PTT|AUD|STK|DOC|PTV)-\d{8}-WA\d+\.\w{2,5}) \([^()\n]{3,40}\)")
_MARKED_FILE = re.compile(r"<[^<>:\n]{2,30}\s?: (?P<name>[^<>\n]+\.\w{1,5})>")
_SHORT_WORDS = 4


def clean(text: str) -> str:
    """Drop the invisible marks; spaces of odd kinds become plain ones."""
    return "\n".join(line.rstrip() for line in text.translate(_NO_MARKS).split("\n")).strip()


def is_group_event(text: str, before_colon: str) -> bool:
    """Whether a line without a sender has a colon inside, as in `Ana changed the subject to "A: b"`.

    Args:
        text: The whole line behind its date.
        before_colon: The words before its first colon.
    """
    plain = clean(before_colon).translate(_QUOTES)
    is_open = plain.count('"') % 2 == 1 or _OPEN_QUOTE.search(plain) is not None
    return is_open or words.EVENT.fullmatch(plain) is not None or words.NOTICE.fullmatch(clean(text)) is not None


def spoken(raw: str) -> tuple[bool, str, list[str]]:
    """Return whether a person says a text, the text as it is kept, and the marks of media in it.

    Args:
        raw: The text behind the sender, with its invisible marks.
    """
    content = words.EDITED.sub("", clean(raw))
    if any(kind.fullmatch(content) for kind in (words.DELETED, words.NOTICE, words.CALL)):
        return False, content, []
    media: list[str] = []
    named = _named_media(content, media)
    if media or not raw.startswith(_APP_MARK) or content.startswith("@"):
        return True, named, media
    if words.EVENT.fullmatch(content) or len(content.split()) > _SHORT_WORDS or content[-1:] in ".!?":
        return False, content, []
    return True, f"[{content}]", [f"[{content}]"]


def _named_media(content: str, media: list[str]) -> str:
    """Name media that the export omitted or stored beside it, and count the placeholders."""
    if match := words.OMITTED.fullmatch(content):
        media.append(f"[{match['en'].lower()} omitted]" if match["en"] else f"[{content.strip('<>').lower()}]")
        return media[0]
    if (_BRACKETED.fullmatch(content) and " " in content) or words.LOCATION.fullmatch(content):
        media.append(f"[{content.strip('<>')}]")
        return media[0]

    def attached(match: re.Match[str]) -> str:
        fields = match.groupdict()
        name = fields.get("ios") or fields.get("android") or fields.get("name") or ""
        media.append(f"[attached {name.strip()}]")
        return media[-1]

    for form in (words.ATTACHED, _MEDIA_FILE, _MARKED_FILE):
        content = form.sub(attached, content)
    return content
