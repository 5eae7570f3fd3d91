"""Relations: one name a kind of fact, and which compete."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.extraction import State
from mnemo.ingestion.resolution.relations import CANONICAL, canonical, family_of, snake


@pytest.mark.parametrize(
    ("given_name", "state", "expected"),
    [
        ("works for", "holds", ("works_at", "holds")),
        ("moved to", "happened", ("lives_in", "begins")),
        ("quit_job_at", "happened", ("works_at", "ends")),
        ("hates", "holds", ("dislikes", "holds")),
        ("works_at", "happened", ("worked_at", "happened")),
        ("isMarriedTo", "holds", ("married_to", "holds")),
        ("went to", "happened", ("went_to", "happened")),
    ],
)
def test_relation_gets_its_canonical_name(given_name: str, state: State, expected: tuple[str, State]) -> None:
    assert canonical(given_name, state) == expected


def test_love_and_hate_are_one_family_about_one_object() -> None:
    assert family_of("likes") is family_of("dislikes")
    assert family_of("likes").scope == "object"


def test_one_home_and_one_employer_at_a_time() -> None:
    assert {family_of(name).scope for name in ("lives_in", "works_at", "studies_at", "married_to", "single")} == {
        "subject"
    }
    assert family_of("lives_in") is not family_of("works_at")


def test_unknown_relation_competes_with_its_own_negation_only() -> None:
    assert family_of("eats").members == ("eats", "not_eats")
    assert family_of("not_eats").name == "eats"


def test_favourites_are_one_at_a_time() -> None:
    assert family_of("favourite_colour").scope == "subject"


@given(st.text(max_size=80))
def test_snake_case_is_lower_case_words_and_stays_so(relation: str) -> None:
    name = snake(relation)
    assert name
    assert snake(name) == name
    assert not name.startswith("_")


@pytest.mark.parametrize("relation", CANONICAL)
def test_canonical_relation_keeps_its_name(relation: str) -> None:
    assert canonical(relation, "holds") == (relation, "holds")
