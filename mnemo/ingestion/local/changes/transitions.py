"""Facts that change: attributes with one value at a time, jobs and partners, things given up."""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.changes.phrases import is_not_final
from mnemo.ingestion.local.clauses.predicates import Link, direct_object, is_over, object_after
from mnemo.ingestion.local.lexicon import (
    BELONGINGS,
    GENERIC_ADJECTIVES,
    JOB_TITLES,
    KIN,
    PEOPLE,
    SINGLE_VALUED,
    VAGUE_NOUNS,
)
from mnemo.ingestion.resolution.relations import snake

if TYPE_CHECKING:
    from spacy.tokens import Token

    from mnemo.ingestion.extraction import State
    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["attribute", "count_attribute", "given_up", "home_of", "occupation_of", "partner_of", "successor"]

_PARTNERS = {
    **dict.fromkeys(("boyfriend", "girlfriend", "bf", "gf"), "dating"),
    **dict.fromkeys(("husband", "wife", "spouse"), "married_to"),
    **dict.fromkeys(("fiancé", "fiancée", "fiance", "fiancee"), "engaged_to"),
}
_MULTI_VALUED = PEOPLE - SINGLE_VALUED
"""Nouns that may have several values at once: a second brother replaces no one."""
_OPINION_NOUNS = frozenset(
    ["hobby", "passion", "dream", "goal", "interest", "plan", "problem", "issue", "love", "aim", "job"]
)
"""Nouns that may have several values, or whose value is an opinion."""
_HOME_NOUNS = frozenset(["home", "house", "apartment", "flat", "place", "address"])
_CHANGE_VERBS = frozenset(["change", "switch", "update"])
_APPOINT_VERBS = frozenset(["promote", "appoint", "elect", "hire", "name"])
_ENROL_VERBS = frozenset(["enroll", "enrol", "transfer", "matriculate"])
_EXECUTIVE_TITLES = frozenset(
    ["ceo", "cto", "cfo", "coo", "founder", "cofounder", "co-founder", "head", "director", "president"]
)
_DISPOSE_VERBS = frozenset(["sell", "donate", "scrap", "total", "pawn", "return"])
_QUIT_VERBS = frozenset(["leave", "quit", "cancel", "drop"])
_NOT_ORGANISATIONS = frozenset(["GPE", "LOC", "DATE", "TIME", "PERSON"])
_DIE_VERBS = frozenset(["die", "pass"])


def partner_of(clause: Clause) -> Link | None:
    """Return the partner link of a clause: my boyfriend is Max; my wife's name is Ida; we split up."""
    if clause.modal:
        return None
    together = any(t.lower_ == "together" for t in clause.verb.children)
    if together and is_over(clause) and clause.verb.lemma_ == "be":
        return Link("dating", None, "ends", subject=_first_person(clause.subject))
    if clause.verb.lemma_ != "be":
        return _separation(clause)
    if clause.past or clause.negated:
        return None
    complement = _complement(clause.verb)
    for noun, name in ((_named_noun(clause.subject), complement), (complement, clause.subject)):
        relation = _PARTNERS.get(noun.lower_) if noun is not None else None
        owner = _owner(noun) if noun is not None else None
        if relation and owner is not None and name is not None and name.pos_ == "PROPN":
            return Link(relation, name, "holds", subject=owner)
    relationship = next((t for t in clause.tokens if t.lower_ == "relationship" and t.head.lower_ == "in"), None)
    partner = object_after(relationship, "with") if relationship is not None else None
    return Link("dating", partner, "holds") if partner is not None else None


def _separation(clause: Clause) -> Link | None:
    verb = clause.verb
    if not clause.past or clause.negated:
        return None
    particles = {t.lower_ for t in verb.children if t.dep_ in {"prt", "advmod"}}
    ended = direct_object(verb)
    if "off" in particles and ended is not None and ended.lower_ in {"engagement", "wedding"}:
        return Link("engaged_to", None, "ends", subject=_first_person(clause.subject))
    apart = verb.lemma_ == "separate" or (verb.lemma_ in {"break", "split"} and "up" in particles)
    if not apart or object_after(verb, "with", "from") is not None:
        return None
    first_person = _first_person(clause.subject)
    return (
        Link("dating", _named_partner(clause.subject), "ends", subject=first_person)
        if first_person is not None
        else None
    )


