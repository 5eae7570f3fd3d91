"""The prepared network: the same bits as the artifact's, and never one that was altered."""

from pathlib import Path

import numpy as np
import pytest

from mnemo.config import Settings
from mnemo.providers.local_model import LocalModel

TEXTS = ["passage: I moved to Lisbon in May.", "query: Where is she?", "passage: ", "passage: 日本へ行きました"]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache with the downloaded artifacts and nothing prepared."""
    LocalModel(Settings().cache_dir)
    (tmp_path / "artifacts").symlink_to(Settings().cache_dir / "artifacts")
    return tmp_path


def prepared(cache: Path) -> Path:
    (found,) = (cache / "prepared").glob("*.onnx")
    return found


def test_prepared_network_gives_the_same_bits(cache: Path) -> None:
    first, second = LocalModel(cache), LocalModel(cache)
    assert prepared(cache).is_file()
    assert all(np.array_equal(first.vector(text), second.vector(text)) for text in TEXTS)


@pytest.mark.parametrize("damage", [b"", b"no network", None])
def test_damaged_network_is_prepared_again(cache: Path, damage: bytes | None) -> None:
    whole = LocalModel(cache).vector(TEXTS[0])
    path = prepared(cache)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if damage is None else damage)
    assert np.array_equal(LocalModel(cache).vector(TEXTS[0]), whole)
    assert path.read_bytes() == content


def test_network_that_cannot_be_kept_is_used_all_the_same(cache: Path) -> None:
    (cache / "prepared").write_text("a file in the way")
    assert np.isfinite(LocalModel(cache).vector(TEXTS[0])).all()
