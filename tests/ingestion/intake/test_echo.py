"""Recalled text that comes back in a message is masked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.intake.echo import mask_echoes, words_of

RECALLED = [
    "Ana joined Birch (2023-05-01)",
    "Ana's sister bought a house in Austin",
    "Ben: I will bring the blue tent on Friday",
    "私は昨日、東京タワーに行きました。",
]


def own_part(text: str, recalled: list[str]) -> str:
    """Return the parts of a text that are new, with whitespace collapsed."""
    return " ".join(mask_echoes(text, [words_of(each) for each in recalled]).split())


def is_echo(text: str, recalled: list[str]) -> bool:
    return bool(text.strip()) and not own_part(text, recalled)


@pytest.mark.parametrize(
    "text",
    [
        "Ana joined Birch (2023-05-01)",
        "ana joined  birch (2023-05-01).",
        "[1] Ana joined Birch (2023-05-01)\n[2] Ana's sister bought a house in Austin",
        "Ana's sister bought a house in Austin [2].",
        "- [1] something trimmed…\n- [2] and another line",
        "I will bring the blue tent on Friday.",
        "私は昨日、東京タワーに行きました。",
    ],
)
def test_repeated_recalled_text_is_an_echo(text: str) -> None:
    assert is_echo(text, RECALLED)


@pytest.mark.parametrize(
    "text",
    [
        "Ana joined Cedar last week and bought a car",
        "Yes.",
        "Ana's brother sold a boat in Boston",
        "私は明日、大阪城に行きます。",
        "",
        "[1] single line that is my own footnote",
    ],
)
def test_new_text_is_not_an_echo(text: str) -> None:
    assert not is_echo(text, RECALLED)


def test_new_sentences_of_a_mixed_message_are_kept() -> None:
    text = "Ana's sister bought a house in Austin. She also adopted two parrots there."
    assert own_part(text, RECALLED) == "She also adopted two parrots there."


@given(st.text(max_size=200))
def test_nothing_is_an_echo_when_nothing_was_recalled(text: str) -> None:
    assert mask_echoes(text, []) == text


@given(st.text(st.characters(categories=["L"]), min_size=3, max_size=8), st.integers(5, 9))
def test_a_long_enough_text_is_always_its_own_echo(word: str, count: int) -> None:
    text = " ".join(f"{word}{number}" for number in range(count))
    assert is_echo(text, [text])
