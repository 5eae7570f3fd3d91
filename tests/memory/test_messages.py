"""Conversion of the input of `add` to messages."""

from collections import UserDict
from datetime import UTC, datetime
from typing import Any

import pytest

from mnemo import ArgumentError, Message
from mnemo.memory.messages import as_messages

NOW = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)


def one(given: Any) -> Message:
    (message,) = as_messages(given, NOW)
    return message


def test_string_is_a_user_message_with_the_current_time() -> None:
    assert one("Zoe plays the cello.") == Message(content="Zoe plays the cello.", role="user", occurred_at=NOW)


def test_message_keeps_its_time_even_if_unknown() -> None:
    dated = Message(content="a", occurred_at=datetime(2020, 1, 1, tzinfo=UTC))
    undated = Message(content="b")
    assert as_messages([dated, undated], NOW) == (dated, undated)


def test_single_dict_is_one_message() -> None:
    given = {"role": "user", "content": "I moved to Porto.", "name": "Ana"}
    assert one(given) == Message(content="I moved to Porto.", role="user", speaker="Ana", occurred_at=NOW)


def test_any_mapping_is_accepted_as_a_dict() -> None:
    assert one(UserDict({"role": "assistant", "content": "Noted."})).role == "assistant"


@pytest.mark.parametrize(
    ("role", "stored"),
    [
        ("user", "user"),
        ("assistant", "assistant"),
        ("system", "system"),
        ("developer", "system"),
        ("tool", "tool"),
        ("function", "tool"),
    ],
)
def test_roles_of_chat_apis_are_accepted(role: str, stored: str) -> None:
    assert one({"role": role, "content": "x"}).role == stored


def test_a_tool_has_no_speaker() -> None:
    assert one({"role": "tool", "content": "17 °C", "name": "weather", "tool_call_id": "c1"}).speaker is None


def test_an_id_makes_a_dict_idempotent() -> None:
    assert one({"role": "user", "content": "x", "id": "m-1"}).source_id == "m-1"


def test_content_parts_are_joined_and_images_are_marked() -> None:
    parts = [
        {"type": "text", "text": "Look at my boat."},
        {"type": "image_url", "image_url": {"url": "https://example.org/boat.png"}},
        {"type": "input_audio", "input_audio": {"data": "…"}},
        "It is called Heron.",
    ]
    assert (
        one({"role": "user", "content": parts}).content
        == "Look at my boat.\n\n[image]\n\n[audio]\n\nIt is called Heron."
    )


def test_reply_with_only_tool_calls_names_them() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Porto"}'}}
    message = one({"role": "assistant", "content": None, "tool_calls": [call], "refusal": None, "annotations": []})
    assert (message.role, message.content) == ("tool", '[calls weather({"city": "Porto"})]')


def test_refusal_becomes_text() -> None:
    assert one({"role": "assistant", "content": None, "refusal": "I cannot help with that."}).content == (
        "I cannot help with that."
    )


def test_mixed_messages_keep_their_order() -> None:
    given = (item for item in ("a", {"role": "assistant", "content": "b"}, Message(content="c")))
    assert [message.content for message in as_messages(given, NOW)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (7, "messages must be a string, a Message, a dict, or an iterable of these, got int"),
        (b"bytes", "messages must be .* got bytes"),
        (None, "messages must be .* got NoneType"),
        (["a", 7], "message 1 must be a string, a Message or a dict, got int"),
        ([["a"]], "message 0 must be a string, a Message or a dict, got list"),
        ({"content": "x"}, "message 0 must have a role of user, .* got none"),
        ({"role": "robot", "content": "x"}, "got 'robot'"),
        ({"role": 7, "content": "x"}, "got int"),
        ({"role": "user"}, "message 0 has no content"),
        ({"role": "user", "content": "  "}, "message 0 has no content"),
        ({"role": "user", "content": 7}, "a string or a list of content parts as content, got int"),
        ({"role": "user", "content": [7]}, "neither a string nor a dict but int"),
        ({"role": "user", "content": "x", "name": 7}, "a string as name, got int"),
        ({"role": "user", "content": "x", "speaker": "Ana"}, "unknown key 'speaker'; use mnemo.Message"),
    ],
)
def test_other_types_are_rejected_with_their_type(given: Any, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        as_messages(given, NOW)


class Reply:
    """A reply object of an API client."""

    def model_dump(self) -> dict[str, str]:
        return {"role": "assistant", "content": "x"}


def test_error_for_a_client_object_says_how_to_convert_it() -> None:
    with pytest.raises(ArgumentError, match=r"got Reply \(use its `model_dump\(\)`\)"):
        as_messages([Reply()], NOW)  # type: ignore[list-item]  # the test is about it


def test_errors_never_show_the_content() -> None:
    with pytest.raises(ArgumentError) as caught:
        as_messages({"role": "user", "content": "my secret", "speaker": "Ana"}, NOW)
    assert "secret" not in str(caught.value)
