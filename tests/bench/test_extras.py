from pathlib import Path

import pytest

from mnemo.bench.extras import pyplot, require
from mnemo.cli.bench.plots import plot_path
from mnemo.cli.rendering.output import Output
from mnemo.errors import ConfigError


def test_missing_library_names_the_command_that_installs_it() -> None:
    with pytest.raises(ConfigError, match=r"^bench tree needs no_such_library; run pip install 'mnemo\[bench\]'$"):
        require("no_such_library", extra="bench", purpose="bench tree")


def test_installed_library_passes() -> None:
    require("numpy", extra="bench", purpose="bench tree")


def test_pyplot_draws_to_files(tmp_path: Path) -> None:
    figure, axes = pyplot().subplots()
    axes.plot([1, 2], [3, 4])
    figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_a_note_and_no_plot(capsys: pytest.CaptureFixture[str]) -> None:
    assert plot_path(Output(json=False), Path("out/plot.png"), library="no_such_library") is None
    note = " ".join(capsys.readouterr().err.split())
    assert note == (
        "no_such_library is not installed: numbers are written without a plot. Run pip install 'mnemo[bench]'"
    )


def test_with_matplotlib_the_plot_is_drawn_without_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert plot_path(Output(json=False), Path("out/plot.png")) == Path("out/plot.png")
    assert capsys.readouterr().err == ""
