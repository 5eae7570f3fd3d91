"""Chat logs of IRC programs and the like: lines with a clock, a nick in angle brackets, and a text.

    [2024-03-09 18:21:10] <Ana> I moved to Ghent          18:21 <@Ana> I moved to Ghent

Days come from the line, from `--- Log opened`, `--- Day changed` and `Session Start` lines, or from the file's name
(`#chan.2024-03-09.log`); without any of these the time is unknown. Joins, parts and modes are left out, `* Ana waves`
is said by Ana. A file is such a log only if most of its lines are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import partial

from mnemo.ingestion.readers.conversation import Conversation, conversation_name
from mnemo.ingestion.readers.fields import Options
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.talk import Talk
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.written import parse_date
from mnemo.models.graph import Message

__all__ = ["is_log", "read"]

_LINE = re.compile(
    r"\[?(?P<day>\d{4}[-/.]\d\d[-/.]\d\d)?[T ,]?\s?(?P<clock>\d{1,2}:\d\d(?::\d\d)?)(?P<zone>Z|[+-]\d\d:?\d\d)?\]?\s+"
    r"(?:<[ @+%&~!]?(?P<nick>[^<>\s][^<>\n]{0,40})>\s(?P<text>.*)|\*\s(?P<actor>[^\s*<>]{1,40})\s(?P<action>.*)|"
    r"(?P<event>(?:-!-|\*\*\*|-->|<--|--|==).*))"
)
_TABBED = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d) (?P<clock>\d\d:\d\d:\d\d)(?P<zone>)\t[@+%&~!]?(?P<nick>[^\t]{1,40})\t(?P<text>.*)"
)
_DAY_LINE = re.compile(
    r"(?:---|\*{3,4}|Session (?:Start|Time):|\[?\*)\s*"
    r"(?:Log opened|Day changed|BEGIN LOGGING AT|Session (?:Start|Time):?)?\s*"
    r"(?P<day>[A-Z][a-z]{2} [A-Z][a-z]{2}\s+\d{1,2} [\d: ]*\d{4}|[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}|"
    r"\d{4}-\d\d-\d\d)\b.*"
)
_WEEKDAY_FIRST = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2})\s+(\d{1,2}) (?:[\d:]+ )?(\d{4})")
_IN_NAME = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_EVENT_NICKS = {"*", "--", "-->", "<--", "-!-", "=!=", "***", " *"}
_SHARE = 0.8
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class _Said:
    nick: str
    text: str
    day: str | None
    clock: str
    zone: str | None
    line: int
    today: date | None
    """The day that the log was at."""


def is_log(lines: Sequence[str]) -> bool:
    """Whether nearly all lines have the form of a log, and at least two have a nick."""
    filled = [line for line in lines if line.strip()]
    told = [match for line in filled if (match := _match(line))]
    days = sum(_DAY_LINE.fullmatch(line) is not None for line in filled)
    nicks = sum(_said(match) is not None for match in told)
    return nicks >= _FEWEST and len(told) + days >= _SHARE * len(filled)


def read(source: Source, options: Options) -> Iterator[Conversation]:
    """Yield the log as one conversation, named by the file."""
    talk = Talk(conversation_name(source.name), source, options)
    yield Conversation(talk.name, source.label, partial(_messages, talk))


def _messages(talk: Talk) -> Iterator[Message]:
    named = _IN_NAME.search(talk.source.name)
    today = _day("-".join(named.groups())) if named else None
    held: _Said | None = None
    for number, line in talk.source.lines():
        if mark := _DAY_LINE.fullmatch(line):
            today = _day(mark["day"]) or today
            continue
        match = _match(line)
        if match is None:
            held = replace(held, text=f"{held.text}\n{line.strip()}") if held is not None and line.strip() else held
            continue
        if held is not None and (message := _message(talk, held)) is not None:
            yield message
        held = _said(match, number, today)
    if held is not None and (message := _message(talk, held)) is not None:
        yield message


def _message(talk: Talk, said: _Said) -> Message | None:
    day = _day(said.day) if said.day else said.today
    zone = talk.options.zone
    moment: tuple[datetime | None, str | None] = (None, zone.key)
    clock = _clock(said.clock)
    if day is not None and clock is not None:
        written = parse_date(f"{day.isoformat()} {said.clock}{said.zone or ''}")
        moment = localise(written or datetime.combine(day, clock), zone)
    return talk.message(said.text, speaker=said.nick, moment=moment, metadata={"line": str(said.line)})


def _match(line: str) -> re.Match[str] | None:
    return _LINE.fullmatch(line) or _TABBED.fullmatch(line)


def _said(match: re.Match[str], line: int = 0, today: date | None = None) -> _Said | None:
    """Return speaker and text of a line; None for joins, mode changes and the like."""
    fields = match.groupdict()
    nick, text = (fields.get("nick"), fields.get("text")) if fields.get("nick") else (None, None)
    if nick is None and fields.get("actor"):
        nick, text = fields["actor"], fields["action"]
    if nick is None or nick.strip() in _EVENT_NICKS or not (text or "").strip():
        return None
    zone = fields.get("zone") or None
    return _Said(nick.strip(), (text or "").strip(), fields["day"], fields["clock"], zone, line, today)


def _day(text: str) -> date | None:
    """Return the day that a line names: 2024-03-09, Sat Mar 09 18:21:10 2024, or Sat 09 Mar 2024."""
    plain = _WEEKDAY_FIRST.sub(r"\2 \1 \3", text)
    found = parse_date(plain)
    return found.date() if found is not None else None


def _clock(text: str) -> time | None:
    try:
        return time.fromisoformat(text.zfill(len("18:21") if text.count(":") == 1 else len("18:21:10")))
    except ValueError:
        return None
