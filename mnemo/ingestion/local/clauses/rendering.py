"""Rewrites a clause in the third person so that it is self-contained: `I'm a nurse` → `Ada is a nurse`."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import FIRST_PERSON, FIRST_PERSON_PLURAL, SECOND_PERSON

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Token

    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["Participants", "render"]

_CLITICS = {"'m": "is", "'ve": "has", "'ll": "will", "'re": "are"}
_FULL_FORMS = {"ca": "can", "wo": "will", "n't": "not"}
_THIRD_PERSON_FORMS = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "were": "was",
    "go": "goes",
    "be": "is",
    "'re": "is",
}
_SEPARATE_CLITICS = frozenset(["'s", "’s", "'re", "’re"])
_SPACE_BEFORE_PUNCTUATION = re.compile(r"\s+(?=[,;.])")
_REPEATED_PUNCTUATION = re.compile(r"(?:\s*[,:;]){2,}")
"""Punctuation marks that are adjacent after the words between them were removed."""
_UNKNOWN_NAME = "\0"
_SAME_PAST_FORM = frozenset(
    ["hurt", "put", "cut", "hit", "set", "read", "quit", "split", "spread", "bet", "shut", "beat"]
)
"""Verbs whose past and present look the same; in chat they usually mean the past."""


@dataclass(frozen=True, slots=True)
class Participants:
    """Whom the pronouns of a clause refer to."""

    speaker: str
    addressee: str | None = None
    third_person: str | None = None
    """Whom a subject he, she or they refers to, if resolved."""


def render(clause: Clause, participants: Participants, drop: Collection[int]) -> str | None:
    """Write a clause in the third person.

    Args:
        clause: The clause.
        participants: Whom its pronouns refer to.
        drop: Indices of tokens to leave out, such as those of a date that is shown separately.

    Returns:
        The sentence without final punctuation; None if it says `you` and the addressee is unknown.
    """
    words = _inherited_words(clause, participants)
    named = clause.inherits_subject and clause.subject.lower_ in FIRST_PERSON | FIRST_PERSON_PLURAL
    glued = False
    for token in clause.tokens:
        if token.i in drop:
            continue
        text = _rewrite_token(token, clause, participants, named=named)
        if _UNKNOWN_NAME in text:
            return None
        named = named or (token == clause.subject and token.lower_ in FIRST_PERSON | FIRST_PERSON_PLURAL)
        separate = text != token.text or (token.lower_ in _SEPARATE_CLITICS and token.pos_ in {"AUX", "VERB"})
        words.append(f"{words.pop()}{text}" if glued and not separate and words else text)
        glued = not token.whitespace_
    sentence = " ".join(word for word in words if word).strip(" ,;:-–—").replace(" can not ", " cannot ")
    sentence = _without_unpaired_quote(_SPACE_BEFORE_PUNCTUATION.sub("", _REPEATED_PUNCTUATION.sub(",", sentence)))
    return sentence[:1].upper() + sentence[1:] if sentence else None


def _inherited_words(clause: Clause, participants: Participants) -> list[str]:
    """Return the subject and auxiliaries that come from an earlier clause; empty if the subject is its own."""
    if not clause.inherits_subject:
        return []
    subject = clause.subject
    name = _pronoun(subject, participants, own=False, named=False) or _subject_with_names(subject, participants)
    singular = subject.lower_ == "i" or subject.lower_ in SECOND_PERSON
    helpers = [_THIRD_PERSON_FORMS.get(h.lower_, h.text) if singular else h.text for h in clause.auxiliaries]
    return [name, *(_CLITICS.get(helper.lower(), helper) for helper in helpers)]


def _subject_with_names(subject: Token, participants: Participants) -> str:
    """Return a subject with pronouns replaced by names: Theo's neighbour Mrs Castellano."""
    words: list[str] = []
    for token in subject.subtree:
        text = (
            _pronoun(token, participants, own=token.tag_ == "PRP$" or token.dep_ == "poss", named=False) or token.text
        )
        glued = words and not token.nbor(-1).whitespace_
        words.append(f"{words.pop()}{text}" if glued else text)
    return " ".join(words)


def _without_unpaired_quote(sentence: str) -> str:
    """Remove an unpaired quote mark at the end, and the punctuation before it."""
    unpaired = sentence.count('"') % 2 == 1
    if unpaired and sentence.endswith('"'):
        return sentence[:-1].rstrip(".!, ")
    if sentence.endswith("”") and "“" not in sentence:
        return sentence[:-1].rstrip(".!, ")
    return sentence.lstrip('"“ ') if unpaired or ("“" in sentence and "”" not in sentence) else sentence


