"""Rewrites a clause in the third person so that it can be read alone: `I'm a nurse` → `Ada is a nurse`."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import ADDRESSED, SELF, SELF_PLURAL

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Token

    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["Cast", "render"]

_CLITICS = {"'m": "is", "'ve": "has", "'ll": "will", "'re": "are"}
_SPELT = {"ca": "can", "wo": "will", "n't": "not"}
_IRREGULAR = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "were": "was",
    "go": "goes",
    "be": "is",
    "'re": "is",
}
_ALWAYS_APART = frozenset(["'s", "’s", "'re", "’re"])
_LOOSE = re.compile(r"\s+(?=[,;.])")
_GAP = re.compile(r"(?:\s*[,:;]){2,}")
"""Punctuation marks that become adjacent when the words between them are removed."""
_UNKNOWN = "\0"
_UNCHANGED = frozenset(["hurt", "put", "cut", "hit", "set", "read", "quit", "split", "spread", "bet", "shut", "beat"])
"""Verbs whose past looks like their present; in a chat, they usually mean the past."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom `I` and `you` refer to."""

    speaker: str
    addressee: str | None = None
    they: str | None = None
    """Who is meant by a he, she or they that is the subject, where it is clear."""


def render(clause: Clause, cast: Cast, drop: Collection[int]) -> str | None:
    """Write a clause in the third person.

    Args:
        clause: What is said.
        cast: Who says it, and to whom.
        drop: Indices of tokens to leave out, such as those of a date that is shown separately.

    Returns:
        The sentence without end punctuation; None when it says `you` and nobody is known to be meant.
    """
    words = _opening(clause, cast)
    named = clause.inherited and clause.subject.lower_ in SELF | SELF_PLURAL
    glued = False
    for token in clause.tokens:
        if token.i in drop:
            continue
        text = _reworded(token, clause, cast, named=named)
        if _UNKNOWN in text:
            return None
        named = named or (token == clause.subject and token.lower_ in SELF | SELF_PLURAL)
        apart = text != token.text or (token.lower_ in _ALWAYS_APART and token.pos_ in {"AUX", "VERB"})
        words.append(f"{words.pop()}{text}" if glued and not apart and words else text)
        glued = not token.whitespace_
    sentence = " ".join(word for word in words if word).strip(" ,;:-–—").replace(" can not ", " cannot ")
    sentence = _unquoted(_LOOSE.sub("", _GAP.sub(",", sentence)))
    return sentence[:1].upper() + sentence[1:] if sentence else None


def _opening(clause: Clause, cast: Cast) -> list[str]:
    """Return the subject, and the auxiliaries if they come from an earlier clause."""
    if not clause.inherited:
        return []
    subject = clause.subject
    name = _pronoun(subject, cast, own=False, named=False) or _retold(subject, cast)
    single = subject.lower_ == "i" or subject.lower_ in ADDRESSED
    helpers = [_IRREGULAR.get(h.lower_, h.text) if single else h.text for h in clause.helpers]
    return [name, *(_CLITICS.get(helper.lower(), helper) for helper in helpers)]


def _retold(subject: Token, cast: Cast) -> str:
    """Return a subject with names for the speakers' pronouns: Theo's neighbour Mrs Castellano."""
    words: list[str] = []
    for token in subject.subtree:
        text = _pronoun(token, cast, own=token.tag_ == "PRP$" or token.dep_ == "poss", named=False) or token.text
        glued = words and not token.nbor(-1).whitespace_
        words.append(f"{words.pop()}{text}" if glued else text)
    return " ".join(words)


def _unquoted(sentence: str) -> str:
    """Remove an unpaired quote mark at the end, and the punctuation before it."""
    odd = sentence.count('"') % 2 == 1
    if odd and sentence.endswith('"'):
        return sentence[:-1].rstrip(".!, ")
    if sentence.endswith("”") and "“" not in sentence:
        return sentence[:-1].rstrip(".!, ")
    return sentence.lstrip('"“ ') if odd or ("“" in sentence and "”" not in sentence) else sentence


def _reworded(token: Token, clause: Clause, cast: Cast, *, named: bool) -> str:
    pronoun = _pronoun(token, cast, own=token.tag_ == "PRP$" or token.dep_ == "poss", named=named)
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
    return "have" if word == "'ve" else _SPELT.get(word) or _CLITICS.get(word) or token.text


def _is_perfect(token: Token) -> bool:
    """Return whether 's before a participle is `has`: with an object (she's bought a bed) or no passive."""
    verb = token.head
    if token.dep_ == "aux" or "been" in {verb.lower_, *(t.lower_ for t in verb.children)}:
        return True
    return any(t.dep_ in {"dobj", "dative", "ccomp", "xcomp", "oprd"} and t.i > verb.i for t in verb.children)


def _pronoun(token: Token, cast: Cast, *, own: bool, named: bool) -> str | None:
    """Return the name for a speaker's pronoun, `their` once the speaker is named; else None."""
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
    if word in SELF | SELF_PLURAL:
        return _self_named(word, cast, named=named)
    if word in ADDRESSED:
        name = cast.addressee or _UNKNOWN
        return f"{name}'s" if own or word in {"your", "yours"} else name
    third = token.dep_ in {"nsubj", "nsubjpass"} and word in {"he", "she", "they"}
    return cast.they if third else None


def _self_named(word: str, cast: Cast, *, named: bool) -> str:
    """Return the speaker for I, me, we: by name, and `their` once the clause has named them."""
    name = cast.speaker
    if word in {"myself", "ourselves"}:
        return "themself" if word == "myself" else "themselves"
    if word in {"my", "our"}:
        return "their" if named else f"{name}'s"
    if word in {"mine", "ours"}:
        return "theirs" if named else f"{name}'s"
    if word in SELF:
        return name
    return "them" if word == "us" and named else f"{name} and others"


def _needs_third_person(token: Token, clause: Clause) -> bool:
    """Return whether it is a finite verb in the present (or were) whose subject is I, you, or left out."""
    present = token.tag_ in {"VBP", "VB"} or token.lower_ in {"were", "'m", "’m", "am"}
    if token.pos_ not in {"VERB", "AUX"} or not present or token.lower_ in _UNCHANGED:
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
    return subject.lower_ == "i" or subject.lower_ in ADDRESSED


def _third_person(token: Token) -> str:
    word = token.lower_
    if word in _IRREGULAR or word in _CLITICS:
        return _IRREGULAR.get(word) or _CLITICS[word]
    if word in {"ca", "wo", "can", "will", "must", "might", "could", "should", "would", "'ll", "'d"}:
        return _SPELT.get(word, word)
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
