"""Adds what both hierarchies did to the result of an ingestion run. Pure."""

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.config import IngestionSettings
from mnemo.models.results import Processed, Usage

if TYPE_CHECKING:
    from mnemo.hierarchy.memtree.tree import MemtreeRun

__all__ = ["calls_left", "with_memtree", "with_renaming"]

_CALLS_A_WINDOW = 2
"""Requests to the LLM per window that the profile `fast` allows."""


def calls_left(run: Processed, settings: IngestionSettings) -> int | None:
    """Return how many requests to the LLM the profile still allows after a run; None is no limit."""
    if settings.profile == "paper":
        return None
    windows = -(-(run.done + run.failed) // settings.window)
    return max(0, _CALLS_A_WINDOW * windows - run.usage.calls)


def with_renaming(run: Processed, usage: Usage) -> Processed:
    """Add the cost of renaming categories."""
    return replace(run, usage=run.usage + usage)


def with_memtree(run: Processed, grown: "MemtreeRun") -> Processed:
    """Add what the memtree inserted, what it cost and why it stopped."""
    seconds = {**run.seconds, "memtree": grown.seconds} if grown.leaves else run.seconds
    return replace(
        run,
        leaves=grown.leaves,
        leafless=grown.left,
        stopped=run.stopped or grown.stopped,
        usage=run.usage + grown.usage,
        reasons={**run.reasons, **grown.reasons},
        seconds=seconds,
    )
