"""Which fact is new, which known already, and which ends an older one: the rules that need no judge.

The facts that may rule one another out make a timeline: one subject, one family of relations, and
for some families one object. On it each value holds until the next one starts, in whatever order
they were told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from mnemo.ingestion.extraction import State
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import Family, canonical, family, is_lasting, releases
from mnemo.ingestion.resolution.types import Closing, EdgeWrite, Ending, Opening, Standing, Verdict
from mnemo.models.graph import Precision

__all__ = ["FactsDecided", "Placed", "resolve_facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A fact whose names have become uuids."""

    uuid: str
    """Of the edge to create if it is new."""
    subject: str
    relation: str
    object: str | None
    fact: str
    state: State
    valid_from: datetime | None
    valid_to: datetime | None
    said_at: datetime
    when: str | None
    precision: Precision


@dataclass(frozen=True, slots=True)
class FactsDecided:
    """What the facts of one window do to the graph."""

    edges: tuple[EdgeWrite, ...]
    """New, in order of the facts, closed already where another one of them ends them."""
    edge_of: tuple[str, ...]
    """One uuid a fact, in their order: its own when it is new, else of the edge it repeats."""
    closings: tuple[Closing, ...]
    openings: tuple[Opening, ...]
    endings: tuple[Ending, ...] = ()
    """In order of the edges that end; no pair twice."""


@dataclass(slots=True)
class _Entry:
    """An edge, known or new, as it stands while the facts come in one by one."""

    uuid: str
    subject: str
    relation: str
    object: str | None
    fact: str
    valid_from: datetime | None
    valid_to: datetime | None
    said_at: datetime
    last_said: datetime
    new: EdgeWrite | None = None
    changed: set[str] = field(default_factory=set)
    ends: dict[str, datetime] = field(default_factory=dict)
    """When each of other edges rules it out, as found in this window."""

    @property
    def start(self) -> datetime:
        """When it began as far as is known: no later than it was said."""
        return self.valid_from or self.said_at

    def close(self, moment: datetime, by: str) -> None:
        """End it then by another edge, unless it ended before."""
        end = moment if self.valid_from is None else max(moment, self.valid_from)
        self.ends[by] = min(end, self.ends.get(by, end))
        if self.valid_to is None or self.valid_to > moment:
            self.valid_to = end
            self.changed.add("valid_to")


def resolve_facts(
    facts: Sequence[Placed],
    existing: Sequence[Standing],
    verdicts: Mapping[tuple[str, str], Verdict] | None = None,
) -> FactsDecided:
    """Place each fact among those that stand.

    Repeats (same subject, relation and object, held at that time; for events the same sentence or the
    same time) add no edge. Of two that rule one another out, the older is closed at the start of the
    newer: its `valid_from`, else when it was said; at equal times the one that comes later here is the newer.
    One that was stated again after a fact told late is not closed by it: that fact ends there instead.

    Args:
        facts: In the order in which they were told.
        existing: Edges with the same subjects, open or closed; others are left alone.
        verdicts: What a judge said of (uuid of a fact, uuid of an edge).
    """
    board = _Board([_from_standing(edge) for edge in existing], verdicts or {})
    edge_of = tuple(board.place(fact) for fact in facts)
    entries = board.entries
    return FactsDecided(
        edges=tuple(_written(entry) for entry in entries if entry.new is not None),
        edge_of=edge_of,
        closings=tuple(
            Closing(edge=entry.uuid, valid_to=entry.valid_to)
            for entry in entries
            if entry.new is None and entry.valid_to is not None and "valid_to" in entry.changed
        ),
        openings=tuple(
            Opening(edge=entry.uuid, valid_from=entry.valid_from)
            for entry in entries
            if entry.new is None and entry.valid_from is not None and "valid_from" in entry.changed
        ),
        endings=tuple(
            Ending(by=by, edge=entry.uuid, valid_to=moment) for entry in entries for by, moment in entry.ends.items()
        ),
    )


