"""Google Chat from Takeout."""

from pathlib import Path
from typing import Any

import pytest

from support.reader_cases import CASES, expected, messages, names, rendered, tolerant, when, write


def space(*found: dict[str, Any]) -> dict[str, Any]:
    base = {
        "creator": {"name": "Rosa", "email": "rosa@a.example"},
        "created_date": "2024-03-09T18:21:10Z",
        "text": "hi",
    }
    return {"messages": [base | each for each in found]}


def test_a_space_is_read_with_speakers_and_times() -> None:
    assert rendered(CASES / "google-chat") == expected("google-chat")


@pytest.mark.parametrize(
    ("creator", "speaker"),
    [
        ("Rosa", "Rosa"),
        ({"name": "Rosa"}, "Rosa"),
        ({"email": "rosa@a.example"}, "rosa@a.example"),
        ({}, "unknown member"),
    ],
)
def test_the_creator_is_the_speaker(tmp_path: Path, creator: Any, speaker: str) -> None:
    assert [m.speaker for m in messages(write(tmp_path, "messages.json", space({"creator": creator})))] == [speaker]


@pytest.mark.parametrize(
    ("date", "expected_time"),
    [
        ("Saturday, March 9, 2024 at 6:21:10 PM UTC", "2024-03-09 18:21:10"),
        ("Saturday, March 9, 2024 at 6:21:10\u202fPM UTC", "2024-03-09 18:21:10"),
        ("Saturday, 9 March 2024 at 18:21:10 UTC", "2024-03-09 18:21:10"),
        ("Samstag, 9. März 2024 um 18:21:10 UTC", "2024-03-09 18:21:10"),
        ("samedi 9 mars 2024 à 18:21:10 UTC", "2024-03-09 18:21:10"),
        ("sábado, 9 de marzo de 2024, 18:21:10 UTC", "2024-03-09 18:21:10"),
        ("soon", "-"),
    ],
)
def test_dates_in_several_languages_are_parsed(tmp_path: Path, date: str, expected_time: str) -> None:
    [message] = messages(write(tmp_path, "messages.json", space({"created_date": date})))
    assert when(message) == expected_time


def test_conversation_is_named_after_the_space(tmp_path: Path) -> None:
    write(tmp_path, "Space 1/group_info.json", {"name": "Boat crew", "members": []})
    assert names(write(tmp_path, "Space 1/messages.json", space({}))) == ["Boat crew"]


def test_space_without_a_name_is_named_after_its_folder(tmp_path: Path) -> None:
    write(tmp_path, "Space 1/group_info.json", "{broken")
    assert names(write(tmp_path, "Space 1/messages.json", space({}))) == ["Space 1"]


def test_deleted_messages_without_text_are_skipped(tmp_path: Path) -> None:
    found, report = tolerant(write(tmp_path, "messages.json", space({"text": None, "message_state": "DELETED"}, {})))
    assert [m.content for m in found] == ["hi"]
    assert not report.left_out
