"""Markdown: a document in sections, each a message of the role `document`, streamed.

It is cut at its headings (`# …` and underlined ones, not inside fenced code): each section is a message that begins
with its heading, and its metadata has the headings above it (`heading`: `Trip > Day 2`) and the `line` it starts
at. The file's name is the session.

Notes of a vault: front matter gives the time and the metadata `title`, `tags` and `aliases`. Links read as their
words; the metadata `links` names the notes that a section leads to, `note` the note itself. Files of a folder that
Obsidian or Logseq keeps are notes, and so is any file with front matter or links to other notes.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from mnemo.ingestion.readers.checks import MAX_PART_CHARS
from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.documents.front_matter import FrontMatter, front_matter, moment_of, names_in
from mnemo.ingestion.readers.documents.links import LinkedLine, without_brackets
from mnemo.ingestion.readers.documents.parts import Frame, Part, messages
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source
from mnemo.models.graph import Message

__all__ = ["is_heading", "read", "sections"]

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NAMELESS = re.compile(
    r"(?:readme|index|untitled.*|todo|inbox|notes?|home|changelog|license|\W*\d[\d\W_]*)", re.IGNORECASE
)
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+")


def is_heading(line: str) -> bool:
    """Whether a line is a heading with words, such as `## Day 2`."""
    return re.match(r"#{1,6} \S", line) is not None


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the Markdown file as one document, a message a section."""
    yield Conversation(source.name, source.label, partial(_load, source, options), path=source.identity)


def _load(source: Source, options: Options) -> Iterator[Message]:
    front, body = front_matter(source)
    name = _note_name(source, front)
    is_note = bool(front.properties) or bool(source.shared.get("vault"))
    shared = {**_kept(front), "note": name if is_note else None}
    frame = Frame(source, moment_of(front, source, options), shared)
    for part in sections(body):
        if "links" in part.metadata:
            part.metadata = {**part.metadata, "note": name}
        yield from messages(frame, part)


def _kept(front: FrontMatter) -> Mapping[str, Any]:
    """Return the properties that go into the metadata."""
    tags = names_in(front.properties.get("tags", front.properties.get("tag")))
    aliases = front.properties.get("aliases", front.properties.get("alias"))
    names = names_in(aliases if isinstance(aliases, list) else [aliases] if isinstance(aliases, str) else None)
    return {
        "title": front.title,
        "tags": json.dumps(tags, ensure_ascii=False) if tags else None,
        "aliases": json.dumps(names, ensure_ascii=False) if names else None,
    }


def _note_name(source: Source, front: FrontMatter) -> str | None:
    """Return the note's subject: its file name, or its title if the file name is a slug, a date or generic."""
    stem = source.name.rsplit("/", 1)[-1]
    if _SLUG.fullmatch(stem) or _NAMELESS.fullmatch(stem):
        return front.title
    return stem


def sections(lines: Iterator[tuple[int, str]]) -> Iterator[Part]:
    """Cut numbered lines at headings; a section knows the headings above it, and the notes it links to."""
    part = Part(1)
    headings: dict[int, str] = {}
    fence = ""
    for number, written in lines:
        fence = _fence(fence, written)
        line = LinkedLine(written) if fence else without_brackets(written)
        level, title, underlined = (0, "", False) if fence else _heading(line.text, part)
        if level:
            kept = part.lines.pop() if underlined else None
            if part.text:
                yield part
            headings = {depth: text for depth, text in headings.items() if depth < level} | {level: title}
            part = Part(number - underlined, tuple(headings[depth] for depth in sorted(headings)))
            if kept is not None:
                part.add(kept)
        elif part.size > MAX_PART_CHARS:
            yield part
            part = Part(number, part.headings)
        part.add(line.text)
        _note(part, line)
    if part.text:
        yield part


def _note(part: Part, line: LinkedLine) -> None:
    """Keep a line's links and media with its section."""
    found: dict[str, list[Any]] = {
        "links": [[link.target, link.shown] for link in line.links],
        "media": list(line.media),
    }
    new = {key: part.metadata.get(key, []) + values for key, values in found.items() if values}
    part.metadata = {**part.metadata, **new}


def _fence(fence: str, line: str) -> str:
    """Return the fence that is open after this line, "" for none."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    closes = match[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence


def _heading(line: str, part: Part) -> tuple[int, str, bool]:
    """Return level, title and whether the title is the line before; level 0 is no heading."""
    if match := _HEADING.fullmatch(line):
        return len(match[1]), (match[2] or "").strip(), False
    before = part.lines[-1] if part.lines else ""
    if before.strip() and not before.lstrip().startswith(("#", "-", "*", ">", "|")):
        alone = len(part.lines) == 1 or not part.lines[-2].strip()
        if alone and (match := _UNDERLINE.fullmatch(line)):
            return (1 if match[1][0] == "=" else 2), before.strip(), True
    return 0, "", False
