import json
import stat
from pathlib import Path

import pytest

from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.server.running import ANNOUNCEMENT, access_key, announced, is_loopback, listen


def settings_of(home: Path, **api: object) -> Settings:
    return Settings.model_validate({"home": home, "api": api, "neo4j": {"uri": None}})


def test_a_key_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    settings = settings_of(tmp_path / "home")
    key = access_key(settings)
    assert len(key) >= 32
    assert access_key(settings) == key
    assert stat.S_IMODE(settings.api_key_file.stat().st_mode) == 0o600


def test_the_settings_key_wins_and_is_written_nowhere(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, key="sixteen-letters-")
    assert access_key(settings) == "sixteen-letters-"
    assert not settings.api_key_file.exists()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])  # noqa: S104  # what is refused
def test_open_to_others_wants_a_key_of_the_settings(tmp_path: Path, host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(ConfigError, match="MNEMO_API__KEY"):
        access_key(settings_of(tmp_path, host=host))
    assert access_key(settings_of(tmp_path, host=host, key="sixteen-letters-"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_addresses_are_recognised(host: str) -> None:
    assert is_loopback(host)


def test_an_address_in_use_is_a_clear_error() -> None:
    with listen("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port}: it is in use"), listen("127.0.0.1", port):
            pass


def test_a_foreign_address_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"cannot listen on 192\.0\.2\.1"), listen("192.0.2.1", 0):
        pass


def test_the_server_is_announced_to_the_local_database_while_it_runs(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    settings.server_dir.mkdir()
    file = settings.server_dir / ANNOUNCEMENT
    with announced(settings, "http://127.0.0.1:1", "k"):
        assert json.loads(file.read_text(encoding="utf-8")) == {"url": "http://127.0.0.1:1", "key": "k"}
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.exists()


def test_the_announcement_of_a_later_server_stays(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    settings.server_dir.mkdir()
    with announced(settings, "http://127.0.0.1:1", "k"):
        (settings.server_dir / ANNOUNCEMENT).write_text("{}", encoding="utf-8")
    assert (settings.server_dir / ANNOUNCEMENT).read_text(encoding="utf-8") == "{}"


def test_nothing_is_announced_to_another_database(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    with announced(settings, "http://127.0.0.1:1", "k"):
        assert not settings.server_dir.exists()
