"""Chooses the facts and messages that answer a question, or finds that none does: pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mnemo.models.results import Passage
from mnemo.retrieval.answering.evidence import Evidence, gather_evidence
from mnemo.retrieval.answering.features import features
from mnemo.retrieval.answering.question_focus import Focus, focus, is_name_in
from mnemo.retrieval.ranking.ranked_items import RankedItems

__all__ = ["CONFIDENCE", "WEIGHTS", "JudgedEvidence", "judge", "known_names", "select_passages"]

WEIGHTS: Mapping[str, float] = {
    "terms": 2.6,
    "similarity": 2.0,
    "names": 1.8,
    "kind": 1.5,
    "message_rank": 1.5,
    "new": 1.5,
    "uncovered": -1.5,
    "ended": -1.0,
    "asks": -0.8,
    "recent": 0.6,
    "corrects": 0.6,
    "fact_rank": 0.5,
    "replies": 0.4,
    "fact": 0.2,
    "unsure": -0.8,
}
"""Of the features, for the order of the evidence; chosen by hand on 51 questions about three conversations."""
CONFIDENCE: Mapping[str, float] = {"terms": 2.6, "similarity": 2.0, "names": 1.8, "kind": 1.5, "uncovered": -1.5}
"""Of the features, for how sure an answer is. Ranks are left out: something always ranks first."""
_OFFSET = 4.0
"""The sum of confidence at which an answer is as likely as none."""
_LEAST = 0.5
"""Score below which nothing answers."""
_PASSAGES = 6
_MARGIN = 1.3
"""How much less sure the newest evidence may be and still lead."""
_GOOD: Mapping[str, float] = {"terms": 0.6, "names": 0.8, "kind": 0.5}
"""Features that evidence needs to lead because it is the newest."""
_CHANGING = frozenset({"place", "number", "person", "occupation", "yes_no"})
"""Kinds of answers that change over time, so that the newest counts."""
_NEVER = datetime.min.replace(tzinfo=UTC)
_NO_NAME = "topic"
"""Tag of entities that are no names."""


@dataclass(frozen=True, slots=True)
class JudgedEvidence:
    """Evidence with its features."""

    evidence: Evidence
    features: Mapping[str, float]

    @property
    def total(self) -> float:
        """The weighted sum of the features: larger ranks higher."""
        return sum(weight * self.features[name] for name, weight in WEIGHTS.items())

    @property
    def certainty(self) -> float:
        """The weighted sum of the features that make an answer sure."""
        return sum(weight * self.features[name] for name, weight in CONFIDENCE.items())

    @property
    def score(self) -> float:
        """How sure it is that this answers, 0 to 1."""
        return 1.0 / (1.0 + math.exp(_OFFSET - self.certainty))


def select_passages(question: str, items: RankedItems, now: datetime, floor: float = 0.0) -> tuple[Passage, ...]:
    """Return the passages that answer a question, best first; empty if nothing among the items does.

    Args:
        question: As asked.
        items: In ranked order.
        now: Tells current facts from ended ones; aware.
        floor: Cosine of unrelated texts under the embedding model.
    """
    names = known_names(items)
    asked = focus(question, names)
    judged = judge(asked, gather_evidence(items), names, now, floor)
    if not judged or not _is_answered(asked, judged):
        return ()
    return tuple(_passage(each) for each in judged[:_PASSAGES])


def known_names(items: RankedItems) -> list[str]:
    """Return the names of speakers, and of the people, places and other named entities among the items."""
    named = [found.item for found in items.entities if found.item.speaker or _NO_NAME not in found.item.tags]
    episodes = (*(found.item for found in items.episodes), *items.sources.values())
    speakers = {episode.speaker for episode in episodes if episode.speaker}
    return [*sorted(speakers), *(name for entity in named for name in (entity.name, *entity.aliases))]


def judge(
    asked: Focus, evidence: Sequence[Evidence], names: Sequence[str], now: datetime, floor: float
) -> list[JudgedEvidence]:
    """Return the evidence with its features, best first.

    Args:
        asked: What is asked for.
        evidence: Facts and messages.
        names: Known names.
        now: Tells current facts from ended ones; aware.
        floor: Cosine of unrelated texts under the embedding model.
    """
    found = features(asked, evidence, names, now, floor)
    judged = [JudgedEvidence(each, values) for each, values in zip(evidence, found, strict=True)]
    return _newest_first(asked, sorted(judged, key=lambda one: -one.total))


def _newest_first(asked: Focus, judged: list[JudgedEvidence]) -> list[JudgedEvidence]:
    """Let the newest of several good answers lead, unless the question is about the past or a fixed measure."""
    if not judged or asked.past or asked.fixed or asked.kind not in _CHANGING:
        return judged
    least = max(one.certainty for one in judged) - _MARGIN
    rivals = [
        one for one in judged if one.certainty >= least and one.evidence.moment is not None and _is_good(asked, one)
    ]
    if not rivals:
        return judged
    lead = max(rivals, key=lambda one: (one.evidence.moment or _NEVER, one.total))
    return [lead, *(one for one in judged if one is not lead)]


def _is_good(asked: Focus, one: JudgedEvidence) -> bool:
    return all(one.features[name] >= least for name, least in _GOOD.items() if name != "names" or asked.names)


def _is_answered(asked: Focus, judged: Sequence[JudgedEvidence]) -> bool:
    """Return whether every name of the question is known, and the best evidence is sure enough."""
    texts = [text for each in judged for text in each.evidence.texts]
    known = all(any(is_name_in(name, text) for text in texts) for name in asked.names)
    return known and judged[0].score >= _LEAST


def _passage(one: JudgedEvidence) -> Passage:
    edge = one.evidence.edge
    return Passage(edge=None if edge is None else edge.uuid, sources=one.evidence.sources, score=one.score)
