"""Checks that decide whether a clause becomes a fact."""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.changes.endings import topics_over
from mnemo.ingestion.local.clauses.predicates import Link
from mnemo.ingestion.local.parsing.common_words import is_role
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import CANONICAL, snake

if TYPE_CHECKING:
    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = [
    "depends_on_context",
    "ending_link",
    "has_content",
    "is_reflexive_command",
    "is_self_introduction",
    "is_uninformative",
    "mentions_speaker",
    "names_lost_job",
    "topics_ended_by_job",
]


def ending_link(clause: Clause) -> Link | None:
    """Return a plain link for a clause whose only content is that something ended; else None."""
    return Link(snake(clause.verb.lemma_), None) if topics_over(clause) else None


def is_reflexive_command(clause: Clause) -> bool:
    """Return whether an inherited subject is also the object, which marks a command (put me …)."""
    return clause.inherits_subject and any(t.dep_ == "dobj" and t.lower_ in {"me", "us"} for t in clause.verb.children)


def depends_on_context(clause: Clause, link: Link, *, dated: bool) -> bool:
    """Return whether a clause makes no sense alone (I gave it away) or only encourages someone (we can do it)."""
    subject = clause.subject
    owner = next((t.lower_ for t in subject.children if t.dep_ == "poss"), "")
    if owner in {"his", "her", "their", "its"} or (owner == "your" and link.relation not in CANONICAL and not dated):
        return True
    word = subject.lower_
    if clause.modal == "can" and (word == "we" or clause.verb.lemma_ == "be"):
        return True
    if link.object is not None and link.object.pos_ in {"NOUN", "PROPN"}:
        return False
    has_pronoun_object = any(
        t.dep_ in {"dobj", "pobj"} and t.lower_ in {"it", "that", "this", "them", "him", "her"} for t in clause.tokens
    )
    return has_pronoun_object and (not dated or word not in {"i", "we"})


def is_uninformative(clause: Clause, link: Link) -> bool:
    """Return whether it is a figure of speech (I'm a seal) or a bare negation (it doesn't count)."""
    if link.relation in {"is", "not_is"} and link.object is not None and link.object.pos_ == "NOUN":
        noun = link.object
        denied = link.relation == "not_is" and not is_role(noun.lower_)
        bare = not any(t.dep_ in {"amod", "compound", "relcl", "prep", "nummod", "acl", "poss"} for t in noun.children)
        return denied or (bare and not is_role(noun.lower_))
    return (
        link.relation.startswith("not_")
        and link.object is None
        and clause.verb.lemma_ != "be"
        and not topics_over(clause)
    )


def is_self_introduction(clause: Clause, speaker: str) -> bool:
    """Return whether the speaker only introduces themselves: I'm Ines, my name is Bo."""
    values = [t for t in clause.verb.children if t.dep_ in {"attr", "acomp", "oprd"}]
    return clause.verb.lemma_ == "be" and any(name_key(t.text) in name_key(speaker).split() for t in values)


def has_content(sentence: str, subject: str) -> bool:
    """Return whether a sentence has at least two words besides its subject."""
    return len(sentence.split()) > len(subject.split()) + 1 and any(c.isalpha() for c in sentence)


def names_lost_job(clause: Clause) -> bool:
    """Return whether the clause ends a job (quit my job, resigned), which implies that the person had it."""
    job = any(t.lower_ in {"job", "position", "post"} for t in clause.verb.children if t.dep_ == "dobj")
    return not clause.negated and (job or clause.verb.lemma_ in {"resign", "retire", "fire", "lay", "sack"})


def topics_ended_by_job(link: Link) -> tuple[str, ...]:
    """Return the topics that a new job ends: unemployed."""
    return ("unemployed",) if link.relation in {"works_at", "works_as"} and link.state == "begins" else ()


def mentions_speaker(clause: Clause) -> bool:
    """Return whether a clause contains a first-person pronoun."""
    return any(token.lower_ in {"i", "me", "my", "we", "us", "our"} for token in clause.tokens)
