"""Facts that change: attributes with one value at a time, jobs and partners, things given up."""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.changes.phrases import is_passing
from mnemo.ingestion.local.clauses.predicates import Link, direct_object, is_over, object_after
from mnemo.ingestion.local.lexicon import KIN, ONE_AT_A_TIME, OWNED, PALE_ADJECTIVES, PEOPLE, POSTS, VAGUE
from mnemo.ingestion.resolution.relations import snake

if TYPE_CHECKING:
    from spacy.tokens import Token

    from mnemo.ingestion.extraction import State
    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["also", "attribute", "counted", "home_of", "let_go", "partner_of", "post_of"]

_PARTNERS = {
    **dict.fromkeys(("boyfriend", "girlfriend", "bf", "gf"), "dating"),
    **dict.fromkeys(("husband", "wife", "spouse"), "married_to"),
    **dict.fromkeys(("fiancé", "fiancée", "fiance", "fiancee"), "engaged_to"),
}
_MANY = PEOPLE - ONE_AT_A_TIME
"""Of these one may have several, so that a second one ends nothing."""
_LEANINGS = frozenset(
    ["hobby", "passion", "dream", "goal", "interest", "plan", "problem", "issue", "love", "aim", "job"]
)
"""Of these too, or what is said of them is a view."""
_HOMES = frozenset(["home", "house", "apartment", "flat", "place", "address"])
_CHANGING = frozenset(["change", "switch", "update"])
_RISING = frozenset(["promote", "appoint", "elect", "hire", "name"])
_SCHOOLING = frozenset(["enroll", "enrol", "transfer", "matriculate"])
_HEADS = frozenset(["ceo", "cto", "cfo", "coo", "founder", "cofounder", "co-founder", "head", "director", "president"])
_DISPOSING = frozenset(["sell", "donate", "scrap", "total", "pawn", "return"])
_QUITTING = frozenset(["leave", "quit", "cancel", "drop"])
_NO_FIRM = frozenset(["GPE", "LOC", "DATE", "TIME", "PERSON"])
_DYING = frozenset(["die", "pass"])


def partner_of(clause: Clause) -> Link | None:
    """Return the partner link of a clause: my boyfriend is Max; my wife's name is Ida; we split up."""
    if clause.modal:
        return None
    together = any(t.lower_ == "together" for t in clause.verb.children)
    if together and is_over(clause) and clause.verb.lemma_ == "be":
        return Link("dating", None, "ends", subject=_first_person(clause.subject))
    if clause.verb.lemma_ != "be":
        return _parted(clause)
    if clause.past or clause.negated:
        return None
    what = _said_to_be(clause.verb)
    for noun, name in ((_of_name(clause.subject), what), (what, clause.subject)):
        relation = _PARTNERS.get(noun.lower_) if noun is not None else None
        owner = _owner(noun) if noun is not None else None
        if relation and owner is not None and name is not None and name.pos_ == "PROPN":
            return Link(relation, name, "holds", subject=owner)
    bond = next((t for t in clause.tokens if t.lower_ == "relationship" and t.head.lower_ == "in"), None)
    partner = object_after(bond, "with") if bond is not None else None
    return Link("dating", partner, "holds") if partner is not None else None


def _parted(clause: Clause) -> Link | None:
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
    own = _first_person(clause.subject)
    return Link("dating", _other(clause.subject), "ends", subject=own) if own is not None else None


def _first_person(subject: Token) -> Token | None:
    """Return whether a subject is I or we, alone or with another: Tom and I."""
    return next((t for t in subject.subtree if t.lower_ in {"i", "we", "me"}), None)


def _other(subject: Token) -> Token | None:
    return next((t for t in subject.subtree if t.pos_ == "PROPN" and t.dep_ != "compound"), None)


def attribute(clause: Clause) -> Link | None:
    """Return the link of a single-valued attribute: my phone number is 555-1234, Dev is my new manager."""
    if clause.modal or clause.negated:
        return None
    if clause.verb.lemma_ in _CHANGING and clause.past:
        return _changed(clause)
    what, noun = _said_to_be(clause.verb), clause.subject
    if clause.verb.lemma_ != "be" or clause.past or what is None:
        return None
    if noun.pos_ == "PROPN" and what.lower_ in ONE_AT_A_TIME and _owner(what) is not None:
        return Link(_attribute_name(what), noun, "holds", subject=_owner(what))
    definite = _owner(noun) is not None or any(t.lower_ == "the" for t in noun.lefts)
    fits = definite and _is_attribute(noun) and _is_value(what)
    named = what if what.pos_ in {"PROPN", "NOUN"} and not any(t.like_num for t in what.subtree) else None
    return Link(_attribute_name(noun), named, "holds", subject=_owner(noun)) if fits else None


