import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.providers.tokens import count_many, count_tokens, cut

TRUTH = [  # text, tokens in OpenAI's o200k, tokens in cl100k
    ("Ada: I moved to Lisbon last May, and I really love it here! How have you been?", 21, 21),
    ("The meeting is on 2023-05-08 at 13:56; call +351 912 345 678 if you're late.", 30, 31),
    ("Ich bin im letzten Mai nach Lissabon gezogen und es gefällt mir sehr gut.", 17, 20),
    ("Minä muutin viime toukokuussa Lissaboniin ja viihdyn täällä erittäin hyvin.", 22, 31),
    ("我去年五月搬到了里斯本,我非常喜欢这里。", 14, 25),
    ("昨年の五月にリスボンへ引っ越しました。とても気に入っています。", 22, 30),
    ("저는 작년 5월에 리스본으로 이사했고 정말 마음에 들어요.", 21, 33),
    ("В мае прошлого года я переехала в Лиссабон, и мне здесь очень нравится.", 20, 35),  # noqa: RUF001  # Russian
    ("مرحبا، انتقلت إلى لشبونة في مايو الماضي وأحبها كثيرا.", 17, 40),
    ('{"name": "Ada", "tags": ["city", "move"], "count": 3}', 21, 21),
    ("def add(a: int, b: int) -> int:\n    return a + b\n", 19, 19),
    ("😀🎉👍🏽 great!! 🔥", 10, 15),
    ("f3a9c1d27be04c5d9e8f7a6b5c4d3e2f", 29, 29),
    ("https://www.example.com/path?id=12873&x=y#frag", 15, 15),
    ("PLEASE CALL ME BACK WHEN YOU CAN, IT IS URGENT", 13, 13),
]


@pytest.mark.parametrize(("text", "o200k", "cl100k"), TRUTH)
def test_estimate_is_slightly_above_the_true_count(text: str, o200k: int, cl100k: int) -> None:
    counted = count_tokens(text)
    assert counted >= o200k
    assert counted >= cl100k - 1
    assert counted <= 2.5 * o200k


@given(st.text())
def test_estimate_is_at_most_one_token_per_byte(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert 0 <= count_tokens(text) <= size
    assert count_tokens(text) > 0 or not text.strip()


def test_count_many_keeps_the_order() -> None:
    assert count_many(["", "one", "one two"]) == [0, 1, 2]


@given(st.text(max_size=400), st.integers(0, 60))
def test_cut_returns_a_prefix_that_fits(text: str, limit: int) -> None:
    start = cut(text, limit)
    assert text.startswith(start)
    assert count_tokens(start) <= limit


def test_cut_keeps_as_much_as_fits() -> None:
    text = "The cat sat on the mat. " * 100
    assert cut(text, 10_000) == text
    assert 95 <= count_tokens(cut(text, 100)) <= 100
