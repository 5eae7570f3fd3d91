"""Decides which facts are new, known, or end an older one: the rules that need no judge.

A fact ends others only if its words say so: it replaces the former value (moved to, switched to), denies it, names what
is over, or is the opposite of it (likes, dislikes). Two values without such words hold side by side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import Family, canonical, excludes, family, is_lasting, releases
from mnemo.ingestion.resolution.topics import carries_out, ended_by_words, is_plan
from mnemo.ingestion.resolution.types import Closing, Ending, Opening, ResolvedFact, Verdict

__all__ = ["FactsDecided", "resolve_facts"]


@dataclass(frozen=True, slots=True)
class FactsDecided:
    """What the facts of one window do to the graph."""

    edges: tuple[ResolvedFact, ...]
    """New, in order of the facts, closed already where another one of them ends them."""
    edge_of: tuple[str, ...]
    """One uuid a fact, in their order: its own when it is new, else of the edge it repeats."""
    closings: tuple[Closing, ...]
    openings: tuple[Opening, ...]
    endings: tuple[Ending, ...] = ()
    """In order of the edges that end; no pair twice."""
    confirmed: tuple[str, ...] = ()
    """Uuids of stored facts that were unsure and are now stated for certain."""


@dataclass(slots=True)
class _Entry:
    """A fact, stored or new, while the facts of a window are added one by one."""

    edge: ResolvedFact
    before: ResolvedFact
    """As it was given; what differs in `edge` is written."""
    ends: dict[str, datetime] = field(default_factory=dict)
    """Uuids of the facts that rule it out to when, as found in this window."""

    def update(self, **changes: Any) -> None:
        """Change fields of the fact."""
        self.edge = replace(self.edge, **changes)

    def close(self, moment: datetime, by: str) -> None:
        """End it at a moment because of another fact, unless it ended before."""
        edge = self.edge
        end = moment if edge.valid_from is None else max(moment, edge.valid_from)
        self.ends[by] = min(end, self.ends.get(by, end))
        if edge.valid_to is None or edge.valid_to > moment:
            self.update(valid_to=end)


def resolve_facts(
    facts: Sequence[ResolvedFact],
    existing: Sequence[ResolvedFact],
    verdicts: Mapping[tuple[str, str], Verdict] | None = None,
) -> FactsDecided:
    """Add each fact of a window to the stored ones.

    Repeats (same subject, relation and object, held at that time; for events the same sentence or the
    same time) add no edge. Of two that rule one another out, the older is closed at the start of the
    newer: its `valid_from`, else when it was said; at equal times the one that comes later here is the newer.
    An entry that was repeated after a late-arriving fact is not closed by it; that fact ends there instead.

    Args:
        facts: In the order in which they were stated.
        existing: Edges with the same subjects, open or closed; others are left alone.
        verdicts: What a judge said of (uuid of a fact, uuid of an edge).
    """
    board = _Board([_Entry(edge, edge) for edge in existing], verdicts or {})
    edge_of = tuple(board.place(fact) for fact in facts)
    stored = [entry for entry in board.entries if entry.edge.stored]
    return FactsDecided(
        edges=tuple(entry.edge for entry in board.entries if not entry.edge.stored),
        edge_of=edge_of,
        closings=tuple(
            Closing(edge=entry.edge.uuid, valid_to=entry.edge.valid_to)
            for entry in stored
            if entry.edge.valid_to is not None and entry.edge.valid_to != entry.before.valid_to
        ),
        openings=tuple(
            Opening(edge=entry.edge.uuid, valid_from=entry.edge.valid_from)
            for entry in stored
            if entry.edge.valid_from is not None and entry.edge.valid_from != entry.before.valid_from
        ),
        endings=tuple(
            Ending(by=by, edge=entry.edge.uuid, valid_to=moment)
            for entry in board.entries
            for by, moment in entry.ends.items()
        ),
        confirmed=tuple(entry.edge.uuid for entry in stored if entry.edge.certain and not entry.before.certain),
    )


class _Board:
    """The entries, and how a fact changes them."""

    def __init__(self, entries: list[_Entry], verdicts: Mapping[tuple[str, str], Verdict]) -> None:
        self.entries = entries
        self._verdicts = verdicts
        self._left: dict[str, str] = {}
        """By subject: the relation to what was switched from last, for what it was switched to."""

    def place(self, fact: ResolvedFact) -> str:
        """Add a fact; return the uuid of its edge."""
        relation, state = canonical(fact.relation, fact.state)
        if relation == "switched_to":
            fact = replace(fact, valid_from=fact.valid_from or fact.said_at)
            relation, state = (
                (self._left[fact.subject], state) if fact.subject in self._left else (relation, "happened")
            )
        fact = replace(fact, relation=relation, state=state)
        kin = family(relation)
        if state == "begins" and kin.scope == "subject":
            fact = replace(fact, replaces=True)
        if state == "ends":
            edge = self._end(fact, kin)
        else:
            edge = self._event(fact) if state == "happened" else self._state(fact, kin)
        self._close_by_words(replace(fact, uuid=edge))
        return edge

    def _close_by_words(self, fact: ResolvedFact) -> None:
        """Close what a fact says is over, and the plans that it carries out."""
        moment = fact.valid_to if fact.state == "ends" and fact.valid_to is not None else fact.start
        open_ = [e for e in self.entries if e.edge.valid_to is None and e.edge.uuid != fact.uuid]
        ended = {edge.uuid for edge in ended_by_words([entry.edge for entry in open_], fact)}
        for entry in open_:
            edge = entry.edge
            if edge.uuid in ended or carries_out(edge, fact):
                entry.update(state="holds")
                self._call_off(entry, fact) if is_plan(edge) or edge.recurs else entry.close(moment, fact.uuid)

    @staticmethod
    def _call_off(entry: _Entry, fact: ResolvedFact) -> None:
        """End a plan when that was said, also before it would have begun."""
        moment = min(fact.start, fact.said_at)
        entry.ends[fact.uuid] = moment
        entry.update(valid_to=moment)

    def _event(self, fact: ResolvedFact) -> str:
        for entry in self._alike(fact):
            same_text = name_key(entry.edge.fact) == name_key(fact.fact)
            same_time = (
                fact.valid_from is not None and entry.edge.valid_from == fact.valid_from and fact.object is not None
            )
            if same_text or same_time or self._verdict(fact, entry) == "same":
                return _repeat(entry, fact)
        moment = fact.start
        released = [entry for entry in self.entries if _released(entry, fact, moment)]
        edge = self._add(replace(fact, valid_from=moment) if released else fact)
        for entry in released:  # who sold the Toyota drives it no more
            entry.close(moment, edge)
            self._left |= {fact.subject: entry.edge.relation} if fact.relation == "switched_from" else {}
        return edge

    def _end(self, fact: ResolvedFact, kin: Family) -> str:
        moment = fact.valid_to or fact.start
        known_time = fact.valid_to or fact.valid_from
        ended = [entry for entry in self._timeline(fact, kin) if _ends(fact, entry, moment, kin)]
        if kin.name in {"employer", "home"} and fact.object is None:
            ended = self._only_one(fact, kin, ended)
        told = known_time or (moment if ended else None)
        edge = self._event(replace(fact, relation=kin.ending, valid_from=told, valid_to=None, state="happened"))
        for entry in ended:
            entry.close(moment, edge)
        return edge

    def _only_one(self, fact: ResolvedFact, kin: Family, members: list[_Entry]) -> list[_Entry]:
        """Return what ends with an unnamed job or home: the only one, and the trade with a job; of two, none."""
        open_ = [entry for entry in members if entry.edge.valid_to is None]
        if len(open_) > 1 or kin.name == "home":
            return open_ if len(open_) == 1 else []
        own = (entry for entry in self.entries if entry.edge.subject == fact.subject and entry.edge.valid_to is None)
        trades = [entry for entry in own if entry.edge.relation == "works_as"]
        return [*open_, *(trades if len(trades) == 1 else [])]

    def _state(self, fact: ResolvedFact, kin: Family) -> str:
        start = fact.start
        line = self._timeline(fact, kin)
        for entry in line:
            if _same_value(entry, fact, kin) and _says_it(entry, fact) and self._repeats(entry, fact, line, kin):
                return _repeat(entry, fact)
        rivals = [entry for entry in line if not _same_value(entry, fact, kin)]
        rivals += [entry for entry in self._alike(fact) if self._verdict(fact, entry) == "contradicts"]
        rivals = [entry for entry in rivals if not _over(entry)]
        if fact.valid_from is None and fact.valid_to is not None and fact.valid_to <= start:
            return self._add(replace(fact, valid_from=_latest_before(fact.valid_to, rivals)))
        older = [entry for entry in rivals if self._rules_out(fact, entry.edge, kin) and _told_before(entry, fact)]
        newer = [
            entry
            for entry in rivals
            if entry not in older and entry.edge.start > start and self._rules_out(entry.edge, fact, kin)
        ]
        for entry in older:
            entry.close(start, fact.uuid)
        ends = {entry.edge.uuid: entry.edge.start for entry in (*newer, *self._ended_after(fact, kin, start))}
        ends |= {
            entry.edge.uuid: entry.edge.last_said
            for entry in rivals
            if entry.edge.start <= start
            and (entry.edge.valid_to is None or entry.edge.valid_to > start)
            and entry.edge.last_said > fact.said_at
            and self._rules_out(entry.edge, fact, kin)
        }
        for entry in newer:
            if entry.edge.valid_from is None:
                entry.update(valid_from=entry.edge.start)
        return self._add(replace(fact, valid_from=start if older else fact.valid_from), ends)

    def _rules_out(self, newer: ResolvedFact, older: ResolvedFact, kin: Family) -> bool:
        """Return whether two facts of one family cannot both hold, so that the newer one ends the older one."""
        if "contradicts" in {self._verdicts.get(pair) for pair in ((newer.uuid, older.uuid), (older.uuid, newer.uuid))}:
            return True
        if kin.scope == "object":
            return newer.relation != older.relation
        return newer.replaces or kin.by_nature or excludes(newer, older)

    def _repeats(self, entry: _Entry, fact: ResolvedFact, line: list[_Entry], kin: Family) -> bool:
        """Return whether a fact with the entry's value adds nothing: no other value held in between."""
        start = fact.start
        if entry.edge.valid_to is not None and entry.edge.valid_to <= start:
            return False
        if entry.edge.start <= start:
            return True
        between = [
            other
            for other in line
            if not _same_value(other, fact, kin) and start <= other.edge.start <= entry.edge.start
        ]
        return entry.edge.valid_from is None and fact.valid_from is None and not between

    def _ended_after(self, fact: ResolvedFact, kin: Family, start: datetime) -> list[_Entry]:
        """Return the known events that ended this state, if it began before them."""
        return [
            entry
            for entry in self.entries
            if entry.edge.subject == fact.subject
            and entry.edge.relation == kin.ending
            and entry.edge.start > start
            and (entry.edge.object is None or entry.edge.object == fact.object)
        ]

    def _timeline(self, fact: ResolvedFact, kin: Family) -> list[_Entry]:
        return [
            entry
            for entry in self.entries
            if entry.edge.subject == fact.subject
            and entry.edge.relation in kin.members
            and (kin.scope == "subject" or _same_object(entry, fact, kin))
        ]

    def _alike(self, fact: ResolvedFact) -> list[_Entry]:
        """Entries of the same subject that repeat the fact, or may by a judge's word."""
        return [
            entry
            for entry in self.entries
            if entry.edge.subject == fact.subject
            and (
                (entry.edge.relation == fact.relation and entry.edge.object == fact.object)
                or self._verdict(fact, entry)
            )
        ]

    def _verdict(self, fact: ResolvedFact, entry: _Entry) -> Verdict | None:
        return self._verdicts.get((fact.uuid, entry.edge.uuid))

    def _add(self, fact: ResolvedFact, ends: Mapping[str, datetime] | None = None) -> str:
        """Add a new edge that ends at the first of the given moments, each because of another edge."""
        until = min((*(ends or {}).values(), *([fact.valid_to] if fact.valid_to else ())), default=None)
        edge = replace(fact, valid_to=until, stated_to=fact.valid_to)
        self.entries.append(_Entry(edge, edge, ends=dict(ends or {})))
        return edge.uuid


