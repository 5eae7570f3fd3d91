"""Message arrays in the format of chat APIs."""

import json
from pathlib import Path

import pytest

from mnemo.errors import ReaderError
from support.reader_cases import messages, names, write


def test_openai_array_keeps_names_parts_and_calls(tmp_path: Path) -> None:
    array = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "name": "Ana", "content": [{"type": "text", "text": "Look"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "see", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
        {"role": "assistant", "content": "A cat!"},
        {"role": "assistant", "content": ""},
    ]
    found = messages(write(tmp_path, "log.json", array))
    assert [(message.role, message.speaker, message.content) for message in found] == [
        ("system", None, "Be kind."),
        ("user", "Ana", "Look\n\n[image]"),
        ("tool", None, "[calls see({})]"),
        ("tool", None, "a cat"),
        ("assistant", "assistant", "A cat!"),
    ]
    assert found[3].metadata == {"tool_call_id": "c1"}


@pytest.mark.parametrize(
    "content",
    [
        '[{"messages": [{"role": "user", "content": "a"}]}, {"id": "x", "messages": [{"role": "ai", "content": "b"}]}]',
        '{"messages": [{"role": "user", "content": "a"}]}\n{"id": "x", "messages": [{"role": "ai", "content": "b"}]}\n',
    ],
)
def test_openai_file_can_hold_several_conversations(tmp_path: Path, content: str) -> None:
    path = write(tmp_path, "many.json", content)
    assert names(path) == ["many", "many x"]
    assert [message.content for message in messages(path)] == ["a", "b"]


def test_openai_nested_arrays_are_separate_conversations(tmp_path: Path) -> None:
    array = [[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]]
    assert names(write(tmp_path, "m.json", array)) == ["m", "m 2"]


def test_openai_error_has_the_json_path(tmp_path: Path) -> None:
    path = write(tmp_path, "m.json", {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": 5}]})
    with pytest.raises(ReaderError, match=r"m\.json: \$\.messages\[1\]\.content: must be a string, an array of parts"):
        messages(path)


@pytest.mark.parametrize("broken", [56, 99])
def test_truncated_array_is_an_error_with_its_line(tmp_path: Path, broken: int) -> None:
    items = [json.dumps({"role": "user", "content": f"message {n}"}) for n in range(100)]
    items[broken] = items[broken][:-3]
    path = write(tmp_path, "chat.json", "[\n" + ",\n".join(items) + "\n]")
    with pytest.raises(ReaderError, match=rf"chat\.json:{broken + 2}: "):
        messages(path)
