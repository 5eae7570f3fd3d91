"""CSV, and JSON records whose fields are recognised by name."""

from pathlib import Path
from typing import Any

import pytest

from mnemo.errors import ReaderError
from support.reader_cases import CASES, expected, messages, rendered, spoken, tolerant, when, write


@pytest.mark.parametrize("case", ["csv/plain.csv", "csv/split-time.csv", "tables/records.json"])
def test_tables_are_read_with_speakers_and_times(case: str) -> None:
    assert rendered(CASES / case) == expected(case)


@pytest.mark.parametrize(
    "header",
    [
        "content,speaker,time",
        "Text,Author,Timestamp",
        "message;sender;date",
        "body\tfrom\tcreated_at",
        "Message|Name|Sent At",
        "Nachricht;Absender;Datum",
        '"Message Text","Sender Name","Date Sent"',
        "\ufeffcontent,user,datetime",
        "sep=,\ncontent,user,datetime",
    ],
)
def test_columns_are_recognised_by_name(tmp_path: Path, header: str) -> None:
    sign = next(sign for sign in (";", "\t", "|", ",") if sign in header.rsplit("\n", maxsplit=1)[-1])
    row = sign.join(("I moved to Porto", "Ana", "2024-03-09 18:21:10"))
    [message] = messages(write(tmp_path, "a.csv", f"{header}\n{row}\n"))
    assert (message.speaker, message.content, when(message)) == ("Ana", "I moved to Porto", "2024-03-09 18:21:10")


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("2024-03-09T18:21:10Z", "2024-03-09 18:21:10"),
        ("1710008470", "2024-03-09 18:21:10"),
        ("1710008470000", "2024-03-09 18:21:10"),
        ("13/03/2024 18:21", "2024-03-13 18:21:00"),
        ("3/13/24 6:21 PM", "2024-03-13 18:21:00"),
        ("9 March 2024 18:21", "2024-03-09 18:21:00"),
        ("", "-"),
        ("soon", "-"),
    ],
)
def test_common_time_formats_are_parsed(tmp_path: Path, time: str, shown: str) -> None:
    [message] = messages(write(tmp_path, "a.csv", f"message,sender,date\nI moved,Ana,{time}\n"))
    assert when(message) == shown


def test_day_month_order_is_decided_for_the_whole_file(tmp_path: Path) -> None:
    rows = "message,sender,date\na,Ana,3/9/2024\nb,Ana,3/25/2024\n"
    assert [when(m)[:10] for m in messages(write(tmp_path, "a.csv", rows))] == ["2024-03-09", "2024-03-25"]


def test_ambiguous_dates_are_an_error_that_asks_for_the_order(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "message,sender,date\na,Ana,3/9/2024\nb,Ana,4/9/2024\n")
    with pytest.raises(ReaderError, match="fit day-first and month-first"):
        messages(path)
    assert [when(m)[:10] for m in messages(path, dates="day-first")] == ["2024-09-03", "2024-09-04"]


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "Who,What,Then\nAna,I moved,2024-03-09\n")
    with pytest.raises(ReaderError, match=r"columns Who, What, Then; say which one holds the text .*--columns"):
        messages(path)
    [message] = messages(path, columns={"content": "What", "speaker": "Who", "time": "Then"})
    assert (message.speaker, message.content, when(message)[:10]) == ("Ana", "I moved", "2024-03-09")
    with pytest.raises(ReaderError, match="has no column 'Nope'; its columns are Who, What, Then"):
        messages(path, columns={"content": "Nope"})


def test_fields_of_json_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", [{"who": "Ana", "said": "I moved", "at": "2024-03-09"}])
    [message] = messages(path, columns={"content": "said", "speaker": "who", "time": "at"})
    assert (message.speaker, message.content, when(message)[:10]) == ("Ana", "I moved", "2024-03-09")


def test_empty_rows_are_skipped_and_short_rows_read(tmp_path: Path) -> None:
    text = "sender,message,date\nAna,I moved,2024-03-09\n\nBen,,2024-03-09\nCleo,Hi\n,Who am I,2024-03-10\n"
    assert spoken(messages(write(tmp_path, "a.csv", text))) == [
        ("Ana", "I moved"),
        ("Cleo", "Hi"),
        ("user", "Who am I"),
    ]


def test_speaker_defaults_to_the_role(tmp_path: Path) -> None:
    text = "role,content\nuser,I moved\nassistant,Where to?\nCustomer,Hello\n"
    found = messages(write(tmp_path, "a.csv", text))
    assert [(m.role, m.speaker) for m in found] == [("user", "user"), ("assistant", "assistant"), ("user", "customer")]


def test_unclosed_quote_does_not_crash(tmp_path: Path) -> None:
    found, _ = tolerant(write(tmp_path, "a.csv", 'message,sender,date\n"I moved,Ana,2024-03-09\nx,Ben,2024-03-10\n'))
    assert [m.content for m in found] == ["I moved,Ana,2024-03-09\nx,Ben,2024-03-10"]


@pytest.mark.parametrize(
    "record",
    [
        {"author": "Ana", "text": "I moved", "date": "2024-03-09"},
        {"sender": {"name": "Ana"}, "message": "I moved", "timestamp": 1709942400},
        {"from": "Ana", "body": "I moved"},
        {"user": {"username": "Ana"}, "content": "I moved", "created_at": "2024-03-09"},
    ],
)
@pytest.mark.parametrize("holder", [None, "messages", "data"])
def test_author_fields_give_the_speaker(tmp_path: Path, record: dict[str, Any], holder: str | None) -> None:
    value = [record, record | {"id": 5}] if holder is None else {holder: [record]}
    assert spoken(messages(write(tmp_path, "a.json", value)))[0] == ("Ana", "I moved")


@pytest.mark.parametrize(
    "record",
    [
        {"name": "Kettle", "text": "Boils water", "price": 20},
        {"id": 1, "text": "A chunk of a document"},
        {"title": "x", "body": "y"},
        {"user": 5, "text": "z", "date": "2024-03-09"},
        {"author": "Ana", "text": {"deep": 1}, "date": "2024-03-09"},
    ],
)
def test_records_without_an_author_are_rejected(tmp_path: Path, record: dict[str, Any]) -> None:
    with pytest.raises(ReaderError, match="looks like a list of records with the keys"):
        messages(write(tmp_path, "a.json", [record]))
