"""Holidays of a fixed day, and those that move: Christmas Eve, last Easter, Thanksgiving 2021."""

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from mnemo.temporal import periods as cal
from mnemo.temporal.absolute import pick_year
from mnemo.temporal.grammar import Rule, Scene, pattern
from mnemo.temporal.periods import Period

__all__ = ["HOLIDAYS", "RULES", "holiday"]

_YEAR = r"(?:19|20)\d\d"


def _thanksgiving(number: int) -> date:
    first = date(number, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)


HOLIDAYS: Mapping[str, Callable[[int], date]] = {
    r"christmas eve": lambda y: date(y, 12, 24),
    r"boxing day": lambda y: date(y, 12, 26),
    r"christmas(?: day)?|xmas": lambda y: date(y, 12, 25),
    r"new year['\u2019]?s eve": lambda y: date(y, 12, 31),
    r"new year['\u2019]?s(?: day)?": lambda y: date(y, 1, 1),
    r"halloween": lambda y: date(y, 10, 31),
    r"valentine['\u2019]?s(?: day)?": lambda y: date(y, 2, 14),
    r"(?:st\.?|saint) patrick['\u2019]?s(?: day)?": lambda y: date(y, 3, 17),
    r"april fools['\u2019]?(?: day)?": lambda y: date(y, 4, 1),
    r"juneteenth": lambda y: date(y, 6, 19),
    r"independence day|(?:the )?(?:4th|fourth) of july": lambda y: date(y, 7, 4),
    r"bastille day": lambda y: date(y, 7, 14),
    r"thanksgiving(?: day)?": _thanksgiving,
    r"memorial day": lambda y: date(y, 5, 31) - timedelta(days=date(y, 5, 31).weekday()),
    r"labor day": lambda y: date(y, 9, 1) + timedelta(days=-date(y, 9, 1).weekday() % 7),
    r"(?:veterans|remembrance|armistice) day": lambda y: date(y, 11, 11),
    r"cinco de mayo": lambda y: date(y, 5, 5),
    r"canada day": lambda y: date(y, 7, 1),
    r"australia day": lambda y: date(y, 1, 26),
    r"anzac day": lambda y: date(y, 4, 25),
    r"bonfire night|guy fawkes(?: night)?": lambda y: date(y, 11, 5),
    r"good friday": lambda y: cal.easter(y) - timedelta(days=2),
    r"easter monday": lambda y: cal.easter(y) + timedelta(days=1),
    r"easter(?: sunday)?": cal.easter,
    r"silvester|nochevieja": lambda y: date(y, 12, 31),
    r"weihnachten|noël|navidad": lambda y: date(y, 12, 25),
}


def holiday(dated: Callable[[int], date]) -> Callable[[re.Match[str], Scene], Period]:
    """Return what a match of a holiday means: of the year named, or `last`, `this`, `next`, or by tense."""

    def make(match: re.Match[str], scene: Scene) -> Period:
        if match["year"]:
            return cal.day(dated(int(match["year"])))
        side = (match["side"] or "").lower()
        around = [cal.day(dated(scene.today.year + offset)) for offset in (-1, 0, 1)]
        if side == "last":
            return [period for period in around if period.end <= cal.day(scene.today).start][-1]
        if side == "next":
            return next(period for period in around if period.date > scene.today)
        if side == "this":
            return around[1]
        return pick_year(lambda y: cal.day(dated(y)), scene, match.span())

    return make


RULES: tuple[Rule, ...] = (
    *(
        Rule(
            pattern(
                rf"(?:(?:on|at|over|for) )?(?:(?P<side>last|this|next)"
                rf" )?(?:{names})(?:,?(?: of| in)? (?P<year>{_YEAR}))?"
            ),
            holiday(dated),
        )
        for names, dated in HOLIDAYS.items()
    ),
)
"""Each rule alone; of overlapping finds the first and longest counts."""
