"""Rules that decide whether a fact is new, repeats a stored one, or ends it.

A fact ends another only if its text says so: it replaces the earlier value (moved to, switched to), denies it, names
it as over, or is its opposite (likes, dislikes). Otherwise both values hold at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import Family, canonical, ends_relation, excludes, family_of, is_lasting
from mnemo.ingestion.resolution.topics import facts_ended_by, fulfils_plan, is_plan
from mnemo.ingestion.resolution.types import Closing, Ending, Opening, ResolvedFact, Verdict

__all__ = ["FactResolution", "resolve_facts"]


@dataclass(frozen=True, slots=True)
class FactResolution:
    """How the facts of one window change the graph."""

    edges: tuple[ResolvedFact, ...]
    """New facts, in order; already closed if another one of the window ends them."""
    edge_uuids: tuple[str, ...]
    """One uuid per given fact, in order: its own if it is new, else that of the edge it repeats."""
    closings: tuple[Closing, ...]
    openings: tuple[Opening, ...]
    endings: tuple[Ending, ...] = ()
    """In the order of the ended edges; no pair twice."""
    confirmed: tuple[str, ...] = ()
    """Uuids of stored facts that were unsure and are now stated for certain."""


@dataclass(slots=True)
class _Entry:
    """A stored or new fact while the facts of a window are added one by one."""

    edge: ResolvedFact
    original: ResolvedFact
    """The fact as given; differences in `edge` are written."""
    end_by_fact: dict[str, datetime] = field(default_factory=dict)
    """By the uuid of a fact that ends it, the end; only endings found in this window."""

    def update(self, **changes: Any) -> None:
        """Replace fields of the fact."""
        self.edge = replace(self.edge, **changes)

    def close(self, moment: datetime, by: str) -> None:
        """End it at a moment because of another fact; an earlier end stays."""
        edge = self.edge
        end = moment if edge.valid_from is None else max(moment, edge.valid_from)
        self.end_by_fact[by] = min(end, self.end_by_fact.get(by, end))
        if edge.valid_to is None or edge.valid_to > moment:
            self.update(valid_to=end)


def resolve_facts(
    facts: Sequence[ResolvedFact],
    existing: Sequence[ResolvedFact],
    verdicts: Mapping[tuple[str, str], Verdict] | None = None,
) -> FactResolution:
    """Merge the facts of a window into the stored ones.

    Repeats (same subject, relation and object, holding at that time; for events the same sentence or time) add no
    edge. Of two facts that exclude each other, the older one is closed at the start of the newer one: its `valid_from`,
    else when it was said. At equal times, the later one in `facts` is the newer. A fact that arrives late does not
    close an entry that was repeated after it; the late fact ends at that repetition instead.

    Args:
        facts: In the order in which they were stated.
        existing: Stored edges with the same subjects, open or closed; edges of other subjects are ignored.
        verdicts: A judge's verdicts by (uuid of a fact, uuid of an edge).
    """
    fact_set = _FactSet([_Entry(edge, edge) for edge in existing], verdicts or {})
    edge_uuids = tuple(fact_set.add(fact) for fact in facts)
    stored = [entry for entry in fact_set.entries if entry.edge.stored]
    return FactResolution(
        edges=tuple(entry.edge for entry in fact_set.entries if not entry.edge.stored),
        edge_uuids=edge_uuids,
        closings=tuple(
            Closing(edge=entry.edge.uuid, valid_to=entry.edge.valid_to)
            for entry in stored
            if entry.edge.valid_to is not None and entry.edge.valid_to != entry.original.valid_to
        ),
        openings=tuple(
            Opening(edge=entry.edge.uuid, valid_from=entry.edge.valid_from)
            for entry in stored
            if entry.edge.valid_from is not None and entry.edge.valid_from != entry.original.valid_from
        ),
        endings=tuple(
            Ending(by=by, edge=entry.edge.uuid, valid_to=moment)
            for entry in fact_set.entries
            for by, moment in entry.end_by_fact.items()
        ),
        confirmed=tuple(entry.edge.uuid for entry in stored if entry.edge.certain and not entry.original.certain),
    )


class _FactSet:
    """The entries of a window, and the effect of each added fact on them."""

    def __init__(self, entries: list[_Entry], verdicts: Mapping[tuple[str, str], Verdict]) -> None:
        self.entries = entries
        self._verdicts = verdicts
        self._switched_from: dict[str, str] = {}
        """By subject: the relation of the fact it last switched from, to be used for the fact it switched to."""

    def add(self, fact: ResolvedFact) -> str:
        """Add a fact; return the uuid of its edge, or of the edge it repeats."""
        relation, state = canonical(fact.relation, fact.state)
        if relation == "switched_to":
            fact = replace(fact, valid_from=fact.valid_from or fact.said_at)
            relation, state = (
                (self._switched_from[fact.subject], state)
                if fact.subject in self._switched_from
                else (relation, "happened")
            )
        fact = replace(fact, relation=relation, state=state)
        family = family_of(relation)
        if state == "begins" and family.scope == "subject":
            fact = replace(fact, replaces=True)
        if state == "ends":
            edge = self._add_end(fact, family)
        else:
            edge = self._add_event(fact) if state == "happened" else self._add_state(fact, family)
        self._close_by_words(replace(fact, uuid=edge))
        return edge

    def _close_by_words(self, fact: ResolvedFact) -> None:
        """Close the entries that a fact's topics end, and the plans that it fulfils."""
        moment = fact.valid_to if fact.state == "ends" and fact.valid_to is not None else fact.start
        open_entries = [e for e in self.entries if e.edge.valid_to is None and e.edge.uuid != fact.uuid]
        ended = {edge.uuid for edge in facts_ended_by([entry.edge for entry in open_entries], fact)}
        for entry in open_entries:
            edge = entry.edge
            if edge.uuid in ended or fulfils_plan(edge, fact):
                entry.update(state="holds")
                self._cancel_plan(entry, fact) if is_plan(edge) or edge.recurs else entry.close(moment, fact.uuid)

    @staticmethod
    def _cancel_plan(entry: _Entry, fact: ResolvedFact) -> None:
        """End a plan when its end was stated, even before its start."""
        moment = min(fact.start, fact.said_at)
        entry.end_by_fact[fact.uuid] = moment
        entry.update(valid_to=moment)

    def _add_event(self, fact: ResolvedFact) -> str:
        for entry in self._possible_repeats(fact):
            same_text = name_key(entry.edge.fact) == name_key(fact.fact)
            same_time = (
                fact.valid_from is not None and entry.edge.valid_from == fact.valid_from and fact.object is not None
            )
            if same_text or same_time or self._verdict(fact, entry) == "same":
                return _record_repeat(entry, fact)
        moment = fact.start
        given_up = [entry for entry in self.entries if _is_given_up(entry, fact, moment)]
        edge = self._add_edge(replace(fact, valid_from=moment) if given_up else fact)
        for entry in given_up:  # someone who sold the Toyota no longer drives it
            entry.close(moment, edge)
            self._switched_from |= {fact.subject: entry.edge.relation} if fact.relation == "switched_from" else {}
        return edge

    def _add_end(self, fact: ResolvedFact, family: Family) -> str:
        moment = fact.valid_to or fact.start
        known_time = fact.valid_to or fact.valid_from
        ended = [entry for entry in self._timeline(fact, family) if _matches_end(fact, entry, moment, family)]
        if family.name in {"employer", "home"} and fact.object is None:
            ended = self._single_match(fact, family, ended)
        valid_from = known_time or (moment if ended else None)
        edge = self._add_event(
            replace(fact, relation=family.ending, valid_from=valid_from, valid_to=None, state="happened")
        )
        for entry in ended:
            entry.close(moment, edge)
        return edge

    def _single_match(self, fact: ResolvedFact, family: Family, members: list[_Entry]) -> list[_Entry]:
        """Return the entries that an unnamed job or home ends: the only open one, with the occupation; else none."""
        open_entries = [entry for entry in members if entry.edge.valid_to is None]
        if len(open_entries) > 1 or family.name == "home":
            return open_entries if len(open_entries) == 1 else []
        own = (entry for entry in self.entries if entry.edge.subject == fact.subject and entry.edge.valid_to is None)
        trades = [entry for entry in own if entry.edge.relation == "works_as"]
        return [*open_entries, *(trades if len(trades) == 1 else [])]

    def _add_state(self, fact: ResolvedFact, family: Family) -> str:
        start = fact.start
        timeline = self._timeline(fact, family)
        for entry in timeline:
            if (
                _same_value(entry, fact, family)
                and _contains_words(entry, fact)
                and self._adds_nothing(entry, fact, timeline, family)
            ):
                return _record_repeat(entry, fact)
        competing = [entry for entry in timeline if not _same_value(entry, fact, family)]
        competing += [entry for entry in self._possible_repeats(fact) if self._verdict(fact, entry) == "contradicts"]
        competing = [entry for entry in competing if not _never_held(entry)]
        if fact.valid_from is None and fact.valid_to is not None and fact.valid_to <= start:
            return self._add_edge(replace(fact, valid_from=_last_change_before(fact.valid_to, competing)))
        older = [entry for entry in competing if self._excludes(fact, entry.edge, family) and _is_older(entry, fact)]
        newer = [
            entry
            for entry in competing
            if entry not in older and entry.edge.start > start and self._excludes(entry.edge, fact, family)
        ]
        for entry in older:
            entry.close(start, fact.uuid)
        end_by_fact = {entry.edge.uuid: entry.edge.start for entry in (*newer, *self._ended_after(fact, family, start))}
        end_by_fact |= {
            entry.edge.uuid: entry.edge.last_said
            for entry in competing
            if entry.edge.start <= start
            and (entry.edge.valid_to is None or entry.edge.valid_to > start)
            and entry.edge.last_said > fact.said_at
            and self._excludes(entry.edge, fact, family)
        }
        for entry in newer:
            if entry.edge.valid_from is None:
                entry.update(valid_from=entry.edge.start)
        return self._add_edge(replace(fact, valid_from=start if older else fact.valid_from), end_by_fact)

    def _excludes(self, newer: ResolvedFact, older: ResolvedFact, family: Family) -> bool:
        """Return whether two facts of one family cannot both hold, so that the newer one ends the older."""
        if "contradicts" in {self._verdicts.get(pair) for pair in ((newer.uuid, older.uuid), (older.uuid, newer.uuid))}:
            return True
        if family.scope == "object":
            return newer.relation != older.relation
        return newer.replaces or family.always_replaces or excludes(newer, older)

    def _adds_nothing(self, entry: _Entry, fact: ResolvedFact, timeline: list[_Entry], family: Family) -> bool:
        """Return whether a fact with the entry's value adds nothing, because no other value held in between."""
        start = fact.start
        if entry.edge.valid_to is not None and entry.edge.valid_to <= start:
            return False
        if entry.edge.start <= start:
            return True
        between = [
            other
            for other in timeline
            if not _same_value(other, fact, family) and start <= other.edge.start <= entry.edge.start
        ]
        return entry.edge.valid_from is None and fact.valid_from is None and not between

    def _ended_after(self, fact: ResolvedFact, family: Family, start: datetime) -> list[_Entry]:
        """Return the known events after `start` that ended this state."""
        return [
            entry
            for entry in self.entries
            if entry.edge.subject == fact.subject
            and entry.edge.relation == family.ending
            and entry.edge.start > start
            and (entry.edge.object is None or entry.edge.object == fact.object)
        ]

    def _timeline(self, fact: ResolvedFact, family: Family) -> list[_Entry]:
        return [
            entry
            for entry in self.entries
            if entry.edge.subject == fact.subject
            and entry.edge.relation in family.members
            and (family.scope == "subject" or _same_object(entry, fact, family))
        ]

    def _possible_repeats(self, fact: ResolvedFact) -> list[_Entry]:
        """Return the entries of the same subject with the same relation and object, or with a judge's verdict."""
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

    def _add_edge(self, fact: ResolvedFact, end_by_fact: Mapping[str, datetime] | None = None) -> str:
        """Add a new edge that ends at the earliest of its own end and `end_by_fact`; return its uuid.

        Args:
            fact: The new fact.
            end_by_fact: By the uuid of another edge that ends it, the end.
        """
        until = min((*(end_by_fact or {}).values(), *([fact.valid_to] if fact.valid_to else ())), default=None)
        edge = replace(fact, valid_to=until, stated_to=fact.valid_to)
        self.entries.append(_Entry(edge, edge, end_by_fact=dict(end_by_fact or {})))
        return edge.uuid