def _rewrite_token(token: Token, clause: Clause, participants: Participants, *, named: bool) -> str:
    pronoun = _pronoun(token, participants, own=token.tag_ == "PRP$" or token.dep_ == "poss", named=named)
    if pronoun is not None:
        return pronoun
    if _needs_third_person(token, clause):
        return _third_person(token)
    word = token.lower_.replace("’", "'")
    perfect = token.head.tag_ == "VBN"
    if word == "'s" and token.pos_ in {"AUX", "VERB"}:
        return "has" if perfect and _is_perfect(token) else "is"
    if word == "'d":
        return "had" if perfect else "would"
    return "have" if word == "'ve" else _FULL_FORMS.get(word) or _CLITICS.get(word) or token.text


def _is_perfect(token: Token) -> bool:
    """Return whether 's before a participle means `has` (she's bought a bed) rather than a passive `is`."""
    verb = token.head
    if token.dep_ == "aux" or "been" in {verb.lower_, *(t.lower_ for t in verb.children)}:
        return True
    return any(t.dep_ in {"dobj", "dative", "ccomp", "xcomp", "oprd"} and t.i > verb.i for t in verb.children)


def _pronoun(token: Token, participants: Participants, *, own: bool, named: bool) -> str | None:
    """Return the replacement for a pronoun: a name, or `their` once the speaker is named; None for other words."""
    word = token.lower_
    if token.i + 1 < len(token.doc) and token.nbor().text == "-" and not token.whitespace_:
        return None  # me-time
    if (
        word in {"mine", "may", "us"}
        and token.pos_ in {"NOUN", "PROPN"}
        and word == "mine"
        and token.i
        and token.nbor(-1).pos_ in {"DET", "ADJ", "NOUN"}
    ):
        return None  # a gold mine
    if word in FIRST_PERSON | FIRST_PERSON_PLURAL:
        return _first_person_name(word, participants, named=named)
    if word in SECOND_PERSON:
        name = participants.addressee or _UNKNOWN_NAME
        return f"{name}'s" if own or word in {"your", "yours"} else name
    third = token.dep_ in {"nsubj", "nsubjpass"} and word in {"he", "she", "they"}
    return participants.third_person if third else None


def _first_person_name(word: str, participants: Participants, *, named: bool) -> str:
    """Return the replacement for I, me, we and so on: a name, or `their` once the clause has named the speaker."""
    name = participants.speaker
    if word in {"myself", "ourselves"}:
        return "themself" if word == "myself" else "themselves"
    if word in {"my", "our"}:
        return "their" if named else f"{name}'s"
    if word in {"mine", "ours"}:
        return "theirs" if named else f"{name}'s"
    if word in FIRST_PERSON:
        return name
    return "them" if word == "us" and named else f"{name} and others"


def _needs_third_person(token: Token, clause: Clause) -> bool:
    """Return whether it is a finite present-tense verb (or `were`) with subject I, you or an omitted one."""
    present = token.tag_ in {"VBP", "VB"} or token.lower_ in {"were", "'m", "’m", "am"}
    if token.pos_ not in {"VERB", "AUX"} or not present or token.lower_ in _SAME_PAST_FORM:
        return False
    verb = token.head if token.dep_ in {"aux", "auxpass"} else token
    aux = [t for t in verb.children if t.dep_ in {"aux", "auxpass"} and t.tag_ != "TO"]
    if token != (aux[0] if aux else verb) or any(t.tag_ == "TO" and t.dep_ == "aux" for t in verb.children):
        return False
    subject = next((t for t in verb.children if t.dep_ in {"nsubj", "nsubjpass"}), None)
    if subject is None and verb == clause.verb:
        subject = clause.subject
    if subject is None or any(t.dep_ == "conj" for t in subject.children):
        return False
    return subject.lower_ == "i" or subject.lower_ in SECOND_PERSON


def _third_person(token: Token) -> str:
    word = token.lower_
    if word in _THIRD_PERSON_FORMS or word in _CLITICS:
        return _THIRD_PERSON_FORMS.get(word) or _CLITICS[word]
    if word in {"ca", "wo", "can", "will", "must", "might", "could", "should", "would", "'ll", "'d"}:
        return _FULL_FORMS.get(word, word)
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
