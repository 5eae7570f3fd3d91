"""The facts that one clause states."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.local.changes.endings import topics_over
from mnemo.ingestion.local.changes.transitions import successor
from mnemo.ingestion.local.clauses.predicates import Link, plain_link
from mnemo.ingestion.local.clauses.rendering import render
from mnemo.ingestion.local.clauses.stance import is_certain, replaces_earlier, without_denied_value
from mnemo.ingestion.local.facts.checks import (
    depends_on_context,
    ending_link,
    has_content,
    is_reflexive_command,
    is_self_introduction,
    is_uninformative,
    names_lost_job,
    topics_ended_by_job,
)
from mnemo.ingestion.local.facts.clause_links import link_of
from mnemo.ingestion.local.facts.dates import dates_of, is_point_in_time
from mnemo.ingestion.local.facts.drafts import FactDraft, build_fact
from mnemo.ingestion.local.lexicon import PEOPLE, SECOND_PERSON, VAGUE_NOUNS
from mnemo.ingestion.local.names.entities import NamedEntity, owner_name
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import CANONICAL, snake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

    from mnemo.ingestion.extraction import Kind
    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.clauses.rendering import Participants
    from mnemo.ingestion.local.message_state import MessageState
    from mnemo.ingestion.local.parsing.normalize import NormalizedText
    from mnemo.temporal.resolve import When

__all__ = ["add_clause_facts"]

_KIND_BY_RELATION: dict[str, Kind] = {
    "lives_in": "place",
    "works_at": "organisation",
    **dict.fromkeys(("married_to", "engaged_to", "dating", "divorced_from"), "person"),
}
"""Kind of the object that a relation implies; overrides the parser's guess."""
_STATE_VERBS = {"works_at": "works at", "lives_in": "lives in"}
"""Wording of a state that is only known from its end."""
_DANGLING = re.compile(r" (?:from|starting|beginning|as of|since|on|in|at|until|till|by)$")
"""A preposition left behind when the date after it was removed."""
_POSSESSED = frozenset(["mine", "yours", "ours", "theirs", "hers"])


@dataclass(frozen=True, slots=True)
class _ClauseStatement:
    """A clause and how it was understood."""

    clause: Clause
    participants: Participants
    link: Link
    span: tuple[int, int]
    """Offsets of its words in the message."""
    ended_topics: tuple[str, ...]
    """Topics that it ends."""
    denied: tuple[str, ...]
    """Values denied at its end: Biscuit in `Bruno, not Biscuit`."""
    dates: Sequence[When]


def add_clause_facts(clause: Clause, normalized: NormalizedText, message: MessageState) -> None:
    """Add the facts of a clause, if it states any.

    Args:
        clause: A clause of `normalized`.
        normalized: The message in standard spelling.
        message: The message; the facts are added to its collector.
    """
    statement = _interpret(clause, normalized, message)
    if statement is None:
        return
    subject = _subject(statement.link.subject or clause.subject, statement, message)
    addressed = (
        clause.subject.lower_ in SECOND_PERSON and statement.link.relation not in CANONICAL and not statement.dates
    )
    if subject is None or addressed:
        return
    at_point_in_time = is_point_in_time(statement.link, statement.dates, said_at(message.episode))
    dates = () if at_point_in_time else statement.dates  # when it is so, not since when
    shown_dates = (
        () if at_point_in_time and statement.link.relation.endswith("_is") else statement.dates
    )  # the date is the value
    sentence = _sentence(statement, normalized, shown_dates)
    if (
        sentence is None
        or depends_on_context(statement.clause, statement.link, dated=bool(dates))
        or not (dates or has_content(sentence, subject))
    ):
        return
    entity, link = _object(statement, subject, message)
    link = _with_state(link, replace(statement, dates=dates), message)
    target = _add_object(entity, link, message) if entity is not None else None
    draft = FactDraft(link, subject, target, sentence, statement.span, dates)
    if target is not None and link.state == "ends" and link.relation in _STATE_VERBS and names_lost_job(clause):
        _add_prior_state(draft, message)
    message.add_fact(draft)
    _add_successor(statement, draft, message)


def _interpret(clause: Clause, normalized: NormalizedText, message: MessageState) -> _ClauseStatement | None:
    """Return a clause with its interpretation; None if it states nothing new."""
    participants = message.participants_for(clause)
    link = link_of(clause) or ending_link(clause)
    if participants is None or link is None or is_reflexive_command(clause) or is_uninformative(clause, link):
        return None
    clause, denied = without_denied_value(clause)
    if not clause.tokens:
        return None
    span = normalized.span(clause.tokens[0].idx, clause.tokens[-1].idx + len(clause.tokens[-1]))
    foreign = any(start <= span[0] < end for start, end in message.third_party)
    if foreign or _is_duplicate(clause, span, message) or is_self_introduction(clause, message.speaker or ""):
        return None
    dates = dates_of(clause, span, message.dates, message.episode)
    return _ClauseStatement(clause, participants, link, span, topics_over(clause), denied, dates)


def _is_duplicate(clause: Clause, span: tuple[int, int], message: MessageState) -> bool:
    """Return whether a relationship or contact of this message already states the clause."""
    lemma = clause.verb.lemma_.lower()
    given = any(start < span[1] and span[0] < end for start, end in message.contacts)
    if given and lemma in {"be", "change", "use"}:
        return True
    if lemma in {"call", "name"}:
        return bool(message.relationship_tokens)
    values = {t.i for t in clause.verb.children if t.dep_ in {"attr", "dobj", "oprd"}}
    return lemma in {"be", "have"} and bool(values & message.relationship_tokens)


