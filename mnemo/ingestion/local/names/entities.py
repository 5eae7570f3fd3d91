"""Entities of a parsed English message: named entities, and the nouns of its facts."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import (
    ANIMALS,
    BEFORE_NAMES,
    FILLERS,
    FIRST_PERSON,
    FIRST_PERSON_PLURAL,
    GENERIC_ADJECTIVES,
    KIN,
    PEOPLE,
    SECOND_PERSON,
    VAGUE_NOUNS,
)
from mnemo.ingestion.local.names.people import name_beside
from mnemo.ingestion.resolution.names import name_key, tidy_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spacy.tokens import Doc, Span, Token

    from mnemo.ingestion.extraction import Kind
    from mnemo.ingestion.local.clauses.rendering import Participants

__all__ = ["NamedEntity", "entity_of", "match_speaker", "named_entities", "owner_name", "pronoun_referent", "topics"]

_KINDS: dict[str, Kind] = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "EVENT": "event",
    "PRODUCT": "thing",
    "WORK_OF_ART": "thing",
    "NORP": "topic",
    "LANGUAGE": "topic",
}
_PLACE_NOUNS = frozenset(
    [
        *("rua", "rue", "via", "calle", "avenida", "avenue", "street", "road", "lane", "square", "plaza", "straße"),
        *(
            "island",
            "islands",
            "mountain",
            "mount",
            "lake",
            "river",
            "bay",
            "park",
            "ridge",
            "beach",
            "valley",
            "harbour",
        ),
    ]
)
_NOT_LAST = frozenset(["on", "in", "at", "to", "with", "for", "and", "of", "from", "by"])
"""Words that never end a name."""
_PLACE_PREPOSITIONS = frozenset(["in", "near", "across", "around", "round", "outside", "through", "via"])
_MOTION_VERBS = frozenset(
    ["go", "move", "fly", "drive", "travel", "walk", "come", "return", "head", "get", "sail", "cycle"]
)
_REPEATED_LETTER = re.compile(r"(.)\1\1")
"""Three times the same letter, which marks an exclamation: Nooo, AAAH."""
_THIRD_PERSON = frozenset(["he", "she", "they"])
_PRONOUNS = FIRST_PERSON | FIRST_PERSON_PLURAL | SECOND_PERSON | _THIRD_PERSON
_KIN_AS_NAMES = frozenset(
    [
        "mum",
        "mom",
        "mother",
        "mummy",
        "mommy",
        "dad",
        "daddy",
        "father",
        "gran",
        "granny",
        "grandma",
        "nan",
        "nana",
        "grandad",
        "grandpa",
        "sis",
        "bro",
        "cousin",
    ]
)
"""Relatives addressed without `my`: Mum called."""
_PLACE_VERBS = frozenset(
    [
        "be",
        "have",
        "seem",
        "look",
        "feel",
        "get",
        "become",
        "host",
        "offer",
        "win",
        "lie",
        "need",
        "cost",
        "open",
        "close",
    ]
)
"""Verbs that take a town as subject as well as a person."""
_MAX_WORDS = 5
_MIN_NICKNAME = 3
_NAME_PARTS = frozenset(["compound", "amod", "nummod", "nmod"])


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity as a message names it."""

    name: str
    kind: Kind
    tags: tuple[str, ...] = ()


def match_speaker(name: str, speakers: Iterable[str]) -> str | None:
    """Return the speaker with this name, or the only one whose name starts with it (Mel, Melanie); else None."""
    key = name_key(name)
    exact = [speaker for speaker in speakers if name_key(speaker) == key]
    if exact:
        return exact[0]
    near = [s for s in speakers if len(key) >= _MIN_NICKNAME and name_key(s).startswith(key)]
    return near[0] if len(near) == 1 else None


