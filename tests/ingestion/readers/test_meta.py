"""Messenger and Instagram."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.readers.chats.meta import repaired
from support.reader_cases import CASES, expected, messages, rendered, spoken, when, write


def thread(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    shown = [{"sender_name": "Ana", "timestamp_ms": 1710008470000, "content": "hi"} | each for each in found]
    return {"participants": [{"name": "Ana"}], "messages": shown, "title": "Ana", "thread_path": "inbox/a"} | more


@pytest.mark.parametrize("case", ["meta/message_1.json", "meta/encrypted.json"])
def test_threads_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


@pytest.mark.parametrize("text", ["cafÃ©", "Zo\xc3\xab", "ð\x9f\x98\x80"])
def test_double_encoded_text_is_repaired(text: str) -> None:
    assert repaired(text) == text.encode("latin-1").decode()


@given(st.text())
def test_repair_undoes_double_encoding_and_never_fails(text: str) -> None:
    try:
        broken = text.encode().decode("latin-1")
    except UnicodeEncodeError:
        broken = text
    assert repaired(broken) == text or text == broken
    assert isinstance(repaired(text), str)


@pytest.mark.parametrize("text", ["café", "Zoë", "plain", "日本", "naïve Ã"])
def test_correct_text_is_unchanged(text: str) -> None:
    assert repaired(text) == text


def test_messages_are_oldest_first(tmp_path: Path) -> None:
    value = thread({"content": "new", "timestamp_ms": 1710008472000}, {"content": "old", "timestamp_ms": 1710008471000})
    assert [m.content for m in messages(write(tmp_path, "message_1.json", value))] == ["old", "new"]


def test_oldest_file_of_a_thread_is_read_first(tmp_path: Path) -> None:
    for number, content in ((1, "newest"), (2, "older"), (10, "oldest")):
        write(tmp_path, f"inbox/ana_1/message_{number}.json", thread({"content": content}))
    assert [m.content for m in messages(tmp_path)] == ["oldest", "older", "newest"]


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "Reacted ❤ to your message "},
        {"content": "Liked a message"},
        {"type": "Subscribe", "content": "Ana joined"},
        {"type": "Call", "content": "Ana called you."},
        {"is_unsent": True, "content": "This message was unsent"},
    ],
)
def test_app_messages_have_no_speaker(tmp_path: Path, fields: dict[str, Any]) -> None:
    [message] = messages(write(tmp_path, "message_1.json", thread(fields)))
    assert (message.role, message.speaker) == ("system", None)


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        ({"content": "You sent an attachment."}, "[attachment]"),
        ({"content": "Ana sent a photo.", "photos": [{"uri": "a"}]}, "[photo]"),
        ({"content": None, "videos": [{"uri": "a"}, {"uri": "b"}]}, "[video]"),
        ({"content": "Look", "share": {"link": "https://a.example"}}, "Look\nhttps://a.example"),
        ({"content": "https://a.example", "share": {"link": "https://a.example"}}, "https://a.example"),
        ({"content": None, "sticker": {"uri": "s"}}, "[sticker]"),
    ],
)
def test_media_keep_their_sender(tmp_path: Path, fields: dict[str, Any], content: str) -> None:
    assert spoken(messages(write(tmp_path, "message_1.json", thread(fields)))) == [("Ana", content)]


def test_milliseconds_are_kept(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "message_1.json", thread({"timestamp_ms": 1710008470500})))
    assert message.occurred_at is not None
    assert (when(message), message.occurred_at.microsecond) == ("2024-03-09 18:21:10", 500_000)
