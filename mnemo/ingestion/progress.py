"""How far a run of the pipeline has come, and where its time goes."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, TypeAlias

__all__ = ["STAGES", "Progress", "Report", "Stage", "Stopwatch", "silent"]

Stage: TypeAlias = Literal["fetch", "extract", "embed", "candidates", "settle", "write"]
STAGES: tuple[Stage, ...] = ("fetch", "extract", "embed", "candidates", "settle", "write")
"""In the order in which a window passes through them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What has just happened in one group."""

    group: str
    stage: Stage
    """The stage that one window, or a batch of them for fetch, has just passed."""
    done: int
    """Episodes finished in this run so far, failed ones included."""
    total: int
    """Episodes that this run knows of; may grow while messages come in."""


Report: TypeAlias = Callable[[Progress], None]
"""Called in the event loop after each stage; what it raises ends the run, as a crash there would."""


def silent(_: Progress) -> None:
    """Report nothing."""


class Stopwatch:
    """Adds up wall seconds by stage."""

    def __init__(self) -> None:
        """Start with no stage seen."""
        self._seconds: Counter[str] = Counter()

    @contextmanager
    def measure(self, stage: Stage) -> Iterator[None]:
        """Add the time until the block is left, however it is left."""
        start = perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] += perf_counter() - start  # type: ignore[assignment]  # Counter takes any number

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds of each stage that was entered, in the order of `STAGES`."""
        return {stage: float(self._seconds[stage]) for stage in STAGES if stage in self._seconds}