def entity_of(token: Token, participants: Participants, speakers: Sequence[str]) -> NamedEntity | None:
    """Return the entity that a noun or pronoun refers to; None if it is unknown or too general."""
    if token.lower_ in _PRONOUNS and not (
        token.lower_ == "mine" and token.pos_ == "NOUN" and token.i and token.nbor(-1).pos_ == "DET"
    ):
        who = pronoun_referent(token.lower_, participants)
        return NamedEntity(who, "person") if who else None
    if not _can_be_named(token):
        return None
    if token.tag_ == "VBG" and token.pos_ == "VERB":
        return _activity(token, participants)
    own_name = _own_name(token)
    if own_name is not None:
        token = own_name
    if token.pos_ == "PROPN":
        named = _span_entity(_entity_span(token), speakers)
        if named is not None:
            return named
    return _noun_entity(token, participants)


def named_entities(doc: Doc | Span, speakers: Sequence[str]) -> Iterator[NamedEntity]:
    """Yield the named entities of a message, in order; a speaker under their full name."""
    for span in doc.ents:
        if span.label_ in _KINDS:
            named = _span_entity(_entity_span(span.root), speakers)
            if named is not None:
                yield named


def topics(doc: Doc | Span, participants: Participants) -> Iterator[NamedEntity]:
    """Yield the topics of a message: noun phrases of two or more words, such as support group."""
    for chunk in doc.noun_chunks:
        if chunk.root.pos_ != "NOUN" or chunk.root.ent_type_ or _own_name(chunk.root) is not None:
            continue
        named = _noun_entity(chunk.root, participants)
        if named is not None and (" " in named.name):
            yield named


def pronoun_referent(pronoun: str, participants: Participants) -> str | None:
    """Return the name that a pronoun refers to; None if unknown."""
    if pronoun in SECOND_PERSON:
        return participants.addressee
    return participants.third_person if pronoun in _THIRD_PERSON else participants.speaker


def _can_be_named(token: Token) -> bool:
    """Return whether it is a noun, or a gerund used as one, but not a date or number."""
    gerund = token.tag_ == "VBG" and token.dep_ in {"pobj", "dobj", "xcomp", "pcomp", "csubj", "nsubj"}
    count_attribute = bool(token.ent_type_) and token.ent_type_ not in _KINDS
    return (token.pos_ in {"NOUN", "PROPN"} or gerund) and not count_attribute


def _own_name(noun: Token) -> Token | None:
    """Return the proper name beside a noun for a person or pet; None without one."""
    return next(iter(name_beside(noun)), None)


def _activity(verb: Token, participants: Participants) -> NamedEntity | None:
    """Return the entity of a gerund with its object: playing guitar, running."""
    thing = next((t for t in verb.children if t.dep_ == "dobj"), None)
    named = _noun_entity(thing, participants) if thing is not None and thing.pos_ in {"NOUN", "PROPN"} else None
    if verb.lower_ in {"being", "having", "doing", "going", "getting"} or (thing is not None and named is None):
        return named
    name = f"{verb.lower_} {named.name}" if named is not None else verb.lower_
    return NamedEntity(name, "topic", ("topic", "activity"))


def _entity_span(token: Token) -> Span:
    found = next((span for span in token.doc.ents if span.start <= token.i < span.end), None)
    start, end = (token.i, token.i + 1) if found is None else (found.start, found.end)
    while start > token.sent.start and _extends_name(token.doc[start - 1], token.doc[start]):
        start -= 1
    return token.doc[start:end] if found is None or start < found.start else found


def _extends_name(before: Token, name: Token) -> bool:
    """Return whether the word before a name is part of it: Sherlock Holmes, but not Today Ana."""
    titled = before.text.istitle() and before.pos_ in {"NOUN", "ADJ"} and before.dep_ in {"compound", "amod", "nmod"}
    return (before.pos_ == "PROPN" and before.ent_type_ in {"", name.ent_type_}) or (
        titled and before.lower_ not in BEFORE_NAMES | PEOPLE
    )


