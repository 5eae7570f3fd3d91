import io
import json

import pytest
import typer
from rich.console import Console

from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import metering
from mnemo.errors import RateLimitError


def test_a_failure_is_a_line_on_stderr_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_, failing_clearly(Output(json=True)):
        raise RateLimitError("slow [down]")  # noqa: EM101, TRY003  # the text is what is looked at
    assert exit_.value.exit_code == 1
    assert json.loads(capsys.readouterr().err) == {
        "error": "RateLimitError",
        "message": "slow [down]",
        "retryable": True,
    }


def test_a_key_that_stops_it_exits_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_, failing_clearly(Output(json=False)):
        raise KeyboardInterrupt
    assert exit_.value.exit_code == 130
    assert "goes on from there" in capsys.readouterr().err


def test_where_nobody_looks_progress_is_a_json_line_at_start_and_end(capsys: pytest.CaptureFixture[str]) -> None:
    with metering(Console(file=io.StringIO())) as meter:
        for done in range(1, 11):
            meter("store", done, 10)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert lines == [{"stage": "store", "done": 1, "total": 10}, {"stage": "store", "done": 10, "total": 10}]


def test_on_a_terminal_progress_is_a_bar() -> None:
    screen = io.StringIO()
    with metering(Console(file=screen, force_terminal=True, width=100), unit="bytes") as meter:
        meter("download", 1, 2)
        meter("download", 2, 2)
    assert "download" in screen.getvalue()


def test_quiet_progress_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with metering(Console(stderr=True), quiet=True) as meter:
        meter("store", 1, 1)
    assert capsys.readouterr() == ("", "")
