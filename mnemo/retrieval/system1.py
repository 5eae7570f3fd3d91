"""System-1: what is similar to a question, and what stands beside it, in one round trip.

The question is embedded twice, with and without the names of those it asks about: a name draws the
vector to whatever mentions it. Who speaks in the group comes back with each search and is kept; only
when what was kept named other people than the database does (the first search of a group, a speaker
who is new) is the search done again, so that the result never depends on what was kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, Protocol, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mnemo.clock import Clock, SystemClock
from mnemo.models.results import Found, SearchResult
from mnemo.providers.base import Embedder
from mnemo.retrieval.candidates import Finds
from mnemo.retrieval.lines import Backing, Line
from mnemo.retrieval.outcome import outcome
from mnemo.retrieval.question import Person, Question, read
from mnemo.retrieval.ranking import EDGE_WEIGHTS, ENTITY_WEIGHTS, EPISODE_WEIGHTS, Weights, order, totals
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.signals import Candidate, Signals, edge_signals, entity_signals, episode_signals
from mnemo.store import records
from mnemo.store.driver import Database, Row
from mnemo.store.search import Filters, Gathered, Wanted, gather

__all__ = ["HITS", "NO_BOOSTS", "Boosts", "find", "guess", "learn", "look", "rank", "search", "wanted"]

Boosts: TypeAlias = Mapping[str, float]
NO_BOOSTS: Boosts = MappingProxyType({})
T = TypeVar("T")
N = TypeVar("N", bound="_Named")

HITS = 50
"""Hits asked of each index, or k if that is more: signals are standardised over what comes back, so that a search for
ten and one for fifty give the same ten."""
_KEPT_GROUPS = 10_000
_KNOWN: WeakKeyDictionary[Database, dict[str, tuple[Person, ...]]] = WeakKeyDictionary()
"""Who was asked about lately, by database and group; a guess that every search checks."""


async def search(
    database: Database, embedder: Embedder, request: SearchRequest, clock: Clock | None = None
) -> SearchResult:
    """Answer with the best k episodes, 2k entities and 2k edges, and a context within the budget.

    Ties go by uuid. A group without memory gives an empty result.

    Args:
        database: Migrated for the embedder.
        embedder: The one that the memory was embedded by.
        request: What is asked.
        clock: Tells what now is; None is the machine's.

    Raises:
        ProviderError: The embedder failed.
        StoreError: See its kinds.
    """
    return outcome(request, await find(database, embedder, request, clock or SystemClock()), "system1")


async def find(database: Database, embedder: Embedder, request: SearchRequest, clock: Clock) -> Finds:
    """Return the ranked finds of each type without a context; see `search`."""
    question, gathered = await look(database, embedder, request, clock)
    return rank(question, request, gathered)


async def look(
    database: Database, embedder: Embedder, request: SearchRequest, clock: Clock
) -> tuple[Question, Gathered]:
    """Return the question as it was read, and what the indexes hold for it, not ranked; see `search`."""
    question = guess(database, request)
    gathered = await gather(database, await wanted(embedder, request, question, clock))
    truth = learn(database, request, gathered.people)
    if truth.bare != question.bare:
        gathered = await gather(database, await wanted(embedder, request, truth, clock))
    return truth, gathered


def guess(database: Database, request: SearchRequest) -> Question:
    """Read the question with the people that were asked about lately in its group."""
    return read(request.question, _KNOWN.setdefault(database, {}).get(request.group, ()))


def learn(database: Database, request: SearchRequest, rows: Sequence[Row]) -> Question:
    """Read the question with the people that the database says it names, and remember them."""
    people = tuple(Person(row["name"], tuple(row["aliases"] or ())) for row in _by_name(rows))
    _keep(_KNOWN.setdefault(database, {}), request.group, people)
    return read(request.question, people)


def rank(question: Question, request: SearchRequest, gathered: Gathered, boosts: Boosts = NO_BOOSTS) -> Finds:
    """Order what was gathered, type by type, and cut it to k episodes, 2k entities and 2k edges: pure.

    Args:
        question: As it was read.
        request: Tells the group and k.
        gathered: Nothing twice within a type.
        boosts: By uuid, what another route adds to a score.
    """
    group, k = request.group, request.k
    episodes = _candidates([(Line(row), row) for row in gathered.episodes])
    entities = _candidates([(records.entity({**row, "group": group}), row) for row in gathered.entities])
    edges = _candidates([(records.edge({**row, "group": group}), row) for row in gathered.edges])
    names = {row["subject"]: row["subject_name"] for row in gathered.edges if row.get("subject_name")}
    fitting = {row["uuid"] for row in gathered.episodes if row["fits"]}
    ranked = _ranked(episodes, episode_signals(question, episodes), EPISODE_WEIGHTS, boosts)
    fits = [place for place in ranked.places if ranked.uuids[place] in fitting]
    best = ranked.made(fits[:k], lambda line: line.episode(group))
    shown = {found.item.uuid for found in best}
    by_entity = _ranked(entities, entity_signals(question, entities), ENTITY_WEIGHTS, boosts)
    by_edge = _ranked(edges, edge_signals(question, edges, names), EDGE_WEIGHTS, boosts)
    return Finds(
        episodes=best,
        entities=by_entity.found(by_entity.places[: 2 * k]),
        edges=by_edge.found(by_edge.places[: 2 * k]),
        backing=Backing([each.item for each in episodes if each.item.uuid not in shown], group),
    )


async def wanted(embedder: Embedder, request: SearchRequest, question: Question, clock: Clock) -> Wanted:
    """Embed a question, with and without the names of those it asks about."""
    texts = list(dict.fromkeys((question.bare, question.text)))
    vectors = await embedder.questions(texts)
    return Wanted(
        group=request.group,
        text=question.text,
        bare=question.bare,
        bare_vector=vectors[0],
        whole_vector=vectors[-1],
        limit=max(HITS, request.k),
        filters=Filters(
            as_of=request.as_of or clock.now(),
            visible_until=request.as_of,
            session=request.session,
            speaker=request.speaker,
            since=request.since,
            until=request.until,
        ),
    )


def _candidates(found: Sequence[tuple[T, Row]]) -> list[Candidate[T]]:
    return [
        Candidate(
            item=item,
            bare=_cosine(row.get("bare")),
            whole=_cosine(row.get("whole")),
            words=float(row["words"]),
            sources=tuple(row.get("sources", ())),
        )
        for item, row in found
    ]


def _cosine(similarity: float | None) -> float | None:
    """Return the cosine of what the database calls similarity: (1 + cosine) / 2."""
    return None if similarity is None else 2.0 * similarity - 1.0


class _Named(Protocol):
    @property
    def uuid(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Ranked(Generic[N]):
    """Candidates of one type, and how they came out."""

    candidates: Sequence[Candidate[N]]
    uuids: Sequence[str]
    signals: Signals
    scores: NDArray[np.float64]
    places: Sequence[int]
    """Of the candidates, best first."""

    def found(self, places: Sequence[int]) -> tuple[Found[N], ...]:
        """Return some candidates with their scores and signals."""
        return self.made(places, lambda item: item)

    def made(self, places: Sequence[int], make: Callable[[N], T]) -> tuple[Found[T], ...]:
        """Return what is made of some candidates, with their scores and signals."""
        return tuple(
            Found(
                item=make(self.candidates[place].item),
                score=float(self.scores[place]),
                sources=self.candidates[place].sources or (self.uuids[place],),
                signals={name: round(float(values[place]), 6) for name, values in self.signals.items()},
            )
            for place in places
        )


def _ranked(found: Sequence[Candidate[N]], signals: Signals, weights: Weights, boosts: Boosts) -> _Ranked[N]:
    uuids = [candidate.item.uuid for candidate in found]
    added = np.array([boosts.get(uuid, 0.0) for uuid in uuids], np.float64)
    scores = totals(signals, weights) + added if found else added
    shown = {name: signals[name] for name in weights} | ({"hierarchy": added} if boosts else {})
    return _Ranked(found, uuids, shown, scores, order(scores, uuids))


def _by_name(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: str(row["name"]))


def _keep(kept: dict[str, tuple[Person, ...]], group: str, people: tuple[Person, ...]) -> None:
    """Remember those asked about beside those remembered before, the newest first, within bounds."""
    known = kept.pop(group, ())
    kept[group] = tuple(dict.fromkeys((*people, *known)))[:100]
    while len(kept) > _KEPT_GROUPS:
        kept.pop(next(iter(kept)))
