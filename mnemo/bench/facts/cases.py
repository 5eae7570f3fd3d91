"""Conversations with the facts that each message states, read from text files: pure but for `read_scenes`.

    == scene-name                       starts a conversation
    @ 2025-03-09 18:30 Europe/London    time and zone of the next message; each further one is a minute later
    Petra: i moved to ghent last week   a message; `Petra (assistant): …` has another role than user
      a second line                     indented lines continue it
    fact: Petra | live,move | Ghent | from 2025-02-24..2025-03-09
    also: Petra | tired |               right too, but not required
    ends: Petra | live | Leeds | 2025-02-24..2025-03-09
    entity: Ghent | place               one that must be there, with its kind if that matters; `entity?:` may be
    none                                the message states no fact

A fact is subject | stems | object | time. Alternatives of subjects and objects are split by `/`, stems by `,`.
Any stem may occur, and all words of one object. A stem `not eat` asks for a negation. Times, all optional:
`from RANGE`, `until RANGE`, `at RANGE` (an event), `open` (no end) and `recurring` (no single date). A range is a
day, month or year, or two joined by `..`.
"""

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mnemo.errors import ReaderError
from mnemo.models.graph import Role

__all__ = ["CaseMessage", "CaseScene", "Days", "EndLine", "EntityLine", "FactLine", "parse", "read_scenes"]

_ROLES: tuple[Role, ...] = get_args(Role)
_KINDS = frozenset(["person", "place", "organisation", "event", "thing", "topic"])
_MESSAGE = re.compile(r"(?P<speaker>[^:|()]{1,60}?)(?: \((?P<role>[a-z]+)\))?: (?P<text>.+)")
_MARK = re.compile(r"(?P<kind>fact|also|ends|entity\??): ?(?P<rest>.*)")
_TIME = re.compile(r"(from|until|at) (\S+)|\b(open|recurring)\b")
_DAY = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_GAP = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Days from the first to the last one, both included."""

    first: date
    last: date

    def __contains__(self, day: date) -> bool:
        """Return whether a day is one of them."""
        return self.first <= day <= self.last

    def __str__(self) -> str:
        """Return one day, or both joined by two dots."""
        return str(self.first) if self.first == self.last else f"{self.first}..{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """One fact that a message states."""

    subjects: tuple[str, ...]
    """Names of who or what it is about; any fits."""
    stems: tuple[str, ...]
    """Beginnings of words; one of them is in the relation or the sentence. None fits all."""
    objects: tuple[str, ...]
    """Texts; all words of one of them are in the object's name or the sentence. None fits all."""
    required: bool = True
    begins: Days | None = None
    """When the state began."""
    until: Days | None = None
    """When the state was over, said by the message itself."""
    on: Days | None = None
    """When the event happens."""
    open: bool = False
    """Whether it has no end."""
    recurring: bool = False
    """Whether it happens again and again, so that no single date is right."""
    text: str = ""
    """As written in the file."""

    @property
    def timed(self) -> bool:
        """Return whether it says when."""
        return self.open or self.recurring or any(days is not None for days in (self.begins, self.until, self.on))


