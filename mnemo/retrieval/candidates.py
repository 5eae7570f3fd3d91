"""Gathers the candidates for a question from the indexes in one round trip, for every route.

The question is embedded twice, with and without the names of those it asks about: a name draws the
vector to every message that mentions it. Each search also returns the speakers that the question names.
They are cached, so that the next question can be read before the search. If the cache was wrong (the
first search of a group, a new speaker), the search is repeated, so that a result never depends on the cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cachetools import LRUCache

from mnemo.clock import Clock, SystemClock
from mnemo.providers.base import Embedder
from mnemo.retrieval.question.analysis import Person, Question, read
from mnemo.retrieval.request import SearchRequest
from mnemo.store.driver import Database, Row
from mnemo.store.search import CandidateRows, Filters, SearchQuery, gather

__all__ = ["HITS", "Candidate", "CandidateGatherer", "candidates", "filters"]

HITS = 50
"""Hits of each index, or k if that is more. Signals are standardised over them, so a search for ten and one for fifty
give the same ten."""
_CACHED_GROUPS = 10_000
_CACHED_PEOPLE = 100

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Generic[T_co]):
    """One item found by an index, through a fact, or as a neighbour."""

    item: T_co
    bare: float | None = None
    """Cosine to the question without the names of those asked about; None without an embedding."""
    whole: float | None = None
    """Cosine to the whole question."""
    words: float = 0.0
    """BM25; 0 if full text did not find it."""
    sources: tuple[str, ...] = ()
    """Uuids of the episodes that it rests on, oldest first."""


class CandidateGatherer:
    """Gathers candidates from one database; use within one event loop."""

    def __init__(self, database: Database, embedder: Embedder, clock: Clock | None = None) -> None:
        """Keep the parts.

        Args:
            database: Migrated for the embedder.
            embedder: The one that embedded the memory.
            clock: Tells the present; None is the machine's clock.
        """
        self.database = database
        self.embedder = embedder
        self.clock = clock or SystemClock()
        self._people: LRUCache[str, tuple[Person, ...]] = LRUCache(_CACHED_GROUPS)

    async def gather(self, request: SearchRequest) -> tuple[Question, CandidateRows]:
        """Return the question as it was read, and the candidates' rows, not ranked.

        Raises:
            ProviderError: The embedder failed.
            StoreError: See its kinds.
        """
        question = self.read(request)
        rows = await gather(self.database, await self.query(request, question))
        checked = self.learn(request, rows.people)
        if checked.bare != question.bare:
            rows = await gather(self.database, await self.query(request, checked))
        return checked, rows

    def read(self, request: SearchRequest) -> Question:
        """Read the question with the people that were asked about lately in its group."""
        return read(request.question, self._people.get(request.group, ()))

    def learn(self, request: SearchRequest, rows: Sequence[Row]) -> Question:
        """Read the question with the people that the database found in it, and cache them."""
        people = tuple(
            Person(row["name"], tuple(row["aliases"] or ())) for row in sorted(rows, key=lambda row: str(row["name"]))
        )
        known = self._people.get(request.group, ())
        self._people[request.group] = tuple(dict.fromkeys((*people, *known)))[:_CACHED_PEOPLE]
        return read(request.question, people)

    async def query(self, request: SearchRequest, question: Question) -> SearchQuery:
        """Embed a question, with and without the names of those it asks about.

        Raises:
            ProviderError: The embedder failed.
        """
        texts = list(dict.fromkeys((question.bare, question.text)))
        vectors = await self.embedder.questions(texts)
        return SearchQuery(
            group=request.group,
            text=question.text,
            bare=question.bare,
            bare_vector=vectors[0],
            whole_vector=vectors[-1],
            limit=max(HITS, request.k),
            filters=filters(request, self.clock),
        )


def filters(request: SearchRequest, clock: Clock) -> Filters:
    """Return the bounds of a request as the store takes them; without `as_of` facts are read as of now."""
    return Filters(
        as_of=request.as_of or clock.now(),
        visible_until=request.as_of,
        session=request.session,
        speaker=request.speaker,
        since=request.since,
        until=request.until,
    )


def candidates(found: Sequence[tuple[T_co, Row]]) -> list[Candidate[T_co]]:
    """Return the items of the rows as candidates, with their scores."""
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
    """Return the cosine of the database's similarity, which is (1 + cosine) / 2."""
    return None if similarity is None else 2.0 * similarity - 1.0
