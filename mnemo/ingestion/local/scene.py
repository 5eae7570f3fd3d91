"""Reads one message: its speaker, what it asserts, and the resulting facts."""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.fact_times import whens
from mnemo.ingestion.local.clauses.attribution import is_dream, is_in_play, is_retracted, others_words
from mnemo.ingestion.local.clauses.clause import clauses
from mnemo.ingestion.local.clauses.predicates import Link
from mnemo.ingestion.local.clauses.rendering import Cast
from mnemo.ingestion.local.clauses.stance import corrected_value, denied_after
from mnemo.ingestion.local.facts.bonds import bond_facts, name_given
from mnemo.ingestion.local.facts.clause_facts import keep_clause
from mnemo.ingestion.local.facts.contacts import contacts
from mnemo.ingestion.local.facts.drafts import Draft
from mnemo.ingestion.local.facts.phrase_facts import keep_phrases
from mnemo.ingestion.local.lexicon import ONE_AT_A_TIME
from mnemo.ingestion.local.names.entities import NamedEntity, named_entities, topics
from mnemo.ingestion.local.names.people import gender_of
from mnemo.ingestion.local.parsing.fixes import quoted
from mnemo.ingestion.local.parsing.non_english import names_in, statements
from mnemo.ingestion.local.reading import WindowReading
from mnemo.ingestion.resolution.relations import snake
from mnemo.ingestion.speakers import speaker_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

    from mnemo.ingestion.local.facts.bonds import BondFact
    from mnemo.ingestion.local.gathering import Gathering
    from mnemo.ingestion.local.parsing.normalize import Plain
    from mnemo.models.graph import Episode

__all__ = ["Scene"]


class Scene:
    """One episode of a window, and what was said before it."""

    def __init__(self, episode: Episode, place: int, addressee: str | None, gathering: Gathering) -> None:
        """Record who writes the episode."""
        speaker = speaker_of(episode)
        gathering.place = place
        self._reading = WindowReading(episode, place, gathering, speaker, Cast(speaker or "", addressee))
        if speaker is not None:
            gathering.writes(speaker, episode)

    def read_english(self, doc: Doc, made: Plain) -> None:
        """Add the entities and facts of a message, parsed from its plain form.

        An assistant's message, and one that takes itself back, states nothing.
        """
        reading = self._reading
        content = reading.episode.content
        if reading.episode.role == "assistant" or is_retracted(content):
            return
        reading.foreign = others_words(content)
        reading.dates = whens(content, reading.episode)
        reading.quotes = quoted(doc)
        self._keep_contacts()
        value = corrected_value(content)
        if value is not None:
            self._correct(value)
            return
        self._read_sentences(doc, made)

    def read_foreign(self) -> None:
        """Add names by their shape, and the first statements as they are written."""
        reading = self._reading
        content, speaker = reading.episode.content, reading.speaker
        for name in names_in(content):
            reading.mention(NamedEntity(name, "thing"))
        if speaker is None:
            return
        for start, end in statements(content):
            sentence = content[start:end]
            dates = whens(sentence, reading.episode)[:1]
            reading.keep(Draft(Link("says", None), speaker, None, f"{speaker}: {sentence}", (start, end), dates))

    def _read_sentences(self, doc: Doc, made: Plain) -> None:
        """Read each sentence that its speaker asserts; a dream continues to the end."""
        content = self._reading.episode.content
        before = 0
        for sentence in doc.sents:
            first, last = sentence[0], sentence[-1]
            start, end = made.span(first.idx, last.idx + len(last))
            if is_dream(content[before:end]):
                return
            pasted = any(left <= start < right for left, right in self._reading.foreign)
            if not pasted and not is_in_play(content[before:end]) and not is_in_play(sentence.text):
                self._read(sentence, made)
                keep_phrases((start, end), self._reading)
            before = end

    def _read(self, sentence: Span, made: Plain) -> None:
        """Add what one sentence says."""
        reading, gathering = self._reading, self._reading.gathering
        known = len(gathering.facts)
        words = {token.lower_ for token in sentence}
        open_ = sentence.text.rstrip("\"'”)").endswith("?") or (
            "if" in words and bool(words & {"would", "'d", "could"})
        )
        named = self._keep_bonds(sentence, made)
        for entity in named_entities(sentence, gathering.speakers):
            if not open_ or gathering.known(entity.name) is not None:
                reading.mention(entity)
        for clause in clauses(sentence):
            keep_clause(clause, made, reading)
        for token in sentence:
            reading.note_person(token)
        for fact in named:
            gathering.discourse.note(fact.entities[-1], reading.place, gender_of(fact.noun))
        if len(gathering.facts) > known:
            for topic in topics(sentence, reading.cast):
                reading.mention(topic)

    def _keep_bonds(self, sentence: Span, made: Plain) -> list[BondFact]:
        """Keep the relationships in a sentence; return those facts."""
        reading, gathering = self._reading, self._reading.gathering
        facts = [*bond_facts(sentence, reading.cast, gathering), *name_given(sentence, gathering, reading.place)]
        denied = denied_after(sentence)
        for fact in facts:
            for entity in fact.entities:
                reading.mention(entity)
                gathering.settle(entity)
            reading.bonds.update(fact.tokens)
            single = fact.noun in ONE_AT_A_TIME
            new = single and any(t.lower_ == "new" for t in sentence[: fact.last.i - sentence.start])
            relation = f"{snake(fact.noun)}_is" if single else f"has_{snake(fact.noun)}"
            link = Link(relation, None, "holds", topics=denied, replaces=bool(denied) or new)
            span = made.span(fact.first.idx, fact.last.idx + len(fact.last))
            reading.keep(Draft(link, fact.owner, fact.name, fact.sentence, span, ()))
        return facts

    def _keep_contacts(self) -> None:
        """Keep the numbers and addresses that speakers give as their own."""
        reading = self._reading
        for contact in contacts(reading.episode.content):
            pasted = any(start <= contact.span[0] < end for start, end in reading.foreign)
            if reading.speaker is None or pasted:
                continue
            link = Link(contact.relation, None, "begins" if contact.replaces else "holds", replaces=contact.replaces)
            sentence = f"{reading.speaker}'s {contact.noun} is {contact.value}"
            reading.contacts.append(contact.span)
            reading.keep(Draft(link, reading.speaker, None, sentence, contact.span, ()))

    def _correct(self, value: str) -> None:
        """Keep a correction: `Sorry, I meant York` after `My sister lives in Leeds`."""
        reading, gathering = self._reading, self._reading.gathering
        before = [fact for fact in gathering.facts if fact.object and fact.object in fact.fact][-1:]
        if not before or before[0].episode not in gathering.recent(reading.episode, reading.speaker):
            return
        former, old = before[0], before[0].object or ""
        known = gathering.known(old)
        entity = NamedEntity(value, known.kind if known else "thing", known.tags if known else ())
        link = Link(former.relation, None, former.state, topics=(old,), replaces=True)
        span = (0, len(reading.episode.content))
        reading.keep(Draft(link, former.subject, reading.mention(entity), former.fact.replace(old, value), span, ()))
