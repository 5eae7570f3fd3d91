"""Quotes must be in their episode, names in their window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.quotes import WindowWords, find_quote


@pytest.mark.parametrize(
    ("content", "quote", "found"),
    [
        ("I joined Birch last week.", "joined Birch", "joined Birch"),
        ("I joined\n  Birch last week.", "I JOINED birch", "I joined\n  Birch"),
        ("It’s “great” — really", 'it\'s "great" - really', "It’s “great” — really"),
        ("I joined Birch.", '"I joined Birch..."', "I joined Birch"),
        ("私は東京に住んでいます。", "東京に住んで", "東京に住んで"),
        ("ﬁne day", "fine day", "ﬁne day"),
        ("Ｈｅｌｌｏ world", "hello world", "Ｈｅｌｌｏ world"),  # noqa: RUF001  # full width is the case
    ],
)
def test_quote_matches_despite_punctuation_and_whitespace(content: str, quote: str, found: str) -> None:
    span = find_quote(content, quote)
    assert span is not None
    assert content[slice(*span)] == found


@pytest.mark.parametrize("quote", ["I joined Oak", "", "  ", "...", "'", "I j0ined Birch", "a"])
def test_missing_quote_is_not_found(quote: str) -> None:
    assert find_quote("I joined Birch last week.", quote) is None


@given(
    st.text(max_size=30),
    st.text(alphabet=st.characters(categories=["L", "N"]), min_size=2, max_size=20),
    st.text(max_size=30),
)
def test_any_part_of_a_text_is_found_in_it(before: str, quote: str, after: str) -> None:
    content = f"{before} {quote} {after}"
    span = find_quote(content, quote)
    assert span is not None
    assert 0 <= span[0] < span[1] <= len(content)
    assert find_quote(quote, content[slice(*span)]) is not None


@given(st.text(max_size=60), st.text(max_size=20))
def test_span_lies_within_the_text(content: str, quote: str) -> None:
    span = find_quote(content, quote)
    assert span is None or 0 <= span[0] < span[1] <= len(content)


@pytest.mark.parametrize(
    "name", ["Birch", "birch's", "adoption agencies", "painting", "Ana", "東京", "LGBTQ support group"]
)
def test_names_made_of_words_in_the_window_are_accepted(name: str) -> None:
    text = "At Birch I painted. We adopted. The LGBTQ group is in 東京タワー."
    assert WindowWords(["Ana", text]).contains_name(name)


@pytest.mark.parametrize("name", ["Oak", "Birch Corp", "Room 12", "zebra", "", "大阪"])
def test_names_not_in_the_window_are_rejected(name: str) -> None:
    assert not WindowWords(["Ana", "At Birch in room 1. 東京に住む"]).contains_name(name)
