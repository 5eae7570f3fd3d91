"""The predicate of a clause: its verb in snake case, linked to the object."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import VAGUE_NOUNS
from mnemo.ingestion.resolution.relations import snake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from mnemo.ingestion.extraction import State
    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["PRONOUN_OBJECTS", "Link", "direct_object", "is_over", "object_after", "plain_link", "used_to"]

_OBJECTS = ("dobj", "attr", "dative", "oprd")
PRONOUN_OBJECTS = frozenset(
    [
        "it",
        "that",
        "this",
        "them",
        "these",
        "those",
        "something",
        "anything",
        "everything",
        "one",
        "someone",
        "somebody",
        "anyone",
        "what",
    ]
)
_MEASURE_NOUNS = frozenset(
    [
        "kind",
        "kinds",
        "lot",
        "lots",
        "bunch",
        "couple",
        "group",
        "piece",
        "pieces",
        "number",
        "type",
        "types",
        "bit",
        "set",
        "pair",
    ]
)
_INTRANSITIVE_VERBS = frozenset(
    [
        *(
            "die",
            "sing",
            "climb",
            "dance",
            "smoke",
            "drink",
            "paint",
            "swim",
            "run",
            "ski",
            "surf",
            "knit",
            "sew",
            "draw",
            "graduate",
            "retire",
            "divorce",
        ),
        *(
            "recover",
            "arrive",
            "miss",
            "vape",
            "box",
            "row",
            "fish",
            "bake",
            "garden",
            "meditate",
            "separate",
            "split",
            "relapse",
            "faint",
            "marry",
        ),
    ]
)
"""Verbs that state a fact without an object: he climbs."""
_STOP_VERBS = frozenset(["stop", "quit", "cease"])
_LASTING_TRAITS = frozenset(
    [
        *("vegetarian", "vegan", "pregnant", "diabetic", "retired", "unemployed", "deaf", "blind", "gay", "lesbian"),
        *(
            "missing",
            "ill",
            "sick",
            "single",
            "allergic",
            "dead",
            "homeless",
            "bankrupt",
            "engaged",
            "married",
            "expecting",
            "colourblind",
            "dyslexic",
        ),
        *("bisexual", "transgender", "trans", "left-handed", "gluten-free", "lactose-intolerant", "autistic"),
    ],
)


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between a subject and an object."""

    relation: str
    object: Token | None
    state: State = "happened"
    subject: Token | None = None
    """The fact's subject if it differs from the clause's."""
    topics: tuple[str, ...] = ()
    """Topics that it ends, in words."""
    replaces: bool = False
    certain: bool = True


def plain_link(clause: Clause) -> Link | None:
    """Return the clause's verb and preposition as relation, with its first object; None if it states too little."""
    chain = _chain(clause.verb)
    ended = is_over(clause)
    if chain[0].lemma_ in _STOP_VERBS and len(chain) > 1 and not clause.negated and not clause.modal:
        ended, chain = True, chain[1:]
    last = chain[-1]
    words = [_predicate_word(token) for token in chain if token.lower_ not in {"going", "used"} or token is last]
    words = [words[0], *("be" if word == "is" else word for word in words[1:])]
    if words[0] == "has" and len(words) > 1:
        words[0] = "has_to"
    words += [t.lower_ for t in last.children if t.dep_ == "prt"]
    thing = direct_object(last)
    if thing is not None and _predicate_word(last) == "is" and thing.lower_ in _LASTING_TRAITS:
        return Link(snake("_".join((*_prefix(clause, ended), "is", thing.lower_))), None, _plain_state(clause, ended))
    trait = next((t for t in last.children if t.dep_ == "acomp"), None) if _predicate_word(last) == "is" else None
    if thing is None or thing.lower_ in PRONOUN_OBJECTS:
        found = _first_prep(trait or last)
        lasting = trait is not None and (trait.lower_ in _LASTING_TRAITS or found is not None)
        words += [trait.lower_] if trait is not None and lasting else []
        words += [found[0]] if found is not None else []
        thing = found[1] if found is not None else None
    if thing is None and not _has_content(clause, last) and last.lemma_ not in _INTRANSITIVE_VERBS:
        return None
    name = snake("_".join((*_prefix(clause, ended), *words))).replace("is_to", "visit")
    return Link(name, _measured_noun(thing) if thing is not None else None, _plain_state(clause, ended))


def is_over(clause: Clause) -> bool:
    """Return whether the clause says that something no longer holds: no longer, not anymore, not any more."""
    if not clause.negated:
        return False
    words = [t.lower_ for t in clause.tokens]
    return bool({"anymore", "longer"} & set(words)) or ("more" in words and "any" in words)


