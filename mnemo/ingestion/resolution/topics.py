"""Which stored facts a message ends in words, and which plans it reports as carried out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnemo.ingestion.extraction import Statement
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.types import ResolvedFact

__all__ = ["ENDED", "PLAN", "PLANNED", "carries_out", "ended_by_words", "is_plan", "search_words", "stems"]

PLAN = "plans_to_"
"""Relations of what somebody is going to do begin so."""
ENDED = "ended"
"""Relation of a fact that only says what is over; one that ends nothing is not kept."""
PLANNED = "~"
"""Before a topic that ends plans only."""
_ENDINGS = ("ings", "ing", "edly", "ed", "ies", "es", "s", "e", "y")
_PETS = frozenset(
    [
        "dog",
        "puppy",
        "cat",
        "kitten",
        "pet",
        "hamster",
        "rabbit",
        "bunny",
        "parrot",
        "budgie",
        "horse",
        "pony",
        "gecko",
        "snake",
        "tortoise",
        "turtle",
        "lizard",
        "goldfish",
        "ferret",
    ]
)
_INJURIES = frozenset(["sprain", "break", "twist", "hurt", "injure", "fracture", "dislocate", "pull", "tear"])
"""Events that leave a condition, which may end."""
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class _TopicKind:
    """Facts of one kind, which a topic may name by `@kind` before its words."""

    relations: re.Pattern[str]
    nouns: frozenset[str] = frozenset()
    """Words that mean any fact of the kind: my car, of whatever somebody drives."""
    named: tuple[str, ...] = ()
    """Words to look its facts up by if the topic has none."""


_KINDS = {
    "have": _TopicKind(
        re.compile(r"(owns?|has|have|drives?|ride|use|keep|wear|is_on)$|has_"),
        frozenset(["car", "vehicle", "bike", "motor"]),
    ),
    "activity": _TopicKind(
        re.compile(
            r"(?!has_|dating|married|engaged|lives?_|works?_|likes|dislikes|owns|lose|plans_to|want|born|visit).*$"
            r"|has$|has_to_chemo|works_as|is_member"
        )
    ),
    "thing": _TopicKind(
        re.compile(r"(?!has_|dating|married_|engaged_|\w+_is$|likes|dislikes|lives_in|drives|lose).*$|has_to")
    ),
    "health": _TopicKind(
        re.compile(
            r"(has|have|got|get|gets|catch|suffer|feel)(_(got|in|on|from)|$)|is_(ill|sick|in|on|off|down)|sprain|break|hurt|injure|twist|wear"
        )
    ),
    "hospital": _TopicKind(re.compile(r"is_(in|at)"), frozenset(["hospital"]), ("hospital",)),
    "medicine": _TopicKind(re.compile(r"(takes?|is_on|use)(_|$)")),
    "rent": _TopicKind(re.compile(r"(rents?|lease|let)(_|$)")),
    "likes": _TopicKind(re.compile(r"(likes|love|enjoy)$")),
    "job": _TopicKind(re.compile(r"works?(_(at|for|as|in)|$)"), frozenset(["job", "work", "place"]), ("work",)),
    "school": _TopicKind(re.compile(r"stud(y|ies)"), frozenset(["uni", "university", "college", "school"]), ("stud",)),
    "partner": _TopicKind(re.compile(r"(date|dating|see|seeing|married_to|engaged_to)$"), frozenset(), ("dat",)),
    "single": _TopicKind(re.compile(r"(is_)?single$"), frozenset(), ("singl",)),
    "pregnant": _TopicKind(re.compile(r"(is_)?(pregnant|expecting)$|expect$"), frozenset(), ("pregnant",)),
    "live": _TopicKind(re.compile(r"live_with|share")),
    "housemate": _TopicKind(
        re.compile(r"(has_|is_)?(lodger|roommate|flatmate|housemate)(_is)?$|live_with|share"), frozenset(), ("lodger",)
    ),
    "visit": _TopicKind(re.compile(r"(visit|stay|stay_with|stay_at|is_visiting)$"), frozenset(), ("stay",)),
    "pet": _TopicKind(
        re.compile(r"has_(?:dog|cat|pet|rabbit|bunny|hamster|horse|pony|puppy|kitten|parrot|ferret|snake)$")
    ),
    "seek": _TopicKind(re.compile(r"(look|search|hunt)_?(for)?$")),
    "subscription": _TopicKind(re.compile(r"(is|is_member|member|subscribe|pay|has|have|use|own|owns|join)(_|$)")),
    "home": _TopicKind(re.compile(r"(still_)?(live|lives|stay)_(in|at|with)")),
    "membership": _TopicKind(
        re.compile(
            r"(join|attend|belong|is_(in|on|member|part)|play|sing|volunteer|train|take|do|study|go_to|coach|row|dance)"
        ),
        frozenset(),
    ),
    "value": _TopicKind(re.compile(r"\w+_is$")),
}


_BOND_KINDS = frozenset(["pet", "partner", "housemate", "have", "value", "thing"])
"""Kinds by which a relationship (`has_sister`) can end; a sister who leaves her job stays a sister."""


def _split(topic: str) -> tuple[str, str]:
    """Return the kind that a topic names, empty without one, and its words."""
    if not topic.startswith("@"):
        return "", topic
    kind, _, words = topic[1:].partition(" ")
    return kind, words


_PALE = frozenset(
    [
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "his",
        "her",
        "its",
        "their",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "with",
        "from",
        "and",
        "it",
        "i",
        "will",
        "go",
        "going",
        "plan",
        "not",
        "no",
        "new",
        "old",
        "more",
    ]
)
_IMPLYING = frozenset(["drives", "works_at", "work_at", "studies_at"])
"""Relations whose object is of the kind that a general noun names."""
_IRREGULAR = {
    "lost": "lose",
    "left": "leave",
    "bought": "buy",
    "sold": "sell",
    "flew": "fly",
    "flown": "fly",
    "went": "go",
    "gone": "go",
    "came": "come",
    "ran": "run",
    "running": "run",
    "swam": "swim",
    "swimming": "swim",
    "moving": "move",
    "met": "meet",
    "saw": "see",
    "took": "take",
    "drove": "drive",
    "wrote": "write",
    "gave": "give",
    "began": "begin",
    "flies": "fly",
    "children": "child",
    "knives": "knife",
}


def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    words = re.findall(r"\w+", name_key(text.replace("_", " ").replace("’", "'").replace("'s", "")))
    return frozenset(_stem(word) for word in words if word not in _PALE)


def search_words(topic: str) -> tuple[str, ...]:
    """Return the word beginnings, lower case, by which every fact about a topic can be found."""
    kind, words = _split(topic)
    return tuple(sorted(stems(words))) or (_KINDS[kind].named if kind else ())


def is_plan(edge: Statement) -> bool:
    """Return whether a fact was still to come when it was said."""
    return edge.relation.startswith(PLAN) or (edge.valid_from is not None and edge.valid_from > edge.said_at)


def ended_by_words(edges: Sequence[ResolvedFact], fact: ResolvedFact) -> list[ResolvedFact]:
    """Return the edges that a later fact reports as over, in their order.

    An edge is about the same one (or names whose it was, `Sam's flight`), a topic's words are among its own, and it is
    a state or a plan: what has happened is never undone. A topic that only names a kind (`@job`, `@have car`) ends the
    one fact of that kind; of several it ends none.
    """
    ended: dict[str, ResolvedFact] = {}
    for topic in fact.topics:
        matching = [edge for edge in edges if _can_end(edge, fact) and _ends_by(edge, fact, topic)]
        if _is_generic(topic) and len({edge.object or edge.fact for edge in matching}) > 1:
            continue
        ended |= {edge.uuid: edge for edge in matching}
    return [edge for edge in edges if edge.uuid in ended]


def _can_end(edge: ResolvedFact, fact: ResolvedFact) -> bool:
    """Whether an edge is a state or a plan from before a fact."""
    if edge.uuid == fact.uuid or edge.said_at > fact.said_at or edge.relation.startswith("not_"):
        return False
    if edge.relation.endswith("_is") and edge.said_at == fact.said_at and not is_plan(edge):
        return False  # the new value, of `my phone is gone, the number is now …`
    lasting = edge.state != "happened" or is_plan(edge) or edge.relation.startswith("stopped_")
    lasting = lasting or edge.relation in _INJURIES
    return lasting and edge.fact != fact.fact


def _ends_by(edge: ResolvedFact, fact: ResolvedFact, topic: str) -> bool:
    """Return whether one topic of a fact refers to an edge."""
    linked = fact.subject in {edge.subject, edge.object} or (is_plan(edge) and edge.subject == fact.object)
    if topic.startswith("@"):
        linked = linked or edge.subject == fact.object
    linked = linked or (is_plan(edge) and _opens_with(edge, topic))
    named = is_plan(edge) and any(word.istitle() for each in fact.topics for word in each.split())
    return (linked or named or "'s " in topic) and _is_about(edge, topic) and not _outlives(edge, fact, topic)


def _opens_with(edge: ResolvedFact, topic: str) -> bool:
    """Return whether an edge is about the topic itself: `the thesis is due`."""
    words = edge.fact.split()[:2]
    return bool(stems(topic.lstrip(PLANNED))) and stems(topic.lstrip(PLANNED)) <= stems(" ".join(words))


def _is_generic(topic: str) -> bool:
    kind, words = _split(topic)
    return bool(kind) and (not words or words in _KINDS[kind].nouns)


def _outlives(edge: ResolvedFact, fact: ResolvedFact, topic: str) -> bool:
    """Return whether a relationship survives a death: a sister stays a sister, but a dog that died is no pet."""
    bond = edge.relation.startswith("has_") and edge.object == fact.subject
    return bond and not _PETS & set(edge.relation.split("_")) and topic[:1].isupper()


def _is_about(edge: ResolvedFact, topic: str) -> bool:
    """Return whether a fact has all words of a topic; a plan topic matches plans only, also by their verb."""
    if topic.startswith(PLANNED):
        words = frozenset(_stem(word) for word in edge.relation.split("_"))
        sought = frozenset(_stem(word) for word in topic.removeprefix(PLANNED).lower().split())
        return is_plan(edge) and (sought <= words or (bool(stems(topic)) and stems(topic) <= stems(edge.fact)))
    kind, named = _split(topic)
    if kind and not _KINDS[kind].relations.match(edge.relation):
        return False
    if kind and edge.relation.startswith("has_") and kind not in _BOND_KINDS and edge.relation != "has_to":
        return False
    sought = stems(named)
    if kind and not named:
        return True
    generic = bool(kind) and named in _KINDS[kind].nouns and edge.relation in _IMPLYING
    return generic or (bool(sought) and sought <= stems(edge.fact) | stems(edge.relation))


def carries_out(edge: ResolvedFact, fact: ResolvedFact) -> bool:
    """Return whether something that happened is what an edge planned: same subject, verb and object."""
    wanted = edge.relation.startswith("want_")
    planned = (
        (edge.relation.startswith(PLAN) or wanted) and edge.subject == fact.subject and edge.said_at <= fact.said_at
    )
    if not planned or fact.relation.startswith(("not_", "want_", PLAN)) or fact.state not in {"happened", "begins"}:
        return False
    verbs = stems(edge.relation.removeprefix(PLAN).removeprefix("want_")) & (stems(fact.relation) | stems(fact.fact))
    same = edge.object == fact.object if edge.object and fact.object else stems(edge.fact) <= stems(fact.fact)
    return bool(verbs) and same and (edge.valid_from is None or edge.valid_from <= fact.said_at)


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word
