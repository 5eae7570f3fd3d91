"""What processing and the online tree came to together: pure."""

from dataclasses import replace

from mnemo.hierarchy.online import Planted
from mnemo.models.results import Processed

__all__ = ["with_leaves"]


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
