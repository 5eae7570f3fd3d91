"""Chooses the facts and messages that answer a question, or finds that none does: pure."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mnemo.models.results import Passage
from mnemo.retrieval.answering.answer_signs import holds
from mnemo.retrieval.answering.evidence import Evidence, gather_evidence
from mnemo.retrieval.answering.question_focus import Focus, focus, is_name_in
from mnemo.retrieval.answering.term_families import families
from mnemo.retrieval.ranked_items import RankedItems
from mnemo.retrieval.term_overlap import stem

__all__ = ["select_passages"]

_PASSAGES = 6
LEAST = 0.5
WEIGHTS: Mapping[str, float] = {
    "terms": 2.6,
    "names": 1.8,
    "kind": 1.5,
    "similarity": 2.0,
    "rank": 0.5,
    "fact": 0.2,
    "recent": 0.6,
    "new": 0.8,
    "asks": -0.8,
    "replies": 0.4,
    "ended": -1.0,
    "unsure": -0.2,
    "uncovered": -1.5,
}
_OFFSET = 5.8
_FAMILY = 0.7
_CONTEXT = 0.6
_OTHER_OWNER = 0.3
_UNCOVERED = 0.3
_LEAST_WEIGHT = 0.5
_MOST_RARITY = 1.5
_NEW_WORDS = 3
_PAST_RECENCY = 0.4
_MARGIN = 1.0
"""How far below the best the newest evidence may score and still lead."""
_OCCUPATION_WORDS = frozenset(stem(word) for word in ("job", "profession", "occupation", "living", "do", "work", "as"))
_PRONOUNS = frozenset("it he she that what who there here let".split())
_CHANGING = frozenset({"place", "number", "person", "occupation"})
_EQUAL: Mapping[str, float] = {"terms": 0.7, "names": 0.8, "kind": 1.0}
_NEVER = datetime.min.replace(tzinfo=UTC)
_NO_TAGS = frozenset({"topic"})
_OWNER = re.compile(r"([^\W\d_]+)['’]s\s+([^\W_]+)(?:\s+([^\W_]+))?")


@dataclass(frozen=True, slots=True)
class Judged:
    """Evidence with its features."""

    evidence: Evidence
    features: Mapping[str, float]
    score: float


def select_passages(question: str, items: RankedItems, now: datetime, floor: float = 0.0) -> tuple[Passage, ...]:
    """Return the passages that answer a question, best first; empty if nothing in the items does.

    Args:
        question: As asked.
        items: In ranked order.
        now: Tells current facts from ended ones.
        floor: Cosine of unrelated texts under the embedding model.
    """
    asked = focus(question, known_names(items))
    judged = judge(asked, gather_evidence(items), items, now, floor)
    if not judged or not answers(asked, judged[0], judged):
        return ()
    return tuple(
        Passage(edge=None if each.evidence.edge is None else each.evidence.edge.uuid, sources=each.evidence.sources, score=_score(each))
        for each in judged[:_PASSAGES]
    )


def known_names(items: RankedItems) -> list[str]:
    """Return the names of speakers, and of the people, places and other named entities among the items."""
    named = [found.item for found in items.entities if found.item.speaker or not _NO_TAGS & set(found.item.tags)]
    episodes = (*(found.item for found in items.episodes), *items.sources.values())
    speakers = {episode.speaker for episode in episodes if episode.speaker}
    return [*sorted(speakers), *(name for entity in named for name in (entity.name, *entity.aliases))]


def judge(asked: Focus, evidence: Sequence[Evidence], items: RankedItems, now: datetime, floor: float) -> list[Judged]:
    """Return the evidence with features and score, best first."""
    if not evidence:
        return []
    rarity = _rarity(asked, evidence)
    names = {part.lower() for name in known_names(items) for part in name.split()}
    recency = _recency(evidence)
    found = []
    for each, recent in zip(evidence, recency, strict=True):
        terms = _terms(asked, each, rarity)
        features = {
            "terms": terms,
            "uncovered": float(terms < _UNCOVERED),
            "names": _names(asked, each),
            "kind": _kind(asked, each, names),
            "similarity": max(0.0, (each.cosine - floor) / (1.0 - floor)),
            "rank": 1.0 / (1.0 + each.rank),
            "fact": float(each.edge is not None),
            "recent": _PAST_RECENCY * recent if asked.past or asked.kind == "time" else recent,
            "new": min(1.0, len(each.stems - asked.stems) / _NEW_WORDS),
            "asks": float(each.asks),
            "replies": float(each.replies),
            "ended": float(each.edge is not None and not asked.past and each.edge.phase(now) == "ended"),
            "unsure": float(each.edge is not None and not each.edge.certain),
        }
        found.append(Judged(each, features, sum(WEIGHTS[name] * value for name, value in features.items())))
    return _newest_first(asked, sorted(found, key=lambda one: -one.score))


def _newest_first(asked: Focus, judged: list[Judged]) -> list[Judged]:
    """Let the newest of several equally good answers lead, unless the question asks about the past."""
    if asked.past or asked.kind not in _CHANGING:
        return judged
    best = judged[0]
    rivals = [
        one
        for one in judged
        if one.score >= best.score - _MARGIN
        and one.evidence.moment is not None
        and all(one.features[name] >= min(least, best.features[name]) for name, least in _EQUAL.items())
    ]
    if not rivals:
        return judged
    lead = max(rivals, key=lambda one: (one.evidence.moment or _NEVER, one.score))
    return [lead, *(one for one in judged if one is not lead)]


def answers(asked: Focus, best: Judged, judged: Sequence[Judged]) -> bool:
    """Return whether the best evidence answers at all."""
    texts = [text for each in judged for text in _texts(each.evidence)]
    if any(not any(is_name_in(name, text) for text in texts) for name in asked.names):
        return False
    return _score(best) >= LEAST


def _score(one: Judged) -> float:
    return 1.0 / (1.0 + math.exp(-(one.score - _OFFSET)))


def _rarity(asked: Focus, evidence: Sequence[Evidence]) -> dict[str, float]:
    total = len(evidence)
    counts = {term: sum(term in each.stems for each in evidence) for term in asked.terms}
    rarity = {term: math.log(1.0 + (total - count + 0.5) / (count + 0.5)) for term, count in counts.items()}
    return {term: _LEAST_WEIGHT + min(_MOST_RARITY, value) for term, value in rarity.items()}


def _terms(asked: Focus, each: Evidence, rarity: Mapping[str, float]) -> float:
    """Return the weighted share of the question's terms that the evidence or its context says."""
    terms = {term: weight for term, weight in rarity.items() if not _is_kind_word(term, asked)}
    if not terms:
        return 0.7
    left = set(each.stems)
    owned = [match for match in _OWNER.finditer(each.text) if _is_foreign(match[1], asked)]
    foreign = {stem(word.lower()) for match in owned for word in match.groups()[1:] if word}
    total, credit = sum(terms.values()), 0.0
    for term, weight in sorted(terms.items(), key=lambda pair: pair[0] not in left):
        share, used = _credit(term, left, each.before_stems)
        left.discard(used)
        credit += weight * share * (_OTHER_OWNER if used in foreign else 1.0)
    return credit / total


