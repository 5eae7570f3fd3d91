"""The link of a clause: a canonical relation such as `works_at` if a rule fits, with its object and state."""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.changes.transitions import (
    attribute,
    count_attribute,
    given_up,
    home_of,
    occupation_of,
    partner_of,
)
from mnemo.ingestion.local.clauses.predicates import (
    PRONOUN_OBJECTS,
    Link,
    direct_object,
    is_over,
    object_after,
    plain_link,
    used_to,
)
from mnemo.ingestion.local.lexicon import (
    ANIMALS,
    BELONGINGS,
    DISLIKE_VERBS,
    KIN,
    LIKE_ADJECTIVES,
    LIKE_VERBS,
    NOT_EMPLOYERS,
    VAGUE_NOUNS,
)
from mnemo.ingestion.resolution.relations import snake

if TYPE_CHECKING:
    from spacy.tokens import Token

    from mnemo.ingestion.extraction import State
    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["link_of"]

_GET_JOB_VERBS = frozenset(["get", "land", "take", "accept", "start", "find"])
_SCHOOLS = frozenset(["university", "college", "school", "academy", "institute"])
_FAVOURITE_WORDS = frozenset(["favorite", "favourite", "fave", "fav"])
_MEALS = frozenset(
    ["lunch", "dinner", "breakfast", "brunch", "coffee", "drinks", "drink", "tea", "walk", "run", "pint"]
)
_MAX_AGE = 120
_PLACE_NOUNS = frozenset(["city", "town", "village", "apartment", "house", "flat", "country", "suburbs", "countryside"])
_WEARY_ADJECTIVES = frozenset(["sick", "tired", "fed", "weary"])
_JOB_NOUNS = frozenset(["job", "position", "role", "gig", "internship", "offer", "post", "work"])


def link_of(clause: Clause) -> Link | None:
    """Return a canonical relation if one fits, else the clause's verb in snake case.

    Returns:
        The link; None for a clause that states too little (`I did it`).
    """
    for rule in _RULES:
        link = rule(clause)
        if link is not None:
            return link
    return given_up(clause) or plain_link(clause)


def _main_verb(clause: Clause) -> Token:
    """Return the main verb: `work` in `used to work` and `started working`."""
    used = used_to(clause)
    if used is not None:
        return used
    if clause.verb.lemma_ in {"start", "begin", "stop", "quit"}:
        inner = next((t for t in clause.verb.children if t.dep_ == "xcomp" and t.tag_ == "VBG"), None)
        return inner or clause.verb
    return clause.verb


def _state_by_tense(clause: Clause) -> State:
    """Return the state in time that the tense implies."""
    if used_to(clause) is not None or clause.verb.lemma_ in {"stop", "quit"}:
        return "ends"
    if clause.verb.lemma_ in {"start", "begin"}:
        return "begins"
    if is_over(clause):
        return "ends"
    progressive = any(
        t.lower_ in {"been", "'ve", "’ve", "'s", "has", "have"} and t.dep_ == "aux" for t in clause.verb.children
    )
    return "holds" if progressive or not clause.past else "happened"


def _is_plan(clause: Clause) -> bool:
    return clause.modal != ""


def _favourite(clause: Clause) -> Link | None:
    """Return the link for `my favourite colour is green`: owned by the speaker, one value at a time."""
    noun = clause.subject
    liked = any(t.lower_ in _FAVOURITE_WORDS for t in noun.children)
    owner = next((t for t in noun.children if t.dep_ == "poss"), None)
    what = next((t for t in clause.verb.children if t.dep_ in {"attr", "acomp"}), None)
    if not liked or owner is None or what is None or clause.verb.lemma_ != "be" or clause.past or clause.negated:
        return None
    return Link(f"favourite_{snake(noun.lemma_)}", what, "holds", subject=owner)


def _home(clause: Clause) -> Link | None:
    verb = _main_verb(clause)
    if _is_plan(clause):
        return None
    if verb.lemma_ in {"live", "reside"} and not clause.negated | (_state_by_tense(clause) == "ends"):
        place = object_after(verb, "in", "at", "near")
        return Link("lives_in", place, _state_by_tense(clause)) if place is not None and _is_place(place) else None
    if verb.lemma_ in {"live", "reside"} and _state_by_tense(clause) == "ends":
        place = object_after(verb, "in", "at")
        return Link("lives_in", place, "ends") if place is not None else None
    if verb.lemma_ in {"move", "relocate"} and clause.past and not clause.negated:
        place = object_after(verb, "to")
        return Link("lives_in", place, "begins") if place is not None and place.pos_ == "PROPN" else None
    return None


