"""One message: who speaks in it, what it asserts, and the facts that follow."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.fact_times import whens
from mnemo.ingestion.local.attribution import is_dream, is_in_play, is_retracted, others_words
from mnemo.ingestion.local.bonds import bond_facts, name_given
from mnemo.ingestion.local.clauses import clauses
from mnemo.ingestion.local.common_words import is_role
from mnemo.ingestion.local.contacts import contacts
from mnemo.ingestion.local.drafts import Draft, fact_of
from mnemo.ingestion.local.endings import topics_over
from mnemo.ingestion.local.entities import NamedEntity, entity_of, named_entities, owner_name, topics
from mnemo.ingestion.local.lexicon import ADDRESSED, ANIMALS, FEMALE, KIN, MALE, ONE_AT_A_TIME, PEOPLE, VAGUE
from mnemo.ingestion.local.non_english import names_in, statements
from mnemo.ingestion.local.people import gender_of, name_beside
from mnemo.ingestion.local.parser_fixes import quoted, sayer
from mnemo.ingestion.local.predicates import Link, plain_link
from mnemo.ingestion.local.relations import link_of
from mnemo.ingestion.local.rendering import Cast, render
from mnemo.ingestion.local.stance import corrected, corrected_value, denied_after, is_certain, is_replacing
from mnemo.ingestion.local.transitions import also
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import CANONICAL, is_lasting, snake
from mnemo.ingestion.speakers import speaker_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from spacy.tokens import Doc, Span, Token

    from mnemo.ingestion.extraction import Kind
    from mnemo.ingestion.local.clauses import Clause
    from mnemo.ingestion.local.gathering import Gathering
    from mnemo.ingestion.local.normalize import Plain
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["Scene"]

_NOBODY = frozenset(["GPE", "LOC", "FAC", "ORG", "DATE", "TIME", "EVENT", "PRODUCT", "NORP", "LANGUAGE"])
_THIRD = frozenset(["he", "she", "they", "it", "this", "that", "these", "those", "there", "who", "which", "what", "one"])
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


class Scene:
    """One episode of a window, and what has been said before it."""

    def __init__(self, episode: Episode, place: int, addressee: str | None, gathering: Gathering) -> None:
        """Note who writes the episode."""
        self._episode = episode
        self._place = place
        self._gathering = gathering
        gathering.place = place
        self._speaker = speaker_of(episode)
        self._cast = Cast(self._speaker or "", addressee)
        self._quotes: list[tuple[int, int]] = []
        self._named_here: list[tuple[NamedEntity, str | None]] = []
        self._dates: Sequence[When] = ()
        self._foreign: Sequence[tuple[int, int]] = ()
        self._contacts: list[tuple[int, int]] = []
        self._bonds: set[int] = set()
        """Tokens of bonds: a clause that says no more than one of them is left out."""
        if self._speaker is not None:
            gathering.writes(self._speaker, episode)

    def read_english(self, doc: Doc, made: Plain) -> None:
        """Note the entities and facts of a message, parsed from its plain form.

        An assistant's message, and one that takes itself back, states nothing.
        """
        content = self._episode.content
        if self._episode.role == "assistant" or is_retracted(content):
            return
        foreign = others_words(content)
        self._dates = whens(content, self._episode)
        self._quotes = quoted(doc)
        self._keep_contacts(content, foreign)
        if corrected_value(content) is not None:
            self._correct(content)
            return
        self._foreign = foreign
        before = 0
        for sentence in doc.sents:
            first, last = sentence[0], sentence[-1]
            span = made.span(first.idx, last.idx + len(last))
            inside = any(start <= span[0] < end for start, end in foreign)
            if is_dream(content[before : span[1]]):
                break  # the rest goes on dreaming
            if not inside and not is_in_play(content[before : span[1]]) and not is_in_play(sentence.text):
                self._read(sentence, made)
            before = span[1]

    def read_foreign(self) -> None:
        """Note names by their shape, and the first statements as they stand."""
        content = self._episode.content
        for name in names_in(content):
            self._gathering.mention(NamedEntity(name, "thing"), self._episode)
        if self._speaker is None:
            return
        for start, end in statements(content):
            sentence = content[start:end]
            dates = whens(sentence, self._episode)
            self._keep(Draft(Link("says", None), self._speaker, None, f"{self._speaker}: {sentence}", (start, end), dates[:1]))

    def _read(self, sentence: Span, made: Plain) -> None:
        """Note what one sentence says."""
        known = len(self._gathering.facts)
        words = {token.lower_ for token in sentence}
        asks = sentence.text.rstrip("\"'”)").endswith("?") or ("if" in words and bool(words & {"would", "'d", "could"}))
        self._keep_bonds(sentence, made)
        for entity in named_entities(sentence, self._gathering.speakers):
            if not asks or self._gathering.known(entity.name) is not None:
                self._gathering.mention(entity, self._episode)
        for clause in clauses(sentence):
            self._state(clause, made)
        for token in sentence:
            self._note_person(token)
        for entity, gender in self._named_here:
            self._gathering.discourse.note(entity, self._place, gender)
        self._named_here.clear()
        if len(self._gathering.facts) > known:
            for topic in topics(sentence, self._cast):
                self._gathering.mention(topic, self._episode)

    def _note_person(self, token: Token) -> None:
        """Let a later he or she mean a person or pet that is named here."""
        acts = token.pos_ == "PROPN" and token.dep_ in {"nsubj", "nsubjpass"} and token.ent_type_ not in _NOBODY
        if token.lower_ not in PEOPLE and token.ent_type_ != "PERSON" and not acts:
            return
        entity = entity_of(token, self._cast, self._gathering.speakers)
        animal = token.lower_ in ANIMALS
        somebody = entity is not None and (entity.kind == "person" or animal or (acts and entity.kind == "thing"))
        if entity is None or not somebody or self._gathering.is_speaker(entity.name):
            return
        plural = token.tag_ == "NNS" or entity.name.endswith(("children", "family"))
        self._gathering.discourse.note(entity, self._place, gender_of(token.lower_), plural=plural)
        if animal and not name_beside(token):
            owner = owner_name(token, self._cast) or self._speaker
            self._gathering.unnamed = (owner or "", token.lemma_.lower(), entity.name, self._place)

    def _keep_bonds(self, sentence: Span, made: Plain) -> None:
        for fact in (*bond_facts(sentence, self._cast, self._gathering), *name_given(sentence, self._cast, self._gathering, self._place)):
            for entity in fact.entities:
                self._gathering.mention(entity, self._episode)
                self._gathering.settle(entity)
            span = made.span(fact.first.idx, fact.last.idx + len(fact.last))
            self._bonds.update(fact.tokens)
            self._named_here.append((fact.entities[-1], gender_of(fact.noun)))
            denied = denied_after(sentence)
            new = any(t.lower_ == "new" for t in sentence[: fact.last.i - sentence.start]) and fact.noun in ONE_AT_A_TIME
            relation = f"{snake(fact.noun)}_is" if fact.noun in ONE_AT_A_TIME else f"has_{snake(fact.noun)}"
            link = Link(relation, None, "holds", topics=denied, replaces=bool(denied) or new)
            draft = Draft(link, fact.owner, fact.name, fact.sentence, span, ())
            self._keep(draft)

    def _keep_contacts(self, content: str, foreign: Sequence[tuple[int, int]]) -> None:
        if self._speaker is None:
            return
        for contact in contacts(content):
            if not any(start <= contact.span[0] < end for start, end in foreign):
                link = Link(contact.relation, None, "begins" if contact.replaces else "holds", replaces=contact.replaces)
                sentence = f"{self._speaker}'s {contact.noun} is {contact.value}"
                self._contacts.append(contact.span)
                self._keep(Draft(link, self._speaker, None, sentence, contact.span, ()))

    def _state(self, clause: Clause, made: Plain) -> None:  # noqa: C901  # one clause, one decision each
        cast = self._cast_for(clause)
        link = link_of(clause) or _ending_link(clause)
        if cast is None or link is None or _acts_on_itself(clause) or _says_little(clause, link):
            return
        clause, denied = corrected(clause)
        if not clause.tokens:
            return
        span = made.span(clause.tokens[0].idx, clause.tokens[-1].idx + len(clause.tokens[-1]))
        if any(start <= span[0] < end for start, end in self._foreign) or self._is_kept(clause, span) or _introduces(clause, self._speaker or ""):
            return
        inside = [when for when in self._dates if span[0] <= when.span[0] and when.span[1] <= span[1]][:1]
        inside = [self._ahead(when) for when in inside] or self._moved_to(span) if _looks_ahead(clause) else inside
        told = inside
        if _is_beside(link, inside, said_at(self._episode)):
            inside = []  # when it is so, not since when
            told = [] if link.relation.endswith("_is") else told  # the date is the value
        over = topics_over(clause)
        subject = self._subject(link.subject or clause.subject, cast, ending=bool(over))
        if subject is None or (clause.subject.lower_ in ADDRESSED and link.relation not in CANONICAL and not inside):
            return
        drop = {t.i for t in clause.tokens for when in told if when.span[0] <= made.places[t.idx] < when.span[1]}
        sentence = render(clause, cast, drop)
        sentence = _DANGLING.sub("", sentence) if sentence is not None and drop else sentence
        if sentence is not None and sentence.split()[-1] in {"is", "was", "are", "were"}:
            sentence = render(clause, cast, ())  # the date is all that it says
        if sentence is None or not (inside or _worth(sentence, subject)) or _unanchored(clause, link, dated=bool(inside)):
            return
        entity, link = self._object(link, clause, cast, subject)
        if over and entity is None and clause.subject.pos_ == "NOUN":
            entity = entity_of(clause.subject, cast, self._gathering.speakers)
            entity = None if entity is None or name_key(entity.name) == name_key(subject) else entity
        if link.state == "holds" and clause.verb.tag_ == "VBG" and inside and inside[0].start > said_at(self._episode):
            link = replace(link, state="happened")  # we're flying on 4 June
        if link.state == "begins" and not is_replacing(clause, link):
            link = replace(link, state="holds")
        link = replace(link, topics=(*self._owned((*over, *_jobless(link)), cast), *denied), replaces=is_replacing(clause, link) or bool(denied), certain=is_certain(clause))
        target = self._target(entity, link) if entity is not None else None
        if target is not None and link.state == "ends" and link.relation in _HELD and _is_left(clause):
            self._keep_held(Draft(Link(link.relation, link.object, "holds"), subject, target, "", span, inside))
        self._keep(Draft(link, subject, target, sentence, span, inside))
        instead = also(clause) if link.relation in {"switched_from", "works_at"} else None
        other = entity_of(instead.object, cast, self._gathering.speakers) if instead and instead.object else None
        if instead is not None and other is not None:
            target = self._target(other, instead)
            verb = "switched to" if instead.relation == "switched_to" else "joined"
            self._keep(Draft(replace(instead, replaces=True), subject, target, f"{subject} {verb} {target}", span, inside))

    def _owned(self, topics: Sequence[str], cast: Cast) -> list[str]:
        """Return topics with their owner's name: Sam's flight for `my flight`."""
        return [re.sub(r"\bmy (?=\w)", f"{cast.speaker}'s ", topic) if cast.speaker else topic for topic in topics]

    def _is_kept(self, clause: Clause, span: tuple[int, int]) -> bool:
        """Whether a bond or a contact of this message says the same already."""
        lemma = clause.verb.lemma_.lower()
        given = any(start < span[1] and span[0] < end for start, end in self._contacts)
        if given and lemma in {"be", "change", "use"}:
            return True
        said = {t.i for t in (clause.subject, *clause.verb.children)} & self._bonds
        if lemma in {"call", "name"}:
            return bool(self._bonds)
        values = {t.i for t in clause.verb.children if t.dep_ in {"attr", "dobj", "oprd"}}
        return lemma in {"be", "have"} and bool(values & said)

    def _object(self, link: Link, clause: Clause, cast: Cast, subject: str) -> tuple[NamedEntity | None, Link]:
        """Return what a fact bears on, and its link: a plain one where a relation of the table lacks its object."""
        if link.object is None:
            return None, link
        entity = entity_of(link.object, cast, self._gathering.speakers)
        if entity is None and link.subject is not None:
            entity = NamedEntity(link.object.lower_, "topic", ("topic",))
        if entity is not None and name_key(entity.name) == name_key(subject):
            entity = None
        if entity is None and link.relation in CANONICAL:
            return None, plain_link(clause) or Link(snake(clause.verb.lemma_), None)
        if entity is not None and link.relation in {"owns", "gave_up"}:
            entity = replace(entity, name=entity.name.removeprefix(f"{subject}'s "))  # her dog is a dog that she has
        return entity, link

    def _target(self, entity: NamedEntity, link: Link) -> str:
        """Note what a fact bears on, with the kind that its relation gives it; return its name."""
        kind = _KIND_OF.get(link.relation)
        if kind is None or (kind == "organisation" and entity.kind == "person"):
            return self._gathering.mention(entity, self._episode)
        shown = NamedEntity(entity.name, kind, (kind,))
        name = self._gathering.mention(shown, self._episode)
        self._gathering.settle(shown)
        return name

    def _keep_held(self, draft: Draft) -> None:
        """Keep that someone had what is over now: who left Acme worked there until then."""
        end = draft.dates[0].start if draft.dates else said_at(self._episode)
        sentence = f"{draft.subject} {_HELD[draft.link.relation]} {draft.object}"
        fact = fact_of(replace(draft, sentence=sentence, dates=()), self._episode)
        self._gathering.facts.append(replace(fact, valid_to=end))

    def _cast_for(self, clause: Clause) -> Cast | None:
        """Who is meant by the clause's pronouns; None when its subject cannot be known."""
        own = self._own_cast(clause)
        if own is None or (not own.speaker and _says_i(clause)):
            return None
        word = clause.subject.lower_
        subject = None
        if word in _THIRD:
            found = self._meant_by(word, clause) if word in {"he", "she", "they"} else None
            if found is None:
                return None
            subject = found.name
        return Cast(own.speaker, own.addressee, subject)

    def _meant_by(self, word: str, clause: Clause) -> NamedEntity | None:
        for token in clause.verb.sent[: max(0, clause.subject.i - clause.verb.sent.start)]:
            self._note_person(token)
        found = self._gathering.discourse.meant_by(word, self._place)
        return None if found is not None and _other_gender(found.name, word) else found

    def _own_cast(self, clause: Clause) -> Cast | None:
        """Who is I and you in a clause: within quotes, whoever is said to have said them; None when nobody is."""
        quote = next((q for q in self._quotes if q[0] < clause.verb.idx < q[1]), None)
        if quote is None:
            return self._cast
        who = sayer(clause.verb.doc, quote)
        if who is None:
            return None
        entity = entity_of(who, self._cast, self._gathering.speakers)
        return Cast(entity.name) if entity is not None and entity.kind == "person" else None

    def _subject(self, subject: Token, cast: Cast, *, ending: bool) -> str | None:
        """Return whom a fact is about: of `my flight`, who has it; of `the trip is off`, who says so."""
        if subject.lower_ in {"mine", "yours", "ours", "theirs", "hers"} and subject.pos_ != "PROPN":
            return None
        owner = None if subject.lower_ in PEOPLE or subject.pos_ == "PROPN" else owner_name(subject, cast)
        if ending and owner is None and subject.pos_ == "NOUN" and subject.lower_ not in PEOPLE:
            owner = cast.speaker
        entity = NamedEntity(owner, "person") if owner else entity_of(subject, cast, self._gathering.speakers)
        if entity is None or not entity.name or entity.name.lower() in VAGUE:
            return None
        known = self._gathering.known(entity.name)
        return known.name if known is not None and owner else self._gathering.mention(entity, self._episode)

    def _ahead(self, when: When) -> When:
        """Return a date that the words leave open as the next one: moving in October is the coming October."""
        if when.start >= said_at(self._episode) or re.search(r"\d{4}", when.phrase):
            return when
        opening = "It will be "
        again = whens(f"{opening}{when.phrase}.", self._episode)
        return replace(again[0], span=when.span, phrase=when.phrase) if again and again[0].start > when.start else when

    def _moved_to(self, span: tuple[int, int]) -> list[When]:
        """Return the day of the month to which something is moved: postponed to the 15th."""
        words = self._episode.content[slice(*span)]
        found = re.search(r"\b(?:to|until|till) (the \d{1,2}(?:st|nd|rd|th)(?: of \w+)?)", words)
        if found is None:
            return []
        again = whens(f"It will be on {found[1]}.", self._episode)[:1]
        return [replace(when, span=(span[0] + found.start(1), span[0] + found.end(1)), phrase=found[1]) for when in again]

    def _correct(self, content: str) -> None:
        """Keep what a message puts right: `Sorry, I meant York` after `My sister lives in Leeds`."""
        value = corrected_value(content)
        before = [fact for fact in self._gathering.facts if fact.object and fact.object in fact.fact][-1:]
        if value is None or not before or before[0].episode not in self._gathering.recent(self._episode, self._speaker):
            return
        former = before[0]
        known = self._gathering.known(former.object or "")
        entity = NamedEntity(value, known.kind if known else "thing", known.tags if known else ())
        sentence = former.fact.replace(former.object or "", value)
        link = Link(former.relation, None, former.state, topics=(former.object or "",), replaces=True)
        self._keep(Draft(link, former.subject, self._gathering.mention(entity, self._episode), sentence, (0, len(content)), ()))

    def _keep(self, draft: Draft) -> None:
        self._gathering.facts.append(fact_of(draft, self._episode))


