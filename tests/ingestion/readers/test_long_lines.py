"""Lines of a megabyte are read in a time that grows with their length."""

from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from mnemo.errors import ReaderError
from mnemo.ingestion.readers.chats.quoted import own_words
from mnemo.ingestion.readers.chats.slack_markup import plain_text
from mnemo.ingestion.readers.documents.html_text import html_text
from mnemo.ingestion.readers.documents.links import without_brackets
from mnemo.ingestion.readers.written import parse_date
from support.reader_cases import tolerant, write

SIZE = 300_000
MOST_SECONDS = 20.0
"""Far more than a linear pass takes on a slow machine, far less than a quadratic one."""


@pytest.mark.parametrize("piece", ["a", "a.", "a ", "<", "<a: ", "[[", "`", "[a](", ": ", "(", "\u200e", "On 2024 "])
def test_long_lines_take_linear_time(tmp_path: Path, piece: str) -> None:
    text = (piece * SIZE)[:SIZE]
    start = process_time()
    for name, content in (
        ("a.txt", text),
        ("a.md", f"---\n{text}\n---\n{text}"),
        ("b.txt", f"[13.03.24, 18:21:00] Jule: \u200e{text}"),
        ("c.txt", f"13/03/2024, 18:21 - {text}"),
        ("d.txt", f"[18:21] <Ana> {text}\n[18:22] <Ben> {text}\n"),
        ("e.eml", f"From: a@b\nDate: x\nSubject: {text}\n\n{text}"),
        ("f.csv", f"message,sender,date\n{text[:100_000]},Ana,{text[:100_000]}\n"),
        ("g.json", [{"type": "message", "user": "U", "ts": "1710008470.000200", "text": text}]),
    ):
        with suppress(ReaderError):
            tolerant(write(tmp_path, name, content))
    own_words(text)
    html_text(text)
    without_brackets(text)
    plain_text(text, {})
    parse_date(text)
    assert process_time() - start < MOST_SECONDS
