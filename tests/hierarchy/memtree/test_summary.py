import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.memtree.summary import MAX_SENTENCES, central_sentences
from mnemo.providers.tokens import count_tokens
from mnemo.text.sentences import sentences

TRIP = "We flew to Lisbon. The hotel in Lisbon was full. Cats sleep a lot. We saw the trams of Lisbon."


def test_text_that_fits_is_kept_whole_and_in_order() -> None:
    assert central_sentences([("One trip.", 1.0), ("Two trips.", 1.0)], 96) == "One trip. Two trips."


def test_most_central_sentences_are_kept() -> None:
    short = central_sentences([(TRIP, 1.0)], 22)
    assert "Cats" not in short
    assert "Lisbon" in short


def test_content_with_a_large_weight_outweighs_a_new_text() -> None:
    parts = [("Dogs chase balls.", 10.0), ("Stocks fell today. Stocks rose today.", 1.0)]
    assert central_sentences(parts, 8).startswith("Dogs")


def test_repeated_sentence_is_kept_once() -> None:
    assert central_sentences([("Rain again.", 1.0), ("Rain again.", 1.0)], 50) == "Rain again."


def test_single_long_sentence_is_cut() -> None:
    text = central_sentences([("word " * 300, 1.0)], 20)
    assert text
    assert count_tokens(text) <= 20


def test_many_sentences_are_thinned_out() -> None:
    text = " ".join(f"Number {number} is here." for number in range(5 * MAX_SENTENCES))
    assert count_tokens(central_sentences([(text, 1.0)], 60)) <= 60


@given(st.lists(st.tuples(st.text(max_size=60), st.floats(0.1, 9)), min_size=1, max_size=6), st.integers(16, 60))
def test_limit_always_holds(parts: list[tuple[str, float]], limit: int) -> None:
    assert count_tokens(central_sentences(parts, limit)) <= limit


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_all_sentences_are_kept_if_they_fit(texts: list[str]) -> None:
    lines = list(dict.fromkeys(line for text in texts for line in sentences(text)))
    if lines:
        assert central_sentences([(text, 1.0) for text in texts], 10_000) == " ".join(lines)


def test_blank_text_gives_a_blank_summary() -> None:
    assert central_sentences([("   ", 1.0)], 16).strip() == ""


@pytest.mark.parametrize("text", ["日本語の文。もう一つの文。", "Ça va. Très bien."])
def test_other_scripts_have_sentences_too(text: str) -> None:
    assert central_sentences([(text, 1.0)], 96) == " ".join(sentences(text))
