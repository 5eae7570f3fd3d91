"""The server's process: detached from its parent, found again, stopped."""

import os
from collections.abc import Sequence
from pathlib import Path

import psutil

from mnemo.errors import StartError
from mnemo.files import disk_errors
from mnemo.launcher.home import Home
from mnemo.launcher.java import runtime
from mnemo.launcher.sizes import Sizes

__all__ = ["command", "end", "find", "has_ended", "spawn"]

_MAIN = "mnemo.launcher.Serve"
_KEPT_VARIABLES = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TZ", "USER")
_SMALL_HEAP_MB = 1024
_STOP_S = 60.0
_KILL_S = 10.0


def command(home: Home, class_path: Sequence[Path], sizes: Sizes, java_options: Sequence[str] = ()) -> list[str]:
    """Return the command line that serves a home folder.

    Args:
        home: The folder.
        class_path: All jars of the server.
        sizes: Memory of the server.
        java_options: Further options of the Java runtime, after ours.
    """
    collector = "-XX:+UseSerialGC" if sizes.heap_mb <= _SMALL_HEAP_MB else "-XX:+UseG1GC"
    return [
        str(runtime()),
        f"-Xms{min(sizes.heap_mb, 384)}m",
        f"-Xmx{sizes.heap_mb}m",
        collector,
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:-UsePerfData",
        f"-Djava.io.tmpdir={home.temporary}",
        "-Dfile.encoding=UTF-8",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
        *java_options,
        "-cp",
        ":".join(map(str, class_path)),
        _MAIN,
        "--home-dir",
        str(home.root),
        "--config-dir",
        str(home.conf),
    ]


def spawn(arguments: Sequence[str], log: Path) -> psutil.Process:
    """Start a detached process that outlives its parent.

    Args:
        arguments: The program and its arguments.
        log: Overwritten with the program's output.

    Raises:
        StartError: The program cannot be run.
        DiskError: The log cannot be written.
    """
    with disk_errors(log):
        log.write_bytes(b"")
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(log), flags, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    try:
        pid = os.posix_spawn(arguments[0], list(arguments), environment, file_actions=actions, setsid=True)
        return psutil.Process(pid)
    except (OSError, psutil.NoSuchProcess) as error:
        message = f"cannot run {arguments[0]}: {type(error).__name__}; run `mnemo doctor`"
        raise StartError(message) from error


def find(home: Home) -> list[psutil.Process]:
    """Return the processes that serve this home folder, whether recorded or not."""
    return [process for process in psutil.process_iter() if _serves(process, str(home.root))]


def has_ended(process: psutil.Process) -> bool:
    """Return whether the process has exited; reap it if it is our child."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            _reap(process)
            return True
        return not process.is_running()
    except psutil.NoSuchProcess:
        return True


def end(process: psutil.Process) -> None:
    """Ask a process to stop, wait up to a minute, then kill it.

    Raises:
        StartError: The process is still running.
    """
    try:
        process.terminate()
        _wait(process, _STOP_S)
        if not has_ended(process):
            process.kill()
            _wait(process, _KILL_S)
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        message = f"process {process.pid} belongs to another user; stop it as that user"
        raise StartError(message) from error
    if not has_ended(process):
        message = f"process {process.pid} is still running after SIGKILL"
        raise StartError(message)


def _wait(process: psutil.Process, timeout_s: float) -> None:
    psutil.wait_procs([process], timeout=timeout_s)


def _reap(process: psutil.Process) -> None:
    try:
        os.waitpid(process.pid, os.WNOHANG)
    except ChildProcessError:
        return  # not our child: its parent reaps it


def _serves(process: psutil.Process, root: str) -> bool:
    try:
        arguments = process.cmdline()
    except psutil.Error:
        return False
    return _MAIN in arguments and root in arguments
