"""Stored text on the terminal."""

import io

import pytest
from rich.panel import Panel
from rich.tree import Tree

from mnemo.cli.rendering.console import PlainConsole, escape

TITLE = "\x1b]0;owned\x07"


def printed(what: object) -> str:
    file = io.StringIO()
    PlainConsole(file=file, force_terminal=True, color_system="standard", width=80, highlight=False).print(what)
    return file.getvalue()


@pytest.mark.parametrize("wrap", [str, Panel, Tree])
def test_escape_sequences_of_stored_text_are_shown(wrap: object) -> None:
    shown = printed(wrap(f"{TITLE}a\u202eb"))  # type: ignore[operator]  # a renderable
    assert "\\x1b]0;owneda\\u202eb" in shown  # rich itself drops the bell
    assert "\x1b]" not in shown


def test_styles_of_the_console_itself_stay() -> None:
    assert printed(f"[bold]{escape('[red]' + TITLE)}[/]") == "\x1b[1m[red]\\x1b]0;owned\\x07\x1b[0m\n"
