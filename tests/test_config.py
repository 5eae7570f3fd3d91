"""Settings under their old names."""

import warnings
from pathlib import Path

import pytest

from mnemo import ConfigError, FormerNameWarning, Settings, load_settings

NOTICE = r"MNEMO_TREE__\* .* is now MNEMO_MEMTREE__\*"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a directory without a `.env` file."""
    monkeypatch.chdir(tmp_path)


def test_old_names_of_memtree_settings_are_read_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_TREE__ENABLED", "false")
    monkeypatch.setenv("MNEMO_TREE__RATE", "0.25")
    with pytest.warns(FormerNameWarning, match=NOTICE):
        settings = load_settings()
    assert (settings.memtree.enabled, settings.memtree.rate) == (False, 0.25)


def test_old_names_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MNEMO_TREE__RATE=0.25\n", encoding="utf-8")
    with pytest.warns(FormerNameWarning, match=NOTICE):
        assert load_settings().memtree.rate == 0.25


def test_current_name_takes_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_TREE__RATE", "0.25")
    monkeypatch.setenv("MNEMO_TREE__BATCH", "7")
    monkeypatch.setenv("MNEMO_MEMTREE__RATE", "0.75")
    with pytest.warns(FormerNameWarning, match=NOTICE):
        settings = load_settings()
    assert (settings.memtree.rate, settings.memtree.batch) == (0.75, 7)


def test_old_section_can_be_passed() -> None:
    with pytest.warns(FormerNameWarning, match=NOTICE):
        assert load_settings(tree={"rate": 0.25}).memtree.rate == 0.25


def test_invalid_value_under_an_old_name_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_TREE__RATE", "fast")
    with pytest.warns(FormerNameWarning, match=NOTICE), pytest.raises(ConfigError, match="MEMTREE__RATE"):
        load_settings()


def test_current_names_give_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_MEMTREE__RATE", "0.75")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Settings().memtree.rate == 0.75
