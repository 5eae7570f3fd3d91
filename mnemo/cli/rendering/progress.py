"""Long work as a person sees it: bars with a time to go; JSON lines where nobody looks at a terminal."""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
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

from mnemo.models.progress import Progress

__all__ = ["Meter", "metering"]

_LINE_EVERY_S = 5.0


@dataclass(slots=True)
class Meter:
    """Shows how far named stages have come; an `OnProgress`."""

    console: Console
    bars: Bars | None
    tasks: dict[str, TaskID] = field(default_factory=dict)
    said: dict[str, float] = field(default_factory=dict)

    def __call__(self, progress: Progress) -> None:
        """Move the stage's bar, or print a line at its start, its end and every five seconds in between."""
        stage, done, total = progress.stage, progress.done, max(progress.total, 1)
        if self.bars is None:
            self._line(stage, done, total, progress.counts)
            return
        if stage not in self.tasks:
            self.tasks[stage] = self.bars.add_task(stage, total=total)
        fallback = progress.counts.get("fallback")
        shown = f"{stage}, {fallback:,} episodes by the local extractor" if fallback else stage
        self.bars.update(self.tasks[stage], completed=done, total=total, description=shown)

    def _line(self, stage: str, done: int, total: int, counts: Mapping[str, float]) -> None:
        now = time.monotonic()
        if stage in self.said and done < total and now - self.said[stage] < _LINE_EVERY_S:
            return
        self.said[stage] = now
        line = {"stage": stage, "done": done, "total": total, **({"counts": dict(counts)} if counts else {})}
        print(json.dumps(line), file=sys.stderr, flush=True)


@contextmanager
def metering(console: Console, *, unit: str = "steps", quiet: bool = False) -> Iterator[Meter]:
    """Show stages while the block runs.

    Args:
        console: Where; a terminal gets bars, anything else gets a JSON line a stage.
        unit: `bytes` counts in bytes and their rate; anything else counts from 0 to the total.
        quiet: Show nothing.
    """
    if quiet:
        yield Meter(Console(quiet=True), Bars(disable=True))
        return
    if not console.is_terminal:
        yield Meter(console, None)
        return
    size = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), size, TimeRemainingColumn())
    with Bars(*columns, console=console, transient=True) as bars:
        yield Meter(console, bars)
