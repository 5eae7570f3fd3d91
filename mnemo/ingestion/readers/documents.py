"""Plain text and Markdown: documents in parts, each a message of the role `document`.

Markdown is cut at its headings (`# …` and underlined ones, not inside fenced code): each section is a
message that begins with its heading, and its metadata has the headings above it (`heading`: `Trip > Day 2`) and the
`line` it starts at. Front matter is metadata: `title`, and `date` (ISO 8601) as the time of all sections. Plain
text is cut at blank lines into parts of at most 100,000 characters. The file's name is the session, the parts
keep their order. Both are streamed. The file's own date is not when it was written, so it is not used.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.fields import Options, Place, flat_metadata
from mnemo.ingestion.readers.source import Source
from mnemo.models.graph import Message

__all__ = ["MAX_PART_CHARS", "read_markdown", "read_text"]

MAX_PART_CHARS = 100_000
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT = re.compile(r"([A-Za-z_-]+):\s*(.*?)\s*")
_MAX_FRONT_LINES = 100


@dataclass(slots=True)
class _Part:
    """Lines of one section and where it stands."""

    line: int
    headings: Sequence[str] = ()
    lines: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.size += len(line) + 1

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def read_text(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the text as one document."""

    def load() -> Iterator[Message]:
        for part in _split(iter(source.lines())):
            yield from _messages(source, part, {"zone": options.zone.key})

    yield Conversation(source.name, source.label, load, path=str(source.path.resolve()))


def read_markdown(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the Markdown file as one document, a message a section."""
    load = partial(_markdown, source, options)
    yield Conversation(source.name, source.label, load, path=str(source.path.resolve()))


def _markdown(source: Source, options: Options) -> Iterator[Message]:
    front, body = _front_matter(source)
    time, zone = Place(source, "front matter: date", front.get("date")).time(options.zone)
    shared = {"occurred_at": time, "zone": zone}
    title = {"title": front["title"]} if front.get("title") else {}
    for part in _sections(body):
        yield from _messages(source, part, shared, title)


def _front_matter(source: Source) -> tuple[dict[str, str], Iterator[tuple[int, str]]]:
    """Return the front matter's simple keys, and the lines after it."""
    lines = source.lines()
    held: list[tuple[int, str]] = []
    fields: dict[str, str] = {}
    for number, line in lines:
        held.append((number, line))
        if number == 1 and line.rstrip() == "---":
            continue
        if number == 1 or number > _MAX_FRONT_LINES:
            break
        if line.rstrip() in {"---", "..."}:
            return fields, lines
        if match := _FRONT.fullmatch(line):
            fields[match[1].lower()] = match[2].strip("'\"")
    return {}, _chain(held, lines)


def _chain(held: list[tuple[int, str]], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield from held
    yield from lines


def _sections(lines: Iterator[tuple[int, str]]) -> Iterator[_Part]:
    """Cut at headings; a section knows the headings above it."""
    part = _Part(1)
    headings: dict[int, str] = {}
    fence = ""
    for number, line in lines:
        fence = _fence(fence, line)
        level, title, underlined = (0, "", False) if fence else _heading(line, part)
        if level:
            kept = part.lines.pop() if underlined else None
            if part.text:
                yield part
            headings = {depth: text for depth, text in headings.items() if depth < level} | {level: title}
            part = _Part(number - underlined, tuple(headings[depth] for depth in sorted(headings)))
            if kept is not None:
                part.add(kept)
        elif part.size > MAX_PART_CHARS:
            yield part
            part = _Part(number, part.headings)
        part.add(line)
    if part.text:
        yield part


def _fence(fence: str, line: str) -> str:
    """Return the fence that is open after this line, "" for none."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    closes = match[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence


def _heading(line: str, part: _Part) -> tuple[int, str, bool]:
    """Return level, title and whether the title is the line before; level 0 is no heading."""
    if match := _HEADING.fullmatch(line):
        return len(match[1]), (match[2] or "").strip(), False
    before = part.lines[-1] if part.lines else ""
    if before.strip() and not before.lstrip().startswith(("#", "-", "*", ">", "|")):
        alone = len(part.lines) == 1 or not part.lines[-2].strip()
        if alone and (match := _UNDERLINE.fullmatch(line)):
            return (1 if match[1][0] == "=" else 2), before.strip(), True
    return 0, "", False


def _split(lines: Iterator[tuple[int, str]]) -> Iterator[_Part]:
    """Cut at the first blank line past half the bound, at the latest at the bound."""
    part = _Part(1)
    for number, line in lines:
        full = part.size + len(line) > MAX_PART_CHARS or (not line.strip() and part.size > MAX_PART_CHARS // 2)
        if full and part.text:
            yield part
            part = _Part(number)
        part.add(line)
    if part.text:
        yield part


def _messages(
    source: Source, part: _Part, shared: Mapping[str, object], title: dict[str, str] | None = None
) -> Iterator[Message]:
    """Yield the part as messages; more than one only if a single line is over the bound."""
    text = part.text
    for start in range(0, len(text), MAX_PART_CHARS):
        metadata = {**(title or {}), "heading": " > ".join(part.headings) or None, "line": str(part.line)}
        yield Message(
            content=text[start : start + MAX_PART_CHARS],
            role="document",
            session=source.name,
            source=source.label,
            metadata=flat_metadata(metadata),
            **shared,  # type: ignore[arg-type]  # occurred_at and zone, made above
        )
