"""Reads one message: its speaker, what it asserts, and the resulting facts."""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.fact_times import find_times
from mnemo.ingestion.local.clauses.attribution import is_dream, is_not_literal, is_retracted, third_party_spans
from mnemo.ingestion.local.clauses.clause import clauses
from mnemo.ingestion.local.clauses.predicates import Link
from mnemo.ingestion.local.clauses.rendering import Participants
from mnemo.ingestion.local.clauses.stance import corrected_value, denied_names
from mnemo.ingestion.local.facts.clause_facts import add_clause_facts
from mnemo.ingestion.local.facts.contacts import contacts
from mnemo.ingestion.local.facts.drafts import FactDraft
from mnemo.ingestion.local.facts.phrase_facts import add_ended_topics
from mnemo.ingestion.local.facts.relationships import naming_facts, relationship_facts
from mnemo.ingestion.local.lexicon import SINGLE_VALUED
from mnemo.ingestion.local.message_state import MessageState
from mnemo.ingestion.local.names.entities import NamedEntity, named_entities, topics
from mnemo.ingestion.local.names.people import gender_of
from mnemo.ingestion.local.parsing.fixes import quotations
from mnemo.ingestion.local.parsing.non_english import names_in, statements
from mnemo.ingestion.resolution.relations import snake
from mnemo.ingestion.speakers import speaker_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

    from mnemo.ingestion.local.collector import WindowCollector
    from mnemo.ingestion.local.facts.relationships import RelationshipFact
    from mnemo.ingestion.local.parsing.normalize import NormalizedText
    from mnemo.models.graph import Episode

__all__ = ["MessageReader"]


class MessageReader:
    """Reads one episode and adds its mentions and facts to the window's collector."""

    def __init__(self, episode: Episode, index: int, addressee: str | None, collector: WindowCollector) -> None:
        """Add the episode's speaker as an entity.

        Args:
            episode: The message.
            index: Its index in the window.
            addressee: Whom `you` refers to; None if unknown.
            collector: What earlier messages of the window gave; this message is added to it.
        """
        speaker = speaker_of(episode)
        collector.index = index
        self._message = MessageState(episode, index, collector, speaker, Participants(speaker or "", addressee))
        if speaker is not None:
            collector.add_writer(speaker, episode)

    def read_english(self, doc: Doc, normalized: NormalizedText) -> None:
        """Add the entities and facts of an English message.

        Assistants' messages and retracted ones (just kidding) give none.

        Args:
            doc: The parsed `normalized`.
            normalized: The message in standard spelling.
        """
        message = self._message
        content = message.episode.content
        if message.episode.role == "assistant" or is_retracted(content):
            return
        message.third_party = third_party_spans(content)
        message.dates = find_times(content, message.episode)
        message.quotes = quotations(doc)
        self._add_contacts()
        value = corrected_value(content)
        if value is not None:
            self._add_correction(value)
            return
        self._read_sentences(doc, normalized)

    def read_foreign(self) -> None:
        """Add the names and first statements of a message in another language, as written."""
        message = self._message
        content, speaker = message.episode.content, message.speaker
        for name in names_in(content):
            message.add_mention(NamedEntity(name, "thing"))
        if speaker is None:
            return
        for start, end in statements(content):
            sentence = content[start:end]
            dates = find_times(sentence, message.episode)[:1]
            message.add_fact(
                FactDraft(Link("says", None), speaker, None, f"{speaker}: {sentence}", (start, end), dates)
            )

    def _read_sentences(self, doc: Doc, normalized: NormalizedText) -> None:
        """Read the sentences that the speaker asserts; a dream lasts to the end of the message."""
        content = self._message.episode.content
        before = 0
        for sentence in doc.sents:
            first, last = sentence[0], sentence[-1]
            start, end = normalized.span(first.idx, last.idx + len(last))
            if is_dream(content[before:end]):
                return
            pasted = any(left <= start < right for left, right in self._message.third_party)
            if not pasted and not is_not_literal(content[before:end]) and not is_not_literal(sentence.text):
                self._read_sentence(sentence, normalized)
                add_ended_topics((start, end), self._message)
            before = end

    def _read_sentence(self, sentence: Span, normalized: NormalizedText) -> None:
        """Add the entities and facts of one sentence."""
        message, collector = self._message, self._message.collector
        fact_count = len(collector.facts)
        words = {token.lower_ for token in sentence}
        is_open = sentence.text.rstrip("\"'”)").endswith("?") or (
            "if" in words and bool(words & {"would", "'d", "could"})
        )
        naming = self._add_relationships(sentence, normalized)
        for entity in named_entities(sentence, collector.speakers):
            if not is_open or collector.find_entity(entity.name) is not None:
                message.add_mention(entity)
        for clause in clauses(sentence):
            add_clause_facts(clause, normalized, message)
        for token in sentence:
            message.add_referent(token)
        for fact in naming:
            collector.discourse.add(fact.entities[-1], message.index, gender_of(fact.noun))
        if len(collector.facts) > fact_count:
            for topic in topics(sentence, message.participants):
                message.add_mention(topic)

    def _add_relationships(self, sentence: Span, normalized: NormalizedText) -> list[RelationshipFact]:
        """Add the relationships in a sentence and return them."""
        message, collector = self._message, self._message.collector
        facts = [
            *relationship_facts(sentence, message.participants, collector),
            *naming_facts(sentence, collector, message.index),
        ]
        denied = denied_names(sentence)
        for fact in facts:
            for entity in fact.entities:
                message.add_mention(entity)
                collector.set_kind(entity)
            message.relationship_tokens.update(fact.tokens)
            single = fact.noun in SINGLE_VALUED
            new = single and any(t.lower_ == "new" for t in sentence[: fact.last.i - sentence.start])
            relation = f"{snake(fact.noun)}_is" if single else f"has_{snake(fact.noun)}"
            link = Link(relation, None, "holds", topics=denied, replaces=bool(denied) or new)
            span = normalized.span(fact.first.idx, fact.last.idx + len(fact.last))
            message.add_fact(FactDraft(link, fact.owner, fact.name, fact.sentence, span, ()))
        return facts

    def _add_contacts(self) -> None:
        """Add the speaker's own phone numbers, addresses and handles."""
        message = self._message
        for contact in contacts(message.episode.content):
            pasted = any(start <= contact.span[0] < end for start, end in message.third_party)
            if message.speaker is None or pasted:
                continue
            link = Link(contact.relation, None, "begins" if contact.replaces else "holds", replaces=contact.replaces)
            sentence = f"{message.speaker}'s {contact.noun} is {contact.value}"
            message.contacts.append(contact.span)
            message.add_fact(FactDraft(link, message.speaker, None, sentence, contact.span, ()))

    def _add_correction(self, value: str) -> None:
        """Replace the object of the last fact: `Sorry, I meant York` after `My sister lives in Leeds`."""
        message, collector = self._message, self._message.collector
        before = [fact for fact in collector.facts if fact.object and fact.object in fact.fact][-1:]
        if not before or before[0].episode not in collector.recent_episodes(message.episode, message.speaker):
            return
        former, old = before[0], before[0].object or ""
        existing = collector.find_entity(old)
        entity = NamedEntity(value, existing.kind if existing else "thing", existing.tags if existing else ())
        link = Link(former.relation, None, former.state, topics=(old,), replaces=True)
        span = (0, len(message.episode.content))
        message.add_fact(
            FactDraft(link, former.subject, message.add_mention(entity), former.fact.replace(old, value), span, ())
        )
