"""Logs of IRC programs."""

from pathlib import Path

import pytest

from support.reader_cases import CASES, expected, messages, rendered, when, write


def test_a_log_is_read_with_speakers_and_times() -> None:
    assert rendered(CASES / "logs/irc.log") == expected("logs/irc.log")


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("[2024-03-09 18:21:10] <Ana> I moved", "2024-03-09 18:21:10"),
        ("2024-03-09 18:21:10 <Ana> I moved", "2024-03-09 18:21:10"),
        ("2024-03-09T18:21:10 <@Ana> I moved", "2024-03-09 18:21:10"),
        ("2024-03-09T18:21:10+01:00 <Ana> I moved", "2024-03-09 18:21:10"),
        ("2024-03-09 18:21:10\tAna\tI moved", "2024-03-09 18:21:10"),
        ("[18:21] <Ana> I moved", "-"),
        ("18:21:10 <+Ana> I moved", "-"),
    ],
)
def test_layouts_of_irc_logs_are_parsed(tmp_path: Path, line: str, time: str) -> None:
    first, _ = messages(write(tmp_path, "chan.txt", f"{line}\n{line}\n"))
    assert (first.speaker, first.content, when(first)) == ("Ana", "I moved", time)


def test_date_in_the_file_name_dates_the_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "#boats.2024-03-09.log", "[18:21] <Ana> I moved\n[18:22] <Ben> where to?\n")
    assert [when(m) for m in messages(path)] == ["2024-03-09 18:21:00", "2024-03-09 18:22:00"]
