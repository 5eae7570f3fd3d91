"""Does a sentence look back or ahead? Read from the verb nearest to a date, by rules; no parser.

The verb of the date's own clause decides, else the nearest one of the sentence. A verb before the date counts more
than one after it, as `The shop we opened in June is closing` shows. Simple present looks ahead: `The exam is on 24
December` is a plan.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from mnemo.temporal.tense_hints import HINT_PATTERN, HINTS, Direction
from mnemo.text.sentences import sentence_ends

__all__ = ["Direction", "SentenceTenses"]

_CLAUSE_END = re.compile(
    r"[,;:()—–]|\s-\s|\b(?:and|but|so|because|cause|cuz|bc|as|while|whereas|although|though|which|who|whom|where|when|"
    r"if|unless|than|or)\b",
    re.IGNORECASE,
)
_CLAUSE_CHARS = 200
_AFTER_PENALTY = 15
"""Characters that a verb after the date counts as farther away."""
_BOUND_AHEAD = re.compile(r"\b(?:until|till|til|by)\s{1,3}(?:the\s{1,3})?$", re.IGNORECASE)
_RESCHEDULED = re.compile(
    r"\b(?:moved|pushed|postponed|rescheduled|changed|shifted|delayed|switched|brought|put)\b(?:\s[\w'’]+){0,4}?\s"
    r"(?:to|till|until|for)\s{1,3}(?:the\s)?$",
    re.IGNORECASE,
)
"""Before the new date of something: `They pushed the exam to 3 June`."""
_LEAD_CHARS = 60
_BOUND_BEHIND = re.compile(
    r"\bsince\s{1,3}(?:the\s{1,3})?$|(?:\b(?:is|are|was|were)|['’]s)\sfrom\s{1,3}(?:the\s{1,3})?$",
    re.IGNORECASE,
)
_PAST_EAST = re.compile(r"(?:まし|でし|っ|し|い|ん|け|え|れ|め|べ|き|ち|り)(?:た|だ)(?=\W|$)|[了过過]|(?:았|었|했|였)")
_FUTURE_EAST = re.compile(
    r"予定|つもり|(?:する|行く|いく|ます)(?=[。、\s]|$)|[会會将將]|打算|计划|計劃|(?:ㄹ|을|할) 거"
)


class SentenceTenses:
    """The tenses of a text's sentences, each computed on first use."""

    def __init__(self, text: str) -> None:
        """Args: text: Any text."""
        self._text = text
        self._ends: list[int] | None = None

    def direction(self, start: int, end: int) -> Direction:
        """Return where the sentence around `text[start:end]` looks.

        `since` before it makes it past, `moved to` future; `until` and `by` future unless the clause is past. The words
        of the span itself do not count.
        """
        lead = self._text[max(0, start - _LEAD_CHARS) : start]
        if _BOUND_BEHIND.search(lead):
            return Direction.PAST
        if _RESCHEDULED.search(lead):
            return Direction.FUTURE
        read = self._read(start, end)
        return Direction.FUTURE if read != Direction.PAST and _BOUND_AHEAD.search(lead) else read

    def _read(self, start: int, end: int) -> Direction:
        if self._ends is None:
            self._ends = list(sentence_ends(self._text))
        place = bisect_right(self._ends, start)
        first = self._ends[place - 1] if place else 0
        closing = bisect_left(self._ends, end)
        last = self._ends[closing] if closing < len(self._ends) else len(self._text)
        before = self._text[max(first, start - _CLAUSE_CHARS) : start]
        after = self._text[end : min(last, end + _CLAUSE_CHARS)]
        if _eastern(self._text[start:end]):
            ahead, behind = _FUTURE_EAST.search(after), _PAST_EAST.search(after)
            if ahead and behind:
                return Direction.NONE
            return Direction.FUTURE if ahead else Direction.PAST if behind else Direction.NONE
        breaks = [match.end() for match in _CLAUSE_END.finditer(before)]
        own_before = before[breaks[-1] :] if breaks else before
        cut = _CLAUSE_END.search(after)
        own_after = after[: cut.start()] if cut else after
        return _nearest(own_before, own_after) or _nearest(before, after)


def _nearest(before: str, after: str) -> Direction:
    """Return the direction of the verb nearest to where the two texts meet."""
    hints = [*_hints(before, len(before)), *((far + _AFTER_PENALTY, one) for far, one in _hints(after, None))]
    return min(hints, key=lambda hint: hint[0], default=(0, Direction.NONE))[1]


def _hints(text: str, until: int | None) -> Iterable[tuple[int, Direction]]:
    """Yield distance and direction of every verb, to the offset `until` or from the text's start."""
    for match in HINT_PATTERN.finditer(text):
        hint = HINTS[int((match.lastgroup or "hint0").removeprefix("hint"))]
        if hint.direction is not Direction.NONE:
            yield (match.start() if until is None else until - match.end()) + hint.penalty, hint.direction


def _eastern(text: str) -> bool:
    """Return whether a text has Chinese characters, kana or hangul, whose sentences end in the verb or its aspect."""
    return any("\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3" for character in text)