class _Board:
    """The entries, and how a fact changes them."""

    def __init__(self, entries: list[_Entry], verdicts: Mapping[tuple[str, str], Verdict]) -> None:
        self.entries = entries
        self._verdicts = verdicts
        self._left: dict[str, str] = {}
        """By subject: the relation to what was switched from last, for what it was switched to."""

    def place(self, fact: Placed) -> str:
        """Take a fact in; return the uuid of its edge."""
        relation, state = canonical(fact.relation, fact.state)
        if relation == "switched_to":
            fact = replace(fact, valid_from=fact.valid_from or fact.said_at)
            relation, state = (
                (self._left[fact.subject], state) if fact.subject in self._left else (relation, "happened")
            )
        fact = replace(fact, relation=relation, state=state)
        kin = family(relation)
        if state == "ends":
            return self._end(fact, kin)
        if state == "happened":
            return self._event(fact)
        return self._state(fact, kin)

    def _event(self, fact: Placed) -> str:
        for entry in self._alike(fact):
            same_text = name_key(entry.fact) == name_key(fact.fact)
            same_time = fact.valid_from is not None and entry.valid_from == fact.valid_from and fact.object is not None
            if same_text or same_time or self._verdict(fact, entry) == "same":
                return entry.uuid
        moment = fact.valid_from or fact.said_at
        released = [entry for entry in self.entries if _released(entry, fact, moment)]
        edge = self._add(replace(fact, valid_from=moment) if released else fact)
        for entry in released:  # who sold the Toyota drives it no more
            entry.close(moment, edge)
            self._left |= {fact.subject: entry.relation} if fact.relation == "switched_from" else {}
        return edge

    def _end(self, fact: Placed, kin: Family) -> str:
        moment = fact.valid_to or fact.valid_from or fact.said_at
        known_time = fact.valid_to or fact.valid_from
        ended = [entry for entry in self._timeline(fact, kin) if _ends(fact, entry, moment, kin)]
        told = known_time or (moment if ended else None)
        edge = self._event(replace(fact, relation=kin.ending, valid_from=told, valid_to=None, state="happened"))
        for entry in ended:
            entry.close(moment, edge)
        return edge

    def _state(self, fact: Placed, kin: Family) -> str:
        start = fact.valid_from or fact.said_at
        line = self._timeline(fact, kin)
        for entry in line:
            if _same_value(entry, fact, kin) and _says_it(entry, fact) and self._repeats(entry, fact, line, kin):
                entry.last_said = max(entry.last_said, fact.said_at)
                return entry.uuid
        rivals = [entry for entry in line if not _same_value(entry, fact, kin)]
        rivals += [entry for entry in self._alike(fact) if self._verdict(fact, entry) == "contradicts"]
        rivals = [entry for entry in rivals if not _over(entry)]
        if fact.valid_from is None and fact.valid_to is not None and fact.valid_to <= start:
            return self._add(replace(fact, valid_from=_latest_before(fact.valid_to, rivals)))
        older = [entry for entry in rivals if entry.start <= start and not _said_again(entry, start)]
        newer = [entry for entry in rivals if entry.start > start]
        for entry in older:
            entry.close(start, fact.uuid)
        ends = {entry.uuid: entry.start for entry in (*newer, *self._ended_after(fact, kin, start))}
        ends |= {entry.uuid: entry.last_said for entry in rivals if entry.start <= start and _said_again(entry, start)}
        for entry in newer:
            if entry.valid_from is None:
                entry.valid_from = entry.start
                entry.changed.add("valid_from")
        return self._add(replace(fact, valid_from=start if older else fact.valid_from), ends)

    def _repeats(self, entry: _Entry, fact: Placed, line: list[_Entry], kin: Family) -> bool:
        """Whether a fact of the same value says no more than the entry does: nothing else held between."""
        start = fact.valid_from or fact.said_at
        if entry.valid_to is not None and entry.valid_to <= start:
            return False
        if entry.start <= start:
            return True
        between = [other for other in line if not _same_value(other, fact, kin) and start <= other.start <= entry.start]
        return entry.valid_from is None and fact.valid_from is None and not between

    def _ended_after(self, fact: Placed, kin: Family, start: datetime) -> list[_Entry]:
        """Events told already that ended this state, if it began before them."""
        return [
            entry
            for entry in self.entries
            if entry.subject == fact.subject
            and entry.relation == kin.ending
            and entry.start > start
            and (entry.object is None or entry.object == fact.object)
        ]

    def _timeline(self, fact: Placed, kin: Family) -> list[_Entry]:
        return [
            entry
            for entry in self.entries
            if entry.subject == fact.subject
            and entry.relation in kin.members
            and (kin.scope == "subject" or _same_object(entry, fact, kin))
        ]

    def _alike(self, fact: Placed) -> list[_Entry]:
        """Entries of the same subject that repeat the fact, or may by a judge's word."""
        return [
            entry
            for entry in self.entries
            if entry.subject == fact.subject
            and ((entry.relation == fact.relation and entry.object == fact.object) or self._verdict(fact, entry))
        ]

    def _verdict(self, fact: Placed, entry: _Entry) -> Verdict | None:
        return self._verdicts.get((fact.uuid, entry.uuid))

    def _add(self, fact: Placed, ends: Mapping[str, datetime] | None = None) -> str:
        """Take in a new edge that ends at the first of the given moments, each by another edge."""
        until = min((*(ends or {}).values(), *([fact.valid_to] if fact.valid_to else ())), default=None)
        write = EdgeWrite(
            uuid=fact.uuid,
            subject=fact.subject,
            relation=fact.relation,
            object=fact.object,
            fact=fact.fact,
            valid_from=fact.valid_from,
            valid_to=until,
            said_at=fact.said_at,
            when=fact.when,
            precision=fact.precision,
            stated_to=fact.valid_to,
        )
        self.entries.append(
            _Entry(
                write.uuid,
                write.subject,
                write.relation,
                write.object,
                write.fact,
                write.valid_from,
                write.valid_to,
                write.said_at,
                write.said_at,
                new=write,
                ends=dict(ends or {}),
            ),
        )
        return write.uuid