def _first_person(subject: Token) -> Token | None:
    """Return the I or we of a subject, alone or with another person (Tom and I); None without one."""
    return next((t for t in subject.subtree if t.lower_ in {"i", "we", "me"}), None)


def _named_partner(subject: Token) -> Token | None:
    return next((t for t in subject.subtree if t.pos_ == "PROPN" and t.dep_ != "compound"), None)


def attribute(clause: Clause) -> Link | None:
    """Return the link of a single-valued attribute: my phone number is 555-1234, Dev is my new manager."""
    if clause.modal or clause.negated:
        return None
    if clause.verb.lemma_ in _CHANGE_VERBS and clause.past:
        return _changed_attribute(clause)
    complement, noun = _complement(clause.verb), clause.subject
    if clause.verb.lemma_ != "be" or clause.past or complement is None:
        return None
    if noun.pos_ == "PROPN" and complement.lower_ in SINGLE_VALUED and _owner(complement) is not None:
        return Link(_attribute_name(complement), noun, "holds", subject=_owner(complement))
    definite = _owner(noun) is not None or any(t.lower_ == "the" for t in noun.lefts)
    fits = definite and _is_attribute(noun) and _is_value(complement)
    named = (
        complement if complement.pos_ in {"PROPN", "NOUN"} and not any(t.like_num for t in complement.subtree) else None
    )
    return Link(_attribute_name(noun), named, "holds", subject=_owner(noun)) if fits else None


def _changed_attribute(clause: Clause) -> Link | None:
    holder = direct_object(clause.verb) or clause.subject
    value, owner = object_after(clause.verb, "to"), _owner(holder)
    fits = value is not None and owner is not None and _is_attribute(holder)
    return Link(_attribute_name(holder), value, "begins", subject=owner) if fits else None


def _is_attribute(noun: Token) -> bool:
    """Return whether a noun has one value at a time: singular, specific, and not a relative such as brother."""
    specified = any(t.dep_ in {"compound", "amod"} and t.lower_ not in GENERIC_ADJECTIVES for t in noun.lefts)
    vague = noun.lower_ in VAGUE_NOUNS - {"name"} and not specified
    if (
        noun.tag_ != "NN"
        or vague
        or noun.lower_ in _MULTI_VALUED
        or noun.lower_ in _PARTNERS
        or noun.lower_ in _OPINION_NOUNS
    ):
        return False
    return not any(t.tag_ in {"JJS", "RBS", "JJR"} or t.dep_ in {"relcl", "prep"} for t in noun.children)


def _is_value(token: Token) -> bool:
    """Return whether it is a concrete value (a name, number or date) rather than an opinion."""
    formatted = any(c.isdigit() for c in token.text) or "@" in token.text or token.like_num
    bare = token.tag_ == "NN" and not any(token.children)
    return token.pos_ == "PROPN" or formatted or bare or any(t.like_num or t.ent_type_ == "DATE" for t in token.subtree)


def _attribute_name(noun: Token) -> str:
    words = [t.lower_ for t in noun.lefts if t.dep_ in {"compound", "amod"} and t.lower_ not in GENERIC_ADJECTIVES]
    return f"{snake('_'.join([*words, noun.lemma_.lower()]))}_is"


def _named_noun(noun: Token) -> Token:
    """Return the noun whose name is given: `wife` in `my wife's name`; other nouns as they are."""
    owner = next((t for t in noun.children if t.dep_ == "poss" and t.pos_ == "NOUN"), None)
    return owner if noun.lower_ == "name" and owner is not None else noun


def _owner(noun: Token) -> Token | None:
    return next((t for t in noun.children if t.dep_ == "poss" and t.lower_ not in {"his", "her", "their", "its"}), None)


def _complement(verb: Token) -> Token | None:
    return next((t for t in verb.children if t.dep_ in {"attr", "acomp", "oprd"} and t.i > verb.i), None)


