"""Verbs and adverbs that point to the past or the future, as patterns; the first match at a position counts."""

import re
from dataclasses import dataclass
from enum import IntEnum

__all__ = ["HINTS", "HINT_PATTERN", "Direction", "Hint"]


class Direction(IntEnum):
    """Where a sentence looks from the moment it was written."""

    PAST = -1
    NONE = 0
    """It does not say."""
    PRESENT = 1
    """Simple present: what is scheduled, or has just happened."""
    FUTURE = 2


@dataclass(frozen=True, slots=True)
class Hint:
    """A pattern and the direction that a match of it gives."""

    direction: Direction
    """NONE only keeps other hints off its words."""
    pattern: str
    penalty: int = 0
    """Characters that a match counts as farther away than it is."""


def _any(words: str) -> str:
    """Return a pattern for a list of words; `_` is a blank within one."""
    return "|".join(sorted((word.replace("_", " ") for word in words.split()), key=len, reverse=True))


_SAME_AS_BASE = _any("read put cut hit let set hurt quit shut cost bet split spread burst cast rid")
_IRREGULAR = _any(
    "was wasn't were weren't had hadn't did didn't went saw met got took made came ran gave told said found left "
    "bought began ate drank flew drove rode swam won lost felt thought knew kept held wrote sang spoke sold sent spent "
    "taught brought caught fell broke chose grew heard led paid slept stood threw woke wore became built done been sat "
    "shot gone seen taken given driven written spoken broken chosen fallen grown known shown flown born bit blew bred "
    "crept dealt drew dug fed fled forgot fought froze hid hung knelt laid lay lent lit meant mistook overslept proved "
    "rang rose shook shone shrank sank slid sought spun stole stuck stung struck swept swore swung tore understood "
    "upset withdrew wound learnt burnt dreamt spelt spilt spoilt leant leapt knit gotten sprang dove snuck"
)
_NO_PARTICIPLE = _any("need feed seed speed bleed weed indeed breed proceed succeed exceed hundred bed red shed sled")
_ED = rf"(?!(?:{_NO_PARTICIPLE})\b)[a-z]{{2,}}ed"
_PARTICIPLE = rf"(?:{_IRREGULAR}|{_SAME_AS_BASE}|{_ED})"
_ADVERB = (
    rf"(?: (?:{_any('not also all both just now still already only probably really finally never always')}|\w+ly))?"
)
_IS = r"(?:\b(?:is|are|am|isn't|aren't|im|isnt|arent|theyre)|['’](?:s|re|m))"
_MODAL = _any("will shall won't should must can may might gonna wanna gotta let's lets wont cant")
_ILL = (
    f"ill(?= (?:{_any('be go come do see get have take bring pick call let make try meet drive fly move start')})\\b)"
)
_PLANNED_TO = _any(
    "going want wants hope hopes hoping plan plans planning need needs have has intend aim about supposed due like "
    "love would_like would_love expect expects expecting expected remember forget"
)
_TIME_UNIT = r"(?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|\w+day|time)"
_AHEAD = _any(
    "due upcoming tomorrow tonight soon can't_wait looking_forward see_you see_u see_ya remind don't_forget "
    "save_the_date"
)
_ARRANGED = r"(?:(?:re)?booked|(?:re)?scheduled|planned|set|slated) (?:in )?for"
_PASSIVE = _any(
    "closed booked scheduled planned cancelled canceled needed supposed expected called named married engaged located "
    "allowed required postponed invited pushed delayed"
)
_SCHEDULED = _any(
    "starts begins ends opens closes expires leaves arrives lands flies departs finishes comes goes moves turns "
    "retires graduates returns visits runs takes kicks launches airs has needs gets marries sits meets plays "
    "celebrates falls"
)
_SCHEDULED_PLURAL = _any("start begin end open close expire leave arrive land depart finish resume run fall")
_NO_PRESENT = _any(
    "and or but who which that to with in on at of for from both all guys two three too as also had have has am are is "
    "will shall would could should may might must can d"
)
_NO_PLAN = r"(?:no|any|some|every)?thing\b|(?:dur|even|morn|spr|wedd|k|r|str)ing\b"
_ORDER = _any("call ring bring meet pay send submit renew cancel buy book pick check return")
_EVENT = _any("deadline appointment appt exam interview flight reservation reminder rsvp expiry off_to")