def _plain_state(clause: Clause, ended: bool) -> State:  # noqa: FBT001  # one of three states
    """Return the state of a plain statement; a present-tense one holds until a later fact denies it."""
    if ended:
        return "ends"
    if clause.past and not clause.negated and clause.verb.lemma_ in {"start", "begin", "lose", "misplace"}:
        return "begins"
    temporary = clause.past or clause.modal or used_to(clause) is not None
    return "happened" if temporary else "holds"


def _chain(verb: Token) -> list[Token]:
    """Return a verb and the open complements below it (want, to go, to see), at most three."""
    chain = [verb]
    while len(chain) < 3:  # noqa: PLR2004  # see above
        inner = next((t for t in chain[-1].children if t.dep_ == "xcomp" and t.pos_ in {"VERB", "AUX"}), None)
        if inner is None:
            break
        chain.append(inner)
    return chain


def _first_prep(verb: Token) -> tuple[str, Token] | None:
    """Return the verb's first preposition that is not about time, and its object."""
    for token in verb.children:
        if token.dep_ != "prep":
            continue
        for child in token.children:
            timed = child.ent_type_ in {"DATE", "TIME"} or child.lower_ in PRONOUN_OBJECTS | {
                "moment",
                "present",
                "minute",
            }
            if child.dep_ in {"pobj", "pcomp"} and not timed:
                return token.lower_, child
    return None


def _measured_noun(token: Token) -> Token:
    """Return the noun after a measure: `dances` in `all kinds of dances`."""
    if token.lower_ not in _MEASURE_NOUNS:
        return token
    inner = (c for prep in token.children if prep.lower_ == "of" for c in prep.children if c.dep_ == "pobj")
    return next(inner, token)


def _prefix(clause: Clause, ended: bool) -> tuple[str, ...]:  # noqa: FBT001  # an ended relation is not negated
    modal = {"will": ("plans_to",), "can": ("can",), "want": ("would",)}.get(clause.modal, ())
    used = ("used_to",) if used_to(clause) is not None else ()
    return (*(("not",) if clause.negated and not ended else ()), *modal, *used)


def _predicate_word(token: Token) -> str:
    if token.lower_ == "got" and any(
        t.lemma_ == "have" or t.lower_ in {"'ve", "'s"} for t in token.children if t.dep_ == "aux"
    ):
        return "has"
    lemma = {"’m": "be", "'m": "be", "’s": "be", "’re": "be"}.get(token.lower_, token.lemma_.lower())
    return {"be": "is", "have": "has", "bear": "born"}.get(lemma, lemma)


def _has_content(clause: Clause, verb: Token) -> bool:
    """Return whether a clause without an object has two or more content words outside its subject."""
    subject = {t.i for t in clause.subject.subtree}
    content = [
        t
        for t in clause.tokens
        if t.i not in subject and t.pos_ in {"NOUN", "PROPN", "ADJ", "VERB", "NUM"} and t.lower_ not in VAGUE_NOUNS
    ]
    if any(t.lower_ in _LASTING_TRAITS or t.ent_type_ == "NORP" or t.pos_ in {"NUM", "PROPN"} for t in content):
        return True
    return len([t for t in content if t != verb]) >= 2 or (verb.lemma_ != "be" and len(content) >= 2)  # noqa: PLR2004  # see above


def _preps(verb: Token) -> Iterator[tuple[str, Token]]:
    """Yield the prepositions of a verb, its complements and its object (a job at Birch), with their objects."""
    holders = [verb, *(t for t in verb.children if t.dep_ in {*_OBJECTS, "acomp", "prt"})]
    for holder in holders:
        for token in holder.children:
            if token.dep_ in {"prep", "agent"}:
                for child in token.children:
                    if child.dep_ in {"pobj", "pcomp"}:
                        yield token.lower_, child


def direct_object(verb: Token) -> Token | None:
    """Return the object of a verb, or the complement of a form of be; None without one."""
    return next((t for t in verb.children if t.dep_ in _OBJECTS), None)


def object_after(verb: Token, *prepositions: str) -> Token | None:
    """Return the object of the verb's first preposition that is one of these; None without one."""
    return next((token for preposition, token in _preps(verb) if preposition in prepositions), None)


def used_to(clause: Clause) -> Token | None:
    """Return the verb of `used to work`; None for a clause without `used to`."""
    if clause.verb.lower_ != "used":
        return None
    return next((t for t in clause.verb.children if t.dep_ == "xcomp"), None)
