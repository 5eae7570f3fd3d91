"""How far a long call has come: one callback for every call that takes a while."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["OnProgress", "Progress", "ignore_progress"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One step of a call."""

    stage: str
    """What is being done, such as `read`, `store`, `process` or `download`."""
    done: int
    """Units finished in this stage so far."""
    total: int
    """Units known so far; may grow while the stage runs."""
    counts: Mapping[str, float] = field(default_factory=dict)
    """What the call has produced so far by name, such as `facts` or `calls`; empty where nothing is counted."""


OnProgress: TypeAlias = Callable[[Progress], None]
"""Called after each step, in the thread that does the work. It must not block; what it raises ends the call."""


def ignore_progress(progress: Progress) -> None:
    """Do nothing: the default of every `on_progress`."""
