"""Finds what a clause says has ended: a job left, a habit dropped, an illness gone, a plan called off.

The result is a topic in words (`running`, `lost wallet`); resolution ends the facts about it.
"""

from __future__ import annotations  # importing spaCy takes a second

from typing import TYPE_CHECKING

from mnemo.ingestion.local.changes.phrases import is_not_final
from mnemo.ingestion.local.clauses.predicates import direct_object, is_over, object_after
from mnemo.ingestion.local.lexicon import FIRST_PERSON, FIRST_PERSON_PLURAL, PEOPLE, VAGUE_NOUNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from mnemo.ingestion.local.clauses.clause import Clause

__all__ = ["topics_over"]

_STOP_VERBS = frozenset(
    ["leave", "quit", "cancel", "stop", "cease", "abandon", "scrap", "ditch", "delete", "uninstall"]
)
_DISPOSE_VERBS = frozenset(["sell", "donate", "return", "pawn", "trade"])
_DIE_VERBS = frozenset(["die", "pass", "drown"])
_GENERIC_PLANS = frozenset(
    ["trip", "holiday", "vacation", "visit", "plan", "plans", "journey", "tour", "getaway", "break"]
)
"""Plan nouns too general to identify the plan: in `the Lisbon trip`, Lisbon does."""
_RESCHEDULE_VERBS = frozenset(["move", "push", "postpone", "reschedule", "bring", "delay", "change"])
_CANCEL_VERBS = frozenset(["fall", "cancel", "postpone", "scrap", "axe", "shelve"])
_ENDED_STATES = frozenset(
    ["over", "off", "gone", "cancelled", "canceled", "done", "finished", "dead", "healed", "history"]
)
_RETURNED_STATES = frozenset(["back", "home", "here", "found", "safe"])
_RECOVER_VERBS = frozenset(["recover", "heal", "clear", "vanish", "disappear"])
_LOST_TOPICS = ("missing", "lost", "lose", "gone", "disappear")
_HOUSEMATE_TOPICS = ("flatmate", "roommate", "housemate", "lodger", "live", "lives")
_ARRIVAL_TOPICS = ("~fly", "~come", "~arrive", "~visit", "~land", "~return", "~travel")
_PREGNANCY_TOPICS = ("pregnant", "expecting", "due")
_PLAN_ONLY = "~"
"""Prefix of a topic that ends plans only."""
_COMPLETE_VERBS = frozenset(["pass", "fail", "take", "sit", "hand", "submit", "finish", "complete", "do"])
_TASKS = frozenset(
    ["exam", "test", "thesis", "essay", "paper", "dissertation", "assignment", "interview", "marathon", "race"]
)


def topics_over(clause: Clause) -> tuple[str, ...]:
    """Return the topics that a clause ends, each as words to match; empty if nothing ends."""
    return tuple(dict.fromkeys(filter(None, _topics(clause))))


def _topics(clause: Clause) -> Iterator[str]:
    if clause.negated:
        yield from _given_up_plan(clause)
    elif is_not_final(" ".join(t.text for t in clause.tokens)):
        return
    elif not clause.modal or clause.verb.tag_ == "VBG":
        yield from _by_verb(clause)
        yield from _by_subject(clause)
        yield from _by_state(clause)


def _by_verb(clause: Clause) -> Iterator[str]:
    """Yield what the verb ends: left Acme, gave up running, got rid of the piano, recovered from the flu."""
    verb = _main_verb(clause)
    if not (clause.past or verb.tag_ == "VBG"):
        return
    particles, lemma = _particles(verb), verb.lemma_.lower()
    thing = direct_object(verb) or _gerund(verb)
    for rule in (_stopped, _called_off, _moved_out_or_split, _recovered):
        yield from rule(verb, lemma, particles, thing)


