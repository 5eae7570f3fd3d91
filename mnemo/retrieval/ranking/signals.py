"""Signals of each candidate for a question, as numbers of similar scale: pure.

Similarities are standardised over the candidates (mean 0, standard deviation 1), so that one set of
weights fits any embedding model, group size and index. A candidate without an embedding counts as average.
A signal that does not apply to a question is 0 for all candidates and does not change the order.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mnemo.models.graph import Edge, Entity
from mnemo.retrieval.candidates import Candidate
from mnemo.retrieval.local_time import local_day
from mnemo.retrieval.question import features
from mnemo.retrieval.question.analysis import Question
from mnemo.retrieval.question.dates import closeness
from mnemo.retrieval.ranking import term_overlap

__all__ = ["EpisodeText", "Numbers", "Signals", "edge_signals", "entity_signals", "episode_signals", "standardised"]

Numbers: TypeAlias = NDArray[np.float64]
Signals: TypeAlias = dict[str, Numbers]
"""By name, one number a candidate, in the candidates' order."""

WINDOW: Mapping[int, float] = {-1: 1.0, 1: 0.5, -2: 0.3, 2: 0.2}
"""Weights of a message's neighbours by distance: an answer often lacks the words of its question."""
_REACH = (-2, -1, 1, 2)
_BEFORE = (-2, -1)
_BEST = 3
_NOBODY = -1
"""Index of a neighbour that is no candidate: that of the value appended to the candidates' values."""


class EpisodeText(Protocol):
    """What signals need of an episode: an `Episode` or an `EpisodeRow`."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def speaker(self) -> str | None:
        """Who wrote it."""

    @property
    def session(self) -> str:
        """Its conversation or file."""

    @property
    def position(self) -> int:
        """Order within the session."""

    @property
    def occurred_at(self) -> datetime | None:
        """When it was written, aware; None is unknown."""

    @property
    def zone(self) -> str | None:
        """IANA zone of the writer."""


def standardised(values: Sequence[float | None] | Numbers) -> Numbers:
    """Return values with mean 0 and standard deviation 1; None becomes 0, and all become 0 if they are equal."""
    numbers = np.array([np.nan if value is None else value for value in values], np.float64)
    known = numbers[~np.isnan(numbers)]
    spread = float(known.std()) if known.size else 0.0
    if spread < 1e-9:  # noqa: PLR2004  # rounding of equal values
        return np.zeros(len(numbers))
    scaled: Numbers = np.nan_to_num((numbers - known.mean()) / spread, nan=0.0)
    return scaled


def episode_signals(question: Question, found: Sequence[Candidate[EpisodeText]]) -> Signals:
    """Return the signals of episodes; neighbours and sessions are those among the candidates."""
    items = [candidate.item for candidate in found]
    meaning = standardised([candidate.bare for candidate in found])
    words = standardised([candidate.words for candidate in found])
    asks = np.array([features.is_question(item.content) for item in items], np.float64)
    around = _Neighbours(items)
    said = term_overlap.shares(term_overlap.words(question.bare), [term_overlap.words(item.content) for item in items])
    return {
        "meaning": meaning,
        "whole": standardised([candidate.whole for candidate in found]),
        "words": words,
        "said": around.said(said, _BEFORE),
        "meaning_window": around.best(meaning, _REACH),
        "meaning_near": around.sum(meaning, WINDOW),
        "words_near": around.sum(words, WINDOW),
        "meaning_session": _by_session(items, meaning, _mean_of_best),
        "meaning_best": _by_session(items, meaning, max),
        "said_session": _by_session(items, np.array([sum(each.values()) for each in said], np.float64), max),
        "speaker": _said_by(question, items),
        "date": np.array([_fits_date(question, item) for item in items], np.float64),
        "time": _if_asked(question, items, "time", features.has_time),
        "number": _if_asked(question, items, "number", features.has_number),
        "name": _if_asked(question, items, "name", features.has_name),
        "self": _flags(items, features.speaks_of_self) * bool(question.people),
        "tells": _flags(items, features.tells),
        "opens": np.array([item.position == 0 for item in items], np.float64),
        "asks": asks,
        "answers": around.sum(asks, {-1: 1.0}),
        "length": np.log1p(np.array([features.length(item.content) for item in items], np.float64)),
    }


def edge_signals(question: Question, found: Sequence[Candidate[Edge]], names: Mapping[str, str]) -> Signals:
    """Return the signals of edges.

    Args:
        question: What is asked.
        found: The candidates.
        names: Name of each entity by uuid, as far as known.
    """
    asked = {name.casefold() for person in question.people for name in person.names}
    about = [names.get(candidate.item.subject, "").casefold() in asked for candidate in found]
    return {
        "meaning": standardised([candidate.bare for candidate in found]),
        "whole": standardised([candidate.whole for candidate in found]),
        "words": standardised([candidate.words for candidate in found]),
        "speaker": np.array(about, np.float64),
        "date": np.array([_edge_fits_date(question, candidate.item) for candidate in found], np.float64),
        "time": np.array([candidate.item.when is not None for candidate in found], np.float64)
        * ("time" in question.wants),
    }


def entity_signals(question: Question, found: Sequence[Candidate[Entity]]) -> Signals:
    """Return the signals of entities."""
    text = question.text.casefold()
    named = [any(_stands_in(name, text) for name in (c.item.name, *c.item.aliases)) for c in found]
    return {
        "whole": standardised([candidate.whole for candidate in found]),
        "words": standardised([candidate.words for candidate in found]),
        "named": np.array(named, np.float64),
    }


def _stands_in(name: str, text: str) -> bool:
    return len(name) > 1 and f" {name.casefold()} " in f" {''.join(c if c.isalnum() else ' ' for c in text)} "


class _Neighbours:
    """Candidates by their position in a session."""

    def __init__(self, items: Sequence[EpisodeText]) -> None:
        places = [(item.session, item.position) for item in items]
        numbers = {place: number for number, place in enumerate(places)}
        self._at = {
            offset: np.array([numbers.get((session, at + offset), _NOBODY) for session, at in places], np.intp)
            for offset in _REACH
        }

    def sum(self, values: Numbers, window: Mapping[int, float]) -> Numbers:
        """Return, for each, the weighted sum of its neighbours' values; 0 for a neighbour that is no candidate."""
        known = np.append(values, 0.0)
        return np.asarray(sum(weight * known[self._at[offset]] for offset, weight in window.items()), np.float64)

    def best(self, values: Numbers, offsets: Sequence[int]) -> Numbers:
        """Return, for each, the largest of its value and its neighbours'."""
        known = np.append(values, -np.inf)
        return np.asarray(np.maximum.reduce([values, *(known[self._at[offset]] for offset in offsets)]), np.float64)

    def said(self, shares: Sequence[Mapping[str, float]], offsets: Sequence[int]) -> Numbers:
        """Return, for each, the share of the question's words that it or a neighbour has, each word once."""
        known = [*shares, {}]
        around = zip(*(self._at[offset].tolist() for offset in offsets), strict=True)
        return np.array(
            [_union([own, *(known[at] for at in places)]) for own, places in zip(shares, around, strict=True)],
            np.float64,
        )


