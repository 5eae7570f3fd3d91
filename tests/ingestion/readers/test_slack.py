"""Slack's export: users, channels, daily files, markup."""

from pathlib import Path
from typing import Any

import pytest

from mnemo.ingestion.readers.chats.slack_markup import plain_text
from support.reader_cases import CASES, expected, messages, names, rendered, spoken, tolerant, write


def line(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": text, "ts": "1710008470.000200"} | more


def test_an_export_is_read_with_names_for_ids() -> None:
    assert rendered(CASES / "slack/export") == expected("slack/export")


def test_single_daily_file_uses_the_users_of_its_export() -> None:
    found = messages(CASES / "slack/export/general/2024-03-09.json")
    assert found[1].speaker == "Ana Lopes"
    assert found[1].session == "general 2024-03-09"


def test_without_users_the_profile_in_the_message_names_the_speaker(tmp_path: Path) -> None:
    day = [line("I moved", user_profile={"real_name": "Ana Lopes"}), line("Me too", user="U7", ts="1710008471.000200")]
    path = write(tmp_path, "random/2024-03-09.json", day)
    assert spoken(messages(path)) == [("Ana Lopes", "I moved"), ("U7", "Me too")]


@pytest.mark.parametrize(
    "subtype",
    ["channel_join", "channel_leave", "channel_topic", "channel_purpose", "pinned_item", "tombstone", "new_one"],
)
def test_slack_system_messages_have_no_speaker(tmp_path: Path, subtype: str) -> None:
    [message] = messages(write(tmp_path, "c/2024-03-09.json", [line("<@U1> has joined", subtype=subtype)]))
    assert (message.role, message.speaker) == ("system", None)


@pytest.mark.parametrize("subtype", ["me_message", "thread_broadcast", "file_share"])
def test_messages_of_people_keep_their_speaker(tmp_path: Path, subtype: str) -> None:
    [message] = messages(write(tmp_path, "c/2024-03-09.json", [line("I moved", subtype=subtype)]))
    assert (message.role, message.speaker) == ("user", "U1")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<@U1>", "@Ana"),
        ("<@U1|ana>", "@Ana"),
        ("<@U9|zed>", "@zed"),
        ("<@U9>", "@U9"),
        ("<#C1|general>", "#general"),
        ("<!here> <!channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@crew>", "@crew"),
        ("<!date^1710008470^{date}|9 March>", "9 March"),
        ("<https://a.example>", "https://a.example"),
        ("<https://a.example|a map>", "a map (https://a.example)"),
        ("<http://a.example|a.example>", "http://a.example"),
        ("<mailto:ana@a.example|ana@a.example>", "ana@a.example"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("&amp;lt;", "&lt;"),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_markup_becomes_plain_text(text: str, plain: str) -> None:
    assert plain_text(text, {"U1": "Ana"}) == plain


def test_an_app_speaks_as_an_assistant_with_its_name(tmp_path: Path) -> None:
    day = [
        {
            "type": "message",
            "subtype": "bot_message",
            "bot_id": "B1",
            "username": "Deploys",
            "text": "",
            "ts": "1710008470.1",
            "attachments": [{"fallback": "Build 5 failed"}],
        }
    ]
    [message] = messages(write(tmp_path, "c/2024-03-09.json", day))
    assert (message.role, message.speaker, message.content) == ("assistant", "Deploys", "Build 5 failed")


def test_direct_message_is_named_after_its_members() -> None:
    assert names(CASES / "slack/export")[0] == "Ana Lopes, Ben Okoro 2024-03-10"


def test_invalid_daily_file_does_not_affect_the_others(tmp_path: Path) -> None:
    write(tmp_path, "general/2024-03-09.json", [line("I moved")])
    write(tmp_path, "general/2024-03-10.json", '[{"type": "message", ')
    write(tmp_path, "general/2024-03-11.json", "[]")
    write(tmp_path, "users.json", [{"id": "U1", "name": "ana"}, "junk", {"id": 5}])
    write(tmp_path, "channels.json", [])
    found, report = tolerant(tmp_path)
    assert spoken(found) == [("ana", "I moved")]
    assert [each.file for each in report.left_out] == ["general/2024-03-10.json"]
    assert report.skipped == {"other parts of an export": 2, "empty": 1}