def _stopped(verb: Token, lemma: str, particles: set[str], thing: Token | None) -> Iterator[str]:
    """Yield things that are left, stopped, sold or given away."""
    giving_up = (lemma == "give" and particles & {"up", "away"}) or (lemma == "drop" and "out" in particles)
    if lemma in _STOP_VERBS | _DISPOSE_VERBS or giving_up:
        stopped = thing or (object_after(verb, "of", "up", "with", "on") if giving_up else None)
        if stopped is not None and _is_topic(stopped) and not _is_left_somewhere(verb, lemma):
            yield f"@have {_phrase(stopped)}" if lemma in _DISPOSE_VERBS else _phrase(stopped)
    elif lemma == "give" and thing is not None and thing.pos_ == "PROPN" and object_after(verb, "to") is not None:
        yield _phrase(thing)
    if lemma in {"get", "be"} and "rid" in {t.lower_ for t in verb.subtree}:
        yield from (_phrase(t) for t in verb.subtree if t.dep_ == "pobj" and t.head.lower_ == "of")
    if lemma in {"switch", "change", "move"} and (old := object_after(verb, "from")) is not None:
        yield _phrase(old)


def _is_left_somewhere(verb: Token, lemma: str) -> bool:
    """Return whether `leave` only means to leave something somewhere: my umbrella in the taxi."""
    return (
        lemma == "leave"
        and any(t.lower_ in {"in", "on", "at", "behind", "with"} for t in verb.children)
        and not any(c.ent_type_ in {"DATE", "TIME"} for t in verb.children if t.dep_ == "prep" for c in t.children)
    )


def _called_off(_verb: Token, lemma: str, particles: set[str], thing: Token | None) -> Iterator[str]:
    """Yield plans that are cancelled or completed, and pets put down."""
    if thing is None:
        return
    if lemma == "put" and particles & {"down", "sleep"} and thing.pos_ == "PROPN":
        yield thing.text
    if lemma == "call" and "off" in particles:
        yield _phrase(thing)
    if lemma in _COMPLETE_VERBS and thing.lower_ in _TASKS:
        yield _phrase(thing)
    if lemma == "give" and thing.lower_ == "birth":
        yield from _PREGNANCY_TOPICS
    if lemma in {"find", "recover"} and thing.pos_ in {"NOUN", "PROPN"}:
        yield from (f"{word} {thing.text}" for word in ("lost", "missing"))


def _moved_out_or_split(verb: Token, lemma: str, particles: set[str], _thing: Token | None) -> Iterator[str]:
    """Yield a home or partner that someone leaves."""
    if lemma in {"move", "get"} and (home := _out_of(verb)) is not None and _is_topic(home):
        yield _phrase(home)
    other = object_after(verb, "with") if lemma == "break" and "up" in particles else None
    if other is not None:
        yield from (f"{word} {other.text}" for word in ("dating", "seeing", "boyfriend", "girlfriend", "partner"))


def _recovered(verb: Token, lemma: str, _particles: set[str], _thing: Token | None) -> Iterator[str]:
    """Yield an illness that someone recovers from."""
    illness = object_after(verb, "from") if lemma in _RECOVER_VERBS else None
    if illness is not None:
        yield _phrase(illness)


def _by_subject(clause: Clause) -> Iterator[str]:
    """Yield what ends with the subject: Biscuit died, the trip fell through, Hugo moved out, Bea had the baby."""
    verb, subject = clause.verb, clause.subject
    if not clause.past:
        return
    lemma, particles = verb.lemma_.lower(), _particles(verb)
    born = lemma == "have" and any(t.lower_ in {"baby", "twins"} for t in verb.children)
    if born or (lemma == "bear" and _is_passive(verb)):
        yield from _PREGNANCY_TOPICS
    if not _is_named(subject):
        return
    person = subject.ent_type_ == "PERSON" or subject.lower_ in PEOPLE
    if lemma in _RECOVER_VERBS and person:
        yield from ("ill", "sick")
    elif _is_gone(verb, lemma, particles, animate=person or subject.pos_ == "PROPN"):
        today_only = lemma == "cancel" and any(t.lower_ in {"today", "tonight"} for t in clause.tokens)
        yield f"{_PLAN_ONLY}{_phrase(subject)}" if today_only else _phrase(subject)
    elif lemma in _RESCHEDULE_VERBS and not person and _is_rescheduled(verb, lemma):
        yield _phrase(direct_object(verb) or subject)
    if lemma == "move" and particles & {"out", "away"}:
        yield from _HOUSEMATE_TOPICS
    if (lemma == "turn" and "up" in particles) or (lemma in {"come", "walk"} and particles & {"back", "home"}):
        yield from _LOST_TOPICS
    if lemma in {"arrive", "land"} or (lemma == "get" and particles & {"here", "in", "home", "back"}):
        yield from _ARRIVAL_TOPICS


