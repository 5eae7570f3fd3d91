import json

import pytest
import typer

from mnemo.cli.rendering.output import Output, failing_clearly
from mnemo.cli.rendering.progress import progress_bars
from mnemo.errors import ArgumentError, RateLimitError
from mnemo.models.progress import Progress


def test_a_failure_is_a_line_on_stderr_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_, failing_clearly(Output(json=True)):
        raise RateLimitError("slow [down]")  # noqa: EM101, TRY003  # the text is what is looked at
    assert exit_.value.exit_code == 1
    assert json.loads(capsys.readouterr().err) == {
        "error": "RateLimitError",
        "message": "slow [down]",
        "retryable": True,
    }


def test_an_interrupt_exits_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as exit_, failing_clearly(Output(json=False)):
        raise KeyboardInterrupt
    assert exit_.value.exit_code == 130
    assert "run the same command to continue" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("k must be between 1 and 200, got 500", "--k must be between 1 and 200, got 500"),
        ("min_score must be between 0 and 1, got 2", "--min-score must be between 0 and 1, got 2"),
        ("kind must be one of episodes, entities", "KIND must be one of episodes, entities"),
        ("session, status cannot filter edges", "session, status cannot filter edges"),
        ("give a uuid, a session, or a group", "give a uuid, a session, or a group"),
    ],
)
def test_an_error_names_the_option(message: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), failing_clearly(Output(json=True)):
        raise ArgumentError(message)
    assert json.loads(capsys.readouterr().err)["message"] == shown


def test_with_json_progress_is_a_line_at_start_and_end(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bars(Output(json=True)) as on_progress:
        for done in range(1, 11):
            on_progress(Progress(stage="store", done=done, total=10, counts={"facts": 2}))
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        {"stage": "store", "done": 1, "total": 10, "counts": {"facts": 2}},
        {"stage": "store", "done": 10, "total": 10, "counts": {"facts": 2}},
    ]


def test_on_a_terminal_progress_is_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_bars(Output(json=False), unit="bytes") as on_progress:
        on_progress(Progress(stage="download", done=1, total=2))
        on_progress(Progress(stage="download", done=2, total=2))
    assert "download" in capsys.readouterr().err


def test_in_a_pipe_progress_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bars(Output(json=False)) as on_progress:
        on_progress(Progress(stage="store", done=1, total=1))
    assert capsys.readouterr() == ("", "")
