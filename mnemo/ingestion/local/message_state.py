"""The state of reading one message: speaker, addressee, quotations, and whom pronouns refer to."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemo.ingestion.local.clauses.rendering import Participants
from mnemo.ingestion.local.facts.checks import mentions_speaker
from mnemo.ingestion.local.facts.drafts import FactDraft, build_fact
from mnemo.ingestion.local.lexicon import ANIMALS, FEMALE, MALE, PEOPLE
from mnemo.ingestion.local.names.entities import NamedEntity, entity_of, owner_name
from mnemo.ingestion.local.names.people import gender_of, name_beside
from mnemo.ingestion.local.parsing.fixes import quoted_speaker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.collector import WindowCollector
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["MessageState"]

_NOT_PERSON_LABELS = frozenset(["GPE", "LOC", "FAC", "ORG", "DATE", "TIME", "EVENT", "PRODUCT", "NORP", "LANGUAGE"])
_THIRD_PERSON = frozenset(
    ["he", "she", "they", "it", "this", "that", "these", "those", "there", "who", "which", "what", "one"]
)


@dataclass(slots=True)
class MessageState:
    """One message of a window while it is read."""

    episode: Episode
    index: int
    """Index of the message in its window."""
    collector: WindowCollector
    speaker: str | None
    participants: Participants
    quotes: Sequence[tuple[int, int]] = ()
    dates: Sequence[When] = ()
    third_party: Sequence[tuple[int, int]] = ()
    """Offsets of the parts that someone else wrote."""
    contacts: list[tuple[int, int]] = field(default_factory=list)
    """Offsets of the contacts already extracted."""
    relationship_tokens: set[int] = field(default_factory=set)
    """Indices of the tokens that already gave relationship facts."""

    def add_fact(self, draft: FactDraft) -> None:
        """Add a fact of this message."""
        self.collector.facts.append(build_fact(draft, self.episode))

    def add_mention(self, entity: NamedEntity) -> str:
        """Add an entity of this message; return its name as first written."""
        return self.collector.add_mention(entity, self.episode)

    def entity(self, token: Token, participants: Participants | None = None) -> NamedEntity | None:
        """Return the entity that a token refers to, if it is worth a name."""
        return entity_of(token, participants or self.participants, self.collector.speakers)

    def add_referent(self, token: Token) -> None:
        """Make a person or pet available to later pronouns."""
        is_named_subject = (
            token.pos_ == "PROPN" and token.dep_ in {"nsubj", "nsubjpass"} and token.ent_type_ not in _NOT_PERSON_LABELS
        )
        if token.lower_ not in PEOPLE and token.ent_type_ != "PERSON" and not is_named_subject:
            return
        entity = self.entity(token)
        animal = token.lower_ in ANIMALS
        is_person = entity is not None and (
            entity.kind == "person" or animal or (is_named_subject and entity.kind == "thing")
        )
        if entity is None or not is_person or self.collector.is_speaker(entity.name):
            return
        plural = token.tag_ == "NNS" or entity.name.endswith(("children", "family"))
        self.collector.discourse.add(entity, self.index, gender_of(token.lower_), plural=plural)
        if animal and not name_beside(token):
            owner = owner_name(token, self.participants) or self.speaker
            self.collector.unnamed_animal = (owner or "", token.lemma_.lower(), entity.name, self.index)

    def participants_for(self, clause: Clause) -> Participants | None:
        """Return whom a clause's pronouns refer to; None if its subject is unknown."""
        participants = self._speaker_participants(clause)
        if participants is None or (not participants.speaker and mentions_speaker(clause)):
            return None
        word = clause.subject.lower_
        if word not in _THIRD_PERSON:
            return participants
        found = self._resolve_pronoun(word, clause) if word in {"he", "she", "they"} else None
        return Participants(participants.speaker, participants.addressee, found.name) if found is not None else None

    def _resolve_pronoun(self, word: str, clause: Clause) -> NamedEntity | None:
        for token in clause.verb.sent[: max(0, clause.subject.i - clause.verb.sent.start)]:
            self.add_referent(token)
        found = self.collector.discourse.resolve(word, self.index)
        return None if found is not None and _contradicts_gender(found.name, word) else found

    def _speaker_participants(self, clause: Clause) -> Participants | None:
        """Return whom I and you refer to in a clause; None inside a quotation whose speaker is unknown."""
        quote = next((q for q in self.quotes if q[0] < clause.verb.idx < q[1]), None)
        if quote is None:
            return self.participants
        who = quoted_speaker(clause.verb.doc, quote)
        entity = self.entity(who) if who is not None else None
        return Participants(entity.name) if entity is not None and entity.kind == "person" else None


def _contradicts_gender(name: str, pronoun: str) -> bool:
    """Return whether a relative's noun (`sister` in `Ada's sister`) contradicts the pronoun."""
    noun = name.rsplit(" ", 1)[-1].lower()
    return (pronoun == "he" and noun in FEMALE) or (pronoun == "she" and noun in MALE)