def _changed(clause: Clause) -> Link | None:
    holder = direct_object(clause.verb) or clause.subject
    value, owner = object_after(clause.verb, "to"), _owner(holder)
    fits = value is not None and owner is not None and _is_attribute(holder)
    return Link(_attribute_name(holder), value, "begins", subject=owner) if fits else None


def _is_attribute(noun: Token) -> bool:
    """Return whether a noun has one value at a time: singular, and not a relative of whom one may have several."""
    told_apart = any(t.dep_ in {"compound", "amod"} and t.lower_ not in PALE_ADJECTIVES for t in noun.lefts)
    vague = noun.lower_ in VAGUE - {"name"} and not told_apart
    if noun.tag_ != "NN" or vague or noun.lower_ in _MANY or noun.lower_ in _PARTNERS or noun.lower_ in _LEANINGS:
        return False
    return not any(t.tag_ in {"JJS", "RBS", "JJR"} or t.dep_ in {"relcl", "prep"} for t in noun.children)


def _is_value(token: Token) -> bool:
    """Return whether a value can be looked up: a name, a number or a date, not an opinion."""
    shaped = any(c.isdigit() for c in token.text) or "@" in token.text or token.like_num
    bare = token.tag_ == "NN" and not any(token.children)
    return token.pos_ == "PROPN" or shaped or bare or any(t.like_num or t.ent_type_ == "DATE" for t in token.subtree)


def _attribute_name(noun: Token) -> str:
    words = [t.lower_ for t in noun.lefts if t.dep_ in {"compound", "amod"} and t.lower_ not in PALE_ADJECTIVES]
    return f"{snake('_'.join([*words, noun.lemma_.lower()]))}_is"


def _of_name(noun: Token) -> Token:
    """Return the owner of a name: `my wife` in `my wife's name`."""
    owner = next((t for t in noun.children if t.dep_ == "poss" and t.pos_ == "NOUN"), None)
    return owner if noun.lower_ == "name" and owner is not None else noun


def _owner(noun: Token) -> Token | None:
    return next((t for t in noun.children if t.dep_ == "poss" and t.lower_ not in {"his", "her", "their", "its"}), None)


def _said_to_be(verb: Token) -> Token | None:
    return next((t for t in verb.children if t.dep_ in {"attr", "acomp", "oprd"} and t.i > verb.i), None)


def post_of(clause: Clause) -> Link | None:
    """Return the post or school that a clause names: I'm a nurse, the CEO of Acme, a student at Yale."""
    if clause.modal or (clause.negated and not is_over(clause)):
        return None
    return (_turn(clause) if clause.past else None) or _post_held(clause)


def _turn(clause: Clause) -> Link | None:
    """Return whether a post or school begins or ends."""
    verb = clause.verb
    if verb.lemma_ in _RISING and any(t.dep_ in {"auxpass", "nsubjpass"} for t in verb.children):
        post = object_after(verb, "to", "as") or next(
            (t for t in verb.children if t.dep_ in {"attr", "oprd", "xcomp"} and t.pos_ == "NOUN"), None
        )
        return Link("works_as", post, "begins") if post is not None and post.pos_ in {"NOUN", "PROPN"} else None
    if verb.lemma_ in {"step", "resign", "retire"}:
        post = object_after(verb, "as")
        alone = verb.lemma_ == "retire" and object_after(verb, "from", "to") is None
        return Link("works_as", post, "ends") if post is not None or alone else None
    if verb.lemma_ in _SCHOOLING:
        school, state = object_after(verb, "to", "at", "in"), "begins"
    else:
        school, state = {"graduate": object_after(verb, "from"), "drop": _out_of(verb)}.get(verb.lemma_), "ends"
    named = school is not None and school.pos_ == "PROPN" and school.ent_type_ not in {"GPE", "LOC"}
    return Link("studies_at", school, "begins" if state == "begins" else "ends") if named else None


def _post_held(clause: Clause) -> Link | None:
    verb, what = clause.verb, _said_to_be(clause.verb)
    if verb.lemma_ not in {"be", "become"} or what is None or (clause.past and verb.lemma_ == "be"):
        return None
    state: State = "ends" if is_over(clause) else "begins" if verb.lemma_ == "become" else "holds"
    named = what.lower_ in POSTS or what.lower_ in _HEADS
    where = object_after(what, "at", "for", *(("of",) if what.lower_ in _HEADS else ()))
    at_firm = where is not None and where.pos_ == "PROPN" and where.ent_type_ not in _NO_FIRM
    if what.lower_ == "student" and at_firm:
        return Link("studies_at", where, state)
    if not named or what.tag_ not in {"NN", "NNP"} or any(t.lower_ in {"also", "still"} for t in verb.children):
        return None
    return Link("works_at", where, state) if at_firm else Link("works_as", what, state)


