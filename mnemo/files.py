"""Files shared between processes: atomic writes, locks, disk errors that say what to do."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mnemo.errors import DiskError

__all__ = ["disk_errors", "locked", "write_atomically"]

_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "the disk quota is used up; free some space",
    errno.EROFS: "the disk is read-only; choose another folder with MNEMO_HOME",
    errno.EACCES: "permission denied; choose another folder with MNEMO_HOME",
    errno.EPERM: "permission denied; choose another folder with MNEMO_HOME",
    errno.ENOTDIR: "a file is in the way of the folder; move it or choose another with MNEMO_HOME",
    errno.EEXIST: "a file is in the way of the folder; move it or choose another with MNEMO_HOME",
}


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an `OSError` raised inside into a `DiskError` that names the path and says what to do.

    Args:
        path: What is being written, for the message.

    Raises:
        DiskError: With the original `errno`.
    """
    try:
        yield
    except DiskError:
        raise
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, error.strerror or type(error).__name__)
        raise DiskError(error.errno or 0, f"cannot write {error.filename or path}: {advice}") from error


def write_atomically(path: Path, data: str | bytes, *, mode: int = 0o644) -> None:
    """Write a whole file at once, creating its folder; the file has `mode` from the start.

    Readers see either the old or the new content, and so do they after a crash.

    Raises:
        DiskError: The disk is full or read-only, or the folder may not be written.
    """
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    content = data.encode() if isinstance(data, str) else data
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes; waits for it, and a crash releases it.

    Args:
        path: A file used for nothing but the lock; created if missing.

    Raises:
        DiskError: The file cannot be created.
    """
    from filelock import FileLock  # noqa: PLC0415  # 50 ms to import, and only writers need it

    lock = FileLock(path, is_singleton=False)
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
