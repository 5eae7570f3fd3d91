"""Scores for candidates of each type, computed once and then ordered as often as needed: pure."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from mnemo.models.graph import Edge, Entity
from mnemo.models.results import Found
from mnemo.retrieval.candidates import Candidate, candidates
from mnemo.retrieval.episode_rows import EpisodeRow, EpisodeRows
from mnemo.retrieval.question.analysis import Question
from mnemo.retrieval.ranking.fusion import EDGE_WEIGHTS, ENTITY_WEIGHTS, EPISODE_WEIGHTS, Weights, order, totals
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.ranking.relevance import relevance
from mnemo.retrieval.ranking.signals import Numbers, Signals, edge_signals, entity_signals, episode_signals
from mnemo.store import records
from mnemo.store.search import CandidateRows

__all__ = ["NO_BOOSTS", "Boosts", "Scored", "ScoredCandidates"]

Boosts: TypeAlias = Mapping[str, float]
"""By uuid: what another route adds to a total."""
NO_BOOSTS: Boosts = MappingProxyType({})
T = TypeVar("T")
N = TypeVar("N", bound="_Named")


class _Named(Protocol):
    @property
    def uuid(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Scored(Generic[N]):
    """Candidates of one type with their signals and the weighted sum of these."""

    candidates: Sequence[Candidate[N]]
    uuids: Sequence[str]
    signals: Signals
    totals: Numbers
    relevance: Numbers
    """0 to 1; see `mnemo.retrieval.ranking.relevance`."""

    @classmethod
    def of(cls, found: Sequence[Candidate[N]], signals: Signals, weights: Weights, relevance: Numbers) -> Self:
        """Score candidates.

        Args:
            found: Of one type.
            signals: One number a candidate for each weight; others are ignored.
            weights: Of the signals.
            relevance: One number a candidate, 0 to 1.
        """
        scores = totals(signals, weights) if found else np.zeros(0)
        shown = {name: signals[name] for name in weights} | {"cosine": _cosines(found)}
        return cls(found, [each.item.uuid for each in found], shown, scores, relevance)

    def places(self, boosts: Boosts = NO_BOOSTS, among: Collection[str] | None = None) -> list[int]:
        """Return the places of candidates, best total first, ties by uuid.

        Args:
            boosts: Added to the totals.
            among: Uuids of the candidates to order; None is all.
        """
        ranked = order(self.totals + self._boosts(boosts), self.uuids)
        return ranked if among is None else [place for place in ranked if self.uuids[place] in among]

    def found(self, places: Sequence[int], make: Callable[[N], T], boosts: Boosts = NO_BOOSTS) -> tuple[Found[T], ...]:
        """Return the items at some places, with their scores and signals.

        Args:
            places: In ranked order.
            make: Turns a candidate's item into the one returned.
            boosts: Shown as the signal `hierarchy` if there are any.
        """
        added = self._boosts(boosts)
        signals = {**self.signals, "hierarchy": added} if boosts else self.signals
        return tuple(
            Found(
                item=make(self.candidates[place].item),
                score=float(self.relevance[place]),
                sources=self.candidates[place].sources or (self.uuids[place],),
                signals={name: round(float(values[place]), 6) for name, values in signals.items()},
            )
            for place in places
        )

    def _boosts(self, boosts: Boosts) -> Numbers:
        return np.array([boosts.get(uuid, 0.0) for uuid in self.uuids], np.float64)


@dataclass(frozen=True, slots=True)
class ScoredCandidates:
    """All candidates of a question."""

    group: str
    episodes: Scored[EpisodeRow]
    entities: Scored[Entity]
    edges: Scored[Edge]
    matching: frozenset[str]
    """Uuids of the episodes that pass the filters; the others are only neighbours and sources."""
    names: Mapping[str, str]
    """Names of entities by uuid."""

    @classmethod
    def of(cls, question: Question, group: str, rows: CandidateRows, floor: float = 0.0) -> Self:
        """Score the rows of a question.

        Args:
            question: As it was read.
            group: Whose memory.
            rows: Nothing twice within a type.
            floor: Cosine of unrelated texts under the embedding model.
        """
        episodes = candidates([(EpisodeRow(row), row) for row in rows.episodes])
        entities = candidates([(records.entity({**row, "group": group}), row) for row in rows.entities])
        edges = candidates([(records.edge({**row, "group": group}), row) for row in rows.edges])
        names = _names(rows)

        def relevances(found: Sequence[Candidate[Any]], texts: Sequence[str]) -> Numbers:
            return relevance(question, found, texts, floor)

        return cls(
            group=group,
            episodes=Scored.of(
                episodes,
                episode_signals(question, episodes),
                EPISODE_WEIGHTS,
                relevances(episodes, [each.item.content for each in episodes]),
            ),
            entities=Scored.of(
                entities,
                entity_signals(question, entities),
                ENTITY_WEIGHTS,
                relevances(entities, [f"{each.item.name} {each.item.summary}" for each in entities]),
            ),
            edges=Scored.of(
                edges,
                edge_signals(question, edges, names),
                EDGE_WEIGHTS,
                relevances(edges, [each.item.fact for each in edges]),
            ),
            matching=frozenset(row["uuid"] for row in rows.episodes if row["fits"]),
            names=names,
        )

    def ranked(self, k: int, boosts: Boosts = NO_BOOSTS) -> RankedItems:
        """Return the best k episodes, 2k entities and 2k edges, each type in order of its totals."""
        return self.made(
            self.episodes.places(boosts, self.matching)[:k],
            self.entities.places(boosts)[: 2 * k],
            self.edges.places(boosts)[: 2 * k],
            boosts,
        )

    def made(
        self, episodes: Sequence[int], entities: Sequence[int], edges: Sequence[int], boosts: Boosts = NO_BOOSTS
    ) -> RankedItems:
        """Return the candidates at some places, in the given order of each type."""
        best = self.episodes.found(episodes, lambda row: row.episode(self.group), boosts)
        shown = {found.item.uuid for found in best}
        rest = [each.item for each in self.episodes.candidates if each.item.uuid not in shown]
        return RankedItems(
            episodes=best,
            entities=self.entities.found(entities, lambda item: item, boosts),
            edges=self.edges.found(edges, lambda item: item, boosts),
            sources=EpisodeRows(rest, self.group),
            names=self.names,
        )


def _cosines(found: Sequence[Candidate[Any]]) -> Numbers:
    return np.array([max(each.whole or 0.0, each.bare or 0.0) for each in found], np.float64)


def _names(rows: CandidateRows) -> dict[str, str]:
    """Return the names of entities by uuid: of those found, and of subjects and objects of facts."""
    names = {row["uuid"]: row["name"] for row in rows.entities if row["name"]}
    for row in rows.edges:
        for end in ("subject", "object"):
            if row.get(end) and row.get(f"{end}_name"):
                names[row[end]] = row[f"{end}_name"]
    return names
