"""Detection of format and encoding, and errors for unreadable files."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemo.errors import ArgumentError, ReaderError
from mnemo.ingestion.readers import FORMATS, Conversation, Tally, detect_format, read, tally
from support.reader_cases import CASES, messages, tolerant, write


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", '{"content": "hi"}\n', "jsonl"),
        ("a.bin", '{"messages": []}', "openai"),
        ("a.json", '[\n {"role": "user", "content": "hi"}\n]', "openai"),
        ("a.json", '{\n "mapping": {}\n}', "chatgpt"),
        ("a.json", '[{"conversation": {"session_1": []}}]', "locomo"),
        ("a.json", '[{"haystack_sessions": []}]', "longmemeval"),
        ("a.txt", "[12/05/2023, 14:05:33] Ana: hi", "whatsapp"),
        ("a.log", "12.05.23, 14:05 - Ana: hi", "whatsapp"),
        ("a.txt", "# Title\n\nText", "markdown"),
        ("a.md", "No heading", "markdown"),
        ("a.txt", "[sic] He wrote {this}.", "text"),
        ("a.txt", "{curly} talk", "text"),
    ],
)
def test_format_is_detected_by_content(tmp_path: Path, name: str, content: str, expected: str) -> None:
    assert detect_format(write(tmp_path, name, content)) == expected


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("telegram/single.json", "telegram"),
        ("telegram/all-chats.json", "telegram"),
        ("discord/channel.json", "discord"),
        ("discord/channel.txt", "discord-text"),
        ("discord/copied.txt", "discord-text"),
        ("slack/export/general/2024-03-09.json", "slack"),
        ("meta/message_1.json", "messenger"),
        ("meta/encrypted.json", "messenger"),
        ("google-chat/DM Rosa/messages.json", "google-chat"),
        ("assistants/chatgpt.json", "chatgpt"),
        ("assistants/claude.json", "claude"),
        ("assistants/open-webui.json", "open-webui"),
        ("assistants/sharegpt.jsonl", "sharegpt"),
        ("assistants/librechat.json", "librechat"),
        ("whatsapp/ios-german.txt", "whatsapp"),
        ("mail/reply.eml", "mail"),
        ("mail/box.mbox", "mail"),
        ("csv/plain.csv", "csv"),
        ("tables/records.json", "records"),
        ("openai/array.json", "openai"),
        ("vault/Kittiwake.md", "markdown"),
        ("logs/irc.log", "irc"),
        ("documents/page.html", "html"),
    ],
)
def test_format_detection_ignores_the_file_name(tmp_path: Path, case: str, expected: str) -> None:
    told_by_suffix = {"markdown", "csv"}
    name = Path(case).name if expected in told_by_suffix else "renamed.bin"
    assert detect_format(write(tmp_path, name, CASES.joinpath(case).read_bytes())) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[sic] he said\n[sic] she said\n", "text"),
        ("Dear Ana,\n\nFrom: here to there.\nDate: soon.\n", "text"),
        ("From: Ana\nTo: Ben\n\nA letter without more headers\n", "text"),
        ("18:21 we left\n19:00 we came\n", "text"),
        ("Ana — 03/09/2024 6:21 PM\nonly one header is no chat\n", "text"),
        ("12:00 <soup> is served\nthen a long day\nof nothing\nat all\nuntil night\n", "text"),
        ("a, b, c\nwords, with, commas\n", "text"),
        ("name,text\nonly a list,of things\n", "text"),
        ("<3 you all\n", "text"),
        ("<grin> hello there\n", "text"),
    ],
)
def test_prose_is_never_taken_for_a_log(tmp_path: Path, text: str, expected: str) -> None:
    assert detect_format(write(tmp_path, "a.txt", text)) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encoding_is_detected_by_bom_or_zero_bytes(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "a.jsonl", '{"content": "Grüße, 東京"}\r\n'.encode(encoding))
    assert [message.content for message in messages(path)] == ["Grüße, 東京"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "a.txt: is empty"),
        ("a.txt", b" \n\n", "is empty"),
        ("a.txt", "\ufeff\n\n".encode(), "holds blank lines only"),
        ("a.zip", b"PK\x03\x04rest", "is a damaged or incomplete zip archive"),
        ("a.txt", b"\x00\x01\x02\x03\x80\x00" * 20, "is a binary file, not text"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "is a PNG image, not text"),
        ("a.txt", b"{\\rtf1 hello}", "is an RTF file .save it as .docx or text., not text"),
        ("a.xml", b"<?xml version='1.0'?><smses/>", "is XML, which is no format read here"),
        ("a.json", b"[]", "holds no messages"),
        ("a.json", b"{}", "holds no messages"),
        ("a.json", b"5", "looks like a number; mnemo reads the JSON of chatgpt, claude"),
        ("a.json", b"[1, 2]", "looks like a list of numbers"),
        ("a.json", b'["hi", "there"]', "looks like a list of strings"),
        ("a.json", b'[{"a": 1, "b": 2, "c": 3}]', "looks like a list of records with the keys a, b, c; .*JSON Lines"),
        ("a.json", b'{"messages": [{"a": 1}]}', "looks like an object with a list of records with the keys a"),
        ("a.json", b'{"name": "x", "version": "1"}', "looks like one object with the keys name, version"),
        ("a.json", b'[{"role": "user", "content": "hi"', r"a\.json:1: is not valid JSON: .*the file ends there"),
        ("a.json", b'[{"role": "user", "content": "hi"}\n{}]', r"a\.json:2: is not valid JSON: expected ','"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
    ],
)
def test_unreadable_file_is_a_clear_error(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    with pytest.raises(ReaderError, match=said):
        messages(write(tmp_path, name, content))


def test_invalid_arguments_are_rejected_immediately(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "x")
    with pytest.raises(ArgumentError, match="format must be auto or one of text, markdown"):
        read(path, "word")
    with pytest.raises(ArgumentError, match="must be an IANA zone"):
        read(path, zone="Nowhere")
    with pytest.raises(ArgumentError, match="dates must be auto, day-first"):
        read(path, dates="year-first")
    with pytest.raises(ArgumentError, match=r"columns can be given for content, .* got 'txt'"):
        read(path, columns={"txt": "a"})


def test_conversation_can_be_read_twice_and_counted(tmp_path: Path) -> None:
    found: list[Conversation] = list(read(write(tmp_path, "a.jsonl", '{"content": "four"}\n{"content": "more"}\n')))
    assert list(found[0]) == list(found[0].messages)
    assert tally(found) == Tally(conversations=1, messages=2, characters=8, undated=2)


@pytest.mark.parametrize(
    ("text", "encoding", "note"),
    [
        ("I met José in Córdoba.\n", "latin-1", "not UTF-8; read as Windows-1252"),
        ("café au lait", "latin-1", "not UTF-8; read as Windows-1252"),
        ("It’s “great” – 900 €, Jörg said.\n", "cp1252", "not UTF-8; read as Windows-1252"),
        ("Je suis arrivée à Genève l’été dernier.\n", "cp1252", "not UTF-8; read as Windows-1252"),
        ("Ich wohne seit März in Köln. Grüße!\n", "cp1252", "not UTF-8; read as Windows-1252"),
        ("Não sei se vou à festa amanhã, João já comprou o pão.\n", "cp1252", "not UTF-8; read as Windows-1252"),
        ("Zażółć gęślą jaźń. Mieszkam w Łodzi od września.\n", "cp1250", "not UTF-8; read as Windows-1250"),
        ("Я живу в Москве с прошлого года.\n", "cp1251", "not UTF-8; read as Windows-1251"),  # noqa: RUF001  # Russian
        ("Μένω στην Αθήνα και δουλεύω σε ένα βιβλιοπωλείο.\n", "cp1253", "not UTF-8; read as Windows-1253"),
        ("先月京都に引っ越しました。新しい仕事は本屋です。\n", "shift_jis", "not UTF-8; read as Shift-JIS"),
        ("我上个月搬到了北京。我在一家书店工作。\n", "gb18030", "not UTF-8; read as GB18030"),
    ],
)
def test_text_in_another_encoding_is_decoded_and_noted(tmp_path: Path, text: str, encoding: str, note: str) -> None:
    [message], report = tolerant(write(tmp_path, "a.txt", text.encode(encoding)))
    assert message.content == text.strip()
    assert report.files[0].notes == (note,)
    assert not report.left_out


def test_a_damaged_byte_in_utf_8_is_replaced_and_noted(tmp_path: Path) -> None:
    [message], report = tolerant(write(tmp_path, "a.txt", "Grüße aus Köln, schöne Straße".encode() + b" \xff!"))
    assert message.content == "Grüße aus Köln, schöne Straße \ufffd!"
    assert report.files[0].notes == ("1 byte that is not UTF-8 was replaced by U+FFFD",)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le"])
def test_json_in_another_encoding_keeps_speakers_and_texts(tmp_path: Path, encoding: str) -> None:
    data = '{"content": "Vivo en Córdoba", "speaker": "José"}\n{"content": "¿Qué tal?", "speaker": "Inés"}\n'
    found, _ = tolerant(write(tmp_path, "a.jsonl", data.encode(encoding)))
    assert [(m.speaker, m.content) for m in found] == [("José", "Vivo en Córdoba"), ("Inés", "¿Qué tal?")]


SUFFIXES = ("txt", "md", "json", "jsonl", "csv", "html", "eml", "mbox", "zip", "pdf", "docx", "log", "bin")
HEADS = st.sampled_from(
    [
        *(b"", b"%PDF-1.4\n", b"PK\x03\x04", b"From a@b Sat Mar  9 18:21:10 2024\nFrom: a\nDate: x\nSubject: y\n\n"),
        *(b"<html>", b"[12/05/2023, 14:05:33] Ana: ", b"---\ndate: ", b"content,speaker\n", b'{"messages": ['),
        *(b"18:21 <a> b\n18:22 <c> d\n", b"=" * 62 + b"\nGuild: x\n" + b"=" * 62 + b"\n[", b"\xff\xfe", b"+++\n"),
    ]
)


@settings(max_examples=150)
@given(st.sampled_from(SUFFIXES), HEADS, st.binary(max_size=200))
@example("txt", b"", b"\x1c")
def test_any_bytes_are_read_or_refused_with_a_reader_error(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, head: bytes, data: bytes
) -> None:
    path = write(tmp_path_factory.mktemp("any"), f"a.{suffix}", head + data)
    try:
        _, report = tolerant(path)
    except ReaderError as error:
        assert str(path) in str(error)  # noqa: PT017  # either outcome is right
    else:
        assert report.messages or report.left_out


KEYS = (
    *("content", "role", "messages", "mapping", "conversation", "session_1", "haystack_sessions", "chats", "list"),
    *("type", "date", "from", "text", "author", "timestamp", "channel", "ts", "user", "chat_messages", "sender"),
    *("chat", "history", "currentId", "parentId", "conversations", "value", "sender_name", "timestamp_ms", "creator"),
    *("created_date", "photos", "files", "attachments", "mentions", "members", "children", "parts", "message", "name"),
)
TEXTS = st.sampled_from(["message", "user", "assistant", "Default", "1710008470.000100", "2024-03-09", "a"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=16,
)


@settings(max_examples=400)
@given(JSON)
def test_any_json_is_read_or_refused_with_a_reader_error(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = write(tmp_path_factory.mktemp("any"), "a.json", json.dumps(data))
    try:
        _, report = tolerant(path)
    except ReaderError as error:
        assert str(path) in str(error)  # noqa: PT017  # either outcome is right
    else:
        assert report.messages or report.left_out


@settings(max_examples=300)
@given(st.sampled_from(FORMATS), JSON)
def test_any_json_in_any_format_raises_only_reader_errors(
    tmp_path_factory: pytest.TempPathFactory, format_: str, data: Any
) -> None:
    path = write(tmp_path_factory.mktemp("any"), "a.json", json.dumps(data))
    try:
        found, report = tolerant(path, format=format_)
    except ReaderError as error:
        assert str(path) in str(error)  # noqa: PT017  # either outcome is right
    else:
        assert len(found) == report.messages
