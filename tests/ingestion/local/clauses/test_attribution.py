"""Which words of a message its speaker does not assert."""

import pytest

from mnemo.ingestion.local.clauses.attribution import is_dream, is_not_literal, is_retracted, third_party_spans


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        (
            "look:\n---------- Forwarded message ---------\nI live in Rome.",
            "---------- Forwarded message ---------\nI live in Rome.",
        ),
        ("> I quit my job\nme too", "> I quit my job"),
        ("my horoscope: you will move to Bali", "you will move to Bali"),
    ],
)
def test_pasted_text_is_not_the_speakers(text: str, foreign: str) -> None:
    assert [text[start:end] for start, end in third_party_spans(text)] == [foreign]


@pytest.mark.parametrize("text", ["I live in Rome.", "My sister wrote to me: come soon", "Guess what: I moved!"])
def test_own_words_are_the_speakers(text: str) -> None:
    assert third_party_spans(text) == []


@pytest.mark.parametrize("text", ["we're getting divorced, just kidding", "my character: i'm Grim, a dwarf"])
def test_a_joke_or_a_part_in_a_game_takes_itself_back(text: str) -> None:
    assert is_retracted(text)


@pytest.mark.parametrize(
    "text", ["imagine I had a boat", "what if i moved to Oslo", "i wish i had a garden", "oh yeah i adore mondays"]
)
def test_a_fancy_or_an_irony_is_in_play(text: str) -> None:
    assert is_not_literal(text)


@pytest.mark.parametrize("text", ["I have a boat", "I moved to Oslo", "I adore Mondays"])
def test_a_plain_statement_is_meant(text: str) -> None:
    assert not is_not_literal(text)
    assert not is_dream(text)
    assert not is_retracted(text)


def test_a_dream_is_a_dream() -> None:
    assert is_dream("last night i dreamt i was a heron")
