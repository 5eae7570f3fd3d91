"""Pinned files from Maven Central: downloaded once, checked by SHA-256, kept in the cache folder.

`artifacts.lock` beside this module lists them (`scripts/pin-artifacts` writes it). A cached file with
the right hash is used without any network; an incomplete or altered one is downloaded again.
"""

import hashlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mnemo.errors import ArtifactError
from mnemo.files import disk_errors, locked
from mnemo.models.progress import OnProgress, Progress, ignore_progress

if TYPE_CHECKING:
    from jgo.maven import MavenContext

__all__ = ["Pin", "artifact", "fetch", "missing", "pins"]


_LOCK_FILE = Path(__file__).with_name("artifacts.lock")
_PARTIAL = "partial-"
_AT_ONCE = 8
_TRIES = 3
_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One file of a Maven repository."""

    group: str
    name: str
    version: str
    classifier: str = ""
    """Variant of the main file, such as linux-x86_64."""
    size: int
    """In bytes."""
    sha256: str
    """In hexadecimal."""

    @property
    def file_name(self) -> str:
        """File name in the cache folder, unique among the pins."""
        parts = (self.name, self.version, self.classifier)
        return "-".join(part for part in parts if part) + ".jar"

    def is_at(self, path: Path) -> bool:
        """Return whether the file at `path` has the pinned size and hash."""
        try:
            if path.stat().st_size != self.size:
                return False
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
        except OSError:
            return False


@cache
def pins(name: str) -> tuple[Pin, ...]:
    """Return the files that make up one artifact, in class-path order.

    Args:
        name: A section of the lock file: neo4j, ecj, or e5-small-v2-q.

    Raises:
        ArtifactError: There is no such section.
    """
    found = tuple(_pins(_LOCK_FILE.read_text(encoding="utf-8"), name))
    if not found:
        message = f"{_LOCK_FILE.name} has no artifact {name!r}"
        raise ArtifactError(message)
    return found


def missing(cache_dir: Path, name: str) -> tuple[Pin, ...]:
    """Return the files of an artifact that are missing from the cache or altered."""
    pinned = pins(name)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        cached = pool.map(lambda pin: pin.is_at(_folder(cache_dir) / pin.file_name), pinned)
    return tuple(pin for pin, is_cached in zip(pinned, cached, strict=True) if not is_cached)


def fetch(cache_dir: Path, names: Sequence[str], on_progress: OnProgress = ignore_progress) -> tuple[Path, ...]:
    """Download artifacts that are not in the cache, and return their paths.

    Hashes every file at each call (about 0.1 s for the whole server). Several processes may call it
    at once: one downloads, the others wait for it.

    Args:
        cache_dir: Kept between runs; nothing is written outside it.
        names: Sections of the lock file.
        on_progress: Called with the bytes downloaded.

    Returns:
        The files of all of them, in the order of the lock file within each name.

    Raises:
        ArtifactError: A download failed, or did not have the pinned hash, three times.
        DiskError: The cache folder cannot be written.
    """
    if any(missing(cache_dir, name) for name in names):
        with locked(_folder(cache_dir) / "lock"):
            absent = dict.fromkeys(pin for name in names for pin in missing(cache_dir, name))
            _download_all(_folder(cache_dir), tuple(absent), on_progress)
    return tuple(_folder(cache_dir) / pin.file_name for name in names for pin in pins(name))


def artifact(cache_dir: Path, name: str, on_progress: OnProgress = ignore_progress) -> Path:
    """Return the path of an artifact that consists of one file; otherwise as `fetch`."""
    (path,) = fetch(cache_dir, [name], on_progress)
    return path


def _folder(cache_dir: Path) -> Path:
    return cache_dir / "artifacts"


def _pins(text: str, name: str) -> Iterator[Pin]:
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#") and section == name:
            coordinate, size, sha256 = line.split()
            group, artifact_name, version, *rest = coordinate.split(":")
            yield Pin(
                group=group,
                name=artifact_name,
                version=version,
                classifier="".join(rest),
                size=int(size),
                sha256=sha256,
            )


def _download_all(folder: Path, absent: Sequence[Pin], on_progress: OnProgress) -> None:
    """Download into a temporary folder, check, and move into place; the caller holds the lock."""
    if not absent:
        return
    for leftover in folder.glob(f"{_PARTIAL}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    with disk_errors(folder):
        partial = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=folder))
    meter = _Meter(on_progress, sum(pin.size for pin in absent))
    try:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for _ in pool.map(lambda pin: _download(pin, partial, folder, meter), absent):
                pass
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _download(pin: Pin, partial: Path, folder: Path, meter: "_Meter") -> None:
    problem = ""
    for attempt in range(_TRIES):
        try:
            with disk_errors(folder):
                path = _get(pin, partial / f"{pin.file_name}.{attempt}", meter)
                if pin.is_at(path):
                    path.replace(folder / pin.file_name)
                    return
            problem = "the downloaded file does not have the pinned hash"
        except _DownloadError as error:
            problem = str(error)
    message = f"cannot fetch {pin.group}:{pin.name}:{pin.version}: {problem}; check the network and run it again"
    raise ArtifactError(message)


class _DownloadError(Exception):
    """One attempt failed."""


def _get(pin: Pin, repository: Path, meter: "_Meter") -> Path:
    """Download one file with jgo into a repository folder."""
    import requests  # noqa: PLC0415  # jgo's HTTP client: 0.2 s to import, and only a first start needs it

    try:
        component = _maven(repository, meter).project(pin.group, pin.name).at_version(pin.version)
        return Path(component.artifact(classifier=pin.classifier).resolve())
    except (requests.RequestException, RuntimeError) as error:
        message = f"{type(error).__name__}"
        raise _DownloadError(message) from error


def _maven(repository: Path, meter: "_Meter") -> "MavenContext":
    from jgo.maven import MavenContext, PythonResolver  # noqa: PLC0415  # as above

    resolver = PythonResolver(progress_callback=meter.file)
    return MavenContext(resolver=resolver, repo_cache=repository, timeout=_TIMEOUT_S)


class _Meter:
    """Adds up downloaded bytes over threads and reports each thousandth; bytes of failed attempts are subtracted."""

    def __init__(self, on_progress: OnProgress, total: int) -> None:
        self._on_progress, self._total = on_progress, total
        self._done = self._shown = 0
        self._lock = threading.Lock()

    @contextmanager
    def file(self, _name: str, _size: int) -> Iterator[Callable[[int], None]]:
        """Count one file; jgo's progress callback."""
        counted = 0

        def update(count: int) -> None:
            nonlocal counted
            counted += count
            self._add(count)

        try:
            yield update
        except BaseException:
            self._add(-counted)
            raise

    def _add(self, count: int) -> None:
        with self._lock:
            self._done += count
            done = min(self._done, self._total)
            if done == self._total or done - self._shown >= self._total // 1000:
                self._shown = done
                self._on_progress(Progress(stage="download", done=done, total=self._total))
