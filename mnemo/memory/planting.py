"""What processing and both hierarchies came to together: pure."""

from dataclasses import replace

from mnemo.config import IngestionSettings
from mnemo.hierarchy.memtree.tree import Planted
from mnemo.models.results import Processed, Usage

__all__ = ["calls_left", "with_leaves", "with_names"]

_FAST = 2
"""Requests to the LLM for a window that the profile `fast` allows."""


def calls_left(run: Processed, settings: IngestionSettings) -> int | None:
    """Return the requests to the LLM that a run has left of what its profile allows; None where there is no bound."""
    if settings.profile == "paper":
        return None
    windows = -(-(run.done + run.failed) // settings.window)
    return max(0, _FAST * windows - run.usage.calls)


def with_names(run: Processed, usage: Usage) -> Processed:
    """Return what a run came to, with what the names of categories have cost after it."""
    return replace(run, usage=run.usage + usage)


def with_leaves(run: Processed, planted: Planted) -> Processed:
    """Return what a run of the pipeline came to, with what the online tree did after it."""
    seconds = {**run.seconds, "tree": planted.seconds} if planted.leaves else run.seconds
    return replace(
        run,
        leaves=planted.leaves,
        leafless=planted.left,
        stopped=run.stopped or planted.stopped,
        usage=run.usage + planted.usage,
        reasons={**run.reasons, **planted.reasons},
        seconds=seconds,
    )
