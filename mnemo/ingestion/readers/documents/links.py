"""Links between notes: `[[Odile]]`, `[[People/Odile|my sister]]`, `[my sister](Odile.md)`."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

__all__ = ["DocumentLink", "LinkedLine", "without_brackets"]

_LINK = re.compile(
    r"(?P<code>`[^`\n]*`)|"
    r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#^\n\\]*)(?:[#^](?P<heading>[^\[\]|\n]*))?(?:\\?\|(?P<shown>[^\[\]\n]*))?\]\]|"
    r"(?<!!)\[(?P<words>[^\[\]\n]+)\]\((?P<file>[^()\s:]+\.md)(?:#[^()\s]*)?\)"
)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|webp|svg|bmp|pdf|mp3|mp4|m4a|wav|ogg|webm|mov|canvas|excalidraw)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A link to another note."""

    target: str
    """The note's name: its file name without folders and suffix."""
    shown: str
    """Its words in the text."""


@dataclass(frozen=True, slots=True)
class LinkedLine:
    """A line as it reads, with the links in it and the marks of files shown there."""

    text: str
    links: tuple[DocumentLink, ...] = ()
    media: tuple[str, ...] = ()


def without_brackets(line: str) -> LinkedLine:
    """Return a line as it reads; inline code stays as it is."""
    links: list[DocumentLink] = []
    media: list[str] = []

    def reading(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        target = match["target"] if match["target"] is not None else unquote(match["file"])
        words = match["shown"] if match["target"] is not None else match["words"]
        name = target.rsplit("/", 1)[-1].strip().removesuffix(".md").strip()
        if match["embed"] and _FILE.search(name):
            media.append(f"[attached {name}]")
            return media[-1]
        shown = (words or "").strip() or name or (match["heading"] or "").strip()
        if any(map(str.isalpha, name)) and not _FILE.search(name):
            links.append(DocumentLink(name, shown))
        return shown

    text = _LINK.sub(reading, line)
    return LinkedLine(text, tuple(links), tuple(media))
