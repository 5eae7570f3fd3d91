"""The facts that one clause states."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.local.changes.endings import topics_over
from mnemo.ingestion.local.changes.transitions import also
from mnemo.ingestion.local.clauses.predicates import Link, plain_link
from mnemo.ingestion.local.clauses.rendering import render
from mnemo.ingestion.local.clauses.stance import corrected, is_certain, is_replacing
from mnemo.ingestion.local.facts.checks import (
    acts_on_itself,
    ending_link,
    introduces,
    is_left,
    jobless,
    says_little,
    unanchored,
    worth,
)
from mnemo.ingestion.local.facts.dates import dates_of, is_beside
from mnemo.ingestion.local.facts.drafts import Draft, fact_of
from mnemo.ingestion.local.facts.relations import link_of
from mnemo.ingestion.local.lexicon import ADDRESSED, PEOPLE, VAGUE
from mnemo.ingestion.local.names.entities import NamedEntity, owner_name
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import CANONICAL, snake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

    from mnemo.ingestion.extraction import Kind
    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.clauses.rendering import Cast
    from mnemo.ingestion.local.parsing.normalize import Plain
    from mnemo.ingestion.local.reading import WindowReading
    from mnemo.temporal.resolve import When

__all__ = ["keep_clause"]

_KIND_OF: dict[str, Kind] = {
    "lives_in": "place",
    "works_at": "organisation",
    **dict.fromkeys(("married_to", "engaged_to", "dating", "divorced_from"), "person"),
}
"""What one lives in is a place, whatever the parser guessed."""
_HELD = {"works_at": "works at", "lives_in": "lives in"}
"""How a state is worded that is known by its end alone."""
_DANGLING = re.compile(r" (?:from|starting|beginning|as of|since|on|in|at|until|till|by)$")
"""What led to a date that is shown behind the sentence."""
_POSSESSED = frozenset(["mine", "yours", "ours", "theirs", "hers"])


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause and its interpretation."""

    clause: Clause
    cast: Cast
    link: Link
    span: tuple[int, int]
    """Of its words in the message."""
    over: tuple[str, ...]
    """What it says is over."""
    denied: tuple[str, ...]
    """What it denies at its end: Biscuit of `Bruno, not Biscuit`."""
    dates: Sequence[When]


def keep_clause(clause: Clause, made: Plain, reading: WindowReading) -> None:
    """Add the facts of a clause, if it states any.

    Args:
        clause: Of the message's plain form.
        made: That form.
        reading: The message.
    """
    said = _said(clause, made, reading)
    if said is None:
        return
    subject = _subject(said.link.subject or clause.subject, said, reading)
    addressed = clause.subject.lower_ in ADDRESSED and said.link.relation not in CANONICAL and not said.dates
    if subject is None or addressed:
        return
    beside = is_beside(said.link, said.dates, said_at(reading.episode))
    dates = () if beside else said.dates  # when it is so, not since when
    shown = () if beside and said.link.relation.endswith("_is") else said.dates  # the date is the value
    sentence = _sentence(said, made, shown)
    if (
        sentence is None
        or unanchored(said.clause, said.link, dated=bool(dates))
        or not (dates or worth(sentence, subject))
    ):
        return
    entity, link = _object(said, subject, reading)
    link = _standing(link, replace(said, dates=dates), reading)
    target = _target(entity, link, reading) if entity is not None else None
    draft = Draft(link, subject, target, sentence, said.span, dates)
    if target is not None and link.state == "ends" and link.relation in _HELD and is_left(clause):
        _keep_held(draft, reading)
    reading.keep(draft)
    _keep_successor(said, draft, reading)


def _said(clause: Clause, made: Plain, reading: WindowReading) -> _Said | None:
    """Return a clause with its interpretation; None if the speaker states nothing new in it."""
    cast = reading.cast_for(clause)
    link = link_of(clause) or ending_link(clause)
    if cast is None or link is None or acts_on_itself(clause) or says_little(clause, link):
        return None
    clause, denied = corrected(clause)
    if not clause.tokens:
        return None
    span = made.span(clause.tokens[0].idx, clause.tokens[-1].idx + len(clause.tokens[-1]))
    foreign = any(start <= span[0] < end for start, end in reading.foreign)
    if foreign or _is_kept(clause, span, reading) or introduces(clause, reading.speaker or ""):
        return None
    dates = dates_of(clause, span, reading.dates, reading.episode)
    return _Said(clause, cast, link, span, topics_over(clause), denied, dates)


def _is_kept(clause: Clause, span: tuple[int, int], reading: WindowReading) -> bool:
    """Return whether a relationship or a contact of this message already says the same."""
    lemma = clause.verb.lemma_.lower()
    given = any(start < span[1] and span[0] < end for start, end in reading.contacts)
    if given and lemma in {"be", "change", "use"}:
        return True
    if lemma in {"call", "name"}:
        return bool(reading.bonds)
    values = {t.i for t in clause.verb.children if t.dep_ in {"attr", "dobj", "oprd"}}
    return lemma in {"be", "have"} and bool(values & reading.bonds)


