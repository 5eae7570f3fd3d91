import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.models.graph import Episode
from mnemo.retrieval.candidates import Candidate
from mnemo.retrieval.question.analysis import Person, read
from mnemo.retrieval.ranking.fusion import EDGE_WEIGHTS, ENTITY_WEIGHTS, EPISODE_WEIGHTS
from mnemo.retrieval.ranking.signals import edge_signals, entity_signals, episode_signals, standardised
from support.ranked_items import START, edge, entity, episode

BEN = Person("Ben")
ANA = Person("Ana")


SAID = ("What colour?", "I paint in that colour.", "Colour!", "Well.")
RATIO = math.log(1 + 1.5 / 3.5) / math.log(1 + 3.5 / 1.5)
"""Weight of a word that three of four messages say, to that of one that a single one says."""


def candidates(*episodes: Episode, cosines: tuple[float, ...] = ()) -> list[Candidate[Episode]]:
    return [
        Candidate(item=item, bare=cosines[n] if cosines else 0.5, whole=0.5, words=float(n))
        for n, item in enumerate(episodes)
    ]


def chat() -> list[Episode]:
    return [
        episode("a", "What colour?", speaker="Ben", day=0),
        episode("b", "Green.", speaker="Ana", day=1),
        episode("c", "I left in 2019.", speaker="Ben", day=2),
    ]


def test_standardised_has_mean_zero_and_spread_one_and_unknown_is_average() -> None:
    assert standardised([1.0, None, 3.0]).tolist() == [-1.0, 0.0, 1.0]
    assert standardised([2.0, 2.0]).tolist() == [0.0, 0.0]
    assert standardised([None]).tolist() == [0.0]
    assert standardised([]).tolist() == []


def test_neighbours_of_the_same_session_count_by_distance() -> None:
    found = candidates(*chat(), cosines=(0.0, 0.0, 3.0))
    meaning = standardised([0.0, 0.0, 3.0])
    near = episode_signals(read("?"), found)["meaning_near"]
    assert near[0] == pytest.approx(0.5 * meaning[1] + 0.2 * meaning[2])
    assert near[2] == pytest.approx(1.0 * meaning[1] + 0.3 * meaning[0])
    apart = [replace(each, item=replace(each.item, session=each.item.uuid)) for each in found]
    assert episode_signals(read("?"), apart)["meaning_near"].tolist() == [0.0, 0.0, 0.0]


def test_best_of_the_messages_around_counts() -> None:
    found = candidates(*chat(), episode("d", "Well.", day=3), cosines=(0.0, 0.0, 0.0, 3.0))
    meaning = standardised([0.0, 0.0, 0.0, 3.0])
    best = episode_signals(read("?"), found)["meaning_window"]
    assert best.tolist() == [meaning[0], meaning[3], meaning[3], meaning[3]]


def test_question_words_count_in_their_message_and_the_two_following() -> None:
    talk = [episode(name, text, day=n) for n, (name, text) in enumerate(zip("abcd", SAID, strict=True))]
    signals = episode_signals(read("Which colours were painted?"), candidates(*talk))
    rare, common = 1 / (1 + RATIO), RATIO / (1 + RATIO)
    assert signals["said"].tolist() == pytest.approx([common, 1.0, 1.0, 1.0])
    assert rare > common
    apart = [replace(each, session=each.uuid) for each in talk]
    signals = episode_signals(read("Which colours were painted?"), candidates(*apart))
    assert signals["said_session"].tolist() == pytest.approx([common, 1.0, common, 0.0])


def test_session_opening_and_own_action_are_signals() -> None:
    signals = episode_signals(read("?"), candidates(*chat()))
    assert signals["opens"].tolist() == [1.0, 0.0, 0.0]
    assert signals["tells"].tolist() == [0.0, 0.0, 0.0]
    assert episode_signals(read("?"), candidates(episode("t", "We painted it.")))["tells"].tolist() == [1.0]


def test_first_person_asked_about_counts_most_and_no_person_is_neutral() -> None:
    found = candidates(*chat())
    assert episode_signals(read("Did Ben ask Ana?", [ANA, BEN]), found)["speaker"].tolist() == [1.0, 0.5, 1.0]
    assert episode_signals(read("Who asked?", [ANA, BEN]), found)["speaker"].tolist() == [0.0, 0.0, 0.0]


def test_answer_cues_count_only_if_asked_for() -> None:
    found = candidates(*chat())
    asked = episode_signals(read("When did Ben leave?", [BEN]), found)
    assert asked["time"].tolist() == [0.0, 0.0, 1.0]
    assert episode_signals(read("Why did Ben leave?", [BEN]), found)["time"].tolist() == [0.0, 0.0, 0.0]
    assert asked["asks"].tolist() == [1.0, 0.0, 0.0]
    assert asked["answers"].tolist() == [0.0, 1.0, 0.0]
    assert asked["self"].tolist() == [0.0, 0.0, 1.0]


def test_date_is_compared_with_the_day_in_the_zone_of_the_message() -> None:
    late = replace(chat()[0], zone="Pacific/Auckland")
    signals = episode_signals(read("What happened on 9 May 2023?"), candidates(late, chat()[0]))
    assert signals["date"].tolist() == [1.0, pytest.approx(0.8 * 2 ** (-1 / 3))]
    undated = replace(late, occurred_at=None)
    assert episode_signals(read("on 9 May 2023?"), candidates(undated))["date"].tolist() == [0.0]


def test_single_session_gives_no_session_signal() -> None:
    signals = episode_signals(read("?"), candidates(*chat(), cosines=(1.0, 2.0, 3.0)))
    assert signals["meaning_session"].tolist() == [0.0, 0.0, 0.0]


def test_fact_about_the_person_and_day_asked_about_is_a_signal() -> None:
    found = [Candidate(item=edge("f", "Ben sings", start=START)), Candidate(item=replace(edge("h", "x"), subject="z"))]
    signals = edge_signals(read("When did Ben sing, on 8 May 2023?", [BEN]), found, {"e": "Ben", "z": "Ana"})
    assert signals["speaker"].tolist() == [1.0, 0.0]
    assert signals["date"].tolist() == [1.0, 0.0]


def test_entity_named_in_the_question_is_a_signal() -> None:
    found = [Candidate(item=entity("n", "Rex")), Candidate(item=entity("o", "Rexford", aliases=("Fo",)))]
    assert entity_signals(read("Is rex's bowl full?"), found)["named"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("size", [0, 1, 3])
def test_every_weight_has_its_signal(size: int) -> None:
    question = read("Who?")
    assert EPISODE_WEIGHTS.keys() <= episode_signals(question, candidates(*chat()[:size])).keys()
    assert EDGE_WEIGHTS.keys() <= edge_signals(question, [], {}).keys()
    assert ENTITY_WEIGHTS.keys() <= entity_signals(question, []).keys()


@given(st.lists(st.none() | st.floats(-1, 1), max_size=20), st.floats(0.1, 10), st.floats(-5, 5))
def test_signals_do_not_depend_on_the_scale_of_a_model(values: list[float | None], scale: float, shift: float) -> None:
    moved = [None if value is None else value * scale + shift for value in values]
    first, second = standardised(values), standardised(moved)
    assert np.isfinite(first).all()
    spread = [value for value in values if value is not None]
    if spread and float(np.std(spread)) * min(scale, 1.0) > 1e-3:
        assert np.allclose(first, second, atol=1e-4)