def _repeat(entry: _Entry, fact: ResolvedFact) -> str:
    """Note that a fact says again what an entry says; return the uuid of the entry's edge."""
    edge = entry.edge
    entry.update(last_said_at=max(edge.last_said, fact.said_at), certain=edge.certain or fact.certain)
    return edge.uuid


def _over(entry: _Entry) -> bool:
    """Return whether the fact never held: an interval without length."""
    return (
        entry.edge.valid_from is not None
        and entry.edge.valid_to is not None
        and entry.edge.valid_to <= entry.edge.valid_from
    )


def _told_before(entry: _Entry, fact: ResolvedFact) -> bool:
    """Return whether an entry is older than a fact: it began earlier and was not repeated after it."""
    edge = entry.edge
    if edge.last_said > fact.said_at:
        return False
    return edge.valid_from is None or edge.valid_from <= fact.start


def _latest_before(end: datetime, rivals: Sequence[_Entry]) -> datetime | None:
    """Return when the last of the others ended or began before a state that was over when it was stated."""
    turns = [entry.edge.valid_to or entry.edge.start for entry in rivals]
    return max((turn for turn in turns if turn < end), default=None)


def _released(entry: _Entry, event: ResolvedFact, moment: datetime) -> bool:
    """Return whether an event gives up what an entry states."""
    had = entry.edge.subject == event.subject and entry.edge.object is not None and entry.edge.object == event.object
    open_ = entry.edge.start <= moment and (entry.edge.valid_to is None or entry.edge.valid_to > moment)
    return had and open_ and releases(event.relation, entry.edge.relation)


