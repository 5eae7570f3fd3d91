"""Runs the command line on the real server."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from mnemo.cli import app
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint


class Cli:
    """Runs commands for one group."""

    def __init__(self, endpoint: Endpoint, group: str) -> None:
        self.group = group
        self._runner = CliRunner()
        self.env = {
            "NEO4J_URI": endpoint.uri,
            "NEO4J_USERNAME": endpoint.username,
            "NEO4J_PASSWORD": endpoint.password,
            "MNEMO_GROUP": group,
            "COLUMNS": "160",
        }

    def run(self, *arguments: str, code: int = 0, stdin: str | None = None, **env: str) -> Any:
        """Run a command; fail unless it exits with `code`. The result has stdout and stderr."""
        result = self._runner.invoke(app, list(arguments), input=stdin, env={**self.env, **env})
        assert result.exit_code == code, f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
        return result

    def json(self, *arguments: str, stdin: str | None = None) -> Any:
        """Run a command with --json and return what it printed."""
        return json.loads(self.run(*arguments, "--json", stdin=stdin).stdout)


@pytest.fixture
def cli(server_endpoint: Endpoint, database: Database, group: str) -> Cli:  # noqa: ARG001  # migrated by it
    return Cli(server_endpoint, group)


@pytest.fixture
def chat(tmp_path: Any) -> Callable[..., str]:
    """Write messages as a JSON Lines file and return its path."""

    def write(*messages: dict[str, str], name: str = "chat.jsonl") -> str:
        path = tmp_path / name
        path.write_text("".join(json.dumps(message) + "\n" for message in messages), encoding="utf-8")
        return str(path)

    return write
