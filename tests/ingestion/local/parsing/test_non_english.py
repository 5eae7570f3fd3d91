"""Text that the English parser must not read."""

import pytest

from mnemo.ingestion.local.parsing.non_english import is_english, names_in, statements


@pytest.mark.parametrize(
    "text",
    ["I went home early.", "ok", "lol!!", "", "👍", "12:30", "Check out the café, it's great", "NYC baby"],
)
def test_english_is_read(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "私は昨日、東京に行きました。",
        "Ich habe gestern eine neue Wohnung in Berlin gefunden.",
        "Ayer fui al mercado con mi hermana.",
        "Je suis allé à Paris hier.",
        "Вчера я ездил в Москву.",
        "오늘 서울에 갔어요.",
        "Ho comprato una macchina nuova ieri.",
    ],
)
def test_other_languages_are_not(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("昨日スターバックスで田中さんに会った", ["スターバックス", "田中さん"]),
        ("東京タワーとGoogle Mapsを見た", ["東京タワー", "Google Maps"]),
        ("Hier war Anna Schmidt in Berlin.", ["Anna Schmidt", "Berlin"]),
        ("Вчера я ездил в Москву.", ["Москву"]),
        ("なるほど", []),
    ],
)
def test_names_are_known_by_their_shape(text: str, names: list[str]) -> None:
    assert list(names_in(text)) == names


def test_first_two_statements_are_kept_and_questions_are_not() -> None:
    text = "元気ですか。今日は学校に行きました。楽しかったですか？ 明日も学校に行きます。また書きますね。"  # noqa: RUF001  # a Japanese question
    assert [text[start:end] for start, end in statements(text)] == ["元気ですか。", "今日は学校に行きました。"]