def _sentence(said: _Said, made: Plain, shown: Sequence[When]) -> str | None:
    """Return the clause as a sentence, without the date that is shown behind it."""
    clause = said.clause
    drop = {t.i for t in clause.tokens for when in shown if when.span[0] <= made.places[t.idx] < when.span[1]}
    sentence = render(clause, said.cast, drop)
    if sentence is None or not drop:
        return sentence
    sentence = _DANGLING.sub("", sentence)
    if sentence.split()[-1] in {"is", "was", "are", "were"}:
        return render(clause, said.cast, ())  # the date is all that it says
    return sentence


def _standing(link: Link, said: _Said, reading: WindowReading) -> Link:
    """Return a link with its state in time and its relation to earlier statements."""
    clause, dates = said.clause, said.dates
    replaces = is_replacing(clause, link) or bool(said.denied)
    ahead = clause.verb.tag_ == "VBG" and bool(dates) and dates[0].start > said_at(reading.episode)
    topics = [re.sub(r"\bmy (?=\w)", f"{said.cast.speaker}'s ", topic) for topic in (*said.over, *jobless(link))]
    state = link.state
    if state == "holds" and ahead:
        state = "happened"  # we're flying on 4 June
    elif state == "begins" and not replaces:
        state = "holds"
    return replace(link, state=state, topics=(*topics, *said.denied), replaces=replaces, certain=is_certain(clause))


def _subject(subject: Token, said: _Said, reading: WindowReading) -> str | None:
    """Return whom a fact is about: the owner for `my flight`, the speaker for `the trip is off`."""
    if subject.lower_ in _POSSESSED and subject.pos_ != "PROPN":
        return None
    someone = subject.lower_ in PEOPLE or subject.pos_ == "PROPN"
    owner = None if someone else owner_name(subject, said.cast)
    if said.over and owner is None and subject.pos_ == "NOUN" and not someone:
        owner = said.cast.speaker
    entity = NamedEntity(owner, "person") if owner else reading.entity(subject, said.cast)
    if entity is None or not entity.name or entity.name.lower() in VAGUE:
        return None
    known = reading.gathering.known(entity.name)
    return known.name if known is not None and owner else reading.mention(entity)


def _object(said: _Said, subject: str, reading: WindowReading) -> tuple[NamedEntity | None, Link]:
    """Return the object of a fact and its link; a plain link if a canonical relation lacks its object."""
    link = said.link
    if link.object is None:
        ended = said.clause.subject if said.over and said.clause.subject.pos_ == "NOUN" else None
        entity = reading.entity(ended, said.cast) if ended is not None else None
        return (None if entity is None or name_key(entity.name) == name_key(subject) else entity), link
    entity = reading.entity(link.object, said.cast)
    if entity is None and link.subject is not None:
        entity = NamedEntity(link.object.lower_, "topic", ("topic",))
    if entity is not None and name_key(entity.name) == name_key(subject):
        entity = None
    if entity is None and link.relation in CANONICAL:
        return None, plain_link(said.clause) or Link(snake(said.clause.verb.lemma_), None)
    if entity is not None and link.relation in {"owns", "gave_up"}:
        entity = replace(entity, name=entity.name.removeprefix(f"{subject}'s "))  # her dog is a dog that she has
    return entity, link


def _target(entity: NamedEntity, link: Link, reading: WindowReading) -> str:
    """Add the object as an entity, with the kind that its relation implies; return its name."""
    kind = _KIND_OF.get(link.relation)
    if kind is None or (kind == "organisation" and entity.kind == "person"):
        return reading.mention(entity)
    shown = NamedEntity(entity.name, kind, (kind,))
    name = reading.mention(shown)
    reading.gathering.settle(shown)
    return name


def _keep_held(draft: Draft, reading: WindowReading) -> None:
    """Keep that someone had what is now over: who resigned from Acme worked there until then."""
    end = draft.dates[0].start if draft.dates else said_at(reading.episode)
    sentence = f"{draft.subject} {_HELD[draft.link.relation]} {draft.object}"
    held = Link(draft.link.relation, draft.link.object, "holds")
    fact = fact_of(replace(draft, link=held, sentence=sentence, dates=()), reading.episode)
    reading.gathering.facts.append(replace(fact, valid_to=end))


def _keep_successor(said: _Said, draft: Draft, reading: WindowReading) -> None:
    """Keep what replaces the thing that is left: `Birch` in `left Acme for Birch`."""
    link = also(said.clause) if draft.link.relation in {"switched_from", "works_at"} else None
    entity = reading.entity(link.object, said.cast) if link is not None and link.object is not None else None
    if link is None or entity is None:
        return
    target = _target(entity, link, reading)
    verb = "switched to" if link.relation == "switched_to" else "joined"
    sentence = f"{draft.subject} {verb} {target}"
    reading.keep(Draft(replace(link, replaces=True), draft.subject, target, sentence, draft.span, draft.dates))
