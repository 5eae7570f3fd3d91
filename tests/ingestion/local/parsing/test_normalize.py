"""Chat English in its plain form, every character with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.local.parsing.normalize import nicknames, normalize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hey Mel, I'm gonna quit!", "I'm going to quit!"),
        ("Lost my job yesterday", "I lost my job yesterday"),
        ("Thanks, Melanie! Been busy.", "I've been busy."),
        ("I wanna go 'cause it's fun", "I want to go because it's fun"),
        ("i'm in, i think", "I'm in, I think"),
        ("Gotta run", "I have to run"),
        ("Got any ideas?", "Got any ideas?"),
        ("I met Melanie at the gym", "I met Melanie at the gym"),
        ("Taking care of it is vital.", "Taking care of it is vital."),
    ],
)
def test_chat_forms_are_spelt_out(text: str, expected: str) -> None:
    assert normalize(text, ["Melanie", "Mel"]).text == expected


@given(
    st.lists(
        st.sampled_from(
            [
                "Hey",
                "Mel,",
                ".",
                "!",
                "gonna",
                "Lost",
                "my",
                "i",
                "wanna",
                "been",
                "👍",
                "東京",
                "'",
                "\n",
                "Going",
                "to",
            ]
        ),
        max_size=25,
    ).map(" ".join)
)
def test_every_span_lies_within_the_message_in_order(text: str) -> None:
    normalized = normalize(text, ["Mel"])
    assert len(normalized.text) == len(normalized.offsets)
    assert list(normalized.offsets) == sorted(normalized.offsets)
    assert all(0 <= place < len(text) for place in normalized.offsets)


def test_span_of_a_plain_word_is_the_word_of_the_message() -> None:
    text = "Hey Mel, gonna quit my job"
    normalized = normalize(text, ["Mel"])
    start = normalized.text.index("going")
    first, last = normalized.span(start, len(normalized.text))
    assert text[first:last] == "gonna quit my job"


def test_nickname_is_the_beginning_of_one_speakers_name() -> None:
    texts = ["Hey Mel!", "Sam and Sa were there", "Jo too"]
    assert nicknames(["Melanie", "Samuel", "Samantha", "Joanna"], texts) == {"Mel": "Melanie"}