def _is_kind_word(term: str, asked: Focus) -> bool:
    return asked.kind == "occupation" and term in _OCCUPATION_WORDS


def _is_foreign(owner: str, asked: Focus) -> bool:
    return bool(asked.names) and not any(is_name_in(owner, name) for name in asked.names) and owner.lower() not in _PRONOUNS


def _credit(term: str, own: Collection[str], context: Collection[str]) -> tuple[float, str]:
    """Return the credit for a term, and the stem of the evidence that earned it."""
    if term in own:
        return 1.0, term
    kin = families(term)
    shared = sorted(kin & set(own))
    if shared:
        return _FAMILY, shared[0]
    if term in context:
        return _CONTEXT, term
    return (_CONTEXT * _FAMILY, "") if kin & set(context) else (0.0, "")


def _names(asked: Focus, each: Evidence) -> float:
    """Return how far the evidence is about those that are asked about: 0 to 1."""
    if not asked.names:
        return 0.5
    credits = [_about(name, each) for name in asked.names]
    return 0.6 * max(credits) + 0.4 * sum(credits) / len(credits)


def _about(name: str, each: Evidence) -> float:
    if any(_same(name, about) for about in each.about) or is_name_in(name, each.text):
        return 1.0
    if each.speaker and _same(name, each.speaker):
        return 0.9 if each.own else 0.6
    if any(is_name_in(name, text) for _, text in each.before):
        return 0.5
    return 0.2 if any(speaker and _same(name, speaker) for speaker, _ in each.before) else 0.0


def _same(name: str, other: str) -> bool:
    return is_name_in(name, other) or is_name_in(other, name)


def _texts(each: Evidence) -> list[str]:
    return [each.text, each.speaker or "", *each.about, *(part for said in each.before for part in said)]


def _kind(asked: Focus, each: Evidence, names: Collection[str]) -> float:
    if asked.kind == "time" and each.edge is not None and each.edge.valid_from is not None:
        return 1.0
    return holds(asked.kind, each.text, asked.stems, names)


def _recency(evidence: Sequence[Evidence]) -> list[float]:
    moments = sorted({each.moment for each in evidence if each.moment is not None})
    if len(moments) < 2:  # noqa: PLR2004  # nothing to compare
        return [0.0] * len(evidence)
    place = {moment: number / (len(moments) - 1) for number, moment in enumerate(moments)}
    return [place[each.moment] if each.moment is not None else 0.0 for each in evidence]
