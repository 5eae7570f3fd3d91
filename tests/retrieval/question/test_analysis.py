import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError
from mnemo.retrieval.question.analysis import MAX_CHARS, Person, people_asked_about, read, without_names

ANA = Person("Ana Silva", ("Annie",))
BEN = Person("Ben")
ROB = Person("Rob")


@pytest.mark.parametrize(
    ("text", "people", "bare"),
    [
        ("When did Ana move?", [ANA, BEN], "When did move?"),
        ("What is Ana Silva's dog called?", [ANA], "What is dog called?"),
        ("Is Annie’s dog old?", [ANA], "Is dog old?"),  # a typographic apostrophe
        ("Does Robin like robots?", [ROB], "Does Robin like robots?"),
        ("What did BEN say to Ana?", [ANA, BEN], "What did say to ?"),
        ("佐藤さんはどこで働く", [Person("佐藤")], "はどこで働く"),
        ("Ben?", [BEN], "Ben?"),
        ("Did it rain?", [], "Did it rain?"),
    ],
)
def test_names_of_people_are_removed(text: str, people: list[Person], bare: str) -> None:
    assert read(text, people).bare == bare


def test_people_are_in_the_order_of_the_question() -> None:
    assert people_asked_about("Did Ben see Ana?", [ANA, BEN, ROB]) == (BEN, ANA)


def test_expected_kind_of_answer_is_detected() -> None:
    question = read("  When did Ben win in June 2023? ")
    assert question.text == "When did Ben win in June 2023?"
    assert question.wants == {"time"}
    assert [(date.year, date.month) for date in question.dates] == [(2023, 6)]


@pytest.mark.parametrize("text", ["", "  \n", None])
def test_blank_question_is_refused(text: object) -> None:
    with pytest.raises(ArgumentError, match="must not be blank"):
        read(text)  # type: ignore[arg-type]  # that is the point


def test_long_question_is_cut() -> None:
    assert len(read("word " * 10_000).text) == MAX_CHARS


@given(st.text(), st.lists(st.text(min_size=1, max_size=5).filter(str.strip), max_size=3))
def test_text_to_embed_is_never_empty(text: str, names: list[str]) -> None:
    bare = without_names(text, [Person(name) for name in names])
    assert bare == text or any(character.isalnum() for character in bare)