def _ends(fact: ResolvedFact, entry: _Entry, moment: datetime, kin: Family) -> bool:
    """Return whether a fact that reports an end matches an entry."""
    fits = fact.object is None or entry.edge.object in {None, fact.object}
    return fits and entry.edge.start <= moment and _positive(entry, kin)


def _says_it(entry: _Entry, fact: ResolvedFact) -> bool:
    """Return whether an entry contains every word of a fact, for relations that may have several values."""
    return is_lasting(fact.relation) or set(name_key(fact.fact).split()) <= set(name_key(entry.edge.fact).split())


def _same_object(entry: _Entry, fact: ResolvedFact, kin: Family) -> bool:
    if entry.edge.object is None and fact.object is None and kin.name.startswith("is_"):
        return True  # the relation says it all: is_vegan
    if entry.edge.object is None and fact.object is None:
        return name_key(entry.edge.fact) == name_key(fact.fact)
    return entry.edge.object == fact.object


def _same_value(entry: _Entry, fact: ResolvedFact, kin: Family) -> bool:
    if entry.edge.relation != fact.relation:
        return False
    by_text = kin.by_text and (entry.edge.object is None or fact.object is None)
    if by_text or kin.scope == "object":
        return kin.scope == "object" or name_key(entry.edge.fact) == name_key(fact.fact)
    return entry.edge.object is None or fact.object is None or entry.edge.object == fact.object


def _positive(entry: _Entry, kin: Family) -> bool:
    """Whether the entry states what can end: not a negation, and no dislike when an interest is lost."""
    return not entry.edge.relation.startswith("not_") and (kin.name != "feels_about" or entry.edge.relation == "likes")
