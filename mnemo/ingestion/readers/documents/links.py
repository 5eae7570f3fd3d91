"""Links between notes: `[[Odile]]`, `[[People/Odile|my sister]]`, `[my sister](Odile.md)`."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

__all__ = ["DocumentLink", "without_brackets"]

_LINK = re.compile(
    r"(?P<code>`[^`\n]*`)|"
    r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#^\n]*)(?:[#^](?P<heading>[^\[\]|\n]*))?(?:\\?\|(?P<shown>[^\[\]\n]*))?\]\]|"
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
    """The words that stand for it in the text."""


def without_brackets(line: str) -> tuple[str, list[DocumentLink]]:
    """Return a line as it reads, and the links in it; inline code stays as it is."""
    found: list[DocumentLink] = []

    def reading(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        target = match["target"] if match["target"] is not None else unquote(match["file"])
        words = match["shown"] if match["target"] is not None else match["words"]
        return _reading(match, target, (words or "").strip(), found)

    return _LINK.sub(reading, line), found


def _reading(match: re.Match[str], target: str, words: str, found: list[DocumentLink]) -> str:
    """Return the words of one link, and note it where it leads to a note."""
    name = target.rsplit("/", 1)[-1].strip().removesuffix(".md").strip()
    if match["embed"] and _FILE.search(name):
        return f"[attached {name}]"
    shown = words or name or (match["heading"] or "").strip()
    if any(map(str.isalpha, name)) and not _FILE.search(name):
        found.append(DocumentLink(name, shown))
    return shown
