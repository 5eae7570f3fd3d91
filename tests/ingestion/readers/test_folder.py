"""Folders: files that are read, reported as unreadable, or skipped."""

import os
from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers import read_path
from mnemo.ingestion.readers.files.folder import listing, order
from mnemo.ingestion.readers.files.source import MAX_FILE_BYTES
from mnemo.models.files import Report
from support.reader_cases import messages, names, spoken, tolerant, write

NODE = {
    "parent": None,
    "children": [],
    "message": {"id": "m", "author": {"role": "user"}, "content": {"parts": ["hi"]}},
}
CHATGPT: list[Any] = [{"title": "Pets", "id": "abcdef1234", "mapping": {"a": NODE}}]


def test_unreadable_files_do_not_stop_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [{"sku": 1, "price": 2}])
    write(tmp_path, "b.txt", "I met José in Córdoba.".encode("latin-1"))
    write(tmp_path, "c.md", "---\ndate:\n---\nI own a kiln.")
    write(tmp_path, "d.jsonl", '{"content": "I moved", "speaker": "Ana"}\n{"content": ')
    write(tmp_path, "e.csv", "a,b\n1,2\n")
    write(tmp_path, "f.txt", b"\x89PNG\r\n\x1a\n\x00\x00")
    found, report = tolerant(tmp_path)
    assert [m.content for m in found] == ["I met José in Córdoba.", "I own a kiln.", "I moved"]
    assert [file.file for file in report.files] == ["b.txt", "c.md", "d.jsonl"]
    assert [(each.file, each.where) for each in report.left_out] == [
        ("a.json", ""),
        ("d.jsonl", "2"),
        ("e.csv", ""),
        ("f.txt", ""),
    ]
    lines = list(report.lines())
    assert lines[0] == "read 3 files, left out 4:"
    assert lines[1].startswith(
        "  a.json: looks like a list of records with the keys sku, price; mnemo reads the JSON of "
    )
    assert lines[2].startswith("  d.jsonl: 2: is not one JSON value on the line")
    assert lines[3].startswith("  e.csv: is a table with the columns a, b; say which one holds the text")
    assert lines[4:] == [
        "  f.txt: is a PNG image, not text",
        "note: b.txt: not UTF-8; read as Windows-1252",
        "note: c.md: front matter: date is empty; the time is unknown",
    ]


def test_read_and_skipped_files_are_counted(tmp_path: Path) -> None:
    write(tmp_path, "good.txt", "I moved to Ghent.")
    for number in range(5):
        write(tmp_path, f"bad{number}.json", '{"messages": [')
    _, report = tolerant(tmp_path)
    assert next(report.lines()) == "read 1 file, left out 5:"


def test_files_without_text_are_skipped_and_counted(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "One")
    write(tmp_path, ".git/config", "hidden")
    write(tmp_path, ".hidden.txt", "hidden")
    write(tmp_path, "photo.jpg", b"\xff\xd8")
    write(tmp_path, "sub/song.mp3", b"ID3")
    write(tmp_path, "sub/script.py", "x = 1")
    write(tmp_path, "sub/empty.txt", "")
    write(tmp_path, "server.log", "2024-03-09 ERROR it broke\n")
    found, report = tolerant(tmp_path)
    assert [m.content for m in found] == ["One"]
    assert report.skipped == {"hidden": 2, "of other kinds": 2, "images": 1, "sounds and videos": 1, "empty": 1}
    assert not report.left_out
    assert list(report.lines()) == [
        "read 1 file",
        "skipped 7 other files (hidden: 2, of other kinds: 2, images: 1, sounds and videos: 1, empty: 1)",
    ]


def test_files_are_in_natural_name_order(tmp_path: Path) -> None:
    for name in ("page 10.txt", "page 2.txt", "b/two.md", "a.txt"):
        write(tmp_path, name, "text")
    assert names(tmp_path) == ["a", "b/two", "page 2", "page 10"]
    assert order("inbox/message_10.json") < order("inbox/message_9.json")


def test_files_of_an_export_that_hold_no_messages_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, "conversations.json", [*CHATGPT, CHATGPT[0] | {"id": "abcdef9999"}])
    write(tmp_path, "user.json", {"email": "nobody@example.org"})
    write(tmp_path, "message_feedback.json", [{"id": 1}])
    write(tmp_path, "chat.html", "<html><body>everything again</body></html>")
    found, report = tolerant(tmp_path)
    assert [m.content for m in found] == ["hi", "hi"]
    assert report.skipped == {"other parts of an export": 3}
    assert not report.left_out


def test_other_files_beside_an_export_are_read(tmp_path: Path) -> None:
    write(tmp_path, "conversations.json", CHATGPT)
    write(tmp_path, "notes.md", "I own a kiln.")
    write(tmp_path, "bad.json", {"x": 1})
    found, report = tolerant(tmp_path)
    assert [m.content for m in found] == ["hi", "I own a kiln."]
    assert [each.file for each in report.left_out] == ["bad.json"]


def test_single_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"a\.json: looks like"):
        list(read_path(write(tmp_path, "a.json", [{"sku": 1}])))


