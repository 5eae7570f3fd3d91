"""Halves of characters, control characters and direction marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.characters import half_character, one_line, visible, whole

ANY_TEXT = st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF))


@pytest.mark.parametrize(
    ("text", "kept", "offset"),
    [
        ("plain", "plain", None),
        ("caf\udce9", "caf\ufffd", 3),
        ("\ud83d\ude00", "\U0001f600", 0),
        ("\ude00\ud83d", "\ufffd\ufffd", 0),
        ("日本語", "日本語", None),
    ],
)
def test_halves_of_characters(text: str, kept: str, offset: int | None) -> None:
    assert whole(text) == kept
    assert half_character(text) == offset


@given(ANY_TEXT)
def test_whole_text_can_be_encoded(text: str) -> None:
    whole(text).encode()
    assert half_character(whole(text)) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  Food\n and\tdrink ", "Food and drink"),
        ("\x1b]0;owned\x07Pets", "]0;ownedPets"),
        ("abc\u202edef", "abcdef"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("x" * 100, "x" * 60),
        ("\ud83d", "\ufffd"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text, 60) == line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("abc\u202edef\u2066", "abc\\u202edef\\u2066"),
        ("\x9b31m", "\\x9b31m"),
        ("café 日本 👩\u200d👧", "café 日本 👩\u200d👧"),
    ],
)
def test_control_and_direction_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY_TEXT)
def test_nothing_that_is_shown_controls_a_terminal(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert all(
        character in "\t\n" or (ord(character) >= 32 and not 0x7F <= ord(character) <= 0x9F) for character in shown
    )
