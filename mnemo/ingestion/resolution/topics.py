"""Matches a fact's topics with the stored facts they end, and events with the plans they fulfil."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnemo.ingestion.extraction import Statement
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.types import ResolvedFact

__all__ = ["ENDED", "PLAN", "PLANNED", "facts_ended_by", "fulfils_plan", "is_plan", "search_words", "stems"]

PLAN = "plans_to_"
"""Prefix of the relations of plans."""
ENDED = "ended"
"""Relation of a fact that only ends others; it is dropped if it ends none."""
PLANNED = "~"
"""Prefix of a topic that ends plans only."""
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
"""Events that leave a lasting condition, which can end."""
_MIN_STEM_CHARS = 3


@dataclass(frozen=True, slots=True)
class _TopicKind:
    """A kind of facts, to which a topic is limited by the prefix `@kind`."""

    relations: re.Pattern[str]
    nouns: frozenset[str] = frozenset()
    """General nouns that match any fact of the kind: `my car` matches whatever someone drives."""
    search_words: tuple[str, ...] = ()
    """Search words for a topic of this kind without words."""


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


_RELATIONSHIP_KINDS = frozenset(["pet", "partner", "housemate", "have", "value", "thing"])
"""Kinds that can end a relationship fact (`has_sister`); a sister who leaves her job stays a sister."""


def _split(topic: str) -> tuple[str, str]:
    """Return a topic's kind (empty without one) and its words."""
    if not topic.startswith("@"):
        return "", topic
    kind, _, words = topic[1:].partition(" ")
    return kind, words


_STOP_WORDS = frozenset(
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
_KIND_RELATIONS = frozenset(["drives", "works_at", "work_at", "studies_at"])
"""Relations whose object a general noun of their kind can refer to."""
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
    return frozenset(_stem(word) for word in words if word not in _STOP_WORDS)


def search_words(topic: str) -> tuple[str, ...]:
    """Return word prefixes, lower case, that find every fact about a topic."""
    kind, words = _split(topic)
    return tuple(sorted(stems(words))) or (_KINDS[kind].search_words if kind else ())


def is_plan(edge: Statement) -> bool:
    """Return whether a fact was in the future when it was said."""
    return edge.relation.startswith(PLAN) or (edge.valid_from is not None and edge.valid_from > edge.said_at)


def facts_ended_by(edges: Sequence[ResolvedFact], fact: ResolvedFact) -> list[ResolvedFact]:
    """Return the edges that a later fact ends, in their order.

    An ended edge is a state or a plan (past events never end), is about the same entity (or the topic names the owner,
    `Sam's flight`), and contains all words of a topic. A topic that only names a kind (`@job`, `@have car`) ends the
    fact of that kind if there is exactly one.
    """
    ended: dict[str, ResolvedFact] = {}
    for topic in fact.topics:
        matching = [edge for edge in edges if _may_end(edge, fact) and _topic_refers_to(edge, fact, topic)]
        if _is_generic(topic) and len({edge.object or edge.fact for edge in matching}) > 1:
            continue
        ended |= {edge.uuid: edge for edge in matching}
    return [edge for edge in edges if edge.uuid in ended]


def _may_end(edge: ResolvedFact, fact: ResolvedFact) -> bool:
    """Return whether an edge is a state or plan stated no later than a fact."""
    if edge.uuid == fact.uuid or edge.said_at > fact.said_at or edge.relation.startswith("not_"):
        return False
    if edge.relation.endswith("_is") and edge.said_at == fact.said_at and not is_plan(edge):
        return False  # the new value in `my phone is gone, the number is now …`
    lasting = edge.state != "happened" or is_plan(edge) or edge.relation.startswith("stopped_")
    lasting = lasting or edge.relation in _INJURIES
    return lasting and edge.fact != fact.fact


def _topic_refers_to(edge: ResolvedFact, fact: ResolvedFact, topic: str) -> bool:
    """Return whether one topic of a fact refers to an edge."""
    same_entity = fact.subject in {edge.subject, edge.object} or (is_plan(edge) and edge.subject == fact.object)
    if topic.startswith("@"):
        same_entity = same_entity or edge.subject == fact.object
    same_entity = same_entity or (is_plan(edge) and _starts_with_topic(edge, topic))
    plan_names_someone = is_plan(edge) and any(word.istitle() for each in fact.topics for word in each.split())
    return (
        (same_entity or plan_names_someone or "'s " in topic)
        and _is_about(edge, topic)
        and not _survives_death(edge, fact, topic)
    )


def _starts_with_topic(edge: ResolvedFact, topic: str) -> bool:
    """Return whether an edge's sentence starts with the topic: `the thesis is due`."""
    words = edge.fact.split()[:2]
    return bool(stems(topic.lstrip(PLANNED))) and stems(topic.lstrip(PLANNED)) <= stems(" ".join(words))


def _is_generic(topic: str) -> bool:
    kind, words = _split(topic)
    return bool(kind) and (not words or words in _KINDS[kind].nouns)


def _survives_death(edge: ResolvedFact, fact: ResolvedFact, topic: str) -> bool:
    """Return whether a relationship survives a death: a sister stays a sister, a dead dog is no longer a pet."""
    is_relationship = edge.relation.startswith("has_") and edge.object == fact.subject
    return is_relationship and not _PETS & set(edge.relation.split("_")) and topic[:1].isupper()


def _is_about(edge: ResolvedFact, topic: str) -> bool:
    """Return whether a fact contains all words of a topic; a plan topic matches plans only, by words or verb."""
    if topic.startswith(PLANNED):
        relation_stems = frozenset(_stem(word) for word in edge.relation.split("_"))
        topic_stems = frozenset(_stem(word) for word in topic.removeprefix(PLANNED).lower().split())
        return is_plan(edge) and (
            topic_stems <= relation_stems or (bool(stems(topic)) and stems(topic) <= stems(edge.fact))
        )
    kind, words = _split(topic)
    if kind and not _KINDS[kind].relations.match(edge.relation):
        return False
    if kind and edge.relation.startswith("has_") and kind not in _RELATIONSHIP_KINDS and edge.relation != "has_to":
        return False
    topic_stems = stems(words)
    if kind and not words:
        return True
    generic = bool(kind) and words in _KINDS[kind].nouns and edge.relation in _KIND_RELATIONS
    return generic or (bool(topic_stems) and topic_stems <= stems(edge.fact) | stems(edge.relation))


def fulfils_plan(edge: ResolvedFact, fact: ResolvedFact) -> bool:
    """Return whether an event fulfils the plan or wish of an edge: same subject, verb and object."""
    is_wish = edge.relation.startswith("want_")
    planned = (
        (edge.relation.startswith(PLAN) or is_wish) and edge.subject == fact.subject and edge.said_at <= fact.said_at
    )
    if not planned or fact.relation.startswith(("not_", "want_", PLAN)) or fact.state not in {"happened", "begins"}:
        return False
    verbs = stems(edge.relation.removeprefix(PLAN).removeprefix("want_")) & (stems(fact.relation) | stems(fact.fact))
    same = edge.object == fact.object if edge.object and fact.object else stems(edge.fact) <= stems(fact.fact)
    return bool(verbs) and same and (edge.valid_from is None or edge.valid_from <= fact.said_at)


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM_CHARS:
            return word.removesuffix(ending)
    return word
