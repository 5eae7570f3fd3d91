"""JSON Lines, mnemo's own format."""

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers import read
from mnemo.models.graph import Message
from support.reader_cases import messages, write


def test_jsonl_line_becomes_a_message(tmp_path: Path) -> None:
    line = {
        "content": "We moved!",
        "role": "user",
        "speaker": "Ines",
        "session": "march",
        "time": "2025-03-09T18:30:00",
        "zone": "Europe/Lisbon",
        "id": 7,
        "source": "https://chat.example/7",
        "metadata": {"mood": "glad", "stars": 5, "none": None},
    }
    assert messages(write(tmp_path, "chat.jsonl", json.dumps(line))) == [
        Message(
            content="We moved!",
            role="user",
            speaker="Ines",
            session="march",
            occurred_at=datetime(2025, 3, 9, 18, 30, tzinfo=ZoneInfo("Europe/Lisbon")),
            zone="Europe/Lisbon",
            source="https://chat.example/7",
            source_id="7",
            metadata={"mood": "glad", "stars": "5"},
        )
    ]


def test_jsonl_defaults_leave_the_time_unknown(tmp_path: Path) -> None:
    path = write(tmp_path, "chat.jsonl", '{"content": "hi"}\n\n{"content": "hello", "role": "assistant"}\n')
    first, second = messages(path, zone="Asia/Tokyo")
    assert (first.occurred_at, first.zone, first.session, first.speaker) == (None, "Asia/Tokyo", "chat", "user")
    assert (second.role, second.speaker, second.source_id) == ("assistant", "assistant", None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"content": "x", "time": "last Tuesday"}', r"chat\.jsonl:2: \$\.time: must be a time .* 'last Tuesday'"),
        ('{"content": "x", "time": "2025-13-01"}', "must be a time"),
        ('{"content": "x", "time": true}', "must be a time .* got a boolean"),
        ('{"content": "x", "zone": "Mars/Olympus"}', "must be an IANA zone .* 'Mars/Olympus'"),
        ('{"content": "  "}', "is blank"),
        ('{"content": 5}', "must be a string, got a number"),
        ('{"role": "user"}', r"\$\.content: must be a string, got null"),
        ('{"content": "x", "role": "pirate"}', "must be one of the roles .* 'pirate'"),
        (
            '{"content": "x", "timestamp": 5}',
            r"chat\.jsonl:2: has the unknown key 'timestamp'; known are content, role",
        ),
        ('{"content": "x", "metadata": []}', r"\$\.metadata: must be an object, got an array"),
        ("[1]", r"chat\.jsonl:2: must be an object, got an array"),
        ('{"content": ', r"chat\.jsonl:2: is not one JSON value on the line \(.* column"),
    ],
)
def test_error_names_file_line_and_expected_value(tmp_path: Path, line: str, said: str) -> None:
    path = write(tmp_path, "chat.jsonl", f'{{"content": "fine"}}\n{line}\n')
    with pytest.raises(ReaderError, match=said):
        messages(path)


def test_messages_before_an_invalid_line_are_returned(tmp_path: Path) -> None:
    [conversation] = read(write(tmp_path, "chat.jsonl", '{"content": "fine"}\n{"content": 5}\n'))
    assert next(conversation.messages).content == "fine"


@pytest.mark.parametrize(
    ("time", "instant", "zone"),
    [
        ("2025-03-09T18:30:00+01:00", "2025-03-09T17:30", "Europe/Paris"),
        ("2025-03-09T17:30:00Z", "2025-03-09T17:30", "Europe/Paris"),
        ("2025-03-09T18:30:00-05:00", "2025-03-09T23:30", "Etc/GMT+5"),
        ("2025-03-09T18:30:00+05:45", "2025-03-09T12:45", None),
        ("2025-03-30T02:30:00", "2025-03-30T01:30", "Europe/Paris"),  # a local time skipped by a clock change
        ("2025-10-26T02:30:00", "2025-10-26T00:30", "Europe/Paris"),  # a local time that occurs twice
        ("2025-03-09", "2025-03-08T23:00", "Europe/Paris"),
        (1741541400, "2025-03-09T17:30", "Europe/Paris"),
        (1741541400000, "2025-03-09T17:30", "Europe/Paris"),
    ],
)
def test_time_keeps_the_zone_of_the_writer(tmp_path: Path, time: str | int, instant: str, zone: str | None) -> None:
    [message] = messages(write(tmp_path, "a.jsonl", {"content": "x", "time": time}), zone="Europe/Paris")
    assert message.occurred_at is not None
    assert message.occurred_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M") == instant
    assert message.zone == zone


def test_lone_surrogate_becomes_a_replacement_character(tmp_path: Path) -> None:
    path = write(tmp_path, "cut.jsonl", '{"role": "user", "content": "cut \\ud83d"}')
    assert [message.content for message in messages(path)] == ["cut \ufffd"]
