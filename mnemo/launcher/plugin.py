"""The plugin's jar and the server's main class, built from source into the cache once per source."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mnemo.artifacts import fetch, pins
from mnemo.errors import LauncherError
from mnemo.files import disk_errors, locked, write_atomically
from mnemo.launcher.java import RELEASE, compile_sources, jar
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.store.queries import cypher_root
from mnemo.version import VERSION

__all__ = ["JAR_NAME", "build_id", "neo4j_version", "plugin_jar", "server_jar"]

JAR_NAME = "mnemo-procedures.jar"

_MAIN = Path(__file__).with_name("java") / "Serve.java"


def neo4j_version() -> str:
    """Return the version of the pinned server, such as 2026.09.0."""
    return next(pin.version for pin in pins("neo4j") if (pin.group, pin.name) == ("org.neo4j", "neo4j"))


@cache
def build_id() -> str:
    """Return the SHA-256 of everything the plugin is built from: sources, statements, versions.

    Computed once per process.
    """
    return _digest(
        [
            (str(RELEASE), neo4j_version().encode()),
            ("version", VERSION.encode()),
            *((name, path.read_bytes()) for name, path in _sources()),
            *((name, path.read_bytes()) for name, path in _statements()),
        ]
    )


def plugin_jar(cache_dir: Path, on_progress: OnProgress = ignore_progress) -> Path:
    """Return the plugin built from the sources that are installed with mnemo.

    Raises:
        LauncherError: The sources are missing or do not compile.
        ArtifactError: A dependency cannot be downloaded.
        DiskError: The cache folder cannot be written.
    """
    build = build_id()
    extras = {
        "mnemo/version": VERSION.encode(),
        "mnemo/build": build.encode(),
        **{f"mnemo/cypher/{name}": path.read_bytes() for name, path in _statements()},
    }
    sources = [path for _, path in _sources()]
    return _built(cache_dir / "built" / build[:16] / JAR_NAME, sources, extras, cache_dir, on_progress)


def server_jar(cache_dir: Path, on_progress: OnProgress = ignore_progress) -> Path:
    """Return a jar with the server's main class, `mnemo.launcher.Serve`; raises as `plugin_jar`."""
    key = _digest([(neo4j_version(), _MAIN.read_bytes())])
    return _built(cache_dir / "built" / key[:16] / "mnemo-serve.jar", [_MAIN], {}, cache_dir, on_progress)


def _built(
    target: Path, sources: list[Path], extras: dict[str, bytes], cache_dir: Path, on_progress: OnProgress
) -> Path:
    if target.is_file():
        return target
    class_path = fetch(cache_dir, ["neo4j", "ecj"], on_progress)
    with locked(cache_dir / "built" / "lock"):
        if not target.is_file():
            on_progress(Progress(stage="compile", done=0, total=1))
            with disk_errors(target), tempfile.TemporaryDirectory(dir=cache_dir / "built") as folder:
                compile_sources(sources, class_path, Path(folder), cache_dir)
                write_atomically(target, jar({**_classes(Path(folder)), **extras}))
            on_progress(Progress(stage="compile", done=1, total=1))
    return target


def _classes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.class")}


def _sources() -> list[tuple[str, Path]]:
    root = cypher_root() / "procedures" / "src" / "main" / "java"
    found = list(_files(root, ".java"))
    if not found:
        message = f"the plugin's sources are missing from {root}; reinstall mnemo"
        raise LauncherError(message)
    return found


def _statements() -> list[tuple[str, Path]]:
    return [(name, path) for name, path in _files(cypher_root(), ".cypher") if not name.startswith("procedures/")]


def _files(root: Path, suffix: str) -> Iterator[tuple[str, Path]]:
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            if name.endswith(suffix):
                path = Path(folder) / name
                yield path.relative_to(root).as_posix(), path


def _digest(parts: list[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for name, content in parts:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
