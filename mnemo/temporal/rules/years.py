"""Which year is meant: years as people write them, and the one that a date leaves open."""

import re
from collections.abc import Callable
from datetime import timedelta

from mnemo.temporal.grammar import TimeContext
from mnemo.temporal.periods import Period
from mnemo.temporal.tense import Direction

__all__ = ["ANY_YEAR", "YEAR", "pick_year", "written_year"]

YEAR = r"(?:(?:19|20)\d\d|['\u2019]\d\d)"
"""A year of the last or this century, or its last two digits after an apostrophe."""
ANY_YEAR = r"(?:(?:1\d|20)\d\d|['\u2019]\d\d)"
"""A year beside a day or a month, which leave no doubt that it is one."""
_YOUNGEST = 35
"""Two digits above this are of the last century."""
_JUST_PAST = timedelta(days=14)


def written_year(text: str) -> int:
    """Return the year that is written: 2019, or '69 for 1969."""
    number = int(re.sub(r"\D", "", text))
    if number >= 100:  # noqa: PLR2004  # two digits
        return number
    return number + (1900 if number > _YOUNGEST else 2000)


def pick_year(make: Callable[[int], Period], scene: TimeContext, span: tuple[int, int]) -> Period:
    """Return the occurrence of a yearly period that a sentence means.

    In the past it is the last one begun, in the future the first that is not over. In the present it is that one too,
    unless the last one was within two weeks. If the sentence does not say, it is the nearest.

    Args:
        make: Returns the period of a year.
        scene: The text and its moment.
        span: Offsets of the date in it.

    Raises:
        LookupError: The moment is unknown.
    """
    around = [make(scene.today.year + offset) for offset in (-1, 0, 1)]
    direction = scene.direction(span)
    begun = [period for period in around if period.start <= scene.now]
    open_ = [period for period in around if period.end > scene.now]
    if direction == Direction.PAST:
        return begun[-1]
    if direction == Direction.FUTURE:
        return open_[0]
    if direction == Direction.PRESENT:
        return begun[-1] if scene.now - begun[-1].end < _JUST_PAST else open_[0]
    return min(around, key=lambda period: abs((period.date - scene.today).days))