def _is_beside(link: Link, dates: Sequence[When], now: datetime) -> bool:
    """Whether a date in a statement of what holds tells when it is so, not since when; one to come is its start."""
    at = bool(dates) and dates[0].sense == "at" and dates[0].start <= now
    return at and is_lasting(link.relation) and link.state == "holds"


def _is_left(clause: Clause) -> bool:
    """Whether it is about the end itself (quit, resigned), not that it was so once, nor about a town (left Rome)."""
    return not clause.negated and clause.verb.lemma_ in {"resign", "retire", "fire", "lay", "sack"}


def _ending_link(clause: Clause) -> Link | None:
    """Return a plain link for a clause that says no more than that something is over."""
    return Link(snake(clause.verb.lemma_), None) if topics_over(clause) else None


def _looks_ahead(clause: Clause) -> bool:
    """Whether a clause is about what is to come: will go, is moving in October, has been moved to 19 March."""
    if clause.modal == "will":
        return True
    if clause.verb.lemma_ in {"move", "push", "reschedule", "postpone", "bring"}:
        moved = [t for t in clause.verb.children if t.lower_ in {"to", "until", "till"}]
        if any(c.ent_type_ in {"DATE", "TIME", "CARDINAL", "ORDINAL"} for t in moved for c in t.subtree):
            return True
    present = [t for t in (*clause.helpers, *clause.verb.children) if t.dep_ == "aux" and t.tag_ in {"VBP", "VBZ"}]
    return (clause.verb.tag_ == "VBG" and bool(present) and not any(t.lower_ == "been" for t in clause.verb.children)) or (
        clause.verb.tag_ in {"VBZ", "VBP"} and clause.verb.lemma_ in {"start", "begin", "leave", "fly", "arrive", "open", "end", "land"}
    )


