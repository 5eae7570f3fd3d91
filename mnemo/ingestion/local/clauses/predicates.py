"""The predicate that links a clause's subject and object: its verb in snake case, and the words it covers."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemo.ingestion.local.lexicon import VAGUE
from mnemo.ingestion.resolution.relations import snake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from mnemo.ingestion.extraction import State
    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["VAGUE_OBJECTS", "Link", "direct_object", "is_over", "object_after", "plain_link", "used_to"]

_OBJECTS = ("dobj", "attr", "dative", "oprd")
VAGUE_OBJECTS = frozenset(
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
_MEASURES = frozenset(
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
_TELLING = frozenset(
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
"""Verbs that say something by themselves: he climbs."""
_CEASING = frozenset(["stop", "quit", "cease"])
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
    """What links a subject to an object."""

    relation: str
    object: Token | None
    state: State = "happened"
    subject: Token | None = None
    """Whom it is about where that is not the clause's subject."""
    topics: tuple[str, ...] = ()
    """What is over by it, in words."""
    replaces: bool = False
    certain: bool = True


def plain_link(clause: Clause) -> Link | None:
    """Name a clause by its verb and preposition, with its first object."""
    chain = _chain(clause.verb)
    ended = is_over(clause)
    if chain[0].lemma_ in _CEASING and len(chain) > 1 and not clause.negated and not clause.modal:
        ended, chain = True, chain[1:]
    last = chain[-1]
    words = [_lemma(token) for token in chain if token.lower_ not in {"going", "used"} or token is last]
    words = [words[0], *("be" if word == "is" else word for word in words[1:])]
    if words[0] == "has" and len(words) > 1:
        words[0] = "has_to"
    words += [t.lower_ for t in last.children if t.dep_ == "prt"]
    thing = direct_object(last)
    if thing is not None and _lemma(last) == "is" and thing.lower_ in _LASTING_TRAITS:
        return Link(snake("_".join((*_prefix(clause, ended), "is", thing.lower_))), None, _standing(clause, ended))
    trait = next((t for t in last.children if t.dep_ == "acomp"), None) if _lemma(last) == "is" else None
    if thing is None or thing.lower_ in VAGUE_OBJECTS:
        found = _first_prep(trait or last)
        lasting = trait is not None and (trait.lower_ in _LASTING_TRAITS or found is not None)
        words += [trait.lower_] if trait is not None and lasting else []
        words += [found[0]] if found is not None else []
        thing = found[1] if found is not None else None
    if thing is None and not _says_enough(clause, last) and last.lemma_ not in _TELLING:
        return None
    name = snake("_".join((*_prefix(clause, ended), *words))).replace("is_to", "visit")
    return Link(name, _counted(thing) if thing is not None else None, _standing(clause, ended))


def is_over(clause: Clause) -> bool:
    """Return whether the clause says that something no longer holds: no longer, not anymore."""
    if not clause.negated:
        return False
    words = [t.lower_ for t in clause.tokens]
    return bool({"anymore", "longer"} & set(words)) or ("more" in words and "any" in words)


def _standing(clause: Clause, ended: bool) -> State:  # noqa: FBT001  # one of three states
    """Return the state of a plain statement: a present-tense one holds and may be denied later."""
    if ended:
        return "ends"
    if clause.past and not clause.negated and clause.verb.lemma_ in {"start", "begin", "lose", "misplace"}:
        return "begins"
    passing = clause.past or clause.modal or used_to(clause) is not None
    return "happened" if passing else "holds"


def _chain(verb: Token) -> list[Token]:
    """Return a verb and the verbs that complete it: want, to go, to see; at most three."""
    chain = [verb]
    while len(chain) < 3:  # noqa: PLR2004  # deep enough
        inner = next((t for t in chain[-1].children if t.dep_ == "xcomp" and t.pos_ in {"VERB", "AUX"}), None)
        if inner is None:
            break
        chain.append(inner)
    return chain


def _first_prep(verb: Token) -> tuple[str, Token] | None:
    """Return the first preposition of a verb that is not about time, and its object."""
    for token in verb.children:
        if token.dep_ != "prep":
            continue
        for child in token.children:
            timed = child.ent_type_ in {"DATE", "TIME"} or child.lower_ in VAGUE_OBJECTS | {
                "moment",
                "present",
                "minute",
            }
            if child.dep_ in {"pobj", "pcomp"} and not timed:
                return token.lower_, child
    return None


def _counted(token: Token) -> Token:
    """Return what a measure counts: `dances` in `all kinds of dances`."""
    if token.lower_ not in _MEASURES:
        return token
    inner = (c for prep in token.children if prep.lower_ == "of" for c in prep.children if c.dep_ == "pobj")
    return next(inner, token)


def _prefix(clause: Clause, ended: bool) -> tuple[str, ...]:  # noqa: FBT001  # what is over is not denied
    modal = {"will": ("plans_to",), "can": ("can",), "want": ("would",)}.get(clause.modal, ())
    used = ("used_to",) if used_to(clause) is not None else ()
    return (*(("not",) if clause.negated and not ended else ()), *modal, *used)


def _lemma(token: Token) -> str:
    if token.lower_ == "got" and any(
        t.lemma_ == "have" or t.lower_ in {"'ve", "'s"} for t in token.children if t.dep_ == "aux"
    ):
        return "has"
    lemma = {"’m": "be", "'m": "be", "’s": "be", "’re": "be"}.get(token.lower_, token.lemma_.lower())
    return {"be": "is", "have": "has", "bear": "born"}.get(lemma, lemma)


def _says_enough(clause: Clause, verb: Token) -> bool:
    """Return whether a clause without an object has two or more content words beside its subject."""
    subject = {t.i for t in clause.subject.subtree}
    content = [
        t
        for t in clause.tokens
        if t.i not in subject and t.pos_ in {"NOUN", "PROPN", "ADJ", "VERB", "NUM"} and t.lower_ not in VAGUE
    ]
    if any(t.lower_ in _LASTING_TRAITS or t.ent_type_ == "NORP" or t.pos_ in {"NUM", "PROPN"} for t in content):
        return True
    return len([t for t in content if t != verb]) >= 2 or (verb.lemma_ != "be" and len(content) >= 2)  # noqa: PLR2004  # see above


def _preps(verb: Token) -> Iterator[tuple[str, Token]]:
    """Return prepositions of a verb, its complements and its object (a job at Birch), with their objects."""
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
    """Return the object of the first of these prepositions that belongs to a verb; None without one."""
    return next((token for preposition, token in _preps(verb) if preposition in prepositions), None)


def used_to(clause: Clause) -> Token | None:
    """Return the verb of `used to work`; None for a clause without `used to`."""
    if clause.verb.lower_ != "used":
        return None
    return next((t for t in clause.verb.children if t.dep_ == "xcomp"), None)
