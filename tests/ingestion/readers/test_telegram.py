"""Telegram's JSON exports."""

from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import ReaderError
from support.reader_cases import CASES, expected, messages, names, rendered, spoken, tolerant, when, write


def chat(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    shown = [{"type": "message", "date": "2024-03-09T18:21:10", "from": "Ana", "text": "hi"} | each for each in found]
    return {"name": "Ana", "type": "personal_chat", "id": 1, "messages": shown} | more


@pytest.mark.parametrize("case", ["telegram/single.json", "telegram/all-chats.json"])
def test_exports_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


def test_an_export_without_ids_is_read(tmp_path: Path) -> None:
    value = {
        "name": "Rosalind",
        "type": "personal_chat",
        "messages": [
            {
                "type": "message",
                "date": "2024-03-09T18:21:10",
                "from": "Rosalind",
                "text": "I adopted a cat called Biscuit yesterday",
            }
        ],
    }
    [message] = messages(write(tmp_path, "result.json", value))
    assert spoken([message]) == [("Rosalind", "I adopted a cat called Biscuit yesterday")]
    assert (when(message), message.source_id, message.session) == ("2024-03-09 18:21:10", None, "Rosalind 2024-03-09")


def test_same_message_id_in_two_chats_gives_two_messages(tmp_path: Path) -> None:
    export = {"chats": {"list": [chat({"id": 1, "text": "a"}), chat({"id": 1, "text": "b"}, id=2, name="Ben")]}}
    assert [m.source_id for m in messages(write(tmp_path, "r.json", export))] == ["telegram:1:1", "telegram:2:1"]


def test_zone_follows_from_local_and_unix_time(tmp_path: Path) -> None:
    value = chat({"date": "2024-03-09T23:30:00", "date_unixtime": "1710041400"})
    [message] = messages(write(tmp_path, "r.json", value))
    assert (when(message), message.zone) == ("2024-03-09 23:30:00", "Etc/GMT+4")


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        ({"text": ["a ", {"type": "bold", "text": "b"}, 5, {"type": "x"}, " c"]}, "a b c"),
        ({"text": "", "photo": "p.jpg"}, "[photo]"),
        ({"text": "", "file": "(File not included)", "media_type": "video_file"}, "[video]"),
        ({"text": "", "media_type": "sticker", "sticker_emoji": "😀"}, "[sticker 😀]"),
        ({"text": "", "file": "files/plan.pdf"}, "[attached plan.pdf]"),
        ({"text": "", "location_information": {"latitude": 1.5, "longitude": 2}}, "[location 1.5, 2]"),
        ({"text": "", "contact_information": {"first_name": "Ben"}}, "[contact]"),
        ({"text": "", "poll": {"question": "Where do we meet?", "answers": []}}, "Where do we meet?"),
    ],
)
def test_text_and_media_kinds_become_text(tmp_path: Path, fields: dict[str, Any], content: str) -> None:
    assert [m.content for m in messages(write(tmp_path, "r.json", chat(fields)))] == [content]


def test_invalid_messages_do_not_affect_others(tmp_path: Path) -> None:
    value = chat({"date": "yesterday", "text": "no time"}, {"text": None}, {"from": 5, "text": "who"}, {"text": {}})
    value["messages"] += ["junk", None, 5]
    found, report = tolerant(write(tmp_path, "r.json", value))
    assert [(m.speaker, m.content, when(m)) for m in found] == [
        ("Ana", "no time", "-"),
        ("deleted account", "who", "2024-03-09 18:21:10"),
    ]
    assert report.files[0].notes == ("a time could not be read; such messages have an unknown time",)


def test_a_chat_without_messages_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"r\.json: holds no messages \(read as telegram\)"):
        tolerant(write(tmp_path, "r.json", chat()))


def test_appended_messages_do_not_change_earlier_ids(tmp_path: Path) -> None:
    short = write(tmp_path, "a/result.json", chat({"id": 1}, {"id": 2}))
    longer = write(tmp_path, "b/result.json", chat({"id": 1}, {"id": 2}, {"id": 3}))
    assert messages(longer)[:2] == messages(short)


def test_saved_and_unnamed_chats_get_names(tmp_path: Path) -> None:
    export = {"chats": {"list": [chat({}, name=None, type="saved_messages"), chat({}, name=None, id=77)]}}
    assert names(write(tmp_path, "r.json", export)) == ["Saved messages", "Telegram chat 77"]
