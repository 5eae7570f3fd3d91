import hashlib
import multiprocessing
from pathlib import Path

import pytest

from mnemo.artifacts import Pin, artifact, fetch, missing, pins
from mnemo.config import Settings
from mnemo.errors import ArtifactError, DiskError
from mnemo.models.progress import Progress


@pytest.fixture(scope="session")
def usual_cache() -> Path:
    cache = Settings().cache_dir
    fetch(cache, ["neo4j", "ecj"])
    return cache


def test_every_pin_has_a_hash_a_size_and_a_unique_name() -> None:
    found = [pin for name in ("neo4j", "ecj", "e5-small-v2-q") for pin in pins(name)]
    assert len({pin.file_name for pin in found}) == len(found) == 244
    assert all(len(pin.sha256) == 64 and pin.size > 0 for pin in found)


def test_unpinned_artifact_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match=r"artifacts\.lock has no artifact 'log4j'"):
        artifact(tmp_path, "log4j")


def test_file_of_another_size_or_content_is_not_accepted(tmp_path: Path) -> None:
    pin = Pin(group="g", name="n", version="1", size=3, sha256=hashlib.sha256(b"abc").hexdigest())
    path = tmp_path / pin.file_name
    assert not pin.is_at(path)
    for content, expected in ((b"abc", True), (b"abd", False), (b"ab", False)):
        path.write_bytes(content)
        assert pin.is_at(path) is expected


def test_a_classifier_is_part_of_the_file_name() -> None:
    pin = Pin(group="g", name="epoll", version="4", classifier="linux-x86_64", size=1, sha256="")
    assert pin.file_name == "epoll-4-linux-x86_64.jar"


def _linked(usual_cache: Path, cache: Path) -> Path:
    folder = cache / "artifacts"
    folder.mkdir(parents=True)
    for path in (usual_cache / "artifacts").glob("*.jar"):
        (folder / path.name).symlink_to(path)
    return folder


def test_cached_file_is_used_without_network_or_writing(usual_cache: Path, tmp_path: Path) -> None:
    folder = _linked(usual_cache, tmp_path)
    folder.chmod(0o500)
    calls: list[tuple[str, int, int]] = []
    paths = fetch(tmp_path, ["neo4j", "ecj"], lambda *step: calls.append(step))
    assert len(paths) == 243
    assert calls == []
    assert not (folder / "lock").exists()


def test_incomplete_or_altered_file_is_downloaded_again(usual_cache: Path, tmp_path: Path) -> None:
    folder = _linked(usual_cache, tmp_path)
    (pin,) = pins("ecj")
    whole = (folder / pin.file_name).read_bytes()
    (folder / pin.file_name).unlink()
    (folder / pin.file_name).write_bytes(whole[: len(whole) // 2])
    (folder / "partial-of-a-killed-run").mkdir()
    calls: list[Progress] = []
    assert artifact(tmp_path, "ecj", calls.append).read_bytes() == whole
    assert calls[-1] == Progress(stage="download", done=pin.size, total=pin.size)
    assert [call.done for call in calls] == sorted(call.done for call in calls)
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".jar") == ["lock"]
    (folder / pin.file_name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert missing(tmp_path, "ecj") == (pin,)


def _fetch_in_process(cache: Path) -> None:
    artifact(cache, "ecj")


def test_concurrent_downloads_both_succeed(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_fetch_in_process, args=(tmp_path,)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert missing(tmp_path, "ecj") == ()


def test_cache_folder_that_cannot_be_created_is_a_disk_error(tmp_path: Path) -> None:
    (tmp_path / "artifacts").write_text("")
    with pytest.raises(DiskError, match="a file is in the way"):
        artifact(tmp_path, "ecj")


def test_download_without_network_is_an_error_that_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(ArtifactError, match=r"cannot fetch org\.eclipse\.jdt:ecj:.*ProxyError"):
        artifact(tmp_path, "ecj")