def _span_entity(span: Span, speakers: Sequence[str]) -> NamedEntity | None:
    number = () if span.label_ == "PERSON" else _number_after(span[-1])
    tokens = [t for t in (*span, *number) if t.pos_ != "DET" and t.lower_ not in FIRST_PERSON]
    while tokens and (tokens[-1].tag_ == "POS" and not _ends_in_s(span)):
        tokens = tokens[:-1]
    while tokens and tokens[-1].text in _NOT_LAST:
        tokens = tokens[:-1]
    while tokens and tokens[0].lower_ in BEFORE_NAMES:
        tokens = tokens[1:]
    if not any(t.text != t.lower_ and t.pos_ in {"PROPN", "NOUN", "ADJ"} for t in tokens):
        return None
    name = tidy_name(_join(tokens).partition(":")[0])
    if len(name_key(name)) < 2 or _is_exclamation(tokens):  # noqa: PLR2004  # one letter names nothing
        return None
    speaker = match_speaker(name, speakers)
    if speaker is not None:
        return NamedEntity(speaker, "person")
    opens = len(tokens) == 1 and tokens[0].is_sent_start and span.label_ not in {"PERSON", "GPE", "LOC"}
    if opens and tokens[0].text.istitle():
        return None  # the first word of a sentence has a capital anyway
    kind = _kind_of_span(span)
    return NamedEntity(name, kind, (kind,))


_SAINTS = re.compile(r"(?:St|Saint)\.? \w+(?:['\u2019]s?)\b")
"""A church, school or hospital: St Luke's."""


def _kind_of_span(span: Span) -> Kind:
    """Return the kind of a name; its words, preposition and verb override the parser's label."""
    kind = _KINDS.get(span.label_, "thing")
    root, first = span.root, span[0]
    if _SAINTS.match(span.text):
        return "place"
    if (
        span.label_ in {"GPE", "LOC", ""}
        and root.dep_ == "nsubj"
        and root.head.lemma_ not in _PLACE_VERBS
        and kind in {"place", "thing"}
    ):
        return "person" if root.head.pos_ == "VERB" and first.pos_ != "DET" else kind
    if kind == "organisation" and len(span) == 1 and _implies_place(root) and root.head.lower_ != "in":
        return "place"
    if kind not in {"person", "thing"}:
        return kind
    if any(token.lower_ in _PLACE_NOUNS for token in span) or (kind == "person" and _implies_place(root)):
        return "place"
    before = first if first.pos_ == "DET" else first.nbor(-1) if first.i else first
    return "thing" if kind == "person" and before.lower_ == "the" else kind


def _implies_place(root: Token) -> bool:
    """Return whether the preposition implies a place: near Faro, moved to Faro, but not gave it to Ana."""
    preposition = root.head
    if root.dep_ != "pobj" or preposition.dep_ != "prep":
        return False
    word = preposition.lower_
    return word in _PLACE_PREPOSITIONS or (
        word in {"to", "from", "at"} and preposition.head.lemma_.lower() in _MOTION_VERBS
    )


def _number_after(last: Token) -> tuple[Token, ...]:
    """Return the number that is part of a name (BA 117, iPhone 15); none if it counts something (2 days ago)."""
    after = last.doc[last.i + 1 : last.i + 3]
    named = last.pos_ == "PROPN" or last.text != last.lower_
    if not len(after) or not after[0].text.isdigit() or not named:
        return ()
    counts = len(after) > 1 and after[1].pos_ in {"NOUN", "ADJ", "PROPN", "SYM"}
    return () if counts or after[0].ent_type_ in {"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"} else (after[0],)


def _ends_in_s(span: Span) -> bool:
    """Return whether 's is part of a name (at St Brannock's): no noun follows that it could own."""
    after = span.doc[span.end] if span.end < len(span.doc) else None
    owns = after is not None and after.pos_ in {"NOUN", "PROPN", "ADJ", "NUM"}
    return not owns and (span.label_ in {"ORG", "FAC"} or span[0].lower_ in {"st", "st."})


def _is_exclamation(tokens: Sequence[Token]) -> bool:
    """Return whether it is an exclamation or filler that looks like a name: Wow, Haha, Congrats."""
    words = [t.lower_ for t in tokens]
    if any(_REPEATED_LETTER.search(w) for w in words):
        return True
    return all(
        w in FILLERS or w in VAGUE_NOUNS or w in GENERIC_ADJECTIVES or not any(c.isalpha() for c in w) for w in words
    )