def _is_place(token: Token) -> bool:
    return token.pos_ == "PROPN" or token.lower_ in _PLACE_NOUNS


def _employer(clause: Clause) -> Link | None:
    """Return the link to where someone works, or started or stopped working."""
    if _is_plan(clause):
        return None
    verb = _main_verb(clause)
    thing = direct_object(verb)
    if clause.past and not clause.negated and _loses_job(clause, verb, thing):
        return Link("works_at", None, "ends")
    if verb.lemma_ in {"join", "leave", "quit"} and thing is not None and _is_employer(thing) and not clause.negated:
        return Link("works_at", thing, "begins" if verb.lemma_ == "join" else "ends")
    where = object_after(verb, "at", "for", "with", "from")
    if where is None or where.pos_ != "PROPN":
        return None
    state = _employment(clause, verb)
    if state == "ends" and thing is not None and verb.lemma_ in {"fire", "lay"}:
        return Link("works_at", where, state, subject=thing)  # the person fired
    return Link("works_at", where, state) if state is not None else None


def _loses_job(clause: Clause, verb: Token, thing: Token | None) -> bool:
    """Return whether someone lost or left a job without naming the employer: quit my job, got laid off."""
    job = thing is not None and thing.lower_ in {"job", "work"} and any(t.tag_ == "PRP$" for t in thing.children)
    other = thing is not None and any(t.lower_ in {"second", "other", "side", "weekend", "part"} for t in thing.subtree)
    if verb.lemma_ in {"hand", "give", "put"} and thing is not None and thing.lower_ in {"notice", "resignation"}:
        return True
    if object_after(verb, "at", "from", "with", "as") is not None:
        return False
    if verb.lemma_ in {"quit", "leave", "lose"} and job:
        return not other
    passive = any(t.dep_ in {"auxpass", "nsubjpass"} for t in verb.children)
    sacked = verb.lemma_ in {"fire", "sack"} or (verb.lemma_ == "lay" and any(t.lower_ == "off" for t in verb.children))
    redundant = verb.lemma_ == "make" and any(t.lower_ == "redundant" for t in clause.tokens)
    return passive and (sacked or redundant)


def _employment(clause: Clause, verb: Token) -> State | None:
    """Return the state of a job at a named employer; None if the clause is not about a job."""
    if verb.lemma_ == "work":
        state = _state_by_tense(clause)
        return state if state == "ends" or not clause.negated else None
    if clause.negated:
        return None
    post = direct_object(verb)
    has_post = post is not None and post.lower_ in _JOB_NOUNS
    if verb.lemma_ in _GET_JOB_VERBS and (has_post or (verb.lemma_ == "start" and post is None)):
        return "begins"
    lost = verb.lemma_ in {"lose", "quit", "leave"} and has_post
    return "ends" if lost or verb.lemma_ in {"fire", "resign", "retire", "lay"} else None


def _is_employer(token: Token) -> bool:
    return (
        token.pos_ == "PROPN"
        and token.ent_type_ not in {"GPE", "LOC", "EVENT", "DATE", "WORK_OF_ART", "PERSON"}
        and token.lower_ not in NOT_EMPLOYERS
        and not any(prep.lower_ == "for" and t.lower_ in _MEALS for prep in token.head.subtree for t in prep.children)
    )


def _school(clause: Clause) -> Link | None:
    if _is_plan(clause):
        return None
    verb = _main_verb(clause)
    place = (
        object_after(verb, "at") if verb.lemma_ == "study" else direct_object(verb) if verb.lemma_ == "attend" else None
    )
    if place is None or clause.negated or (verb.lemma_ == "attend" and place.lower_ not in _SCHOOLS):
        return None
    return Link("studies_at", place, _state_by_tense(clause))


def _occupation(clause: Clause) -> Link | None:
    verb = _main_verb(clause)
    if _is_plan(clause):
        return None
    occupation = object_after(verb, "as")
    if occupation is None or occupation.pos_ != "NOUN":
        return None
    if verb.lemma_ == "work":
        state = _state_by_tense(clause)
        return Link("works_as", occupation, state) if state == "ends" or not clause.negated else None
    post = direct_object(verb)
    if post is None or post.lower_ not in _JOB_NOUNS or clause.negated:
        return None
    if verb.lemma_ in {"lose", "quit", "leave"}:
        return Link("works_as", occupation, "ends")
    return Link("works_as", occupation, "begins") if verb.lemma_ in _GET_JOB_VERBS else None


