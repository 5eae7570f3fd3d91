import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.retrieval.ranking.term_overlap import shares, stem, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paint", "painting"),
        ("paint", "Painted"),
        ("camp", "camps"),
        ("camp", "camping"),
        ("run", "running"),
        ("bake", "baking"),
        ("bake", "baked"),
        ("city", "cities"),
        ("hobby", "hobbies"),
        ("class", "classes"),
        ("quick", "quickly"),
        ("café", "cafes"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["bus", "gas", "ring", "red", "東京", "v2", "glass"])
def test_words_ending_like_an_inflection_are_unchanged(word: str) -> None:
    assert stem(word) == word


def test_stopwords_count_only_if_nothing_else_remains() -> None:
    assert words("What did the cats do?") == frozenset(["cat"])
    assert words("Who was it?") == frozenset(["who", "was", "it"])
    assert words("!?") == frozenset()


def test_scripts_without_spaces_use_bigrams() -> None:
    assert words("東京都") == frozenset(["東京", "京都"])


def test_rare_word_has_the_larger_share() -> None:
    common, rare = math.log(1 + 0.5 / 2.5), math.log(1 + 1.5 / 1.5)
    found = shares(["cat", "red"], [frozenset(["cat", "red"]), frozenset(["cat"])])
    assert found[0] == pytest.approx({"cat": common / (common + rare), "red": rare / (common + rare)})
    assert found[1] == pytest.approx({"cat": common / (common + rare)})


def test_empty_question_or_text_has_no_shares() -> None:
    assert shares([], [frozenset(["cat"])]) == [{}]
    assert shares(["cat"], []) == []
    assert shares(["cat"], [frozenset(["dog"])]) == [{}]


@given(st.sets(st.sampled_from("abcdef")), st.lists(st.frozensets(st.sampled_from("abcdef")), max_size=6))
def test_shares_sum_to_at_most_one(asked: set[str], said: list[frozenset[str]]) -> None:
    for each, found in zip(said, shares(asked, said), strict=True):
        assert found.keys() == asked & each
        assert sum(found.values()) <= 1.0 + 1e-9


@given(st.text())
def test_terms_of_any_text_are_not_empty(text: str) -> None:
    assert all(words(text))
