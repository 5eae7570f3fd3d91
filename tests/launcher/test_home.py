import stat
from pathlib import Path

import pytest

from mnemo.errors import DiskError, StartError
from mnemo.launcher.home import Home, Ports, auth_line, configuration
from mnemo.launcher.sizes import Sizes

PORTS = Ports(bolt=7687, http=7474)
SIZES = Sizes(heap_mb=512, page_cache_mb=128)


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    jar = tmp_path / "built.jar"
    jar.write_bytes(b"jar")
    return jar


def test_the_first_password_is_hashed_as_neo4j_reads_it() -> None:
    line = auth_line("secret", bytes(range(32)))
    kind, digest, salt, rounds = line.removesuffix(":\n").split(":")[1].split(",")
    assert line.startswith("neo4j:")
    assert (kind, salt, rounds) == ("SHA-256", bytes(range(32)).hex().upper(), "1024")
    assert digest == auth_line("secret", bytes(range(32))).split(",")[1] != auth_line("secret").split(",")[1]
    assert "secret" not in line


def test_the_configuration_keeps_to_itself() -> None:
    lines = configuration(PORTS, SIZES).splitlines()
    for line in (
        "server.default_listen_address=127.0.0.1",
        "server.bolt.listen_address=127.0.0.1:7687",
        "server.http.listen_address=127.0.0.1:7474",
        "dbms.security.auth_enabled=true",
        "dbms.usage_report.enabled=false",
        "client.allow_telemetry=false",
        "db.logs.query.enabled=OFF",
        "server.memory.pagecache.size=128m",
        "internal.dbms.index.vector.standard_merge_factor=4",
    ):
        assert line in lines


def test_a_home_is_made_private_with_a_password_of_its_own(tmp_path: Path, plugin: Path) -> None:
    first, second = Home(tmp_path / "a"), Home(tmp_path / "b")
    passwords = {home.prepare(PORTS, SIZES, plugin) for home in (first, second)}
    assert len(passwords) == 2
    assert stat.S_IMODE(first.root.stat().st_mode) == 0o700
    assert stat.S_IMODE((first.root / "password").stat().st_mode) == 0o600
    assert stat.S_IMODE((first.root / "data" / "dbms" / "auth.ini").stat().st_mode) == 0o600
    assert [path.read_bytes() for path in first.plugins.iterdir()] == [b"jar"]


def test_a_half_made_home_keeps_its_password_and_is_finished(tmp_path: Path, plugin: Path) -> None:
    home = Home(tmp_path / "a")
    password = home.prepare(PORTS, SIZES, plugin)
    (home.conf / "neo4j.conf").write_text("half")
    (home.root / "data" / "dbms" / "auth.ini").unlink()
    (home.temporary / "left").write_text("")
    assert home.prepare(PORTS, SIZES, plugin) == password
    assert (home.conf / "neo4j.conf").read_text() == configuration(PORTS, SIZES)
    assert (home.root / "data" / "dbms" / "auth.ini").exists()
    assert list(home.temporary.iterdir()) == []


def test_a_lost_password_is_not_replaced(tmp_path: Path, plugin: Path) -> None:
    home = Home(tmp_path / "a")
    home.prepare(PORTS, SIZES, plugin)
    home.marker.write_text("")
    (home.root / "password").unlink()
    with pytest.raises(StartError, match="is missing"):
        home.prepare(PORTS, SIZES, plugin)


def test_a_file_in_the_way_is_a_disk_error(tmp_path: Path, plugin: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(DiskError):
        Home(tmp_path / "a").prepare(PORTS, SIZES, plugin)


def test_the_last_lines_leave_out_the_runtimes_warnings(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert home.last_lines() == ""
    home.console_log.parent.mkdir()
    home.console_log.write_text("one\nWARNING: sun.misc.Unsafe\n\ntwo\nthree\n")
    assert home.last_lines(2) == "two\nthree"
