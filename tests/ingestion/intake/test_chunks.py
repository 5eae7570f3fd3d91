import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError
from mnemo.ingestion.intake.chunks import rounds, split, windows
from mnemo.models.graph import Message
from mnemo.providers.tokens import count_tokens


def words(text: str) -> int:
    """Count words, which keeps expected values simple."""
    return len(text.split())


def pieces(text: str, limit: int, overlap: int = 0) -> list[str]:
    return [chunk.text for chunk in split(text, limit=limit, overlap=overlap, count=words)]


def test_short_text_is_one_unchanged_chunk() -> None:
    assert pieces("  Two words.\n", 5) == ["  Two words.\n"]


def test_empty_text_has_no_chunks() -> None:
    assert split("", limit=5) == []


def test_chunks_end_at_sentence_ends() -> None:
    assert pieces("One two three. Four five six. Seven eight.", 6) == ["One two three. Four five six. ", "Seven eight."]


def test_paragraph_end_is_preferred_to_a_fuller_chunk() -> None:
    text = "One two three four.\n\nFive six. Seven eight nine ten."
    assert pieces(text, 6) == ["One two three four.\n\n", "Five six. Seven eight nine ten."]


def test_decimal_point_and_abbreviation_do_not_end_a_sentence() -> None:
    assert pieces("It cost 3.50 euro, e.g. for tea. Then rain.", 8) == [
        "It cost 3.50 euro, e.g. for tea. ",
        "Then rain.",
    ]


def test_long_sentence_is_cut_between_words() -> None:
    assert pieces("a b c d e f g", 3) == ["a b c ", "d e f ", "g"]


def test_overlap_repeats_the_last_sentence_that_fits() -> None:
    text = "One two three four five. Six seven. Eight nine ten eleven twelve. Thirteen."
    assert pieces(text, 8, 3) == [
        "One two three four five. Six seven. ",
        "Six seven. Eight nine ten eleven twelve. Thirteen.",
    ]


def test_japanese_is_split_at_japanese_full_stops() -> None:
    text = "今日は雨だった。明日は晴れるかな？楽しみだ！"  # noqa: RUF001  # Japanese marks
    chunks = split(text, limit=9, count=len)
    assert [chunk.text for chunk in chunks] == ["今日は雨だった。", "明日は晴れるかな？", "楽しみだ！"]  # noqa: RUF001  # the same


def test_giant_word_is_split_into_bounded_pieces() -> None:
    chunks = split("x" * 10_000, limit=100)
    assert "".join(chunk.text for chunk in chunks) == "x" * 10_000
    assert max(chunk.tokens for chunk in chunks) <= 100
    assert len(chunks) < 200


def test_300_000_characters_take_under_five_seconds() -> None:
    text = "The quick brown fox jumps over the lazy dog, again and again. " * 4_840
    started = time.perf_counter()
    chunks = split(text, limit=512, overlap=32)
    assert time.perf_counter() - started < 5
    assert max(chunk.tokens for chunk in chunks) <= 512
    assert chunks[-1].end == len(text)


def test_windows_have_512_tokens_at_most() -> None:
    chunks = windows("A plain sentence of six words. " * 400)
    assert "".join(chunk.text for chunk in chunks) == "A plain sentence of six words. " * 400
    assert 400 < chunks[0].tokens <= 512


@pytest.mark.parametrize(("limit", "overlap"), [(0, 0), (5, 5), (5, -1)])
def test_bounds_without_room_are_rejected(limit: int, overlap: int) -> None:
    with pytest.raises(ArgumentError, match="limit must be at least 1"):
        split("text", limit=limit, overlap=overlap)


TEXTS = st.text(alphabet=st.sampled_from("ab .!?\n。、日本'\"é😀"), max_size=400)


@given(TEXTS, st.integers(5, 40))
def test_chunks_without_overlap_join_to_the_text(text: str, limit: int) -> None:
    chunks = split(text, limit=limit)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(chunk.tokens <= limit for chunk in chunks)


@given(TEXTS, st.integers(10, 40), st.integers(1, 8))
def test_chunks_with_overlap_cover_every_character_in_order(text: str, limit: int, overlap: int) -> None:
    chunks = split(text, limit=limit, overlap=overlap)
    end = 0
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.tokens == count_tokens(chunk.text) <= limit
        assert chunk.start <= end < chunk.end
        assert count_tokens(text[chunk.start : end]) <= overlap
        end = chunk.end
    assert end == len(text)


def test_round_is_a_user_message_and_its_replies() -> None:
    roles = ["system", "user", "assistant", "tool", "assistant", "user", "user", "assistant"]
    messages = [Message(content="x", role=role) for role in roles]  # type: ignore[arg-type]  # roles, spelt out
    assert rounds(messages) == [(0, 1), (1, 5), (5, 8)]


def test_round_between_people_is_two_turns_of_one_session() -> None:
    spoken = [("Ana", "1"), ("Ana", "1"), ("Ben", "1"), ("Ana", "1"), ("Ben", "2"), ("Cy", "2")]
    messages = [Message(content="x", speaker=speaker, session=session) for speaker, session in spoken]
    assert rounds(messages) == [(0, 3), (3, 4), (4, 6)]


def test_no_messages_have_no_rounds() -> None:
    assert rounds([]) == []