def _record_repeat(entry: _Entry, fact: ResolvedFact) -> str:
    """Record that a fact repeats an entry; return the uuid of the entry's edge."""
    edge = entry.edge
    entry.update(last_said_at=max(edge.last_said, fact.said_at), certain=edge.certain or fact.certain)
    return edge.uuid


def _never_held(entry: _Entry) -> bool:
    """Return whether the fact never held: its interval is empty."""
    return (
        entry.edge.valid_from is not None
        and entry.edge.valid_to is not None
        and entry.edge.valid_to <= entry.edge.valid_from
    )


def _is_older(entry: _Entry, fact: ResolvedFact) -> bool:
    """Return whether an entry is older than a fact: it did not begin later and was not repeated after it."""
    edge = entry.edge
    if edge.last_said > fact.said_at:
        return False
    return edge.valid_from is None or edge.valid_from <= fact.start


def _last_change_before(end: datetime, competing: Sequence[_Entry]) -> datetime | None:
    """Return the latest end or start of other values before `end`; None without one."""
    changes = [entry.edge.valid_to or entry.edge.start for entry in competing]
    return max((change for change in changes if change < end), default=None)


def _is_given_up(entry: _Entry, event: ResolvedFact, moment: datetime) -> bool:
    """Return whether an event (sold, quit) ends an open entry about the same thing."""
    same_thing = (
        entry.edge.subject == event.subject and entry.edge.object is not None and entry.edge.object == event.object
    )
    is_open = entry.edge.start <= moment and (entry.edge.valid_to is None or entry.edge.valid_to > moment)
    return same_thing and is_open and ends_relation(event.relation, entry.edge.relation)


