"""Plain text."""

from pathlib import Path

from mnemo.ingestion.readers.checks import MAX_PART_CHARS
from support.reader_cases import messages, write


def test_text_is_one_document_with_an_unknown_time(tmp_path: Path) -> None:
    [message] = messages(write(tmp_path, "note.txt", "One.\r\n\r\nTwo.\r\n"))
    assert (message.content, message.role, message.occurred_at) == ("One.\n\nTwo.", "document", None)


def test_long_text_is_split_without_loss(tmp_path: Path) -> None:
    paragraph = "word " * 2_000
    found = messages(write(tmp_path, "long.txt", f"{paragraph}\n\n" * 40 + "x" * 250_000))
    assert max(len(message.content) for message in found) <= MAX_PART_CHARS
    assert sum(message.content.count("word") for message in found) == 80_000
    assert sum(message.content.count("x") for message in found) == 250_000