def occupation_of(clause: Clause) -> Link | None:
    """Return the job or school that a clause names: I'm a nurse, the CEO of Acme, a student at Yale."""
    if clause.modal or (clause.negated and not is_over(clause)):
        return None
    return (_occupation_change(clause) if clause.past else None) or _current_occupation(clause)


def _occupation_change(clause: Clause) -> Link | None:
    """Return the start or end of a job or school."""
    verb = clause.verb
    if verb.lemma_ in _APPOINT_VERBS and any(t.dep_ in {"auxpass", "nsubjpass"} for t in verb.children):
        title = object_after(verb, "to", "as") or next(
            (t for t in verb.children if t.dep_ in {"attr", "oprd", "xcomp"} and t.pos_ == "NOUN"), None
        )
        return Link("works_as", title, "begins") if title is not None and title.pos_ in {"NOUN", "PROPN"} else None
    if verb.lemma_ in {"step", "resign", "retire"}:
        title = object_after(verb, "as")
        alone = verb.lemma_ == "retire" and object_after(verb, "from", "to") is None
        return Link("works_as", title, "ends") if title is not None or alone else None
    if verb.lemma_ in _ENROL_VERBS:
        school, state = object_after(verb, "to", "at", "in"), "begins"
    else:
        school, state = {"graduate": object_after(verb, "from"), "drop": _out_of(verb)}.get(verb.lemma_), "ends"
    named = school is not None and school.pos_ == "PROPN" and school.ent_type_ not in {"GPE", "LOC"}
    return Link("studies_at", school, "begins" if state == "begins" else "ends") if named else None


def _current_occupation(clause: Clause) -> Link | None:
    verb, complement = clause.verb, _complement(clause.verb)
    if verb.lemma_ not in {"be", "become"} or complement is None or (clause.past and verb.lemma_ == "be"):
        return None
    state: State = "ends" if is_over(clause) else "begins" if verb.lemma_ == "become" else "holds"
    named = complement.lower_ in JOB_TITLES or complement.lower_ in _EXECUTIVE_TITLES
    employer = object_after(complement, "at", "for", *(("of",) if complement.lower_ in _EXECUTIVE_TITLES else ()))
    has_employer = employer is not None and employer.pos_ == "PROPN" and employer.ent_type_ not in _NOT_ORGANISATIONS
    if complement.lower_ == "student" and has_employer:
        return Link("studies_at", employer, state)
    if not named or complement.tag_ not in {"NN", "NNP"} or any(t.lower_ in {"also", "still"} for t in verb.children):
        return None
    return Link("works_at", employer, state) if has_employer else Link("works_as", complement, state)


def _out_of(verb: Token) -> Token | None:
    """Return the object of `out of` or `away from`: moved out of Berlin, dropped out of Yale."""
    out = next((t for t in verb.children if t.lower_ in {"out", "away"}), None)
    if out is None:
        return None
    preps = [t for t in (*out.children, *verb.children) if t.dep_ == "prep" and t.lower_ in {"of", "from"}]
    return next((t for prep in preps for t in prep.children if t.dep_ == "pobj"), None)


def home_of(clause: Clause) -> Link | None:  # noqa: PLR0911  # one return per kind of sentence
    """Return the home that a clause names: I'm based in Paris, we settled in Oslo, I moved out of Berlin."""
    verb = clause.verb
    if clause.modal or clause.negated:
        return None
    if verb.lemma_ == "base" and any(t.dep_ in {"auxpass", "aux"} for t in verb.children) and not _was(verb):
        return _home_link(object_after(verb, "in", "at", "near"), "holds")
    if verb.lemma_ == "settle" and clause.past:
        return _home_link(object_after(verb, "in", "near"), "begins")
    if verb.lemma_ == "move" and clause.past and object_after(verb, "to", "into") is None:
        left_place = _out_of(verb) or object_after(verb, "from")
        alone = clause.verb.children and clause.tokens[-1].lower_ == "out" and clause.subject.lower_ in {"i", "we"}
        if left_place is None and alone:
            return Link("lives_in", None, "ends")
        return Link("lives_in", left_place, "ends") if left_place is not None and left_place.pos_ == "PROPN" else None
    owner = _owner(clause.subject)
    if verb.lemma_ == "be" and not clause.past and owner is not None and clause.subject.lower_ in _HOME_NOUNS:
        place = next(
            (c for t in verb.children if t.dep_ == "prep" and t.lower_ == "in" for c in t.children if c.dep_ == "pobj"),
            None,
        )
        found = _home_link(place, "holds")
        return Link("lives_in", found.object, "holds", subject=owner) if found is not None else None
    return None


