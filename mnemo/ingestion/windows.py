"""Cuts pending episodes into windows, always at the same positions. Pure.

A session is cut evenly, by position, into the fewest windows of at most `size` episodes, so a run that stopped
between two windows continues with the same windows.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from mnemo.ingestion.extraction import Window
from mnemo.models.graph import Episode

__all__ = ["plan_windows", "window_width"]


def window_width(length: int, size: int) -> int:
    """Return how many positions each window spans in a session of `length` episodes, at most `size`."""
    return -(-length // -(-length // size))


def plan_windows(
    pending: Sequence[Episode], others: Iterable[Episode], lengths: Mapping[str, int], *, size: int, context: int
) -> list[Window]:
    """Return the windows of the pending episodes of one group, in order.

    Args:
        pending: Grouped by session, by position.
        others: Earlier episodes of the same sessions as possible context, in any order.
        lengths: Number of all episodes of each session, at least 1.
        size: Most episodes of a window, at least 1.
        context: Most earlier episodes shown with a window, at least 0.
    """
    by_position = {(episode.session, episode.position): episode for episode in (*others, *pending)}

    def window_of(episode: Episode) -> tuple[str, int]:
        return episode.session, episode.position // window_width(lengths[episode.session], size)

    return [_window(tuple(members), by_position, context) for _, members in groupby(pending, window_of)]


def _window(episodes: tuple[Episode, ...], by_position: Mapping[tuple[str, int], Episode], context: int) -> Window:
    first = episodes[0]
    before = (
        by_position.get((first.session, position)) for position in range(first.position - context, first.position)
    )
    return Window(
        group=first.group, episodes=episodes, context=tuple(episode for episode in before if episode is not None)
    )