def _relationship_status(clause: Clause) -> Link | None:
    verb = clause.verb
    if _is_plan(clause) or clause.negated or "getting" in {verb.lower_, *(t.lower_ for t in verb.children)}:
        return None
    word = next((t for t in verb.children if t.dep_ in {"acomp", "oprd", "attr"}), verb).lower_
    partner = object_after(verb, "to", "with", "from")
    if word in {"married", "engaged", "divorced"} or verb.lower_ in {"married", "engaged", "divorced"}:
        word = word if word in {"married", "engaged", "divorced"} else verb.lower_
        relation = {"married": "married_to", "engaged": "engaged_to", "divorced": "divorced_from"}[word]
        if partner is None and verb.lower_ == word:
            partner = direct_object(verb) or (
                clause.subject if any(t.lower_ == "i" for t in clause.subject.children) else None
            )
        if word == "engaged" and partner is None and not any(t.lemma_ == "get" for t in (verb, *verb.children)):
            return None
        began = (clause.past and any(t.lemma_ == "get" for t in (verb, *verb.children))) or verb.tag_ == "VBD"
        own = next((t for t in clause.subject.children if t.dep_ == "conj" and t.lower_ == "i"), None)
        return Link(relation, partner, "begins" if began and verb.lemma_ != "be" else "holds", subject=own)
    if verb.lemma_ == "be" and word == "single" and not clause.past:
        return Link("single", None, "holds")
    if verb.lemma_ == "break" and any(t.lower_ == "up" for t in verb.children) and partner is not None:
        return Link("dating", partner, "ends")
    return (
        Link("dating", direct_object(verb), "holds")
        if verb.lower_ == "dating" and direct_object(verb) is not None
        else None
    )


def _age(clause: Clause) -> Link | None:
    verb = clause.verb
    old = next((t for t in verb.children if t.dep_ == "acomp" and t.lower_ == "old"), None)
    if verb.lemma_ == "be" and old is not None and not clause.past and any(t.like_num for t in old.subtree):
        return Link("aged", None, "holds")
    number = next((t for t in verb.children if t.dep_ == "attr" and t.like_num), None)
    count_attribute = number is not None and (not number.text.isdigit() or int(number.text) <= _MAX_AGE)
    alone = number is not None and count_attribute and not any(number.children)
    if alone and verb.lemma_ == "be" and not clause.past and _is_person(clause.subject):
        return Link("aged", None, "holds")
    change = verb.lemma_ == "turn" and clause.past and any(t.like_num and t.head == verb for t in verb.children)
    return Link("aged", None, "begins") if change else None


def _is_person(subject: Token) -> bool:
    return subject.lower_ in {"i", "he", "she", *KIN, *ANIMALS} or subject.ent_type_ == "PERSON"


def _preference(clause: Clause) -> Link | None:
    if _is_plan(clause) or (clause.past and used_to(clause) is None):
        return _changed_preference(clause) or _joined_fans(clause) or _cannot_stand(clause)
    verb = _main_verb(clause)
    thing = _liked_thing(verb)
    feeling = _feeling(verb)
    if feeling is None:
        return None
    if feeling[1] is not None:
        thing = feeling[1]
    if thing is None or thing.lower_ in VAGUE_NOUNS or thing.lower_ in PRONOUN_OBJECTS or _is_demonstrative(thing):
        return None
    if used_to(clause) is not None and feeling[0] == "dislikes":
        return None  # no longer disliking something does not mean liking it
    state: State = "ends" if _state_by_tense(clause) == "ends" and feeling[0] == "likes" else "holds"
    if is_over(clause):
        return Link("dislikes", thing, "holds") if feeling[0] == "likes" else None
    relation = {"likes": "dislikes", "dislikes": "likes"}[feeling[0]] if clause.negated else feeling[0]
    return Link(relation, thing, state if used_to(clause) is not None else "holds")


def _cannot_stand(clause: Clause) -> Link | None:
    thing = direct_object(clause.verb)
    stands = clause.modal == "can" and clause.negated and clause.verb.lemma_ in {"stand", "bear", "abide"}
    return Link("dislikes", thing, "holds") if stands and thing is not None else None


def _joined_fans(clause: Clause) -> Link | None:
    """Return the preference stated as joining a group: I've become one of those people who love running."""
    group = next((t for t in clause.verb.children if t.dep_ == "attr" and t.lower_ in {"one", "person"}), None)
    if group is None or clause.verb.lemma_ != "become" or clause.modal or clause.negated:
        return None
    feeling = next((t for t in group.subtree if t.dep_ == "relcl" and t.lemma_ in LIKE_VERBS | DISLIKE_VERBS), None)
    thing = None if feeling is None else _liked_thing(feeling)
    if feeling is None or thing is None or any(t.dep_ == "neg" for t in feeling.children):
        return None
    return Link("likes" if feeling.lemma_ in LIKE_VERBS else "dislikes", thing, "holds")