def _acts_on_itself(clause: Clause) -> bool:
    """Whether a clause that has its subject from an earlier one has it as object too: a command (put me …)."""
    return clause.inherited and any(t.dep_ == "dobj" and t.lower_ in {"me", "us"} for t in clause.verb.children)


def _other_gender(name: str, pronoun: str) -> bool:
    """Whether a relative's word (Ada's sister) does not go with he or she."""
    noun = name.rsplit(" ", 1)[-1].lower()
    return (pronoun == "he" and noun in FEMALE) or (pronoun == "she" and noun in MALE)


def _says_i(clause: Clause) -> bool:
    return any(token.lower_ in {"i", "me", "my", "we", "us", "our"} for token in clause.tokens)


def _unanchored(clause: Clause, link: Link, *, dated: bool) -> bool:
    """Whether it hangs on something said before (I gave it away), or only cheers (we can make it)."""
    subject = clause.subject
    owner = next((t.lower_ for t in subject.children if t.dep_ == "poss"), "")
    if owner in {"his", "her", "their", "its"} or (owner == "your" and link.relation not in CANONICAL and not dated):
        return True
    word = subject.lower_
    if clause.modal == "can" and (word == "we" or clause.verb.lemma_ == "be"):
        return True
    if link.object is not None and link.object.pos_ in {"NOUN", "PROPN"}:
        return False
    hangs = any(t.dep_ in {"dobj", "pobj"} and t.lower_ in {"it", "that", "this", "them", "him", "her"} for t in clause.tokens)
    return hangs and (not dated or word not in {"i", "we"})