@dataclass(frozen=True, slots=True, kw_only=True)
class EndLine:
    """A fact that a message ends."""

    fact: FactLine
    """The fact as it was stated, without a time."""
    days: Days
    """When its end must lie."""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine:
    """An entity that a message names."""

    names: tuple[str, ...]
    """Ways to write it: all of them are one entity."""
    kind: str | None = None
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMessage:
    """One message and what is right about it."""

    speaker: str
    role: Role
    content: str
    at: datetime
    """Aware, in the writer's zone."""
    zone: str
    line: int
    """Of the file, from 1."""
    facts: tuple[FactLine, ...] = ()
    ends: tuple[EndLine, ...] = ()
    entities: tuple[EntityLine, ...] = ()
    nothing: bool = False
    """Whether it is marked `none`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScene:
    """One conversation, a group of its own."""

    name: str
    file: str
    """Name of its file without the ending."""
    messages: tuple[CaseMessage, ...]

    @property
    def speakers(self) -> frozenset[str]:
        """Return the names of those who write in it."""
        return frozenset(message.speaker for message in self.messages)


@dataclass(slots=True)
class _Reading:
    """Scenes so far, and the clock of the next message."""

    file: str
    scenes: list[tuple[str, list[CaseMessage]]] = field(default_factory=list)
    at: datetime | None = None
    zone: str = ""


def read_scenes(path: Path) -> tuple[CaseScene, ...]:
    """Return the conversations of a file, or of all `.txt` files of a folder in order of their names.

    Raises:
        ReaderError: A file cannot be read or a line does not fit; or two scenes have one name.
    """
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    try:
        scenes = [scene for file in files for scene in parse(file.read_text(encoding="utf-8"), file.stem)]
    except (OSError, UnicodeDecodeError) as error:
        message = f"cases must be readable UTF-8 text, got {error}"
        raise ReaderError(message) from error
    names = [scene.name for scene in scenes]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice or not scenes:
        message = (
            f"each scene needs a name of its own, got twice: {', '.join(twice)}" if twice else f"no scene in {path}"
        )
        raise ReaderError(message)
    return tuple(scenes)


def parse(text: str, file: str = "") -> tuple[CaseScene, ...]:
    """Return the conversations of a text.

    Raises:
        ReaderError: A line does not fit; the message names the file and the line.
    """
    reading = _Reading(file)
    for number, line in _lines(text):
        try:
            _read(reading, line, number)
        except ValueError as error:
            message = f"{file}:{number}: {error}, got {line!r}"
            raise ReaderError(message) from error
    for said in (said for _, messages in reading.scenes for said in messages):
        _check_marked(said, file)
    return tuple(CaseScene(name=name, file=file, messages=tuple(messages)) for name, messages in reading.scenes)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip()


def _read(reading: _Reading, line: str, number: int) -> None:
    if line.startswith("== "):
        reading.scenes.append((line[3:].strip(), []))
        reading.at = None
    elif line.startswith("@ "):
        reading.at, reading.zone = _moment(line[2:])
    elif line.startswith("  "):
        _change(reading, lambda last: replace(last, content=f"{last.content}\n{line.strip()}"))
    elif line == "none":
        _change(reading, lambda last: replace(last, nothing=True))
    elif (mark := _MARK.fullmatch(line)) is not None:
        _mark(reading, mark["kind"], mark["rest"])
    else:
        _say(reading, line, number)


def _say(reading: _Reading, line: str, number: int) -> None:
    found = _MESSAGE.fullmatch(line)
    if found is None or not reading.scenes or reading.at is None:
        problem = "a message needs a speaker, a scene and a time before it"
        raise ValueError(problem)
    role = next((role for role in _ROLES if role == (found["role"] or "user")), None)
    if role is None:
        problem = f"a role must be one of {', '.join(_ROLES)}"
        raise ValueError(problem)
    said = CaseMessage(
        speaker=found["speaker"], role=role, content=found["text"], at=reading.at, zone=reading.zone, line=number
    )
    reading.scenes[-1][1].append(said)
    reading.at += _GAP


def _mark(reading: _Reading, kind: str, rest: str) -> None:
    parts = [part.strip() for part in rest.split("|")]
    if kind.startswith("entity"):
        entity = _entity(parts, required=kind == "entity")
        _change(reading, lambda last: replace(last, entities=(*last.entities, entity)))
    elif kind == "ends":
        end = _end(parts, rest)
        _change(reading, lambda last: replace(last, ends=(*last.ends, end)))
    else:
        fact = _fact(parts, rest, required=kind == "fact")
        _change(reading, lambda last: replace(last, facts=(*last.facts, fact)))


def _change(reading: _Reading, change: Callable[[CaseMessage], CaseMessage]) -> None:
    if not reading.scenes or not reading.scenes[-1][1]:
        problem = "this line belongs to a message above it"
        raise ValueError(problem)
    messages = reading.scenes[-1][1]
    messages[-1] = change(messages[-1])


def _fact(parts: list[str], text: str, *, required: bool) -> FactLine:
    if len(parts) not in {3, 4} or not parts[0]:
        problem = "a fact is subject | stems | object | time"
        raise ValueError(problem)
    time = parts[3] if len(parts) == 4 else ""  # noqa: PLR2004  # the fourth part is the time
    if _TIME.sub("", time).strip():
        problem = "a time is made of `from RANGE`, `until RANGE`, `at RANGE`, `open` and `recurring`"
        raise ValueError(problem)
    ranges = {found[1]: _days(found[2]) for found in _TIME.finditer(time) if found[1]}
    return FactLine(
        subjects=_alternatives(parts[0], "/"),
        stems=_alternatives(parts[1], ","),
        objects=_alternatives(parts[2], "/"),
        required=required,
        begins=ranges.get("from"),
        until=ranges.get("until"),
        on=ranges.get("at"),
        open="open" in time.split(),
        recurring="recurring" in time.split(),
        text=" ".join(text.split()),
    )


def _end(parts: list[str], text: str) -> EndLine:
    if len(parts) != 4:  # noqa: PLR2004  # as said
        problem = "an end is subject | stems | object | range"
        raise ValueError(problem)
    return EndLine(fact=_fact(parts[:3], text, required=False), days=_days(parts[3]), text=" ".join(text.split()))


def _entity(parts: list[str], *, required: bool) -> EntityLine:
    kind = parts[1] if len(parts) > 1 else None
    if not parts[0] or (kind is not None and kind not in _KINDS):
        problem = f"an entity is names | kind, the kind one of {', '.join(sorted(_KINDS))}"
        raise ValueError(problem)
    return EntityLine(names=_alternatives(parts[0], "/"), kind=kind, required=required)


def _alternatives(text: str, mark: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(mark) if part.strip())


def _days(text: str) -> Days:
    """Read a day, month or year, or two joined by two dots."""
    first, _, last = text.partition("..")
    days = Days(first=_edge_of(first, last=False), last=_edge_of(last or first, last=True))
    if days.first > days.last:
        problem = "a range must not end before it begins"
        raise ValueError(problem)
    return days


def _edge_of(text: str, *, last: bool) -> date:
    found = _DAY.fullmatch(text)
    if found is None:
        problem = "a range is made of days such as 2025-03-09, months or years"
        raise ValueError(problem)
    year = int(found[1])
    month = int(found[2] or (12 if last else 1))
    day = int(found[3] or (calendar.monthrange(year, month)[1] if last else 1))
    return date(year, month, day)


def _moment(text: str) -> tuple[datetime, str]:
    day, _, rest = text.strip().partition(" ")
    clock, _, zone = rest.partition(" ")
    try:
        return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(zone)), zone
    except (ValueError, ZoneInfoNotFoundError) as error:
        problem = "a time is a day, a clock time and an IANA zone"
        raise ValueError(problem) from error


def _check_marked(message: CaseMessage, file: str) -> None:
    stated = bool(message.facts or message.ends)
    if message.nothing == stated:
        problem = "both `none` and facts" if stated else "neither facts nor `none`"
        text = f"{file}:{message.line}: a message has {problem}, got {message.content!r}"
        raise ReaderError(text)
