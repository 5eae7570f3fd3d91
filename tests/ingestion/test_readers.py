"""Formats of JSON and documents, detection, encodings and errors; WhatsApp has its own file."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError, ReaderError
from mnemo.ingestion.readers import Conversation, Tally, detect_format, read, tally
from mnemo.ingestion.readers.checks import MAX_PART_CHARS
from mnemo.models.graph import Message


def write(folder: Path, name: str, content: str | bytes | list[Any] | dict[str, Any]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def messages(path: Path, *args: Any, **options: Any) -> list[Message]:
    return [message for conversation in read(path, *args, **options) for message in conversation]


def names(path: Path, **options: Any) -> list[str]:
    return [conversation.name for conversation in read(path, **options)]


# JSON Lines


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
        ('{"content": "x", "time": "last Tuesday"}', r"chat\.jsonl:2: \$\.time: wanted a time .* 'last Tuesday'"),
        ('{"content": "x", "time": "2025-13-01"}', "wanted a time"),
        ('{"content": "x", "time": true}', "wanted a time .* got a boolean"),
        ('{"content": "x", "zone": "Mars/Olympus"}', "wanted an IANA zone .* 'Mars/Olympus'"),
        ('{"content": "  "}', "wanted a text, got a blank one"),
        ('{"content": 5}', "wanted a string, got a number"),
        ('{"role": "user"}', r"\$\.content: wanted a string, got null"),
        ('{"content": "x", "role": "pirate"}', "wanted one of the roles .* 'pirate'"),
        ('{"content": "x", "timestamp": 5}', r"chat\.jsonl:2: wanted the keys content, .* 'timestamp'"),
        ('{"content": "x", "metadata": []}', r"\$\.metadata: wanted an object, got an array"),
        ("[1]", r"chat\.jsonl:2: wanted an object, got an array"),
        ('{"content": ', r"chat\.jsonl:2: wanted one JSON value on the line, got .* column"),
    ],
)
def test_jsonl_error_names_file_line_and_what_was_wanted(tmp_path: Path, line: str, said: str) -> None:
    path = write(tmp_path, "chat.jsonl", f'{{"content": "fine"}}\n{line}\n')
    with pytest.raises(ReaderError, match=said):
        messages(path)


def test_messages_before_a_wrong_line_are_read_first(tmp_path: Path) -> None:
    [conversation] = read(write(tmp_path, "chat.jsonl", '{"content": "fine"}\n{"content": 5}\n'))
    assert next(conversation.messages).content == "fine"


@pytest.mark.parametrize(
    ("time", "instant", "zone"),
    [
        ("2025-03-09T18:30:00+01:00", "2025-03-09T17:30", "Europe/Paris"),
        ("2025-03-09T17:30:00Z", "2025-03-09T17:30", "Europe/Paris"),
        ("2025-03-09T18:30:00-05:00", "2025-03-09T23:30", "Etc/GMT+5"),
        ("2025-03-09T18:30:00+05:45", "2025-03-09T12:45", None),
        ("2025-03-30T02:30:00", "2025-03-30T01:30", "Europe/Paris"),  # a time that clocks skip
        ("2025-10-26T02:30:00", "2025-10-26T00:30", "Europe/Paris"),  # one that they show twice
        ("2025-03-09", "2025-03-08T23:00", "Europe/Paris"),
        (1741541400, "2025-03-09T17:30", "Europe/Paris"),
        (1741541400000, "2025-03-09T17:30", "Europe/Paris"),
    ],
)
def test_time_is_an_instant_in_the_zone_of_its_writer(
    tmp_path: Path, time: str | int, instant: str, zone: str | None
) -> None:
    [message] = messages(write(tmp_path, "a.jsonl", {"content": "x", "time": time}), zone="Europe/Paris")
    assert message.occurred_at is not None
    assert message.occurred_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M") == instant
    assert message.zone == zone


# Message arrays


def test_openai_array_keeps_names_parts_and_calls(tmp_path: Path) -> None:
    array = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "name": "Ana", "content": [{"type": "text", "text": "Look"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "see", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "a cat"},
        {"role": "assistant", "content": "A cat!"},
        {"role": "assistant", "content": ""},
    ]
    told = messages(write(tmp_path, "log.json", array))
    assert [(message.role, message.speaker, message.content) for message in told] == [
        ("system", None, "Be kind."),
        ("user", "Ana", "Look\n\n[image]"),
        ("tool", None, "[calls see({})]"),
        ("tool", None, "a cat"),
        ("assistant", "assistant", "A cat!"),
    ]
    assert told[3].metadata == {"tool_call_id": "c1"}


@pytest.mark.parametrize(
    "content",
    [
        '[{"messages": [{"role": "user", "content": "a"}]}, {"id": "x", "messages": [{"role": "ai", "content": "b"}]}]',
        '{"messages": [{"role": "user", "content": "a"}]}\n{"id": "x", "messages": [{"role": "ai", "content": "b"}]}\n',
    ],
)
def test_openai_file_of_several_conversations(tmp_path: Path, content: str) -> None:
    path = write(tmp_path, "many.json", content)
    assert names(path) == ["many", "many x"]
    assert [message.content for message in messages(path)] == ["a", "b"]


def test_openai_arrays_in_an_array_get_names_of_their_own(tmp_path: Path) -> None:
    array = [[{"role": "user", "content": "a"}], [{"role": "user", "content": "b"}]]
    assert names(write(tmp_path, "m.json", array)) == ["m", "m 2"]


def test_openai_error_has_the_json_path(tmp_path: Path) -> None:
    path = write(tmp_path, "m.json", {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": 5}]})
    with pytest.raises(ReaderError, match=r"m\.json:1: \$\.messages\[1\]\.content: wanted a string, an array of parts"):
        messages(path)


# ChatGPT


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


def test_chatgpt_reads_the_current_branch_alone(tmp_path: Path) -> None:
    told = messages(write(tmp_path, "conversations.json", [export()]), zone="Europe/Paris")
    assert [(message.role, message.content) for message in told] == [
        ("user", "What is it?\n\n[image]"),
        ("tool", "search(cat)"),
        ("assistant", "A cat."),
    ]
    assert told[0].occurred_at == datetime(2025, 3, 9, 17, 30, 0, 500_000, tzinfo=UTC)
    assert (told[2].occurred_at, told[2].session, told[2].metadata["title"]) == (None, "Pets (abcdef12)", "Pets")


def test_chatgpt_without_current_node_takes_the_last_leaf(tmp_path: Path) -> None:
    told = messages(write(tmp_path, "c.json", [export(current_node=None)]))
    assert told[-1].content == "A cat."


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
def test_chatgpt_content_of_any_kind(tmp_path: Path, content: dict[str, Any] | None, expected: str | None) -> None:
    changed = export()
    changed["mapping"]["new"]["message"]["content"] = content
    told = messages(write(tmp_path, "c.json", [changed]))
    assert (told[-1].content if len(told) == 3 else None) == expected


def test_chatgpt_parent_that_is_missing_is_an_error(tmp_path: Path) -> None:
    broken = export()
    broken["mapping"]["q"]["parent"] = "gone"
    with pytest.raises(ReaderError, match=r"\$\[0\]\.mapping: wanted a node 'gone', got none"):
        messages(write(tmp_path, "c.json", [broken]))


def test_chatgpt_cycle_is_an_error(tmp_path: Path) -> None:
    broken = export()
    broken["mapping"]["q"]["parent"] = "new"
    with pytest.raises(ReaderError, match=r"\$\[0\]\.mapping: wanted a tree, got a cycle"):
        messages(write(tmp_path, "c.json", [broken]))


def test_chatgpt_folder_is_read_without_its_other_files(tmp_path: Path) -> None:
    write(tmp_path, "conversations.json", [export(), export()])
    write(tmp_path, "user.json", {"email": "nobody@example.org"})
    assert names(tmp_path) == ["Pets (abcdef12)", "Pets (abcdef12) #2"]


# LoCoMo and LongMemEval


def locomo(**changes: Any) -> list[dict[str, Any]]:
    turn = {"speaker": "Ana", "dia_id": "D1:1", "text": "Look! ", "blip_caption": "a photo of a kite", "query": "kite"}
    body = {
        "speaker_a": "Ana",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Nice."}],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_1": [turn],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_3_date_time": "nonsense for a session that does not exist",
    }
    return [{"sample_id": "conv-1", "conversation": body | changes, "qa": []}]


def test_locomo_sample_is_a_group_with_sessions_in_order(tmp_path: Path) -> None:
    [conversation] = read(write(tmp_path, "data.json", locomo()), zone="America/New_York")
    assert (conversation.name, conversation.scope) == ("conv-1", "group")
    first, second = conversation
    assert first.content == "Look! [shares a photo of a kite]"
    assert (first.source_id, first.session, first.metadata["image_query"]) == ("D1:1", "session_1", "kite")
    assert first.occurred_at == datetime(2023, 5, 8, 17, 56, tzinfo=UTC)
    assert second.occurred_at == datetime(2023, 9, 13, 4, 9, tzinfo=UTC)


def test_locomo_wrong_time_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "data.json", locomo(session_1_date_time="8 May"))
    with pytest.raises(ReaderError, match=r"\$\[0\]\.conversation\.session_1_date_time: wanted a time .*'8 May'"):
        messages(path)


def test_longmemeval_question_is_a_group_with_dated_sessions(tmp_path: Path) -> None:
    item = {
        "question_id": "q1",
        "haystack_session_ids": ["s1", "s1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hi", "has_answer": True}, {"role": "assistant", "content": "Hello"}],
            [{"role": "user", "content": "Again"}],
        ],
    }
    [conversation] = read(write(tmp_path, "lme.json", [item]))
    told = list(conversation)
    assert [(message.session, message.source_id) for message in told] == [
        ("s1", "s1:0"),
        ("s1", "s1:1"),
        ("s1 2", "s1 2:0"),
    ]
    assert told[0].occurred_at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert (told[0].metadata, conversation.scope) == ({"has_answer": "true"}, "group")


def test_longmemeval_lists_of_unequal_length_are_an_error(tmp_path: Path) -> None:
    item = {"question_id": "q", "haystack_sessions": [[], []], "haystack_dates": ["2023/05/20 (Sat) 02:21"]}
    with pytest.raises(ReaderError, match=r"\$\[0\]\.haystack_dates: wanted an item for each of 2 sessions, got 1"):
        messages(write(tmp_path, "lme.json", [item]))


def test_longmemeval_without_ids_and_dates_has_unknown_times(tmp_path: Path) -> None:
    item = {"question_id": "q", "haystack_sessions": [[{"role": "user", "content": "Hi"}, {"content": ""}]]}
    [message] = messages(write(tmp_path, "lme.json", [item]))
    assert (message.session, message.occurred_at) == ("session_1", None)


@pytest.mark.parametrize("date", ["20 May", "2023/02/30 (Thu) 02:21"])
def test_longmemeval_wrong_time_is_an_error(tmp_path: Path, date: str) -> None:
    item = {"question_id": "q", "haystack_sessions": [[]], "haystack_dates": [date]}
    with pytest.raises(ReaderError, match=rf"haystack_dates\[0\]: wanted a time .* '{date[:6]}"):
        messages(write(tmp_path, "lme.json", [item]))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": " "}]}, "wanted a text or a caption"),
        ({"session_1": [{"speaker": "Ana", "text": "x"}]}, r"\.dia_id: wanted a string, got null"),
        ({"session_1": {}}, r"session_1: wanted an array, got an object"),
    ],
)
def test_locomo_wrong_turn_is_an_error(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ReaderError, match=said):
        messages(write(tmp_path, "data.json", locomo(**changes)))


def test_locomo_without_sessions_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="wanted sessions named session_1"):
        messages(write(tmp_path, "data.json", [{"sample_id": "x", "conversation": {}}]))


# Documents


def test_markdown_sections_know_the_headings_above_them(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Trip\ndate: 2025-07-04\n---\nIntro.\n\n# Plan\n\nGo.\n\n## Day 1\nFly.\n\n```\n# no heading\n```\n"
    )
    text += "\nLater\n-----\nRest.\n"
    told = messages(write(tmp_path, "trip.md", text))
    assert [(m.metadata.get("heading"), m.metadata["line"], m.content) for m in told] == [
        (None, "1", "Intro."),
        ("Plan", "7", "# Plan\n\nGo."),
        ("Plan > Day 1", "11", "## Day 1\nFly.\n\n```\n# no heading\n```"),
        ("Plan > Later", "18", "Later\n-----\nRest."),
    ]
    assert {(m.role, m.speaker, m.session, m.metadata["title"]) for m in told} == {("document", None, "trip", "Trip")}
    assert told[0].occurred_at == datetime(2025, 7, 4, tzinfo=UTC)


def test_markdown_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "a.md", "---\n\nJust text.\n"))
    assert message.content == "---\n\nJust text."


def test_text_is_one_document_with_an_unknown_time(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "note.txt", "One.\r\n\r\nTwo.\r\n"))
    assert (message.content, message.role, message.occurred_at) == ("One.\n\nTwo.", "document", None)


def test_long_text_comes_in_bounded_parts_without_loss(tmp_path: Path) -> None:
    paragraph = "word " * 2_000
    told = messages(write(tmp_path, "long.txt", f"{paragraph}\n\n" * 40 + "x" * 250_000))
    assert max(len(message.content) for message in told) <= MAX_PART_CHARS
    assert sum(message.content.count("word") for message in told) == 80_000
    assert sum(message.content.count("x") for message in told) == 250_000


# Detection, encodings, folders, errors


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", '{"content": "hi"}\n', "jsonl"),
        ("a.bin", '{"messages": []}', "openai"),
        ("a.json", '[\n {"role": "user", "content": "hi"}\n]', "openai"),
        ("a.json", '{\n "mapping": {}\n}', "chatgpt"),
        ("a.json", json.dumps(locomo()), "locomo"),
        ("a.json", '[{"haystack_sessions": []}]', "longmemeval"),
        ("a.txt", "[12/05/2023, 14:05:33] Ana: hi", "whatsapp"),
        ("a.log", "12.05.23, 14:05 - Ana: hi", "whatsapp"),
        ("a.txt", "# Title\n\nText", "markdown"),
        ("a.md", "No heading", "markdown"),
        ("a.txt", "[sic] He wrote {this}.", "text"),
        ("a.txt", "{curly} talk", "text"),
    ],
)
def test_format_is_told_by_content(tmp_path: Path, name: str, content: str, expected: str) -> None:
    assert detect_format(write(tmp_path, name, content)) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_are_told_by_mark_or_zeros(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "a.jsonl", '{"content": "Grüße, 東京"}\r\n'.encode(encoding))
    assert [message.content for message in messages(path)] == ["Grüße, 東京"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "wanted a file with content, got an empty file"),
        ("a.txt", b" \n\n", "an empty file"),
        ("a.txt", "\ufeff\n\n".encode(), "blank lines"),
        ("a.txt", b"caf\xe9 au lait", "wanted UTF-8 text, got other bytes .*save the file as UTF-8"),
        ("a.zip", b"PK\x03\x04rest", "a zip archive .unpack it"),
        ("a.txt", b"\x00\x01\x02\x03\x80\x00" * 20, "wanted a text file, got a binary file|UTF-16"),
        ("a.json", b"[]", "wanted messages, conversations or samples, got nothing"),
        ("a.json", b"[1, 2]", "got a number"),
        ("a.json", b'[{"x": 1}]', "wanted JSON of one of jsonl, .* an object with 'x'"),
        ("a.json", b'[{"role": "user", "content": "hi"', r"a\.json:1: wanted JSON"),
        ("a.json", b'[{"role": "user", "content": "hi"}\n{}]', r"a\.json:2: wanted ','"),
    ],
)
def test_unreadable_file_is_a_clear_error(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    with pytest.raises(ReaderError, match=said):
        messages(write(tmp_path, name, content))


def test_missing_path_and_folder_without_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="wanted a file or folder, got no such path"):
        list(read(tmp_path / "nothing"))
    with pytest.raises(ReaderError, match="wanted a folder with files of"):
        list(read(tmp_path))


def test_folder_yields_its_files_by_name_and_skips_hidden_and_other_ones(tmp_path: Path) -> None:
    write(tmp_path, "b/two.md", "# Two")
    write(tmp_path, "a.txt", "One")
    write(tmp_path, ".git/x.txt", "hidden")
    write(tmp_path, "photo.jpg", b"\xff\xd8")
    assert names(tmp_path) == ["a", "b/two"]


def test_wrong_arguments_are_refused_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "x")
    with pytest.raises(ArgumentError, match="wanted a format of auto, text"):
        read(path, "pdf")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(ArgumentError, match="wanted an IANA zone"):
        read(path, zone="Nowhere")
    with pytest.raises(ArgumentError, match="wanted dates as auto"):
        read(path, dates="year-first")  # type: ignore[arg-type]  # the same


def test_conversation_reads_again_and_counts(tmp_path: Path) -> None:
    found: list[Conversation] = list(read(write(tmp_path, "a.jsonl", '{"content": "four"}\n{"content": "more"}\n')))
    assert list(found[0]) == list(found[0].messages)
    assert tally(found) == Tally(conversations=1, messages=2, characters=8, undated=2)


@given(st.binary(max_size=300))
@example(b"\x1c")
def test_any_bytes_are_read_or_refused_with_a_reader_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = write(tmp_path_factory.mktemp("any"), "a.txt", data)
    try:
        messages(path)
    except ReaderError as error:
        assert str(path) in str(error)  # noqa: PT017  # either outcome is right


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["content", "role", "messages", "mapping", "conversation", "session_1", "haystack_sessions"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_read_or_refused_with_a_reader_error(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = write(tmp_path_factory.mktemp("any"), "a.json", json.dumps(data))
    try:
        messages(path)
    except ReaderError as error:
        assert str(path) in str(error)  # noqa: PT017  # either outcome is right


@pytest.mark.parametrize("broken", [56, 99])
def test_an_array_that_breaks_off_within_is_an_error_with_the_line_where_it_does(tmp_path: Path, broken: int) -> None:
    items = [json.dumps({"role": "user", "content": f"message {n}"}) for n in range(100)]
    items[broken] = items[broken][:-3]
    path = write(tmp_path, "chat.json", "[\n" + ",\n".join(items) + "\n]")
    with pytest.raises(ReaderError, match=rf"chat\.json:{broken + 2}: "):
        messages(path)


def test_empty_files_of_a_folder_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "Leeks.")
    write(tmp_path, "sub/b.txt", "")
    assert names(tmp_path) == ["a"]


def test_half_of_a_character_becomes_a_replacement_character(tmp_path: Path) -> None:
    path = write(tmp_path, "cut.jsonl", '{"role": "user", "content": "cut \\ud83d"}')
    assert [message.content for message in messages(path)] == ["cut \ufffd"]
