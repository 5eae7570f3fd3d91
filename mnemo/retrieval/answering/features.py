"""Scores the features of each piece of evidence from 0 to 1: pure."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from mnemo.retrieval.answering.answer_signs import holds
from mnemo.retrieval.answering.evidence import Evidence
from mnemo.retrieval.answering.question_focus import Focus, is_name_in
from mnemo.retrieval.answering.term_families import families
from mnemo.retrieval.ranking.term_overlap import stem

__all__ = ["features"]

_FAMILY = 0.7
"""Credit of a word of the same family; a word itself has 1."""
_CONTEXT = 0.6
"""Factor for words that were said just before."""
_OTHER_OWNER = 0.3
"""Factor for what belongs to somebody else: "Femi's girlfriend" where Dario's is asked for."""
_ANOTHER_SELF = 0.1
"""Credit of a message in which somebody else speaks of himself or herself."""
_NO_TERMS = 0.7
"""Credit where the question has no content words."""
_UNCOVERED = 0.3
_LEAST_WEIGHT, _MOST_RARITY = 0.5, 1.5
_NEW_WORDS = 3
_PAST_RECENCY = 0.4
_CORRECTS = re.compile(
    r"\b(?:correction|actually|turns out|instead|not the|no longer|any ?more|these days|changed to|new number)\b",
    re.IGNORECASE,
)
_OCCUPATION_WORDS = ("job", "profession", "occupation", "living", "work")
_NO_OWNERS = frozenset(["it", "he", "she", "that", "what", "who", "there", "here", "let"])
_OWNED = re.compile(r"([^\W\d_]+)['’]s\s+([^\W_]+)(?:\s+([^\W_]+))?")


def features(
    asked: Focus, evidence: Sequence[Evidence], names: Sequence[str], now: datetime, floor: float
) -> list[dict[str, float]]:
    """Return the features of each piece of evidence, in its order.

    - `terms`: share of the question's content words that it or its context says; `uncovered`: 1 if they are few
    - `names`: how far it is about those asked about; `kind`: whether it holds an answer of the kind asked for
    - `similarity`: cosine above the floor; `fact_rank`, `message_rank`: 1 / rank; `fact`: 1 for a fact
    - `recent`: 1 for the newest; `new`: whether it says more than the question
    - `corrects`, `asks`, `replies`: whether it corrects, asks, or follows a question
    - `ended`, `unsure`: of a fact

    Args:
        asked: What is asked for.
        evidence: Facts and messages.
        names: Known names.
        now: Tells current facts from ended ones; aware.
        floor: Cosine of unrelated texts under the embedding model, below 1.
    """
    rarity = _rarity(asked, evidence)
    name_words = frozenset(part.lower() for name in names for part in name.split())
    return [
        {
            **_coverage(asked, each, rarity),
            **_state(asked, each, now),
            "names": _names(asked, each),
            "kind": _kind(asked, each, name_words),
            "similarity": max(0.0, (each.cosine - floor) / (1.0 - floor)),
            "recent": recent * (_PAST_RECENCY if asked.past or asked.kind == "time" else 1.0),
        }
        for each, recent in zip(evidence, _recency(evidence), strict=True)
    ]


def _coverage(asked: Focus, each: Evidence, rarity: Mapping[str, float]) -> dict[str, float]:
    terms = _terms(asked, each, rarity)
    return {
        "terms": terms,
        "uncovered": float(terms < _UNCOVERED),
        "new": 1.0 if _names_its_speaker(asked, each) else min(1.0, len(each.stems - asked.stems) / _NEW_WORDS),
    }


def _state(asked: Focus, each: Evidence, now: datetime) -> dict[str, float]:
    rank = 1.0 / (1.0 + each.rank)
    edge = each.edge
    return {
        "fact": float(edge is not None),
        "fact_rank": 0.0 if edge is None else rank,
        "message_rank": rank if edge is None else 0.0,
        "corrects": float(bool(_CORRECTS.search(each.text))),
        "asks": float(each.asks),
        "replies": float(each.replies),
        "ended": float(edge is not None and not asked.past and edge.phase(now) == "ended"),
        "unsure": float(edge is not None and not edge.certain),
    }


