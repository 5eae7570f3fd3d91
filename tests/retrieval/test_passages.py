import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.providers.tokens import count_tokens
from mnemo.retrieval.passages import around
from mnemo.text.sentences import sentences


def test_short_text_is_kept_on_one_line() -> None:
    assert around("One.\nTwo.", "?", 50) == "One. Two."


def test_sentences_end_at_signs_of_any_script_and_at_lines() -> None:
    assert sentences("One. Two? 三つ。四つ！\nFive") == ["One.", "Two?", "三つ。", "四つ！", "Five"]  # noqa: RUF001  # Japanese


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("green kites", "… Kites are green. …"),
        ("black", "… Cats are black."),
        ("nothing of this", "Boats are blue. …"),
    ],
)
def test_best_sentence_is_kept(question: str, expected: str) -> None:
    assert around("Boats are blue. Kites are green. Cats are black.", question, 7) == expected


def test_neighbouring_sentences_are_added_while_they_fit() -> None:
    text = "Boats are blue. Kites are green. Cats are black. Dogs are brown."
    assert around(text, "kites", 11) == "… Kites are green. Cats are black. …"


def test_single_long_sentence_is_cut_at_a_blank() -> None:
    shown = around("word " * 100, "?", 12)
    assert shown.endswith("word …")
    assert count_tokens(shown) <= 12


@given(st.text(max_size=300), st.text(max_size=30), st.integers(3, 60))
def test_limit_holds(text: str, question: str, limit: int) -> None:
    assert count_tokens(around(text, question, limit)) <= limit
