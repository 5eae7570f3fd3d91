"""The command line of the server."""

from pathlib import Path

import pytest

from mnemo.config import ServerSettings
from mnemo.launcher.home import Home
from mnemo.launcher.process import command
from mnemo.launcher.sizes import Sizes


def test_java_options_come_after_ours_and_before_the_class_path() -> None:
    line = command(Home(Path("/h")), [Path("/a.jar")], Sizes(heap_mb=512, page_cache_mb=64), ["-Da=b c", "-Xss2m"])
    assert line[line.index("-Da=b c") : line.index("-Da=b c") + 4] == ["-Da=b c", "-Xss2m", "-cp", "/a.jar"]
    assert "-Xmx512m" in line[: line.index("-Da=b c")]


def test_java_options_are_split_as_a_shell_does() -> None:
    assert ServerSettings(java_options="-Da='b c' -Xss2m").java_option_list == ("-Da=b c", "-Xss2m")


def test_unclosed_quote_in_java_options_is_refused() -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        ServerSettings(java_options="-Da='b")
