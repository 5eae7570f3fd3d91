import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.models.group import text_key
from mnemo.store.lucene import MAX_CLAUSES, content_words, fold, search_terms, text_query

KEY = text_key("g")
NOTHING = f'+group_key:"{KEY}"^0 +(search_terms:"nothing0matches0this"'


def words(text: str) -> list[str]:
    """Return the words a query searches in the field `content`."""
    return [part.split('"')[1] for part in text_query("g", text, ["content"]).split(" content:")[1:]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where did Ana go hiking?", ["ana", "go", "hiking"]),
        ('"quoted" (AND) OR NOT a~ b* c/d -e f:g', ["quoted", "b", "c", "e", "f", "g"]),
        ("who is it", ["who", "is", "it"]),
        ("Caroline's dog", ["caroline's", "caroline", "dog"]),
        ("café", ["café", "cafe"]),
        ("東京", ["東京"]),
        ("東京都", ["東京", "京都"]),
        ("ラーメン", ["ラー", "ーメ", "メン"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("\uff21\uff22\uff23 ｶﾅ", ["abc", "カナ"]),
        ("🎉 party", ["🎉", "party"]),
        ("dog DOG Dog", ["dog"]),
        ("   ", []),
        ("?!…", []),
    ],
)
def test_query_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_text_without_words_matches_nothing() -> None:
    assert text_query("g", "?!", ["content"]) == NOTHING + " )"


def test_filters_are_required_beside_the_group() -> None:
    text = text_query("g", "dog", ["content"], filters={"session_key": '12"3'})
    assert text.startswith(f'+group_key:"{KEY}"^0 +session_key:"12 3"^0 +(')


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("plain words", ""),
        ("a café, a Café", "cafe"),
        ("Łukasz ate smørrebrød", "lukasz smorrebrod"),
        ("Weißwein", "weisswein"),
        ("ラーメン屋", "ラー ーメ メン"),
        ("서울에서", "서울 울에 에서"),
        ("東京", ""),
        ("живёт", "живет"),
    ],
)
def test_search_terms_hold_what_the_index_misses(text: str, terms: str) -> None:
    assert search_terms(text) == terms


def test_folding_keeps_voiced_kana_and_hangul() -> None:
    assert [fold(word) for word in ("が", "한국", "É")] == ["が", "한국", "e"]


@given(st.text())
def test_only_letters_digits_and_emoji_are_between_the_quotes(text: str) -> None:
    found = text_query("g", text, ["content", "name"])
    assert found.startswith(NOTHING)
    assert found.count('"') % 2 == 0
    assert not set("\\*~?:()[]{}^!&|/<>=+") & set("".join(found.removeprefix(NOTHING).split('"')[1::2]))


@given(st.text(), st.integers(1, 4))
def test_a_query_is_bounded(text: str, fields: int) -> None:
    long = " ".join([text, *(f"w{number}é" for number in range(400)), "東京都" * 300])
    query = text_query("g", long, [f"f{number}" for number in range(fields)])
    assert query.count(":") <= MAX_CLAUSES + 3


@given(st.text())
def test_search_terms_are_stable(text: str) -> None:
    assert search_terms(text) == search_terms(text)
    assert len(search_terms(text).split(" ")) == len(set(search_terms(text).split(" ")))


def test_content_words_are_returned_as_written() -> None:
    assert content_words("The Café, the CAFÉ and 東京都") == ["CAFÉ", "東京", "京都"]
    assert content_words("Who is it?") == ["Who", "is", "it"]
