import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from mnemo.errors import DiskError
from mnemo.files import disk_errors, locked, write_atomically


def test_file_is_replaced_atomically_without_leftovers(tmp_path: Path) -> None:
    write_atomically(tmp_path / "deep" / "file", "one")
    write_atomically(tmp_path / "deep" / "file", b"two")
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["file"]
    assert (tmp_path / "deep" / "file").read_bytes() == b"two"


def test_private_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    write_atomically(tmp_path / "password", "secret", mode=0o600)
    assert stat.S_IMODE((tmp_path / "password").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "permission denied"),
        (errno.EDQUOT, "quota"),
    ],
)
def test_disk_error_names_the_cause_and_the_path(number: int, words: str) -> None:
    with pytest.raises(DiskError, match=words) as caught, disk_errors(Path("/somewhere")):
        raise OSError(number, os.strerror(number), "/somewhere/file")
    assert caught.value.errno == number
    assert "/somewhere/file" in str(caught.value)


def test_file_in_place_of_a_folder_is_a_disk_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(DiskError, match="a file is in the way"):
        write_atomically(tmp_path / "home" / "file", "x")


def test_a_full_disk_is_a_disk_error() -> None:
    with pytest.raises(DiskError, match="the disk is full"), disk_errors(Path("/dev/full")):
        Path("/dev/full").write_bytes(b"x")


def test_lock_is_exclusive(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with locked(tmp_path / "lock"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 200
    assert max(most) == 1
