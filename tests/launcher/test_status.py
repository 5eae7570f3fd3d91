import socket
from pathlib import Path

import pytest

from mnemo.config import Settings
from mnemo.errors import (
    ConfigError,
    StoreAuthError,
    StoreError,
    StoreReadOnlyError,
    StoreTransientError,
    StoreUnavailableError,
    StoreVersionError,
)
from mnemo.launcher import USABLE, browser_url, doctor, status
from mnemo.launcher.inspection import Inspection, condition_of


def _external(tmp_path: Path, uri: str, **neo4j: str) -> Settings:
    return Settings.model_validate({"home": tmp_path, "neo4j": {"uri": uri, "password": "x", **neo4j}})


@pytest.mark.parametrize(
    ("error", "condition"),
    [
        (StoreAuthError(""), "auth"),
        (StoreVersionError(""), "too_old"),
        (StoreReadOnlyError(""), "read_only"),
        (StoreUnavailableError(""), "unreachable"),
        (StoreTransientError(""), "unreachable"),
        (StoreError(""), "failed"),
    ],
)
def test_each_way_to_fail_has_its_word(error: StoreError, condition: str) -> None:
    assert condition_of(error) == condition
    assert condition not in USABLE


@pytest.mark.parametrize(
    ("plugin", "same", "writable", "condition"),
    [
        ("0.1.0", True, True, "ready"),
        ("0.0.9", False, True, "other_plugin"),
        (None, False, True, "no_plugin"),
        ("0.1.0", True, False, "read_only"),
        (None, False, False, "read_only"),
    ],
)
def test_what_hinders_most_comes_first(plugin: str | None, same: bool, writable: bool, condition: str) -> None:  # noqa: FBT001  # a table of cases
    found = Inspection(version="2026.09.0", plugin=plugin, same_plugin=same, writable=writable)
    assert found.condition == condition


def test_a_server_that_nobody_runs_is_unreachable(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    found = status(_external(tmp_path, f"bolt://127.0.0.1:{port}"))
    assert (found.kind, found.condition, found.uri) == ("external", "unreachable", f"bolt://127.0.0.1:{port}")
    assert "cannot be reached" in found.message


@pytest.mark.parametrize(
    ("uri", "address"),
    [
        ("bolt://db.example:7999", "http://db.example:7474/browser/?dbms=bolt://ann@db.example:7999&db=shop"),
        ("neo4j+s://db.example", "https://db.example:7473/browser/?dbms=neo4j%2Bs://ann@db.example&db=shop"),
        ("neo4j+s://abc.databases.neo4j.io", "https://console.neo4j.io"),
    ],
)
def test_the_browser_of_another_server(tmp_path: Path, uri: str, address: str) -> None:
    assert browser_url(_external(tmp_path, uri, username="ann", database="shop")) == address


@pytest.mark.parametrize("uri", ["http://db.example", "bolt://", "neo4j://ann:secret@db.example", "bolt://h:x"])
def test_an_address_of_no_server_is_refused_without_repeating_it(tmp_path: Path, uri: str) -> None:
    with pytest.raises(ConfigError, match="NEO4J_URI") as caught:
        status(_external(tmp_path, uri))
    assert "secret" not in str(caught.value)
    failed = [check for check in doctor(_external(tmp_path, uri)) if check.outcome == "failed"]
    assert [check.name for check in failed] == ["server"]


def test_doctor_of_a_fresh_machine_fails_nothing_and_makes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "not-yet"
    settings = Settings.model_validate({"home": home, "neo4j": {"uri": None}})
    checks = {check.name: check for check in doctor(settings)}
    assert [name for name, check in checks.items() if check.outcome == "failed"] == []
    assert "242 of 242 files missing" in checks["artifact neo4j"].detail
    assert checks["password"].detail == "created at the first start"
    assert not home.exists()


def test_doctor_warns_of_a_taken_port_too_much_memory_and_an_open_password(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "password").write_text("x")
    (tmp_path / "server" / "password").chmod(0o644)
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings = Settings.model_validate(
            {
                "home": tmp_path,
                "neo4j": {"uri": None},
                "server": {"bolt_port": server.getsockname()[1], "heap_mb": 9_000_000},
            },
        )
        checks = {check.name: check for check in doctor(settings)}
    assert {name for name in ("bolt port", "memory", "password") if checks[name].outcome == "warning"} == {
        "bolt port",
        "memory",
        "password",
    }


def test_doctor_says_when_the_home_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = Settings.model_validate({"home": tmp_path / "file" / "home", "neo4j": {"uri": None}})
    checks = {check.name: check for check in doctor(settings)}
    assert checks["disk"].outcome == "failed"
    assert "MNEMO_HOME" in checks["disk"].detail