def _out_of(verb: Token) -> Token | None:
    """Return the object of `out of`: moved out of Berlin, dropped out of Yale."""
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
        return _placed(object_after(verb, "in", "at", "near"), "holds")
    if verb.lemma_ == "settle" and clause.past:
        return _placed(object_after(verb, "in", "near"), "begins")
    if verb.lemma_ == "move" and clause.past and object_after(verb, "to", "into") is None:
        gone = _out_of(verb) or object_after(verb, "from")
        alone = clause.verb.children and clause.tokens[-1].lower_ == "out" and clause.subject.lower_ in {"i", "we"}
        if gone is None and alone:
            return Link("lives_in", None, "ends")
        return Link("lives_in", gone, "ends") if gone is not None and gone.pos_ == "PROPN" else None
    owner = _owner(clause.subject)
    if verb.lemma_ == "be" and not clause.past and owner is not None and clause.subject.lower_ in _HOMES:
        place = next(
            (c for t in verb.children if t.dep_ == "prep" and t.lower_ == "in" for c in t.children if c.dep_ == "pobj"),
            None,
        )
        found = _placed(place, "holds")
        return Link("lives_in", found.object, "holds", subject=owner) if found is not None else None
    return None


def _was(verb: Token) -> bool:
    return any(t.lower_ in {"was", "were", "been"} for t in verb.children)


def _placed(place: Token | None, state: State) -> Link | None:
    return Link("lives_in", place, state) if place is not None and place.pos_ == "PROPN" else None


def counted(clause: Clause) -> Link | None:
    """Return a single-valued number: I have two children, I weigh 80 kg."""
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
    if number is None or thing.lemma_.lower() not in KIN | OWNED | {"pet"} or thing.tag_ not in {"NNS", "NN"}:
        return None
    return Link(f"number_of_{snake(thing.lower_)}_is", None, "holds")


def let_go(clause: Clause) -> Link | None:
    """Return the thing that someone no longer has, whoever had it: `parrot` in `my parrot died`."""
    given_up = left_behind(clause)
    if given_up is None:
        return None
    owner = next((t for t in given_up[1].children if t.dep_ == "poss"), None)
    return Link(*given_up, "happened", subject=owner if given_up[1] == clause.subject else None)


def left_behind(clause: Clause) -> tuple[str, Token] | None:
    """Return what someone gives up and how: sold the Toyota, left the choir, switched from Vim to Emacs."""
    verb = clause.verb
    if not clause.past or clause.negated or clause.modal or is_passing(" ".join(t.text for t in clause.tokens)):
        return None
    thing = direct_object(verb)
    particles = {t.lower_ for t in verb.children if t.dep_ in {"prt", "advmod"}}
    if verb.lemma_ == "rid" or (verb.lemma_ == "get" and any(t.lower_ == "rid" for t in verb.children)):
        thing = next((t for t in verb.subtree if t.dep_ == "pobj" and t.head.lower_ == "of"), None)
        return ("gave_up", thing) if thing is not None else None
    if thing is not None and (verb.lemma_ in _DISPOSING or (verb.lemma_ == "give" and particles & {"away", "up"})):
        return "gave_up", thing
    if verb.lemma_ in _DYING and clause.subject.lower_ in OWNED and _owner(clause.subject) is not None:
        return "gave_up", clause.subject
    if verb.lemma_ in {"switch", "move", "change"} and (old := object_after(verb, "from")) is not None:
        return ("switched_from", old) if object_after(verb, "to") is not None else None
    return ("quit", thing) if thing is not None and verb.lemma_ in _QUITTING else None


def also(clause: Clause) -> Link | None:
    """Return the successor of what someone leaves: `Birch` in `left Acme for Birch`."""
    given_up = left_behind(clause)
    if given_up is None:
        return None
    if given_up[0] == "switched_from":
        return Link("switched_to", object_after(clause.verb, "to"), "begins")
    new = object_after(clause.verb, "for")
    named = new is not None and new.pos_ == given_up[1].pos_ == "PROPN" and clause.verb.lemma_ in _QUITTING
    return Link("works_at", new, "begins") if named and new is not None and new.ent_type_ not in _NO_FIRM else None