def test_a_single_file_of_which_nothing_can_be_read_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", '{"content": 5, "time": 1}\n{"content": 6, "time": 2}\n')
    with pytest.raises(ReaderError, match=r"a\.jsonl: 1: \$\.content: must be a string, .*and 1 more like it"):
        tolerant(path)


def test_a_strict_reading_raises_at_the_first_problem(tmp_path: Path) -> None:
    write(tmp_path, "a.json", [{"sku": 1}])
    write(tmp_path, "b.txt", "text")
    with pytest.raises(ReaderError, match=r"a\.json: looks like"):
        messages(tmp_path)


def test_missing_path_and_folder_without_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match=r"nothing: there is no such file or folder"):
        list(read_path(tmp_path / "nothing"))
    with pytest.raises(ReaderError, match=r"holds no file that is read here: \.csv, \.docx"):
        list(read_path(tmp_path))


def test_every_conversation_names_its_file(tmp_path: Path) -> None:
    write(tmp_path, "a/b.txt", "text")
    [conversation] = read_path(tmp_path)
    assert (conversation.file, conversation.source) == ("a/b.txt", "b.txt")


def test_conversations_with_the_same_name_are_numbered(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        write(
            tmp_path,
            f"{folder}/result.json",
            {
                "name": "Ana",
                "type": "t",
                "messages": [{"type": "message", "date": "2024-03-09T18:21:10", "from": "Ana", "text": folder}],
            },
        )
    assert names(tmp_path) == ["Ana", "Ana #2"]


def test_file_without_messages_is_reported_with_its_format(tmp_path: Path) -> None:
    write(tmp_path, "a.json", {"messages": []})
    write(tmp_path, "b.txt", "text")
    _, report = tolerant(tmp_path)
    assert [str(each) for each in report.left_out] == ["a.json: holds no messages (read as openai)"]


def test_bad_parts_of_one_file_are_counted(tmp_path: Path) -> None:
    lines = ['{"content": "fine"}', *('{"content": 5}' for _ in range(50))]
    _, report = tolerant(write(tmp_path, "a.jsonl", "\n".join(lines)))
    assert len(report.left_out) == 21
    assert str(report.left_out[-1]) == "a.jsonl: and 30 more parts of this file"


def test_file_with_only_bad_parts_is_reported_once(tmp_path: Path) -> None:
    write(tmp_path, "b.txt", "text")
    write(tmp_path, "a.jsonl", '{"content": 5, "time": 1}\n{"content": 6, "time": 2}\n')
    _, report = tolerant(tmp_path)
    assert [str(each) for each in report.left_out] == [
        "a.jsonl: 1: $.content: must be a string, got a number (and 1 more like it)"
    ]


def test_truncated_array_keeps_earlier_items(tmp_path: Path) -> None:
    text = '[{"role": "user", "content": "one"},\n {"role": "user", "content": "two"},\n {"role": '
    found, report = tolerant(write(tmp_path, "a.json", text))
    assert spoken(found) == [("user", "one"), ("user", "two")]
    assert [each.where for each in report.left_out] == ["3"]


def test_folder_that_cannot_be_listed_is_reported(tmp_path: Path) -> None:
    found = listing(tmp_path / "gone")
    assert [(error.place, error.reason) for error in found.errors] == [
        (str(tmp_path / "gone"), "cannot be listed: No such file or directory")
    ]


def test_empty_report_says_nothing_was_read() -> None:
    assert list(Report().lines()) == ["read 0 files"]


def test_second_reading_gives_the_same_report(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "text")
    write(tmp_path, "b.json", {"x": 1})
    reading = read_path(tmp_path)
    for _ in range(2):
        assert sum(1 for conversation in reading for _ in conversation) == 1
        assert (reading.report().messages, len(reading.report().left_out)) == (1, 1)


@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_what_is_no_file_is_refused_before_it_is_read(tmp_path: Path, kind: str) -> None:
    path = Path("/dev/zero") if kind == "device" else tmp_path / "pipe"
    if kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(ReaderError, match=f"is a {kind}, not a file"):
        list(read_path(path))


def test_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)  # sparse: no disk is used
    with pytest.raises(ReaderError, match=r"has 20\.0 GB, and files may have at most 20\.0 GB"):
        list(read_path(path))


def test_file_name_that_is_not_utf_8_is_named_in_the_error(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    path.write_text('{"content": "x", "time": "soon"}\n', encoding="utf-8")
    with pytest.raises(ReaderError) as caught:
        _ = [list(conversation.messages) for conversation in read_path(path)]
    assert str(caught.value).startswith(f"{tmp_path}/caf\\xe9.jsonl: 1: $.time: must be a time")
    str(caught.value).encode()


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_number_of_thousands_of_digits_is_an_error_with_its_place(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"long.{suffix}"
    path.write_text(f'{{"content": "x", "time": {"9" * 5_000}}}\n', encoding="utf-8")
    with pytest.raises(ReaderError, match=rf"long\.{suffix}: (?:1: )?\$\.time: must be a time"):
        _ = [list(conversation.messages) for conversation in read_path(path)]
