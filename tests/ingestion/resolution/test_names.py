"""Names of entities: what is one name, and what is not."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemo.ingestion.resolution.names import (
    digits,
    extends,
    is_acronym_of,
    is_plural_of,
    name_key,
    spelling_similarity,
    tidy_name,
    tidy_tags,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Caroline", "caroline"),
        ("Caroline", "Caroline's"),
        ("Caroline", "Caroline’s"),
        ("José", "Jose"),
        ("ＮＹＣ", "NYC"),  # noqa: RUF001  # full width is the case
        ("U.S.A.", "USA"),
        ("New-York  City", "new york city"),
        ("The Louvre", "Louvre"),
        ("Dr. Jane Smith", "Jane Smith"),
        ("Johnson & Johnson", "Johnson and Johnson"),
        ("O'Brien", "O’Brien"),
        ("田中さん", "田中"),
        ("カフェ", "ｶﾌｪ"),
    ],
)
def test_ways_to_write_one_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket 4512", "Ticket 4513"),
        ("v1.2", "v12"),
        ("Mr Smith", "Mrs Smith"),
        ("Sam Lee", "Sam Jones"),
        ("か", "が"),
        ("Май", "Маи"),
        ("C", "C++"),
        ("C#", "C++"),
        ("😀", "😁"),
        ("Dr. Pepper", "pepper"),
    ],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(max_size=60))
@example("the the")
@example("a's s'")
@example("ǰ")
@example("さんさん様")
def test_key_of_a_key_is_itself(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@given(st.text(min_size=1, max_size=40))
def test_only_a_blank_name_has_no_key(name: str) -> None:
    visible = any(not character.isspace() and character.isprintable() for character in name)
    assert bool(name_key(name)) >= visible


@pytest.mark.parametrize(
    ("short", "long"),
    [("NYC", "New York City"), ("U.S.A.", "United States of America"), ("DGIA", "Data Governance in Action")],
)
def test_initials_stand_for_their_words(short: str, long: str) -> None:
    assert is_acronym_of(short, long)


@pytest.mark.parametrize(
    ("short", "long"),
    [("NYC", "New Jersey"), ("nyc", "New York City"), ("N", "New"), ("NYC", "NYC"), ("New York City", "NYC")],
)
def test_other_words_are_no_initials(short: str, long: str) -> None:
    assert not is_acronym_of(short, long)


def test_plural_is_of_the_last_word_only() -> None:
    assert is_plural_of("adoption agency", "adoption agencies")
    assert is_plural_of("dogs", "dog")
    assert not is_plural_of("a", "as")
    assert not is_plural_of("dog", "dog")


def test_longer_name_extends_by_whole_words() -> None:
    assert extends("sam lee", "sam")
    assert not extends("samantha lee", "sam")


def test_digits_are_compared_as_written() -> None:
    assert digits("Flight 012 to gate 7") == ("012", "7")
    assert digits("room １２") == ("12",)  # noqa: RUF001  # full width is the case
    assert digits("Room 7") != digits("Room 07")


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert 0 <= spelling_similarity(one, other) == spelling_similarity(other, one) <= 1


def test_tags_are_at_most_five_of_at_most_three_words() -> None:
    given_tags = ["#Health_Care", "a tag of five words", "one", "One", "two", "three", "four", "five"]
    assert tidy_tags(given_tags) == ("health care", "one", "two", "three", "four")


def test_shown_name_is_one_line_without_punctuation_at_its_ends() -> None:
    assert tidy_name('  "Finding\n Freedom." ') == "Finding Freedom"
    assert len(tidy_name("x" * 500)) == 120