def _matches_end(fact: ResolvedFact, entry: _Entry, moment: datetime, family: Family) -> bool:
    """Return whether a fact that states an end is about an entry."""
    same_object = fact.object is None or entry.edge.object in {None, fact.object}
    return same_object and entry.edge.start <= moment and _can_end(entry, family)


def _contains_words(entry: _Entry, fact: ResolvedFact) -> bool:
    """Return whether an entry contains all words of a fact; always true for lasting relations."""
    return is_lasting(fact.relation) or set(name_key(fact.fact).split()) <= set(name_key(entry.edge.fact).split())


def _same_object(entry: _Entry, fact: ResolvedFact, family: Family) -> bool:
    if entry.edge.object is None and fact.object is None and family.name.startswith("is_"):
        return True  # the relation contains the value: is_vegan
    if entry.edge.object is None and fact.object is None:
        return name_key(entry.edge.fact) == name_key(fact.fact)
    return entry.edge.object == fact.object


def _same_value(entry: _Entry, fact: ResolvedFact, family: Family) -> bool:
    if entry.edge.relation != fact.relation:
        return False
    by_text = family.by_text and (entry.edge.object is None or fact.object is None)
    if by_text or family.scope == "object":
        return family.scope == "object" or name_key(entry.edge.fact) == name_key(fact.fact)
    return entry.edge.object is None or fact.object is None or entry.edge.object == fact.object


def _can_end(entry: _Entry, family: Family) -> bool:
    """Return whether an end can apply to an entry: not to a negation, and not to a dislike."""
    return not entry.edge.relation.startswith("not_") and (
        family.name != "feels_about" or entry.edge.relation == "likes"
    )
