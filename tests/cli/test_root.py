"""The root command: first help, lazy commands, completion, old setting names, closed pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mnemo.cli.root import COMMANDS, app, command
from mnemo.version import VERSION
from support.paths import ROOT

HEAVY = {"fastapi", "graphiti_core", "matplotlib", "neo4j", "numpy", "onnxruntime", "openai", "spacy", "tokenizers"}


def _python(code: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own code, no shell
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **env},
    )


def test_mnemo_alone_shows_where_to_start() -> None:
    result = CliRunner().invoke(app, [])
    assert result.exit_code == 0
    assert "mnemo up" in result.stdout
    assert "mnemo --help" in result.stdout


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"{VERSION}\n"


def test_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "mnemo", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"{VERSION}\n"


def test_help_lists_every_command_with_a_summary() -> None:
    result = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "120"})
    assert result.exit_code == 0
    for name, entry in COMMANDS.items():
        assert f" {name} " in result.stdout
        assert entry.help in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_loads_and_has_help(name: str) -> None:
    assert command(name).help
    assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_imports_no_heavy_packages(arguments: list[str]) -> None:
    code = (
        "import json, sys; from mnemo.cli import app\n"
        "try: app()\nexcept SystemExit: pass\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)"
    )
    done = _python(code, *arguments)
    assert set(json.loads(done.stderr)) & HEAVY == set()


def test_mistyped_command_gets_a_suggestion() -> None:
    result = CliRunner().invoke(app, ["serch", "x"])
    assert result.exit_code == 2
    assert "search" in result.stderr


def test_shell_completion_knows_the_commands() -> None:
    code = "from mnemo.cli import main; import sys; sys.argv = ['mnemo']; main()"
    done = _python(code, _MNEMO_COMPLETE="complete_bash", COMP_WORDS="mnemo se", COMP_CWORD="1")
    assert done.stdout.split() == ["search", "serve"]


def test_old_setting_name_warns_in_one_line(tmp_path: Path) -> None:
    code = "from mnemo.cli import main; main()"
    done = _python(code, "down", MNEMO_HOME=str(tmp_path), MNEMO_TREE__ENABLED="false", NEO4J_URI="")
    assert done.stdout == "No local server was running.\n"
    assert [line.partition(" ")[0] for line in done.stderr.splitlines()] == ["notice:"]
    assert "is now MNEMO_MEMTREE__*" in done.stderr


def test_closed_pipe_exits_quietly() -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", "from mnemo.cli import main; main()", "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    with writer.stderr:
        assert writer.stderr.read() == b""
    assert writer.wait(timeout=60) != 0
