"""Progress of a run over several groups, and the time spent in each stage."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Literal, TypeAlias

from mnemo.models.progress import OnProgress, Progress

__all__ = ["STAGES", "IngestionStage", "RunProgress", "Stopwatch"]

IngestionStage: TypeAlias = Literal["fetch", "extract", "embed", "candidates", "settle", "write"]
STAGES: tuple[IngestionStage, ...] = ("fetch", "extract", "embed", "candidates", "settle", "write")
"""The stages of a window, in order."""


class RunProgress:
    """Reports progress summed over the groups of a run."""

    def __init__(self, on_progress: OnProgress) -> None:
        """Start without groups.

        Args:
            on_progress: Called after each stage with the finished and total episodes of all groups; failed
                episodes count as finished. `counts` has the non-zero ones of `entities`, `facts`, `calls`, `dropped`
                (parts of replies) and `fallback` (episodes read by the local extractor).
        """
        self._on_progress = on_progress
        self._episodes: dict[str, tuple[int, int]] = {}
        self._counts: dict[str, Mapping[str, float]] = {}

    def update(self, group: str, progress: Progress) -> None:
        """Report that a group finished a stage, with its episodes and counts so far."""
        self._episodes[group] = (progress.done, progress.total)
        self._counts[group] = progress.counts
        episodes = self._episodes.values()
        counts: Counter[str] = Counter()
        for each in self._counts.values():
            counts.update(each)
        self._on_progress(
            Progress(
                stage=progress.stage,
                done=sum(done for done, _ in episodes),
                total=sum(total for _, total in episodes),
                counts=dict(counts),
            )
        )


class Stopwatch:
    """Sums wall-clock seconds by stage."""

    def __init__(self) -> None:
        """Start at zero."""
        self._seconds: Counter[str] = Counter()

    @contextmanager
    def measure(self, stage: IngestionStage) -> Iterator[None]:
        """Add the time that the block takes, even if it raises."""
        start = perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] += perf_counter() - start  # type: ignore[assignment]  # Counter takes any number

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds of each stage that ran, in the order of `STAGES`."""
        return {stage: float(self._seconds[stage]) for stage in STAGES if stage in self._seconds}
