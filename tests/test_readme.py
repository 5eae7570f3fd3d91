"""The README names only commands and options that exist."""

import re
import shlex
from typing import Any

import pytest
import typer

from mnemo.cli import app
from support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(?:bash|console|sh)\n(.*?)```", re.DOTALL)
COMMANDS = sorted(
    {
        line.removeprefix("$ ").strip()
        for block in BLOCK.findall(README)
        for line in block.splitlines()
        if line.removeprefix("$ ").startswith(("mnemo ", "./scripts/", "scripts/"))
    }
    | set(re.findall(r"`(mnemo [a-z][^`]*)`", README))
)


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("mnemo ")])
def test_each_mnemo_command_of_the_readme_parses(line: str) -> None:
    command: Any = typer.main.get_command(app)
    words = [word for word in shlex.split(line, comments=True)[1:] if word not in {"…", "..."}]
    while words and (commands := getattr(command, "commands", None)):
        name = words.pop(0)
        assert name in commands, f"{line}: no command {name!r}"
        command = commands[name]
    known = {option for parameter in command.params for option in parameter.opts}
    used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert used <= known | {"--help"}, f"{line}: no such option"


@pytest.mark.parametrize("line", [line for line in COMMANDS if "scripts/" in line.split(maxsplit=1)[0]])
def test_each_script_of_the_readme_can_be_run(line: str) -> None:
    path = ROOT / line.split(maxsplit=1)[0]
    assert path.is_file()
    assert path.stat().st_mode & 0o111