HINTS: tuple[Hint, ...] = (
    # should have gone, was going to move, used to live
    Hint(Direction.PAST, rf"\b(?:should|might|may|must|could|would)(?:n't| not)?(?: have|'ve|’ve){_ADVERB} \w+"),
    Hint(Direction.PAST, r"\b(?:was|were)(?:n't| not)? (?:going|planning|hoping|supposed|meant|due|about) to \w+"),
    Hint(Direction.PAST, r"\bused to \w+"),
    # will read, 'll have put
    Hint(
        Direction.FUTURE,
        rf"(?:\b(?:{_MODAL}|(?:it|we|you|they|he|she)ll|{_ILL})|['’]ll)\b{_ADVERB}(?: (?:be|have|get)(?: been)?)?"
        rf"{_ADVERB}(?: (?!on\b|in\b|at\b|by\b)\w+)?",
    ),
    # is supposed to come, wants to quit, 'd like to go
    Hint(Direction.FUTURE, rf"(?:{_IS} )?(?:\b|['’]d )(?:{_PLANNED_TO}) to \w+"),
    Hint(Direction.FUTURE, rf"(?:{_IS}{_ADVERB} )?\b(?:{_AHEAD}|{_ARRANGED}|next {_TIME_UNIT})\b"),
    Hint(Direction.PAST, rf"\b(?:ago|yesterday|last {_TIME_UNIT}|earlier)\b"),
    Hint(Direction.PAST, r"\bbeen \w+ing\b"),
    Hint(Direction.FUTURE, rf"{_IS}{_ADVERB} (?!been\b|boring\b|interesting\b|amazing\b)\w+ing\b"),
    # it's closed; but he's moved, I have read
    Hint(Direction.PRESENT, rf"(?:['’](?:s|re|m)){_ADVERB} (?:{_PASSIVE})\b"),
    Hint(Direction.PAST, rf"(?:\b(?:have|has|had)(?:n't)?|\bive|['’](?:ve|s|d)){_ADVERB} {_PARTICIPLE}\b"),
    Hint(Direction.PRESENT, rf"{_IS}{_ADVERB} {_PARTICIPLE}\b"),
    Hint(Direction.NONE, rf"\b(?:to|do|does|don't|doesn't|not|please) (?:{_SAME_AS_BASE})\b"),
    Hint(Direction.PRESENT, _IS + r"(?!\w)"),
    # they close, the course starts, doors open
    Hint(
        Direction.PRESENT,
        rf"\b(?:i|we|they|you){_ADVERB} (?!{_PARTICIPLE}\b|(?:{_NO_PRESENT}|\w+ly|\w+ing)\b)[a-z]+\b(?! to\b)",
        penalty=25,
    ),
    Hint(Direction.PRESENT, r"\b(?:have|has) (?:an?|the|my|our|no|some|to)\b"),
    Hint(Direction.PRESENT, rf"\b(?:{_SCHEDULED})\b", penalty=25),
    Hint(Direction.PRESENT, rf"(?<=s\x20)(?:{_SCHEDULED_PLURAL})\b"),
    # the shop closed; the Met Office is a name
    Hint(Direction.PAST, rf"\b(?!(?-i:(?<=[a-z,;]\x20)[A-Z][a-z])){_PARTICIPLE}\b(?!-)"),
    # without any verb: moving in June, call Mum on Friday, deadline 5 June
    Hint(Direction.FUTURE, rf"^\W*(?:(?:then|also|maybe|still|now|\w+ly) )*(?!{_NO_PLAN})[a-z]{{2,}}ing\b"),
    Hint(Direction.FUTURE, rf"\b(?:{_EVENT})\b|^\W*(?:please )?(?:{_ORDER})\b", penalty=60),
)
"""All hints, in the order in which they are tried at a place."""
HINT_PATTERN = re.compile(
    "|".join(f"(?P<hint{place}>{hint.pattern})" for place, hint in enumerate(HINTS)).replace(" ", r"\s{1,3}"),
    re.IGNORECASE,
)
"""Any hint; `hint3` is the group of the one at place 3."""
