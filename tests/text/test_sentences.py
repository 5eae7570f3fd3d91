import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.text.sentences import sentence_ends, sentence_spans, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("i moved. it is nice. love it", ["i moved.", "it is nice.", "love it"]),
        ("Dr. Adeyemi met Mrs. Castellano. They left.", ["Dr. Adeyemi met Mrs. Castellano.", "They left."]),
        ("J. Okafor and I. Then we left.", ["J. Okafor and I.", "Then we left."]),
        ("It cost 3.50 in v1.2 of the app. Cheap.", ["It cost 3.50 in v1.2 of the app.", "Cheap."]),
        ("Come at 5 p.m. on Friday. Be on time.", ["Come at 5 p.m. on Friday.", "Be on time."]),
        ("Come at 5 p.m. Be on time.", ["Come at 5 p.m.", "Be on time."]),
        (
            "It is no. 5 on Nov. 7 or so. The answer is no. We left.",
            ["It is no. 5 on Nov. 7 or so.", "The answer is no.", "We left."],
        ),
        ("Fruit, e.g. plums. Nuts, etc. are out.", ["Fruit, e.g. plums.", "Nuts, etc. are out."]),
        ("Well… maybe. Well… Maybe.", ["Well… maybe.", "Well…", "Maybe."]),
        ('She said "Go." Then she left.', ['She said "Go."', "Then she left."]),
        ("昨日行った。楽しかった！また行く？", ["昨日行った。", "楽しかった！", "また行く？"]),  # noqa: RUF001  # full-width marks end sentences too
        ("first line\n- second line\n\nthird", ["first line", "- second line", "third"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_sentences_end_at_marks_and_line_breaks(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_ends_include_the_blanks_after_a_sentence() -> None:
    assert list(sentence_ends("One.  Two.\nThree")) == [6, 11, 16]


@given(st.text(alphabet="aB.!?…。 \n\"'3", max_size=80))
def test_pieces_join_to_the_text_and_spans_lie_in_order(text: str) -> None:
    ends = list(sentence_ends(text))
    assert ends == sorted(set(ends))
    assert not text or ends[-1] == len(text)
    last = 0
    for start, end in sentence_spans(text):
        assert last <= start < end
        assert text[start:end] == text[start:end].strip()
        last = end
