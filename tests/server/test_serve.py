"""`mnemo serve` as a process: prints its address, answers, and ends when interrupted."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from mnemo.server.protocol import HEADERS_S
from mnemo.server.running import ANNOUNCEMENT
from support.paths import ROOT

COMMAND = [sys.executable, "-c", "from mnemo.cli import main; main()", "serve", "--json"]


@contextmanager
def served(home: Path, *arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run the server without a reachable database; return the process and its printed announcement."""
    given = os.environ | {"NEO4J_URI": "bolt://127.0.0.1:1", "MNEMO_HOME": str(home), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(  # noqa: S603  # our own command
        [*COMMAND, *arguments], env=given | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stderr
    try:
        lines: list[str] = []
        while not lines or lines[-1].rstrip() not in {"}", ""}:
            lines.append(process.stdout.readline())
        yield process, json.loads("".join(lines) or "{}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def test_server_prints_its_address_answers_and_ends_when_interrupted(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (process, said):
        assert httpx.get(f"{said['url']}/v1/health").json()["service"] == "mnemo"
        key = Path(said["key_file"]).read_text(encoding="utf-8").strip()
        body = {"group": "g", "question": "Who?"}
        assert httpx.post(f"{said['url']}/v1/recall", json=body).status_code == 401
        headers = {"Authorization": f"Bearer {key}"}
        answer = httpx.post(f"{said['url']}/v1/recall", json=body, headers=headers, timeout=60)
        assert (answer.status_code, answer.json()["error"]["retryable"]) == (503, True)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in {0, 130, -signal.SIGINT}


@pytest.mark.parametrize("host", ["0.0.0.0"])  # noqa: S104  # rejected host
def test_server_open_to_others_does_not_start_without_a_key(tmp_path: Path, host: str) -> None:
    with served(tmp_path, "--host", host, "--port", "0") as (process, said):
        assert said == {}
        assert process.wait(30) == 1
        assert process.stderr
        assert "MNEMO_API__KEY" in process.stderr.read()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_announcement_is_removed_when_the_server_is_ended(tmp_path: Path, kind: signal.Signals) -> None:
    (tmp_path / "server").mkdir()
    with served(tmp_path, "--port", "0", NEO4J_URI="") as (process, said):
        assert said["url"]
        assert (tmp_path / "server" / ANNOUNCEMENT).exists()
        process.send_signal(kind)
        process.wait(30)
        assert not (tmp_path / "server" / ANNOUNCEMENT).exists()


def test_client_that_sends_no_whole_request_is_sent_away(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0") as (_, said):
        host, port = httpx.URL(said["url"]).host, httpx.URL(said["url"]).port
        with socket.create_connection((host, port or 0), timeout=HEADERS_S + 10) as slow:
            slow.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: x\r\n")
            assert slow.recv(1) == b""


def test_connections_over_the_limit_are_refused(tmp_path: Path) -> None:
    with served(tmp_path, "--port", "0", MNEMO_API__MAX_CONNECTIONS="2") as (_, said), ExitStack() as held:
        address = httpx.URL(said["url"])
        for _ in range(2):
            held.enter_context(socket.create_connection((address.host, address.port or 0), timeout=10))
        time.sleep(0.2)  # until the server has accepted both
        assert httpx.get(f"{said['url']}/v1/health").status_code == 503
        held.close()
        time.sleep(0.2)
        assert httpx.get(f"{said['url']}/v1/health").status_code == 200