def _says_little(clause: Clause, link: Link) -> bool:
    """Whether it is a figure of speech (I'm a seal), or a denial of nothing one could look up (it doesn't count)."""
    if link.relation in {"is", "not_is"} and link.object is not None and link.object.pos_ == "NOUN":
        noun = link.object
        denied = link.relation == "not_is" and not is_role(noun.lower_)
        bare = not any(t.dep_ in {"amod", "compound", "relcl", "prep", "nummod", "acl", "poss"} for t in noun.children)
        return denied or (bare and not is_role(noun.lower_))
    return link.relation.startswith("not_") and link.object is None and clause.verb.lemma_ != "be" and not topics_over(clause)


def _jobless(link: Link) -> tuple[str, ...]:
    """What a new job ends."""
    return ("unemployed",) if link.relation in {"works_at", "works_as"} and link.state == "begins" else ()


def _introduces(clause: Clause, speaker: str) -> bool:
    """Whether somebody only says who they are: I'm Ines, my name is Bo."""
    values = [t for t in clause.verb.children if t.dep_ in {"attr", "acomp", "oprd"}]
    return clause.verb.lemma_ == "be" and any(name_key(t.text) in name_key(speaker).split() for t in values)


def _worth(sentence: str, subject: str) -> bool:
    """Whether a sentence says something beside its subject."""
    return len(sentence.split()) > len(subject.split()) + 1 and any(c.isalpha() for c in sentence)
