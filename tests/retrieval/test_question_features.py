import pytest

from mnemo.retrieval import question_features


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Ana move?", True),
        ("In which month did she win?", True),
        ("What year was it?", True),
        ("How long has she been there?", True),
        ("Wann ist er gekommen?", True),
        ("いつ来ましたか", True),
        ("What did she do when it rained?", False),
        ("", False),
    ],
)
def test_questions_about_a_time_are_detected(question: str, *, expected: bool) -> None:
    assert question_features.asks_when(question) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Who is Rex?", True), ("What book did she read?", True), ("Where does he live?", True), ("Why?", False)],
)
def test_questions_about_a_name_are_detected(question: str, *, expected: bool) -> None:
    assert question_features.asks_name(question) is expected


def test_questions_about_a_number_are_detected() -> None:
    assert question_features.asks_number("How many dogs?")
    assert not question_features.asks_number("How is the dog?")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Do you?", True),
        ("Do you? [shares a photo of a dog]", True),
        ("本当ですか？", True),  # noqa: RUF001  # full width
        ("I do. Do you? Yes.", False),
        ("", False),
    ],
)
def test_message_ending_in_a_question_is_a_question(content: str, *, expected: bool) -> None:
    assert question_features.is_question(content) is expected


def test_names_numbers_times_and_first_person_are_detected() -> None:
    assert question_features.has_name("we saw Lisbon")
    assert not question_features.has_name("We saw it")
    assert question_features.has_number("two dogs")
    assert not question_features.has_number("some dogs")
    assert question_features.has_time("I left last week")
    assert not question_features.has_time("I left")
    assert question_features.speaks_of_self("I'm here")
    assert not question_features.speaks_of_self("It is here")


@pytest.mark.parametrize(("content", "expected"), [("", 0), ("one two", 2), ("私は犬が好き", 4), ("a " * 100, 60)])
def test_length_counts_words_up_to_sixty(content: str, expected: float) -> None:
    assert question_features.length(content) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("I've just finished it.", True),
        ("We went home.", True),
        ("I’m finished", True),
        ("I sing.", False),
        ("You did well!", False),
    ],
)
def test_statement_about_the_speakers_own_action_is_detected(content: str, *, expected: bool) -> None:
    assert question_features.tells(content) is expected