def _is_gone(verb: Token, lemma: str, particles: set[str], *, animate: bool) -> bool:
    """Return whether the subject is gone or cancelled: died, fell through, was called off, ended."""
    if lemma in _DIE_VERBS:
        return animate and (lemma != "pass" or "away" in particles)
    if lemma == "fall":
        return "through" in {t.lower_ for t in verb.children}
    if lemma == "cancel":
        return direct_object(verb) is None or _is_passive(verb)
    if lemma in {"come", "go", "call"}:
        return "off" in particles and (lemma != "call" or _is_passive(verb))
    return lemma in _RECOVER_VERBS | {"end", "finish", "stop"} or (lemma in _CANCEL_VERBS and _is_passive(verb))


def _is_rescheduled(verb: Token, lemma: str) -> bool:
    """Return whether the subject is moved to another time."""
    return lemma in {"postpone", "reschedule"} or object_after(verb, "to", "until", "till") is not None


def _by_state(clause: Clause) -> Iterator[str]:
    """Yield what a state ends: the trip is off, my cold is gone, I'm over the flu, Finn smokes again."""
    verb, subject = clause.verb, clause.subject
    words = {t.lower_ for t in verb.children if t.dep_ in {"acomp", "advmod", "prt", "attr", "prep", "oprd"}}
    if verb.lemma_ in {"go", "do"} and verb.tag_ == "VBN":
        words.add(verb.lower_)
    away = verb.lower_ == "gone" and object_after(verb, "to") is not None
    if (
        verb.lemma_ in {"be", "go", "do"}
        and words & _ENDED_STATES
        and not away
        and _is_named(subject)
        and not _is_dated_later(clause)
    ):
        yield _phrase(subject)
    better = "better" in words or ("fine" in words and any(t.lower_ == "again" for t in verb.children))
    if verb.lemma_ == "be" and better and any(t.lower_ == "my" for t in subject.children):
        yield _phrase(subject)
    if verb.lemma_ == "be" and "over" in words and subject.lower_ in FIRST_PERSON | FIRST_PERSON_PLURAL:
        yield from (_phrase(t) for t in [object_after(verb, "over")] if t is not None)
    if verb.lemma_ == "be" and words & _RETURNED_STATES and _is_named(subject):
        yield from (*_LOST_TOPICS, *_ARRIVAL_TOPICS)
    if verb.lemma_ == "be" and (left := _out_of(verb)) is not None and _is_topic(left) and _can_be_left(left):
        yield _phrase(left)
    if any(t.lower_ == "again" for t in verb.children) and not clause.past and verb.lemma_ not in {"be", "go", "have"}:
        yield f"stopped {verb.lemma_}"
        yield f"quit {verb.lemma_}"