def _from_standing(edge: Standing) -> _Entry:
    return _Entry(
        edge.uuid,
        edge.subject,
        edge.relation,
        edge.object,
        edge.fact,
        edge.valid_from,
        edge.valid_to,
        edge.said_at,
        edge.last_said_at or edge.said_at,
    )


def _written(entry: _Entry) -> EdgeWrite:
    assert entry.new is not None  # noqa: S101  # the caller has chosen the new ones
    return replace(entry.new, valid_from=entry.valid_from, valid_to=entry.valid_to)


def _over(entry: _Entry) -> bool:
    """Whether it never held: an interval without length."""
    return entry.valid_from is not None and entry.valid_to is not None and entry.valid_to <= entry.valid_from


def _said_again(entry: _Entry, moment: datetime) -> bool:
    """Whether an entry that holds then was stated anew after it: what comes late from before ends nothing."""
    again = entry.last_said > entry.said_at or entry.valid_from is None
    return again and entry.last_said > moment and (entry.valid_to is None or entry.valid_to > moment)


def _latest_before(end: datetime, rivals: Sequence[_Entry]) -> datetime | None:
    """When the last of others was over, or began, before a state that was over when it was told."""
    turns = [entry.valid_to or entry.start for entry in rivals]
    return max((turn for turn in turns if turn < end), default=None)


def _released(entry: _Entry, event: Placed, moment: datetime) -> bool:
    """Whether an event gives up what an entry states."""
    had = entry.subject == event.subject and entry.object is not None and entry.object == event.object
    open_ = entry.start <= moment and (entry.valid_to is None or entry.valid_to > moment)
    return had and open_ and releases(event.relation, entry.relation)


def _ends(fact: Placed, entry: _Entry, moment: datetime, kin: Family) -> bool:
    """Whether a fact that something is over means what an entry states."""
    fits = fact.object is None or entry.object in {None, fact.object}
    return fits and entry.start <= moment and _positive(entry, kin)


def _says_it(entry: _Entry, fact: Placed) -> bool:
    """Whether an entry has every word of a fact, where the relation is none of those that have one value."""
    return is_lasting(fact.relation) or set(name_key(fact.fact).split()) <= set(name_key(entry.fact).split())


def _same_object(entry: _Entry, fact: Placed, kin: Family) -> bool:
    if entry.object is None and fact.object is None and kin.name.startswith("is_"):
        return True  # the relation says it all: is_vegan
    if entry.object is None and fact.object is None:
        return name_key(entry.fact) == name_key(fact.fact)
    return entry.object == fact.object


def _same_value(entry: _Entry, fact: Placed, kin: Family) -> bool:
    if entry.relation != fact.relation:
        return False
    by_text = kin.by_text and (entry.object is None or fact.object is None)
    if by_text or kin.scope == "object":
        return kin.scope == "object" or name_key(entry.fact) == name_key(fact.fact)
    return entry.object is None or fact.object is None or entry.object == fact.object


def _positive(entry: _Entry, kin: Family) -> bool:
    """Whether the entry states what can end: not a negation, and no dislike when an interest is lost."""
    return not entry.relation.startswith("not_") and (kin.name != "feels_about" or entry.relation == "likes")
