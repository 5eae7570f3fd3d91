"""Scores are comparable between searches."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.retrieval.candidates import Candidate
from mnemo.retrieval.question.analysis import read
from mnemo.retrieval.ranking.relevance import descending, relevance
from support.ranked_items import episode

QUESTION = read("Who paints boats?")


def score(text: str, cosine: float | None, floor: float = 0.0) -> float:
    return float(relevance(QUESTION, [Candidate(item=episode("m", text), whole=cosine)], [text], floor)[0])


def test_score_does_not_depend_on_other_hits() -> None:
    boats, tea = "Ben paints boats.", "Tea?"
    found = [Candidate(item=episode("a", boats), whole=0.6), Candidate(item=episode("b", tea), whole=0.1)]
    both = relevance(QUESTION, found, [boats, tea])
    assert score(boats, 0.6) == pytest.approx(both[0])
    assert 0.0 < both[1] < 0.1 < both[0] < 1.0


def test_only_similarity_above_the_model_floor_counts() -> None:
    assert score("Tea?", 0.77, floor=0.77) == pytest.approx(score("Tea?", None, floor=0.77))
    assert score("Tea?", 0.9, floor=0.77) > score("Tea?", 0.8, floor=0.77)


def test_scores_in_order_are_unchanged() -> None:
    assert descending([0.9, 0.5, 0.1]) == [0.9, 0.5, 0.1]


def test_neighbours_out_of_order_share_their_mean() -> None:
    assert descending([0.5, 0.9, 0.1]) == pytest.approx([0.7, 0.7, 0.1])


@given(st.lists(st.floats(0, 1), max_size=20))
def test_scores_never_rise_and_keep_their_sum(scores: list[float]) -> None:
    found = descending(scores)
    assert all(one >= two - 1e-9 for one, two in pairwise(found))
    assert sum(found) == pytest.approx(sum(scores))
    assert len(found) == len(scores)
