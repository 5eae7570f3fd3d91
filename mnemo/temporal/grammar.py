"""Building blocks of the rules: the context they read, their triggers, and their matches."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, TypeAlias

from mnemo.temporal.periods import Period
from mnemo.temporal.tense import Direction, SentenceTenses
from mnemo.text.patterns import lazy_pattern

__all__ = ["DIGIT", "Cycle", "Rule", "RuleIndex", "Sense", "TimeContext", "TimeMatch", "pattern", "tokens", "triggers"]

Sense: TypeAlias = Literal["at", "since", "until", "before", "after", "during"]
Cycle: TypeAlias = Literal["yearly", "weekly"]

DIGIT = "#"
"""The token of any digit."""
_SIGN = r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_TOKEN = lazy_pattern(rf"\d|{_SIGN}|(?:(?!{_SIGN})[^\W\d_])+")


@dataclass(frozen=True)
class TimeContext:
    """A text with the local moment it was written at."""

    text: str
    anchor: datetime | None
    """Naive, local; None is unknown, and then only absolute dates resolve."""
    south: bool
    """Whether summer is in December."""
    month_first: bool
    """How `5/6/2023` is read."""
    _tenses: SentenceTenses = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare the tenses, which are read when a rule asks for them."""
        object.__setattr__(self, "_tenses", SentenceTenses(self.text))

    @property
    def now(self) -> datetime:
        """The anchor, for rules that need one; LookupError without one."""
        if self.anchor is None:
            raise LookupError
        return self.anchor

    @property
    def today(self) -> date:
        """The anchor's local day, for rules that need one; LookupError without one."""
        return self.now.date()

    def direction(self, span: tuple[int, int]) -> Direction:
        """Return whether the sentence around a span is about the past or the future."""
        return self._tenses.direction(*span)


@dataclass(frozen=True, slots=True)
class TimeMatch:
    """A match of a rule; without a period and a clock it only blocks its span for other rules."""

    start: int
    end: int
    period: Period | None = None
    clock: tuple[int, int] | None = None
    """Minutes of the day, from and up to; joined to a day beside it."""
    alone: bool = True
    """Whether the clock counts without a day beside it."""
    weekday: int | None = None
    """Joined to a week beside it; 0 is Monday."""
    sense: Sense = "at"
    cycle: Cycle | None = None
    """What the text leaves open: the year of a date, or the week of a weekday."""
    repeats: bool = False
    """Whether it names many times, such as every Tuesday: no period, and it takes in the clock beside it."""
    recurs: Literal["yearly"] | None = None
    approximate: bool = False
    """Whether the text says about, nearly or the like."""

    @property
    def span(self) -> tuple[int, int]:
        """Offsets in the text."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and the meaning of its matches; None or LookupError means no match."""

    pattern: re.Pattern[str]
    make: Callable[[re.Match[str], TimeContext], Period | TimeMatch | None]
    triggers: frozenset[str]
    """Every match has one of these tokens, so that the rule is tried only on texts that have one."""

    def matches(self, scene: TimeContext) -> Iterator[TimeMatch]:
        """Yield the matches of the rule in a text; a date that does not exist blocks other rules from its words."""
        for match in self.pattern.finditer(scene.text):
            try:
                made = self.make(match, scene)
            except ValueError:
                made = TimeMatch(*match.span())  # no such date, and so none of its parts
            except (LookupError, OverflowError, StopIteration):
                continue  # no anchor, or beyond all calendars
            if isinstance(made, TimeMatch):
                yield made
            elif made is not None and made.plausible():
                yield TimeMatch(*match.span(), period=made)


class RuleIndex:
    """Rules by their triggers: which ones a text may match, without trying them all."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Args: rules: In the order in which they are tried."""
        self._rules = tuple(rules)
        self._places: dict[str, list[int]] = {}
        for place, rule in enumerate(self._rules):
            for token in rule.triggers:
                self._places.setdefault(token, []).append(place)

    def candidates(self, text: str) -> list[Rule]:
        """Return the rules that have a trigger in the text, in their order."""
        places = {place for token in self._places.keys() & tokens(text) for place in self._places[token]}
        return [self._rules[place] for place in sorted(places)]


def tokens(text: str) -> set[str]:
    """Return the words of a text in small letters; digits are `DIGIT`, Chinese, Japanese and Korean single signs."""
    return {DIGIT if token.isdigit() else token for token in _TOKEN.findall(text.casefold())}


def triggers(*phrases: str | Iterable[str]) -> frozenset[str]:
    """Return one token for each phrase, its longest; a string is a list of words, an iterable one of phrases."""
    chosen = set()
    for part in phrases:
        for phrase in part.split() if isinstance(part, str) else part:
            words = [DIGIT if token.isdigit() else token for token in _TOKEN.findall(phrase.casefold())]
            chosen.add(max(words, key=len, default=DIGIT))
    return frozenset(chosen)


def pattern(text: str) -> re.Pattern[str]:
    """Compile a rule's pattern: whole words, any case; a blank is one to three blanks of the text."""
    spaced = re.sub(r" (?![*+?])", r"\\s{1,3}", text)
    return lazy_pattern(rf"(?<!\w)(?:{spaced})(?!\w)", re.IGNORECASE)
