"""Previews of an import."""

from datetime import UTC, datetime
from pathlib import Path

from mnemo.config import IngestionSettings
from mnemo.ingestion.intake.estimate import Estimate
from mnemo.ingestion.intake.preview import preview
from mnemo.ingestion.llm.prompts import extraction_instructions
from mnemo.ingestion.readers import read_path
from support.reader_cases import write


def as_it_is(price: Estimate) -> Estimate:
    return price


def folder(path: Path) -> Path:
    write(path, "a.csv", "message,sender,date\nI moved,Ana,2024-03-09\nWhere?,Ben,2024-03-10\nHm,Ana,\n")
    write(path, "b.txt", "I own a kiln.")
    write(path, "c.json", {"x": 1})
    return path


def test_each_file_has_its_format_speakers_dates_and_cost(tmp_path: Path) -> None:
    found = preview(read_path(folder(tmp_path)), IngestionSettings(), None, iter, as_it_is)
    first, second = found.files
    assert (first.file, first.format, first.messages, first.undated) == ("a.csv", "csv", 3, 1)
    assert (dict(first.speakers), first.first, first.last) == (
        {"Ana": 2, "Ben": 1},
        datetime(2024, 3, 9, tzinfo=UTC),
        datetime(2024, 3, 10, tzinfo=UTC),
    )
    assert (second.file, second.format, second.messages, dict(second.speakers)) == ("b.txt", "text", 1, {})
    assert (second.first, second.calls, second.tokens) == (None, 0, 0)
    assert (found.messages, found.calls) == (4, 0)
    assert found.seconds > 0
    assert [each.file for each in found.report.left_out] == ["c.json"]


def test_with_an_llm_each_file_has_calls_and_tokens(tmp_path: Path) -> None:
    found = preview(read_path(folder(tmp_path)), IngestionSettings(), extraction_instructions(), iter, as_it_is)
    assert all(file.calls > 0 and file.tokens > 0 for file in found.files)
    assert found.calls == sum(file.calls for file in found.files)
    assert found.input_tokens + found.output_tokens == sum(file.tokens for file in found.files)
