import pytest

from mnemo.retrieval.answering.question_focus import AnswerKind, focus, is_name_in


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who painted the fence?", "person"),
        ("With whom does Ana live?", "person"),
        ("Where does Ana live?", "place"),
        ("Which city is Ben from?", "place"),
        ("When is the exam?", "time"),
        ("What time does the train leave?", "time"),
        ("Which year did they meet?", "time"),
        ("How many cats does Ana have?", "number"),
        ("How old is Ben?", "number"),
        ("What did Ana pay for the car?", "number"),
        ("What does Ben do for a living?", "occupation"),
        ("What is Ana's job?", "occupation"),
        ("What is the dog called?", "name"),
        ("Does Ana like tea?", "yes_no"),
        ("Why did Ben leave?", "reason"),
        ("What does Ben cook?", "thing"),
        ("¿Qué cocina Ben?", "thing"),
    ],
)
def test_kind_of_answer_follows_from_question_word_and_noun(question: str, kind: AnswerKind) -> None:
    assert focus(question).kind == kind


def test_names_are_runs_of_capitals_and_known_names_in_any_case() -> None:
    assert focus("Who looks after Biscuit when Theo is away?").names == ("Biscuit", "Theo")
    assert focus("When does Grandma Pearl turn 95?").names == ("Grandma Pearl",)
    assert focus("who is marcus dating?", ["Marcus Feldman", "Ruthie"]).names == ("Marcus Feldman",)
    assert focus("Theo's dog?").names == ("Theo",)


def test_months_and_days_are_not_names() -> None:
    assert focus("How old did Ana turn in March?").names == ("Ana",)
    assert focus("What did Ana cook on Friday?").terms == ("cook",)


def test_terms_exclude_names_and_question_words() -> None:
    assert focus("What kind of dog is Biscuit?").terms == ("dog",)
    assert focus("What are Theo's dog and Kei's cat called?").terms == ("dog", "cat")


def test_parts_of_the_subjects_full_name_are_not_an_answer() -> None:
    assert "feldman" in focus("Who is Marcus dating?", ["Marcus Feldman"]).stems


def test_past_and_fixed_measures_are_distinguished_from_current_values() -> None:
    assert (focus("Where did Ana live?").past, focus("Where does Ana live?").past) == (True, False)
    assert (focus("How high is the hill?").fixed, focus("How much does Ana weigh?").fixed) == (True, False)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Ana", "ANA's cat", True),
        ("Ana", "a banana", False),
        ("Marcus Feldman", "marcus is late", True),
        ("Marcus", "Marcus Feldman", True),
        ("Feldman", "Marcus Feldman", True),
        ("José", "jose called", True),
        ("", "text", False),
    ],
)
def test_name_matches_only_whole_words(name: str, text: str, found: bool) -> None:  # noqa: FBT001  # expected value
    assert is_name_in(name, text) is found
