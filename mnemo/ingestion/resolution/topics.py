"""Which facts end because a message says in words that something is over, and which plans were carried out."""

import re

from mnemo.ingestion.extraction import Statement
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.types import ResolvedFact

__all__ = ["PLAN", "PLANNED", "carries_out", "ends_by_words", "is_plan", "search_words", "stems"]

PLAN = "plans_to_"
"""Relations of what somebody is going to do begin so."""
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
_SHORTEST = 3
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
    """Return the stems of a text's words, without words that say nothing."""
    words = re.findall(r"\w+", name_key(text.replace("_", " ").replace("’", "'").replace("'s", "")))
    return frozenset(_stem(word) for word in words if word not in _PALE)


def search_words(topic: str) -> tuple[str, ...]:
    """Return the beginnings that the words of every fact about a topic have, lower case."""
    return tuple(sorted(stems(topic)))


def is_plan(edge: Statement) -> bool:
    """Return whether a fact was still to come when it was said."""
    return edge.relation.startswith(PLAN) or (edge.valid_from is not None and edge.valid_from > edge.said_at)


def ends_by_words(edge: ResolvedFact, fact: ResolvedFact) -> bool:
    """Return whether a later fact says that what an edge states is over.

    It is about the same one (or names whose it was, `Sam's flight`), its words are among the edge's, and the edge is
    a state or a plan: what has happened is never undone.
    """
    if not fact.topics or edge.uuid == fact.uuid or edge.said_at > fact.said_at or edge.relation.startswith("not_"):
        return False
    lasting = edge.state != "happened" or is_plan(edge) or edge.relation.startswith("stopped_")
    linked = fact.subject in {edge.subject, edge.object} or (is_plan(edge) and edge.subject == fact.object)
    named = is_plan(edge) and any(word.istitle() for topic in fact.topics for word in topic.split())
    linked = linked or named
    return (
        lasting
        and edge.fact != fact.fact
        and any(
            (linked or "'s " in topic) and _is_about(edge, topic) and not _outlives(edge, fact, topic)
            for topic in fact.topics
        )
    )


def _outlives(edge: ResolvedFact, fact: ResolvedFact, topic: str) -> bool:
    """Whether a bond stays when someone dies: a sister stays a sister, but nobody has a dog that died."""
    bond = edge.relation.startswith("has_") and edge.object == fact.subject
    return bond and not _PETS & set(edge.relation.split("_")) and topic[:1].isupper()


def _is_about(edge: ResolvedFact, topic: str) -> bool:
    """Whether all words of a topic are among a fact's; one marked as a plan ends plans only, also by their verb."""
    if topic.startswith(PLANNED):
        words = frozenset(_stem(word) for word in edge.relation.split("_"))
        sought = frozenset(_stem(word) for word in topic.removeprefix(PLANNED).lower().split())
        return is_plan(edge) and (sought <= words or (bool(stems(topic)) and stems(topic) <= stems(edge.fact)))
    return bool(stems(topic)) and stems(topic) <= stems(edge.fact) | stems(edge.relation)


def carries_out(edge: ResolvedFact, fact: ResolvedFact) -> bool:
    """Return whether something that happened is what an edge planned: the same one did it, to the same thing."""
    planned = edge.relation.startswith(PLAN) and edge.subject == fact.subject and edge.said_at <= fact.said_at
    if not planned or fact.relation.startswith(("not_", PLAN)) or fact.state not in {"happened", "begins"}:
        return False
    verbs = stems(edge.relation.removeprefix(PLAN)) & (stems(fact.relation) | stems(fact.fact))
    same = edge.object == fact.object if edge.object and fact.object else stems(edge.fact) <= stems(fact.fact)
    return bool(verbs) and same and (edge.valid_from is None or edge.valid_from <= fact.said_at)


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word
