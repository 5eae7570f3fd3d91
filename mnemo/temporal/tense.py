"""Does a sentence look back or ahead? Read from the verb nearest to a date, by rules; no parser.

The verb of the date's own clause decides, else the nearest one of the sentence. A verb before the date counts more
than one after it, as `The shop we opened in June is closing` shows. Simple present looks ahead: `The exam is on 24
December` is a plan.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import IntEnum

from mnemo.text.sentences import sentence_ends

__all__ = ["Direction", "SentenceTenses"]


class Direction(IntEnum):
    """Where a sentence looks from the moment it was written."""

    PAST = -1
    NONE = 0
    """It does not say."""
    PRESENT = 1
    """Simple present: what is scheduled, or has just happened."""
    FUTURE = 2


_SAME_AS_BASE = "read put cut hit let set hurt quit shut cost bet split spread burst cast rid"
_IRREGULAR = (
    "was wasn't were weren't had hadn't did didn't went saw met got took made came ran gave told said found left bought "
    "began ate drank flew drove rode swam won lost felt thought knew kept held wrote sang spoke sold sent spent taught "
    "brought caught fell broke chose grew heard led paid slept stood threw woke wore became built done been sat shot "
    "gone seen taken given driven written spoken broken chosen fallen grown known shown flown born bit blew bred crept "
    "dealt drew dug fed fled forgot fought froze hid hung knelt laid lay lent lit meant mistook mowed overslept proved "
    "rang rose shook shone shrank sank slid sought spun stole stuck stung struck swept swore swung tore understood "
    "upset withdrew wound learnt burnt dreamt spelt spilt spoilt leant leapt knit gotten sprang sprained dove snuck"
)
_NO_PARTICIPLE = "need feed seed speed bleed weed indeed breed proceed succeed exceed hundred bed red shed sled wed"


def _any(words: str) -> str:
    return "|".join(sorted(words.split(), key=len, reverse=True))


_ADVERB = r"(?: (?:not|also|all|both|just|now|still|already|only|probably|really|finally|never|always|\w+ly))?"
_ED = rf"(?!(?:{_any(_NO_PARTICIPLE)})\b)[a-z]{{2,}}ed"
_PARTICIPLE = rf"(?:{_any(_IRREGULAR)}|{_any(_SAME_AS_BASE)}|{_ED})"
_IS = r"(?:\b(?:is|are|am|isn't|aren't)|['’](?:s|re|m))"
_PASSIVE = (
    "closed booked scheduled planned cancelled canceled needed supposed expected called named married engaged located "
    "allowed required postponed invited"
)
_TIME_UNIT = r"(?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|\w+day|time)"
_SCHEDULED = (
    "starts begins ends opens closes expires leaves arrives lands flies departs finishes comes goes moves turns retires "
    "graduates returns visits runs takes kicks launches airs has needs gets marries sits meets plays celebrates falls"
)
_PLURAL_SCHEDULED = "start begin end open close expire leave arrive land depart finish resume run fall"
_NOT_VERBS = "and or but who which that to with in on at of for from both all guys two three too as"

_HINTS: Sequence[tuple[Direction, int, str]] = (
    # a modal in the past, with its participle: should have gone, was going to move, used to live
    (Direction.PAST, 0, rf"\b(?:should|might|may|must|could|would)(?:n't| not)?(?: have|'ve|’ve){_ADVERB} \w+"),
    (Direction.PAST, 0, r"\b(?:was|were)(?:n't| not)? (?:going|planning|hoping|supposed|meant|due|about) to \w+"),
    (Direction.PAST, 0, r"\bused to \w+"),
    # a plan, with the verb that follows it: will have read, is due to, want to put
    (
        Direction.FUTURE,
        0,
        r"(?:\b(?:will|shall|won't|should|must|can|may|might|gonna|wanna|gotta|let's|lets)|['’]ll)\b"
        rf"{_ADVERB}(?: (?:be|have|get)(?: been)?)?{_ADVERB}(?: (?!on\b|in\b|at\b|by\b)\w+)?",
    ),
    (
        Direction.FUTURE,
        0,
        rf"(?:{_IS} )?(?:\b|['’]d )(?:going|want|wants|hop(?:e|es|ing)|plan(?:s|ning)?|need|needs|have|has|intend|aim|about|supposed|due|"
        r"(?:would )?(?:like|love)|expect(?:s|ing|ed)?|remember|forget) to \w+",
    ),
    (
        Direction.FUTURE,
        0,
        rf"(?:{_IS}{_ADVERB} )?\b(?:due|upcoming|tomorrow|tonight|soon|can't wait|looking forward|see (?:you|u|ya)|remind|don't forget|save the "
        r"date|(?:booked|scheduled|planned|set|slated) (?:in )?for|next "
        rf"{_TIME_UNIT})\b",
    ),
    (Direction.PAST, 0, rf"\b(?:ago|yesterday|last {_TIME_UNIT}|earlier)\b"),
    (Direction.PAST, 0, r"\bbeen \w+ing\b"),
    (Direction.FUTURE, 0, rf"{_IS}{_ADVERB} (?!been\b|boring\b|interesting\b|amazing\b)\w+ing\b"),
    # he's moved; but it's closed, they're closed
    (Direction.PRESENT, 0, rf"(?:['’](?:s|re|m)){_ADVERB} (?:{_any(_PASSIVE)})\b"),
    (Direction.PAST, 0, rf"(?:\b(?:have|has|had)(?:n't)?|['’](?:ve|s|d)){_ADVERB} {_PARTICIPLE}\b"),
    (Direction.PRESENT, 0, rf"{_IS}{_ADVERB} {_PARTICIPLE}\b"),
    (Direction.NONE, 0, rf"\b(?:to|do|does|don't|doesn't|not|please) (?:{_any(_SAME_AS_BASE)})\b"),
    (Direction.PRESENT, 0, _IS + r"(?!\w)"),
    # a simple present after its pronoun
    (
        Direction.PRESENT,
        25,
        rf"\b(?:i|we|they|you){_ADVERB} (?!{_PARTICIPLE}\b|(?:{_any(_NOT_VERBS)}|\w+ly|\w+ing|also|had|have|has|am|are|is|will|"
        r"shall|would|could|should|may|might|must|can|d)\b)[a-z]+\b(?! to\b)",
    ),
    (Direction.PRESENT, 0, r"\b(?:have|has) (?:an?|the|my|our|no|some|to)\b"),
    (Direction.PRESENT, 25, rf"\b(?:{_any(_SCHEDULED)})\b"),
    (Direction.PRESENT, 0, rf"(?<=s\x20)(?:{_any(_PLURAL_SCHEDULED)})\b"),
    (
        Direction.PAST,
        0,
        r"\b(?!(?-i:(?<=[a-z,;]\x20)[A-Z][a-z]))"  # the Met Office
        rf"{_PARTICIPLE}\b(?!-)",
    ),
    # without any verb: moving in June, deadline 5 June, call Mum on Friday
    (
        Direction.FUTURE,
        0,
        r"^\W*(?!(?:no|any|some|every)?thing\b|(?:dur|even|morn|spr|wedd|k|r|str)ing\b)[a-z]{2,}ing\b",
    ),
    (
        Direction.FUTURE,
        60,
        r"\b(?:deadline|appointment|appt|exam|interview|flight|reservation|reminder|rsvp|expiry|off to)\b|"
        r"^\W*(?:please )?(?:call|ring|bring|meet|pay|send|submit|renew|cancel|buy|book|pick|check|return)\b",
    ),
)
_HINT = re.compile(
    "|".join(f"(?P<h{place}>{text})" for place, (_, _, text) in enumerate(_HINTS)).replace(" ", r"\s{1,3}"),
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;:()—–]|\s-\s|\b(?:and|but|so|because|cause|cuz|bc|as|while|whereas|although|though|which|who|whom|where|when|"
    r"if|unless|than|or)\b",
    re.IGNORECASE,
)
_CLAUSE_CHARS = 200
_AFTER_PENALTY = 15
"""Characters that a verb after the date counts as farther away."""
_BOUND_AHEAD = re.compile(r"\b(?:until|till|til|by)\s{1,3}(?:the\s{1,3})?$", re.IGNORECASE)
_BOUND_BEHIND = re.compile(
    r"\bsince\s{1,3}(?:the\s{1,3})?$|(?:\b(?:is|are|was|were)|['’]s)\s(?:\w+\s)?from\s{1,3}(?:the\s{1,3})?$",
    re.IGNORECASE,
)
_PAST_EAST = re.compile(r"(?:まし|でし|っ|し|い|ん|け|え|れ|め|べ|き|ち|り)(?:た|だ)(?=\W|$)|[了过過]|(?:았|었|했|였)")
_FUTURE_EAST = re.compile(
    r"予定|つもり|(?:する|行く|いく|ます)(?=[。、\s]|$)|[会會将將]|打算|计划|計劃|(?:ㄹ|을|할) 거"
)


class SentenceTenses:
    """The tenses of a text's sentences, each read once it is asked for."""

    def __init__(self, text: str) -> None:
        """Args: text: Any text."""
        self._text = text
        self._ends: list[int] | None = None

    def direction(self, start: int, end: int) -> Direction:
        """Return where the sentence around `text[start:end]` looks.

        `since` before it makes it past; `until` and `by` future unless the clause is past. The words of the span
        itself do not count.
        """
        lead = self._text[max(0, start - 24) : start]
        if _BOUND_BEHIND.search(lead):
            return Direction.PAST
        read = self._read(start, end)
        return Direction.FUTURE if read != Direction.PAST and _BOUND_AHEAD.search(lead) else read

    def _read(self, start: int, end: int) -> Direction:
        if self._ends is None:
            self._ends = list(sentence_ends(self._text))
        place = bisect_right(self._ends, start)
        first = self._ends[place - 1] if place else 0
        last = next((edge for edge in self._ends[place:] if edge >= end), len(self._text))
        before = self._text[max(first, start - _CLAUSE_CHARS) : start]
        after = self._text[end : min(last, end + _CLAUSE_CHARS)]
        if _eastern(self._text[start:end]):
            ahead, behind = _FUTURE_EAST.search(after), _PAST_EAST.search(after)
            return (
                Direction.FUTURE if ahead and not behind else Direction.PAST if behind and not ahead else Direction.NONE
            )
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
    for match in _HINT.finditer(text):
        direction, penalty, _ = _HINTS[int((match.lastgroup or "h0")[1:])]
        if direction is not Direction.NONE:
            yield (match.start() if until is None else until - match.end()) + penalty, direction


def _eastern(text: str) -> bool:
    """Tell whether it has Chinese characters, kana or hangul, whose sentences end in their verb or its aspect."""
    return any("\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3" for character in text)
