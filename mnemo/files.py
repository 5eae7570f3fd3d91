"""Files that other processes may be reading or writing: atomic writes, locks, clear disk errors."""

import errno
import fcntl
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
    """Turn an `OSError` inside into a `DiskError` that names the path and says what to do.

    Args:
        path: What was being written, for the message.

    Raises:
        DiskError: Carries the original `errno`.
    """
    try:
        yield
    except DiskError:
        raise
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, error.strerror or type(error).__name__)
        raise DiskError(error.errno or 0, f"cannot write {error.filename or path}: {advice}") from error


def write_atomically(path: Path, data: str | bytes, *, mode: int = 0o644) -> None:
    """Put a whole file in place at once, made with `mode` from the start; its folder is made too.

    A reader sees the old content or the new, and a crash leaves one of the two.

    Raises:
        DiskError: The disk is full, read-only, or the folder is not permitted.
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
    """Hold an exclusive lock on a file between processes; waits for it, a crash lets it go.

    Args:
        path: A file of its own for the lock, made if missing and left there.

    Raises:
        DiskError: The file cannot be made.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