def _sentence(statement: _ClauseStatement, normalized: NormalizedText, shown_dates: Sequence[When]) -> str | None:
    """Return the clause as a sentence without the dates that are appended to it."""
    clause = statement.clause
    drop = {
        t.i for t in clause.tokens for when in shown_dates if when.span[0] <= normalized.offsets[t.idx] < when.span[1]
    }
    sentence = render(clause, statement.participants, drop)
    if sentence is None or not drop:
        return sentence
    sentence = _DANGLING.sub("", sentence)
    if sentence.split()[-1] in {"is", "was", "are", "were"}:
        return render(clause, statement.participants, ())  # nothing is left without the date
    return sentence


def _with_state(link: Link, statement: _ClauseStatement, message: MessageState) -> Link:
    """Return a link with its state, certainty, and what it ends or replaces."""
    clause, dates = statement.clause, statement.dates
    replaces = replaces_earlier(clause, link) or bool(statement.denied)
    planned = clause.verb.tag_ == "VBG" and bool(dates) and dates[0].start > said_at(message.episode)
    topics = [
        re.sub(r"\bmy (?=\w)", f"{statement.participants.speaker}'s ", topic)
        for topic in (*statement.ended_topics, *topics_ended_by_job(link))
    ]
    state = link.state
    if state == "holds" and planned:
        state = "happened"  # we're flying on 4 June
    elif state == "begins" and not replaces:
        state = "holds"
    return replace(
        link, state=state, topics=(*topics, *statement.denied), replaces=replaces, certain=is_certain(clause)
    )


def _subject(subject: Token, statement: _ClauseStatement, message: MessageState) -> str | None:
    """Return the fact's subject: the owner for `my flight`, the speaker for `the trip is off`."""
    if subject.lower_ in _POSSESSED and subject.pos_ != "PROPN":
        return None
    is_person = subject.lower_ in PEOPLE or subject.pos_ == "PROPN"
    owner = None if is_person else owner_name(subject, statement.participants)
    if statement.ended_topics and owner is None and subject.pos_ == "NOUN" and not is_person:
        owner = statement.participants.speaker
    entity = NamedEntity(owner, "person") if owner else message.entity(subject, statement.participants)
    if entity is None or not entity.name or entity.name.lower() in VAGUE_NOUNS:
        return None
    known = message.collector.find_entity(entity.name)
    return known.name if known is not None and owner else message.add_mention(entity)


def _object(statement: _ClauseStatement, subject: str, message: MessageState) -> tuple[NamedEntity | None, Link]:
    """Return the object of a fact and its link; a plain link if a canonical relation lacks its object."""
    link = statement.link
    if link.object is None:
        ended_noun = (
            statement.clause.subject if statement.ended_topics and statement.clause.subject.pos_ == "NOUN" else None
        )
        entity = message.entity(ended_noun, statement.participants) if ended_noun is not None else None
        return (None if entity is None or name_key(entity.name) == name_key(subject) else entity), link
    entity = message.entity(link.object, statement.participants)
    if entity is None and link.subject is not None:
        entity = NamedEntity(link.object.lower_, "topic", ("topic",))
    if entity is not None and name_key(entity.name) == name_key(subject):
        entity = None
    if entity is None and link.relation in CANONICAL:
        return None, plain_link(statement.clause) or Link(snake(statement.clause.verb.lemma_), None)
    if entity is not None and link.relation in {"owns", "gave_up"}:
        entity = replace(entity, name=entity.name.removeprefix(f"{subject}'s "))  # Ada owns a dog, not Ada's dog
    return entity, link


def _add_object(entity: NamedEntity, link: Link, message: MessageState) -> str:
    """Add the object as an entity, with the kind that its relation implies; return its name."""
    kind = _KIND_BY_RELATION.get(link.relation)
    if kind is None or (kind == "organisation" and entity.kind == "person"):
        return message.add_mention(entity)
    typed = NamedEntity(entity.name, kind, (kind,))
    name = message.add_mention(typed)
    message.collector.set_kind(typed)
    return name


def _add_prior_state(draft: FactDraft, message: MessageState) -> None:
    """Add the fact that held before an ending: someone who resigned from Acme worked there until then."""
    end = draft.dates[0].start if draft.dates else said_at(message.episode)
    sentence = f"{draft.subject} {_STATE_VERBS[draft.link.relation]} {draft.object}"
    prior_link = Link(draft.link.relation, draft.link.object, "holds")
    fact = build_fact(replace(draft, link=prior_link, sentence=sentence, dates=()), message.episode)
    message.collector.facts.append(replace(fact, valid_to=end))


def _add_successor(statement: _ClauseStatement, draft: FactDraft, message: MessageState) -> None:
    """Add the fact about what replaces the thing given up: `Birch` in `left Acme for Birch`."""
    link = successor(statement.clause) if draft.link.relation in {"switched_from", "works_at"} else None
    entity = (
        message.entity(link.object, statement.participants) if link is not None and link.object is not None else None
    )
    if link is None or entity is None:
        return
    target = _add_object(entity, link, message)
    verb = "switched to" if link.relation == "switched_to" else "joined"
    sentence = f"{draft.subject} {verb} {target}"
    message.add_fact(FactDraft(replace(link, replaces=True), draft.subject, target, sentence, draft.span, draft.dates))
