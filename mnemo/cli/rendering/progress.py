"""Progress of long work: bars on a terminal, JSON lines with `--json`, nothing in a pipe."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import (
    Progress as Bars,
)

from mnemo.cli.rendering.output import Output
from mnemo.models.progress import OnProgress, Progress, ignore_progress

__all__ = ["progress_bars"]

_LINE_EVERY_S = 5.0


@contextmanager
def progress_bars(output: Output, *, unit: Literal["bytes", "steps"] = "steps") -> Iterator[OnProgress]:
    """Show progress while the block runs.

    Args:
        output: Of the command.
        unit: What the stages count.
    """
    if output.json:
        yield _Lines()
        return
    console = output.notes
    if not console.is_terminal:
        yield ignore_progress
        return
    size = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), size, TimeRemainingColumn())
    with Bars(*columns, console=console, transient=True) as bars:
        yield _Bars(bars)


class _Bars:
    """A bar for each stage."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, progress: Progress) -> None:
        stage, total = progress.stage, max(progress.total, 1)
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total)
        fallback = progress.counts.get("fallback")
        shown = f"{stage}, {fallback:,} episodes by the local extractor" if fallback else stage
        self._bars.update(self._tasks[stage], completed=progress.done, total=total, description=shown)


class _Lines:
    """A JSON line on stderr at the start and end of each stage, and every five seconds between."""

    def __init__(self) -> None:
        self._printed_at: dict[str, float] = {}

    def __call__(self, progress: Progress) -> None:
        now, stage = time.monotonic(), progress.stage
        last = self._printed_at.get(stage)
        if last is not None and progress.done < progress.total and now - last < _LINE_EVERY_S:
            return
        self._printed_at[stage] = now
        line: dict[str, object] = {"stage": stage, "done": progress.done, "total": max(progress.total, 1)}
        if progress.counts:
            line["counts"] = dict(progress.counts)
        print(json.dumps(line), file=sys.stderr, flush=True)
