"""State while one message is read: speaker, addressee, quotations, and what pronouns refer to."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemo.ingestion.local.clauses.rendering import Cast
from mnemo.ingestion.local.facts.checks import says_i
from mnemo.ingestion.local.facts.drafts import Draft, fact_of
from mnemo.ingestion.local.lexicon import ANIMALS, FEMALE, MALE, PEOPLE
from mnemo.ingestion.local.names.entities import NamedEntity, entity_of, owner_name
from mnemo.ingestion.local.names.people import gender_of, name_beside
from mnemo.ingestion.local.parsing.fixes import sayer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

    from mnemo.ingestion.local.clauses.clause import Clause
    from mnemo.ingestion.local.gathering import Gathering
    from mnemo.models.graph import Episode
    from mnemo.temporal.resolve import When

__all__ = ["WindowReading"]

_NOBODY = frozenset(["GPE", "LOC", "FAC", "ORG", "DATE", "TIME", "EVENT", "PRODUCT", "NORP", "LANGUAGE"])
_THIRD = frozenset(
    ["he", "she", "they", "it", "this", "that", "these", "those", "there", "who", "which", "what", "one"]
)


@dataclass(slots=True)
class WindowReading:
    """One message of a window while it is read."""

    episode: Episode
    place: int
    """Of the message in its window."""
    gathering: Gathering
    speaker: str | None
    cast: Cast
    quotes: Sequence[tuple[int, int]] = ()
    dates: Sequence[When] = ()
    foreign: Sequence[tuple[int, int]] = ()
    """Parts that somebody else wrote."""
    contacts: list[tuple[int, int]] = field(default_factory=list)
    """Offsets of contacts that are already kept."""
    bonds: set[int] = field(default_factory=set)
    """Tokens of bonds that are kept already."""

    def keep(self, draft: Draft) -> None:
        """Add a fact of this message."""
        self.gathering.facts.append(fact_of(draft, self.episode))

    def mention(self, entity: NamedEntity) -> str:
        """Add an entity of this message; return the name under which it is kept."""
        return self.gathering.mention(entity, self.episode)

    def entity(self, token: Token, cast: Cast | None = None) -> NamedEntity | None:
        """Return the entity that a token refers to, if it is worth a name."""
        return entity_of(token, cast or self.cast, self.gathering.speakers)

    def note_person(self, token: Token) -> None:
        """Let a later he or she refer to a person or pet that is named here."""
        acts = token.pos_ == "PROPN" and token.dep_ in {"nsubj", "nsubjpass"} and token.ent_type_ not in _NOBODY
        if token.lower_ not in PEOPLE and token.ent_type_ != "PERSON" and not acts:
            return
        entity = self.entity(token)
        animal = token.lower_ in ANIMALS
        somebody = entity is not None and (entity.kind == "person" or animal or (acts and entity.kind == "thing"))
        if entity is None or not somebody or self.gathering.is_speaker(entity.name):
            return
        plural = token.tag_ == "NNS" or entity.name.endswith(("children", "family"))
        self.gathering.discourse.note(entity, self.place, gender_of(token.lower_), plural=plural)
        if animal and not name_beside(token):
            owner = owner_name(token, self.cast) or self.speaker
            self.gathering.unnamed = (owner or "", token.lemma_.lower(), entity.name, self.place)

    def cast_for(self, clause: Clause) -> Cast | None:
        """Return whom a clause's pronouns refer to; None if its subject cannot be known."""
        own = self._own_cast(clause)
        if own is None or (not own.speaker and says_i(clause)):
            return None
        word = clause.subject.lower_
        if word not in _THIRD:
            return own
        found = self._meant_by(word, clause) if word in {"he", "she", "they"} else None
        return Cast(own.speaker, own.addressee, found.name) if found is not None else None

    def _meant_by(self, word: str, clause: Clause) -> NamedEntity | None:
        for token in clause.verb.sent[: max(0, clause.subject.i - clause.verb.sent.start)]:
            self.note_person(token)
        found = self.gathering.discourse.meant_by(word, self.place)
        return None if found is not None and _other_gender(found.name, word) else found

    def _own_cast(self, clause: Clause) -> Cast | None:
        """Return whom I and you refer to in a clause; None inside a quotation whose speaker is unknown."""
        quote = next((q for q in self.quotes if q[0] < clause.verb.idx < q[1]), None)
        if quote is None:
            return self.cast
        who = sayer(clause.verb.doc, quote)
        entity = self.entity(who) if who is not None else None
        return Cast(entity.name) if entity is not None and entity.kind == "person" else None


def _other_gender(name: str, pronoun: str) -> bool:
    """Return whether a relative's word (Ada's sister) contradicts he or she."""
    noun = name.rsplit(" ", 1)[-1].lower()
    return (pronoun == "he" and noun in FEMALE) or (pronoun == "she" and noun in MALE)
