"""ChatGPT's export."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import ReaderError
from support.reader_cases import messages, names, write


def export(**changes: Any) -> dict[str, Any]:
    def node(parent: str | None, role: str, parts: list[Any], **more: Any) -> dict[str, Any]:
        content = {"content_type": "text", "parts": parts}
        message = {"id": f"id-{parts}", "author": {"role": role}, "content": content, "create_time": 1741541400.5}
        return {"parent": parent, "message": message | more, "children": []}

    mapping = {
        "root": {"parent": None, "message": None, "children": ["s"]},
        "s": node("root", "system", [""]),
        "h": node("s", "user", ["hidden"], metadata={"is_visually_hidden_from_conversation": True}),
        "q": node("h", "user", ["What is it?", {"content_type": "image_asset_pointer"}]),
        "old": node("q", "assistant", ["A dog."]),
        "t": node("q", "assistant", ["search(cat)"], recipient="web"),
        "new": node("t", "assistant", ["A cat."], create_time=None),
    }
    return {"title": "Pets", "id": "abcdef1234", "current_node": "new", "mapping": mapping} | changes


def test_chatgpt_reads_only_the_current_branch(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "conversations.json", [export()]), zone="Europe/Paris")
    assert [(message.role, message.content) for message in found] == [
        ("user", "What is it?\n\n[image]"),
        ("tool", "search(cat)"),
        ("assistant", "A cat."),
    ]
    assert found[0].occurred_at == datetime(2025, 3, 9, 17, 30, 0, 500_000, tzinfo=UTC)
    assert (found[2].occurred_at, found[2].session, found[2].metadata["title"]) == (None, "Pets (abcdef12)", "Pets")


def test_chatgpt_without_current_node_takes_the_last_leaf(tmp_path: Path) -> None:
    found = messages(write(tmp_path, "c.json", [export(current_node=None)]))
    assert found[-1].content == "A cat."


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"content_type": "code", "text": "print(1)"}, "print(1)"),
        ({"content_type": "tether_quote", "text": "", "result": "a page"}, "a page"),
        ({"content_type": "thoughts", "thoughts": []}, None),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio_asset_pointer"}, None]}, "[audio]"),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "audio_transcription", "text": "hi"}]}, "hi"),
        ({"content_type": "other"}, None),
        (None, None),
    ],
)
def test_chatgpt_content_kinds_become_text(
    tmp_path: Path, content: dict[str, Any] | None, expected: str | None
) -> None:
    changed = export()
    changed["mapping"]["new"]["message"]["content"] = content
    found = messages(write(tmp_path, "c.json", [changed]))
    assert (found[-1].content if len(found) == 3 else None) == expected


def test_chatgpt_missing_parent_is_an_error(tmp_path: Path) -> None:
    broken = export()
    broken["mapping"]["q"]["parent"] = "gone"
    with pytest.raises(ReaderError, match=r"\$\[0\]\.mapping: has no message 'gone'"):
        messages(write(tmp_path, "c.json", [broken]))


def test_chatgpt_cycle_is_an_error(tmp_path: Path) -> None:
    broken = export()
    broken["mapping"]["q"]["parent"] = "new"
    with pytest.raises(ReaderError, match=r"\$\[0\]\.mapping: is no tree: 'new' is its own ancestor"):
        messages(write(tmp_path, "c.json", [broken]))


def test_chatgpt_folder_ignores_other_files(tmp_path: Path) -> None:
    write(tmp_path, "conversations.json", [export(), export()])
    write(tmp_path, "user.json", {"email": "nobody@example.org"})
    assert names(tmp_path) == ["Pets (abcdef12)", "Pets (abcdef12) #2"]