def _noun_entity(head: Token, participants: Participants) -> NamedEntity | None:
    """Return the entity of a noun with its modifiers, and with its owner if it is a person or owned by one."""
    if not head.text[:1].isalnum() or (
        head.lower_ in VAGUE_NOUNS and not any(t.dep_ == "compound" for t in head.lefts)
    ):
        return None
    parts = [t for t in head.lefts if t.dep_ in _NAME_PARTS and head.i - t.i < _MAX_WORDS]
    words = [w for part in parts for w in part.subtree if _is_name_part(w) and head.i - w.i < _MAX_WORDS]
    text = _join([*_with_hyphens([*words, head]), *_number_after(head)])
    name = tidy_name(text if any(w.pos_ == "PROPN" for w in (*words, head)) else _lower_words(text))
    if not name or any(ord(c) > 0x2FFF for c in name):  # noqa: PLR2004  # emoji and CJK are not parsed here
        return None
    owner = owner_name(head, participants)
    if owner is None and head.lower_ in PEOPLE - ANIMALS and not words and head.tag_ == "NN":
        return None  # a friend, some neighbour
    if owner and (head.lower_ in PEOPLE or _owner_noun(head) is not None):
        name = f"{owner}'s {name}"
    kind: Kind = "person" if head.lower_ in KIN else "topic"
    tag = head.lemma_.lower()
    return NamedEntity(name, kind, (kind, tag) if tag != name else (kind,))


def _lower_words(text: str) -> str:
    """Lower the words without digits; identifiers stay as they are: ticket PX-48231."""
    return " ".join(word if any(c.isdigit() for c in word) else word.lower() for word in text.split())


def _is_name_part(token: Token) -> bool:
    if token.pos_ not in {"NOUN", "PROPN", "ADJ", "VERB", "NUM"} and token.text != "-":
        return token.dep_ == "punct" and token.text == "-"
    lower = token.lower_
    if token.pos_ == "NUM" and not token.text.isdigit():
        return False
    return (
        lower not in GENERIC_ADJECTIVES
        and lower not in FILLERS
        and token.dep_ != "det"
        and token.ent_type_ not in {"DATE", "TIME", "CARDINAL", "ORDINAL"}
    )


def _with_hyphens(tokens: list[Token]) -> list[Token]:
    """Add the hyphens between the tokens."""
    kept = {token.i for token in tokens}
    hyphens = [t.nbor() for t in tokens[:-1] if t.nbor().text == "-" and t.i + 2 in kept]
    return sorted({*tokens, *hyphens}, key=lambda token: token.i)


def owner_name(head: Token, participants: Participants) -> str | None:
    """Return the owner of a noun: a speaker (my, your), or the person named before it (my mom's birthday)."""
    noun = _owner_noun(head)
    if noun is not None:
        own = _own_name(noun)
        named = _noun_entity(own or noun, participants)
        return named.name if named is not None else None
    for token in head.children:
        if token.dep_ == "poss" and token.lower_ in {"my", "our"}:
            return participants.speaker
        if token.dep_ == "poss" and token.lower_ == "your":
            return participants.addressee
    bare = not any(t.dep_ in {"det", "poss", "nummod", "amod"} for t in head.children)
    if bare and head.lower_ in _KIN_AS_NAMES and head.dep_ in {"nsubj", "nsubjpass", "pobj", "dobj", "poss", "dative"}:
        return participants.speaker or None
    return None


def _owner_noun(head: Token) -> Token | None:
    """Return the possessive person or name before a noun; None without one."""
    owners = (t for t in head.children if t.dep_ == "poss" and (t.pos_ == "PROPN" or t.lower_ in PEOPLE))
    return next(owners, None)


def _join(tokens: Sequence[Token]) -> str:
    text = ""
    for index, token in enumerate(tokens):
        glued = index and tokens[index - 1].i == token.i - 1 and not tokens[index - 1].whitespace_
        text += token.text if glued or not text else f" {token.text}"
    return text