def _liked_thing(verb: Token) -> Token | None:
    thing = direct_object(verb)
    if thing is not None:
        return thing
    return next((t for t in verb.children if t.dep_ == "xcomp" and t.tag_ == "VBG"), None)


def _feeling(verb: Token) -> tuple[str, Token | None] | None:
    """Return `likes` or `dislikes`, and the object if it is not the verb's direct object."""
    if verb.lemma_ in LIKE_VERBS:
        return "likes", None
    if verb.lemma_ in DISLIKE_VERBS:
        return "dislikes", None
    if verb.lemma_ != "be":
        return _changed_feeling(verb)
    weary = next((t for t in verb.children if t.dep_ in {"acomp", "oprd"} and t.lower_ in _WEARY_ADJECTIVES), None)
    if weary is not None and (of := object_after(weary, "of", "with")) is not None:
        return "dislikes", of
    into = next((t for t in verb.children if t.dep_ == "prep" and t.lower_ == "into"), None)
    state = next((t for t in verb.children if t.dep_ == "acomp" and t.lower_ in LIKE_ADJECTIVES), into)
    fan = next((t for t in verb.children if t.dep_ == "attr" and t.lower_ == "fan"), state)
    if fan is None:
        return None
    preps = [fan] if fan is into else [t for t in fan.children if t.lower_ in {"on", "about", "of"}]
    about = next((t for prep in preps for t in prep.children if t.dep_ in {"pobj", "pcomp"}), None)
    return ("likes", about) if about is not None else None


def _changed_preference(clause: Clause) -> Link | None:
    change = _changed_feeling(clause.verb)
    is_stated = change is not None and change[1] is not None and not clause.negated and not clause.modal
    return Link(change[0], change[1], "holds") if change is not None and is_stated else None


def _changed_feeling(verb: Token) -> tuple[str, Token | None] | None:
    """Return a feeling that began or ended, and its object: fell in love with jazz, went off opera."""
    particles = {t.lower_ for t in verb.children if t.dep_ in {"prt", "prep", "advmod"}}
    if verb.lemma_ == "go" and "off" in particles:
        return "dislikes", direct_object(verb) or object_after(verb, "off")
    if verb.lemma_ == "fall" and any(t.lower_ == "love" for t in verb.subtree):
        love = next(t for t in verb.subtree if t.lower_ == "love")
        relation = "likes" if love.head.lower_ == "in" else "dislikes"
        return relation, object_after(love, "with") or object_after(verb, "with")
    if verb.lemma_ in {"obsess", "hook"}:
        return "likes", object_after(verb, "with", "on")
    inner = next(
        (t for t in verb.children if t.dep_ in {"xcomp", "advcl"} and t.lemma_ in LIKE_VERBS | DISLIKE_VERBS), None
    )
    if verb.lemma_ in {"come", "grow", "learn"} and inner is not None:
        return ("likes" if inner.lemma_ in LIKE_VERBS else "dislikes"), _liked_thing(inner)
    return None


def _is_demonstrative(token: Token) -> bool:
    """Return whether it points at one thing (that painting, your dress), which is not a lasting preference."""
    return any(t.lower_ in {"this", "that", "these", "those", "your", "how", "the"} for t in token.lefts)


def _ownership(clause: Clause) -> Link | None:
    verb = clause.verb
    thing = direct_object(verb)
    driven = verb.lemma_ == "drive" and thing is not None and thing.pos_ == "PROPN"
    if thing is None or _is_plan(clause) or not (driven or thing.lower_ in BELONGINGS):
        return None
    if verb.lemma_ in {"have", "own"} and not clause.past:
        return Link("not_owns" if clause.negated else "owns", thing, "holds")
    if verb.lemma_ == "drive" and not clause.past and not clause.negated:
        return Link("drives", thing, "holds")
    gained = verb.lemma_ in {"adopt", "buy", "get"} and clause.past and not clause.negated
    lost = verb.lemma_ == "sell" and clause.past and not clause.negated
    return Link("owns", thing, "begins") if gained else Link("owns", thing, "ends") if lost else None


_RULES = (
    _favourite,
    attribute,
    count_attribute,
    partner_of,
    home_of,
    _home,
    _employer,
    _school,
    occupation_of,
    _occupation,
    _relationship_status,
    _age,
    _preference,
    _ownership,
)
"""Tried in this order; the first link is used."""