def _given_up_plan(clause: Clause) -> Iterator[str]:
    """Yield plans and habits that a negation ends: not going to Crete after all, I don't smoke anymore."""
    verb = clause.verb
    inner = next((t for t in verb.children if t.dep_ == "xcomp"), None) if verb.lower_ == "going" else None
    last = inner or verb
    words = [t.lower_ for t in clause.tokens]
    trait = next((t for t in verb.children if t.dep_ == "acomp" and t.pos_ == "ADJ"), None)
    if verb.lemma_ == "be" and trait is not None and not clause.modal and not clause.past:
        yield trait.lower_
    final = is_over(clause) or "anywhere" in words or ("after" in words and "all" in words)
    happened = verb.lemma_ == "happen" and not clause.modal
    if happened and _is_named(clause.subject):
        yield _phrase(clause.subject)
    if not final and clause.modal != "can":
        return
    thing = direct_object(last) or object_after(last, "to", "in", "at", "for", "on", "with")
    if thing is not None and _is_topic(thing) and (final or "after" in words):
        plan = "" if is_over(clause) or thing.dep_ == "attr" else _PLAN_ONLY
        yield f"{plan}{_phrase(thing)}"
        return
    if final and last.lemma_ not in {"be", "do", "have"}:
        yield last.lemma_ if is_over(clause) else f"{_PLAN_ONLY}{last.lemma_}"
    if "anywhere" in words:
        yield from (f"{_PLAN_ONLY}{verb}" for verb in ("move", "go", "travel", "fly"))


def _main_verb(clause: Clause) -> Token:
    """Return the verb that carries the meaning: `cancel` in `had to cancel`."""
    verb = clause.verb
    inner = next((t for t in verb.children if t.dep_ == "xcomp" and t.pos_ == "VERB"), None)
    return inner if inner is not None and verb.lemma_ in {"have", "manage", "decide", "need"} else verb


def _out_of(verb: Token) -> Token | None:
    """Return the object of `out of`: moved out of the flat, got out of hospital."""
    words = list(verb.doc[verb.i + 1 : verb.sent.end])
    for index, token in enumerate(words[:-1]):
        if token.lower_ == "out" and words[index + 1].lower_ == "of":
            return next((t for t in words[index + 2 :] if t.dep_ == "pobj"), None)
    return None


def _can_be_left(left: Token) -> bool:
    """Return whether one can leave it for good (the band, hospital) rather than run out of it (coffee)."""
    definite = any(t.dep_ in {"det", "poss"} for t in left.children)
    return definite or left.pos_ == "PROPN" or left.lower_ in {"hospital", "prison", "jail", "rehab", "care"}


def _is_dated_later(clause: Clause) -> bool:
    """Return whether the clause has a date, which may be when it will end."""
    return any(t.ent_type_ in {"DATE", "TIME"} or t.lower_ in {"today", "tonight"} for t in clause.tokens)


def _is_passive(verb: Token) -> bool:
    return any(t.dep_ in {"auxpass", "nsubjpass"} for t in verb.children)


def _particles(verb: Token) -> set[str]:
    return {t.lower_ for t in verb.children if t.dep_ in {"prt", "advmod", "prep"}}


def _gerund(verb: Token) -> Token | None:
    return next((t for t in verb.children if t.dep_ in {"xcomp", "pcomp", "advcl"} and t.tag_ == "VBG"), None)


def _is_named(subject: Token) -> bool:
    return subject.pos_ in {"NOUN", "PROPN"} and subject.lower_ not in VAGUE_NOUNS


def _is_topic(token: Token) -> bool:
    return token.pos_ in {"NOUN", "PROPN", "VERB", "NUM"} and token.lower_ not in VAGUE_NOUNS


def _phrase(token: Token) -> str:
    """Return the words of a topic: a noun with its compound modifiers, or the base form of a gerund."""
    if token.pos_ == "VERB":
        return token.lemma_.lower()
    if token.lower_ in PEOPLE and any(t.dep_ == "appos" for t in token.children):
        return next(t.text for t in token.children if t.dep_ == "appos")
    words = [t.text for t in token.lefts if t.dep_ == "compound"]
    generic = token.lower_ in _GENERIC_PLANS and words
    named = words if generic else [*words, token.text]
    return " ".join(["my", *named] if any(t.lower_ in {"my", "our"} for t in token.lefts) else named)