def _rarity(asked: Focus, evidence: Sequence[Evidence]) -> dict[str, float]:
    """Return the weight of each term: the rarer it is in the evidence the larger, within bounds."""
    total = len(evidence)
    counts = {term: sum(term in each.stems for each in evidence) for term in asked.terms}
    rarity = {term: math.log(1.0 + (total - count + 0.5) / (count + 0.5)) for term, count in counts.items()}
    return {term: _LEAST_WEIGHT + min(_MOST_RARITY, value) for term, value in rarity.items()}


def _terms(asked: Focus, each: Evidence, rarity: Mapping[str, float]) -> float:
    """Return the weighted share of the question's terms that occur in the evidence or its context."""
    terms = {term: weight for term, weight in rarity.items() if not _is_kind_word(term, asked)}
    if not terms:
        return _NO_TERMS
    left = set(each.stems)
    owned = [match for match in _OWNED.finditer(each.text) if _is_other(match[1], asked)]
    foreign = {stem(word.lower()) for match in owned for word in match.groups()[1:] if word}
    credit = 0.0
    for term, weight in sorted(terms.items(), key=lambda pair: pair[0] not in left):
        share, used = _credit(term, left, each.before_stems)
        left.discard(used)  # a word earns credit once
        credit += weight * share * (_OTHER_OWNER if used in foreign else 1.0)
    return credit / sum(terms.values())


def _is_kind_word(term: str, asked: Focus) -> bool:
    """Return whether a term only says which kind of answer the question expects."""
    return asked.kind == "occupation" and any(term == stem(word) for word in _OCCUPATION_WORDS)


def _is_other(owner: str, asked: Focus) -> bool:
    """Return whether an owner is somebody other than those asked about."""
    known = not asked.names or any(is_name_in(owner, name) for name in asked.names)
    return not known and owner.lower() not in _NO_OWNERS


def _credit(term: str, own: Collection[str], context: Collection[str]) -> tuple[float, str]:
    """Return the credit for a term, and the stem of the evidence that earned it."""
    if term in own:
        return 1.0, term
    family = families(term)
    shared = sorted(family & set(own))
    if shared:
        return _FAMILY, shared[0]
    if term in context:
        return _CONTEXT, term
    return (_CONTEXT * _FAMILY if family & set(context) else 0.0), ""


def _names(asked: Focus, each: Evidence) -> float:
    if not asked.names:
        return 0.5
    found = [_about(name, each) for name in asked.names]
    return 0.6 * max(found) + 0.4 * sum(found) / len(found)


def _about(name: str, each: Evidence) -> float:
    """Return how clearly evidence is about somebody: by name, in the first person, or named just before."""
    if any(_same(name, about) for about in each.about) or is_name_in(name, each.text):
        return 1.0
    if each.speaker and _same(name, each.speaker):
        return 0.9 if each.own else 0.6
    if each.own:
        return _ANOTHER_SELF
    if any(is_name_in(name, text) for _, text in each.before):
        return 0.5
    return 0.2 if any(speaker and _same(name, speaker) for speaker, _ in each.before) else 0.0


def _same(name: str, other: str) -> bool:
    return is_name_in(name, other) or is_name_in(other, name)


def _kind(asked: Focus, each: Evidence, names: Collection[str]) -> float:
    if asked.kind == "time" and each.edge is not None and each.edge.valid_from is not None:
        return 1.0
    return 1.0 if _names_its_speaker(asked, each) else holds(asked.kind, each.text, asked.stems, names)


def _names_its_speaker(asked: Focus, each: Evidence) -> bool:
    """Return whether its speaker is the answer: who did it is asked, and "I did it" is said."""
    if asked.kind != "person" or each.speaker is None or not each.own:
        return False
    return not any(_same(name, each.speaker) for name in asked.names)


def _recency(evidence: Sequence[Evidence]) -> list[float]:
    """Return the rank of each in time, from 0 for the oldest to 1 for the newest; 0 for unknown times."""
    moments = sorted({each.moment for each in evidence if each.moment is not None})
    if len(moments) < 2:  # noqa: PLR2004  # nothing to compare
        return [0.0] * len(evidence)
    places = {moment: place / (len(moments) - 1) for place, moment in enumerate(moments)}
    return [places[each.moment] if each.moment is not None else 0.0 for each in evidence]
