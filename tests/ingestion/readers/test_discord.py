"""Discord: JSON and text of DiscordChatExporter, and text copied from the app."""

from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import ReaderError
from support.reader_cases import CASES, expected, messages, rendered, spoken, when, write


def channel(*found: dict[str, Any]) -> dict[str, Any]:
    author = {"id": "1", "name": "ana_b", "nickname": "Ana", "isBot": False}
    base = {"id": "9", "type": "Default", "timestamp": "2024-03-09T18:21:10+00:00", "content": "hi", "author": author}
    return {"guild": {"name": "Club"}, "channel": {"name": "general"}, "messages": [base | each for each in found]}


@pytest.mark.parametrize("case", ["discord/channel.json", "discord/channel.txt", "discord/copied.txt"])
def test_exports_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


@pytest.mark.parametrize(
    ("author", "speaker"),
    [
        ({"name": "ana_b", "nickname": "Ana"}, "Ana"),
        ({"name": "ana_b", "nickname": None}, "ana_b"),
        ({"name": "ana_b", "global_name": "Ana B"}, "Ana B"),
        ({}, "unknown member"),
    ],
)
def test_speaker_is_the_display_name(tmp_path: Path, author: Any, speaker: str) -> None:
    path = write(tmp_path, "c.json", channel({"author": author}))
    assert [m.speaker for m in messages(path)] == [speaker]


@pytest.mark.parametrize(
    ("fields", "role", "content"),
    [
        (
            {"content": "<@1> and <@!2> and <@3>", "mentions": [{"id": "2", "name": "ben"}]},
            "user",
            "<@1> and @ben and <@3>",
        ),
        ({"type": "19", "content": "a reply"}, "user", "a reply"),
        ({"type": "ChannelPinnedMessage", "content": "Pinned a message."}, "system", "Pinned a message."),
        ({"type": "Call", "content": "Started a call."}, "system", "Started a call."),
        ({"content": "", "attachments": [{"fileName": "a.png"}, {"url": "x"}]}, "user", "[attached a.png]\n[file]"),
        ({"content": "", "stickers": [{"name": "Wave"}]}, "user", "[sticker Wave]"),
    ],
)
def test_message_types_become_text_or_are_skipped(
    tmp_path: Path, fields: dict[str, Any], role: str, content: str
) -> None:
    assert [(m.role, m.content) for m in messages(write(tmp_path, "c.json", channel(fields)))] == [(role, content)]


def test_direct_message_is_named_after_its_channel(tmp_path: Path) -> None:
    value = channel({}) | {"guild": {"name": "Direct Messages"}, "channel": {"name": "Ben"}}
    [message] = messages(write(tmp_path, "c.json", value))
    assert message.session == "Ben 2024-03-09"


FRAME = "=" * 62


@pytest.mark.parametrize(
    ("time", "expected_time"),
    [
        ("3/13/2024 6:21 PM", "2024-03-13 18:21:00"),
        ("13.03.2024 18:21", "2024-03-13 18:21:00"),
        ("2024-03-13 18:21", "2024-03-13 18:21:00"),
        ("13-Mar-24 06:21 PM", "2024-03-13 18:21:00"),
        ("13/03/24 18:21", "2024-03-13 18:21:00"),
    ],
)
def test_text_exports_accept_date_formats_of_several_countries(tmp_path: Path, time: str, expected_time: str) -> None:
    text = f"{FRAME}\nGuild: Club\nChannel: Text / general\n{FRAME}\n\n[{time}] Ana\nI moved\n\n"
    text += f"{FRAME}\nExported 1 message(s)\n{FRAME}\n"
    [message] = messages(write(tmp_path, "c.txt", text))
    assert (message.speaker, message.content, when(message)) == ("Ana", "I moved", expected_time)


def test_bracket_in_a_message_starts_no_new_message(tmp_path: Path) -> None:
    text = f"{FRAME}\nChannel: general\n{FRAME}\n\n[13-Mar-24 06:21 PM] Ana\n[sic] he said\n[1] a note\n"
    assert spoken(messages(write(tmp_path, "c.txt", text))) == [("Ana", "[sic] he said\n[1] a note")]


def test_ambiguous_dates_are_an_error_that_asks_for_the_order(tmp_path: Path) -> None:
    text = "Ana — 03/09/2024 6:21 PM\nI moved\nBen — 04/09/2024 6:22 PM\nWell done\n"
    path = write(tmp_path, "c.txt", text)
    with pytest.raises(ReaderError, match="say which with dates='day-first'"):
        messages(path)
    assert [when(m)[:10] for m in messages(path, dates="month-first")] == ["2024-03-09", "2024-04-09"]


def test_copied_time_without_a_date_is_unknown(tmp_path: Path) -> None:
    text = "Ana — Today at 6:21 PM\nI moved\nBen — Yesterday at 6:22 PM\nWell done\n"
    assert [(m.speaker, when(m)) for m in messages(write(tmp_path, "c.txt", text))] == [("Ana", "-"), ("Ben", "-")]