def _was(verb: Token) -> bool:
    return any(t.lower_ in {"was", "were", "been"} for t in verb.children)


def _home_link(place: Token | None, state: State) -> Link | None:
    return Link("lives_in", place, state) if place is not None and place.pos_ == "PROPN" else None


def count_attribute(clause: Clause) -> Link | None:
    """Return the link of a number with one value at a time: I have two children, I weigh 80 kg."""
    thing = direct_object(clause.verb)
    if (
        clause.verb.lemma_ == "weigh"
        and not clause.modal
        and not clause.past
        and any(t.like_num for t in clause.tokens)
    ):
        return Link("weight_is", None, "holds")
    if clause.verb.lemma_ != "have" or clause.modal or clause.negated or clause.past or thing is None:
        return None
    number = next((t for t in thing.children if t.dep_ == "nummod"), None)
    if number is None or thing.lemma_.lower() not in KIN | BELONGINGS | {"pet"} or thing.tag_ not in {"NNS", "NN"}:
        return None
    return Link(f"number_of_{snake(thing.lower_)}_is", None, "holds")


def given_up(clause: Clause) -> Link | None:
    """Return the link to the thing that someone no longer has: `parrot` in `my parrot died`."""
    loss = _given_up_thing(clause)
    if loss is None:
        return None
    owner = next((t for t in loss[1].children if t.dep_ == "poss"), None)
    return Link(*loss, "happened", subject=owner if loss[1] == clause.subject else None)


def _given_up_thing(clause: Clause) -> tuple[str, Token] | None:
    """Return a relation and the thing given up: sold the Toyota, left the choir, switched from Vim to Emacs."""
    verb = clause.verb
    if not clause.past or clause.negated or clause.modal or is_not_final(" ".join(t.text for t in clause.tokens)):
        return None
    thing = direct_object(verb)
    particles = {t.lower_ for t in verb.children if t.dep_ in {"prt", "advmod"}}
    if verb.lemma_ == "rid" or (verb.lemma_ == "get" and any(t.lower_ == "rid" for t in verb.children)):
        thing = next((t for t in verb.subtree if t.dep_ == "pobj" and t.head.lower_ == "of"), None)
        return ("gave_up", thing) if thing is not None else None
    if thing is not None and (verb.lemma_ in _DISPOSE_VERBS or (verb.lemma_ == "give" and particles & {"away", "up"})):
        return "gave_up", thing
    if verb.lemma_ in _DIE_VERBS and clause.subject.lower_ in BELONGINGS and _owner(clause.subject) is not None:
        return "gave_up", clause.subject
    if verb.lemma_ in {"switch", "move", "change"} and (old := object_after(verb, "from")) is not None:
        return ("switched_from", old) if object_after(verb, "to") is not None else None
    return ("quit", thing) if thing is not None and verb.lemma_ in _QUIT_VERBS else None


def successor(clause: Clause) -> Link | None:
    """Return the link to what replaces the thing given up: `Birch` in `left Acme for Birch`."""
    loss = _given_up_thing(clause)
    if loss is None:
        return None
    if loss[0] == "switched_from":
        return Link("switched_to", object_after(clause.verb, "to"), "begins")
    new = object_after(clause.verb, "for")
    named = new is not None and new.pos_ == loss[1].pos_ == "PROPN" and clause.verb.lemma_ in _QUIT_VERBS
    return (
        Link("works_at", new, "begins")
        if named and new is not None and new.ent_type_ not in _NOT_ORGANISATIONS
        else None
    )