def _union(shares: Sequence[Mapping[str, float]]) -> float:
    union: dict[str, float] = {}
    for each in shares:
        union.update(each)
    return sum(union.values())


def _by_session(items: Sequence[EpisodeText], values: Numbers, summary: Callable[[list[float]], float]) -> Numbers:
    sessions: dict[str, list[float]] = defaultdict(list)
    for item, value in zip(items, values, strict=True):
        sessions[item.session].append(float(value))
    summaries = {session: summary(its) for session, its in sessions.items()}
    if len(summaries) < 2:  # noqa: PLR2004  # a single session tells nothing apart
        return np.zeros(len(items))
    return np.array([summaries[item.session] for item in items], np.float64)


def _mean_of_best(values: list[float]) -> float:
    best = sorted(values, reverse=True)[:_BEST]
    return sum(best) / len(best)


def _said_by(question: Question, items: Sequence[EpisodeText]) -> Numbers:
    """Return 1 for messages by the first person asked about, less for those by the others."""
    shares: dict[str, float] = {}
    for rank, person in enumerate(question.people):
        for name in person.names:
            shares.setdefault(name.casefold(), 1.0 / (1 + rank))
    return np.array([shares.get((item.speaker or "").casefold(), 0.0) for item in items], np.float64)


def _fits_date(question: Question, item: EpisodeText) -> float:
    if not question.dates or (moment := item.occurred_at) is None:
        return 0.0
    day = local_day(moment, item.zone)
    return max((closeness(named, day) for named in question.dates), default=0.0)


def _edge_fits_date(question: Question, edge: Edge) -> float:
    if edge.valid_from is None:
        return 0.0
    return max((closeness(named, edge.valid_from.date()) for named in question.dates), default=0.0)


def _if_asked(question: Question, items: Sequence[EpisodeText], kind: str, has: Callable[[str], bool]) -> Numbers:
    return _flags(items, has) if kind in question.wants else np.zeros(len(items))


def _flags(items: Sequence[EpisodeText], has: Callable[[str], bool]) -> Numbers:
    return np.array([has(item.content) for item in items], np.float64)
