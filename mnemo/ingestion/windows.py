"""Cuts pending episodes into windows: pure, and always at the same places.

A session is cut evenly, by position, into the fewest windows of at most `size` episodes. A run that was
stopped between two windows therefore continues with the same windows.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from mnemo.ingestion.extraction import Window
from mnemo.models.graph import Episode

__all__ = ["plan", "width"]


def width(length: int, size: int) -> int:
    """Return how many positions each window of a session of `length` episodes spans, at most `size`."""
    return -(-length // -(-length // size))


def plan(
    pending: Sequence[Episode], others: Iterable[Episode], lengths: Mapping[str, int], *, size: int, context: int
) -> list[Window]:
    """Return the windows of the pending episodes of one group, in order.

    Args:
        pending: In processing order: each session's together, by position.
        others: Earlier episodes of the same sessions, possible context, in any order.
        lengths: Number of all episodes of each session, at least 1.
        size: Most episodes of a window, at least 1.
        context: Most earlier episodes shown with a window, at least 0.
    """
    places = {(episode.session, episode.position): episode for episode in (*others, *pending)}

    def window_of(episode: Episode) -> tuple[str, int]:
        return episode.session, episode.position // width(lengths[episode.session], size)

    return [_window(tuple(members), places, context) for _, members in groupby(pending, window_of)]


def _window(episodes: tuple[Episode, ...], places: Mapping[tuple[str, int], Episode], context: int) -> Window:
    first = episodes[0]
    before = (places.get((first.session, position)) for position in range(first.position - context, first.position))
    return Window(
        group=first.group, episodes=episodes, context=tuple(episode for episode in before if episode is not None)
    )
