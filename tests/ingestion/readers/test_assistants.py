"""Claude.ai, Open WebUI, ShareGPT and LibreChat."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.reader_cases import CASES, expected, messages, names, rendered, spoken, tolerant, when, write


@pytest.mark.parametrize(
    "case",
    [
        "assistants/chatgpt.json",
        "assistants/claude.json",
        "assistants/open-webui.json",
        "assistants/sharegpt.jsonl",
        "assistants/librechat.json",
        "openai/array.json",
    ],
)
def test_exports_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


# Claude.ai


def claude(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    base = {"sender": "human", "text": "hi", "created_at": "2024-03-09T18:21:10Z"}
    return {"uuid": "u-1", "name": "Talk", "chat_messages": [base | each for each in found]} | more


def test_claude_reads_the_branch_shown_last(tmp_path: Path) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    value = claude(
        {"uuid": "a", "text": "question", "parent_message_uuid": root},
        {"uuid": "b", "text": "old answer", "sender": "assistant", "parent_message_uuid": "a"},
        {"uuid": "c", "text": "new answer", "sender": "assistant", "parent_message_uuid": "a"},
        current_leaf_message_uuid="c",
    )
    assert [m.content for m in messages(write(tmp_path, "c.json", [value]))] == ["question", "new answer"]


def test_claude_keeps_good_conversations_beside_bad_ones(tmp_path: Path) -> None:
    value = [claude({"text": "one"}), {"uuid": "u-2", "name": "Bad", "chat_messages": None}, claude({"text": "three"})]
    found, report = tolerant(write(tmp_path, "conversations.json", value))
    assert [m.content for m in found] == ["one", "three"]
    assert [(each.where, each.reason) for each in report.left_out] == [
        ("$[1]", "is no Claude.ai conversation ('Bad'): it has no `chat_messages`")
    ]


def test_claude_skips_messages_from_unknown_senders(tmp_path: Path) -> None:
    found, report = tolerant(write(tmp_path, "c.json", [claude({"sender": "martian"}, {"text": "fine"})]))
    assert [m.content for m in found] == ["fine"]
    assert report.left_out[0].where == "$[0].chat_messages[0].sender"


# Open WebUI


def webui(chat: Any) -> list[dict[str, Any]]:
    return [{"id": "w-1", "title": "Garden", "chat": chat}]


def test_open_webui_without_a_current_message_takes_the_last_leaf(tmp_path: Path) -> None:
    nodes = {
        "a": {"id": "a", "parentId": None, "childrenIds": ["b", "c"], "role": "user", "content": "leeks"},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "content": "old"},
        "c": {"id": "c", "parentId": "a", "childrenIds": [], "role": "assistant", "content": "new"},
    }
    path = write(tmp_path, "w.json", webui({"history": {"messages": nodes}}))
    assert [m.content for m in messages(path)] == ["leeks", "new"]


@pytest.mark.parametrize("holder", ["list", "history"])
def test_open_webui_lists_of_messages_are_read_in_order(tmp_path: Path, holder: str) -> None:
    listed = [{"role": "user", "content": "leeks", "timestamp": 1710008470}, {"role": "assistant", "content": "sun"}]
    chat = {"messages": listed} if holder == "list" else {"history": {"messages": listed}}
    found = messages(write(tmp_path, "w.json", webui(chat)))
    assert [(m.role, m.content, when(m)) for m in found] == [
        ("user", "leeks", "2024-03-09 18:21:10"),
        ("assistant", "sun", "-"),
    ]


def test_open_webui_image_parts_become_media_marks(tmp_path: Path) -> None:
    content = [{"type": "text", "text": "my kiln"}, {"type": "image_url", "image_url": {"url": "data:"}}]
    path = write(tmp_path, "w.json", webui({"messages": [{"role": "user", "content": content}]}))
    assert [m.content for m in messages(path)] == ["my kiln\n\n[image]"]


def test_open_webui_keeps_good_chats_beside_bad_ones(tmp_path: Path) -> None:
    good = webui({"messages": [{"role": "user", "content": "leeks"}]})
    found, report = tolerant(write(tmp_path, "w.json", [*good, {"id": "w-2", "title": "Bad"}, *good]))
    assert [m.content for m in found] == ["leeks", "leeks"]
    assert report.left_out[0].reason == "is no Open WebUI chat ('Bad'): it has no `chat` with its messages"


# ShareGPT


@pytest.mark.parametrize(
    ("name", "role", "speaker"),
    [
        ("human", "user", "user"),
        ("gpt", "assistant", "assistant"),
        ("claude", "assistant", "assistant"),
        ("system", "system", None),
        ("observation", "tool", None),
        ("Odile", "user", "Odile"),
    ],
)
def test_sharegpt_names_map_to_roles(tmp_path: Path, name: str, role: str, speaker: str | None) -> None:
    path = write(tmp_path, "s.json", [{"conversations": [{"from": name, "value": "hi"}]}])
    assert [(m.role, m.speaker) for m in messages(path)] == [(role, speaker)]


def test_sharegpt_turns_are_identified_by_number(tmp_path: Path) -> None:
    turns = [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}, {"from": "human", "value": "c"}]
    before = messages(write(tmp_path, "one/s.json", [{"id": "x", "conversations": turns[:2]}]))
    after = messages(write(tmp_path, "two/s.json", [{"id": "x", "conversations": turns}]))
    assert after[:2] == before


def test_sharegpt_with_roles_and_a_system_prompt(tmp_path: Path) -> None:
    value = {
        "system": "Be kind.",
        "conversations": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}],
    }
    assert spoken(messages(write(tmp_path, "s.jsonl", json.dumps(value)))) == [
        (None, "Be kind."),
        ("user", "hi"),
        ("assistant", "ho"),
    ]


# LibreChat


def libre(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"conversationId": "c", "title": "Boat", "messages": list(found)} | more


@pytest.mark.parametrize(
    ("fields", "role", "speaker"),
    [
        ({"sender": "User", "isCreatedByUser": True}, "user", "user"),
        ({"sender": "GPT-4o", "isCreatedByUser": False}, "assistant", "assistant"),
        ({"sender": "Claude"}, "assistant", "assistant"),
        ({"sender": "Rosalind"}, "user", "Rosalind"),
    ],
)
def test_librechat_sender_is_the_user_a_model_or_a_speaker(
    tmp_path: Path, fields: dict[str, Any], role: str, speaker: str
) -> None:
    [message] = messages(write(tmp_path, "l.json", libre({"text": "I own a boat"} | fields)))
    assert (message.role, message.speaker) == (role, speaker)


def test_librechat_branches_end_in_the_newest_message(tmp_path: Path) -> None:
    root = "00000000-0000-0000-0000-000000000000"
    value = libre(
        {"messageId": "a", "parentMessageId": root, "sender": "User", "text": "q", "createdAt": "2024-03-09T18:00:00Z"},
        {"messageId": "b", "parentMessageId": "a", "sender": "GPT", "text": "old", "createdAt": "2024-03-09T18:01:00Z"},
        {"messageId": "c", "parentMessageId": "a", "sender": "GPT", "text": "new", "createdAt": "2024-03-09T18:02:00Z"},
    )
    found = messages(write(tmp_path, "l.json", value))
    assert [(m.content, m.source_id) for m in found] == [("q", "a"), ("new", "c")]
    assert names(tmp_path / "l.json") == ["Boat"]


def test_chatgpt_conversation_without_a_tree_does_not_affect_others(tmp_path: Path) -> None:
    node = {
        "parent": None,
        "children": [],
        "message": {"id": "m", "author": {"role": "user"}, "content": {"parts": ["hi"]}},
    }
    good = {"title": "Good", "id": "1", "mapping": {"a": node}}
    for bad in (
        {"title": "Bad", "id": "2"},
        {"title": "Bad", "mapping": None},
        {"title": "Bad", "mapping": []},
        "junk",
    ):
        found, report = tolerant(write(tmp_path, "conversations.json", [bad, good, good | {"id": "3"}]))
        assert [m.content for m in found] == ["hi", "hi"]
        assert [each.where for each in report.left_out] == ["$[0]"]
