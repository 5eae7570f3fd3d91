"""Finds the parts of a message that its speaker does not assert: pasted text, jokes, dreams, games, what-ifs."""

import re
from collections.abc import Iterator

__all__ = ["is_dream", "is_not_literal", "is_retracted", "third_party_spans"]

_FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,} ?(?:forwarded|original) message ?-{2,}|begin forwarded message:?|from: .+|> ?.*|"
    r"on .{6,80} wrote:|```.*)",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED_AFTER_COLON = re.compile(
    r"\b(?:lyrics?|song|horoscope|reddit|twitter|tweet|headline|article|fortune cookie|review|poem|script|novel|"
    r"(?:the|this) (?:email|letter|text|message|post|note|sign|card|ad|advert|story|book|film|movie|plot)"
    r"|(?:email|letter|text|message|note|post|ad|advert)(?: (?:from|by|of) [^:\n]{1,40})?"
    r"|(?:someone|somebody|a guy|a stranger|the guy|some guy) (?:on|from|at) [^:\n]{1,30}"
    r"|copied|pasted|quoting|quote|verse|chorus)\b[^:\n]{0,60}:\s+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”")
_ATTRIBUTED = re.compile(r"^\s*(?:\"[^\"\n]{12,}\"|“[^”\n]{12,}”)\s*[-–—~]\s*\S", re.MULTILINE)
_CHARACTER = re.compile(
    r"\b(?:my character|my (?:d&d|dnd|rpg) |in[- ]character|i(?:'m| am|'ll be| will be) playing|role[- ]?play|"
    r"in (?:the|this|my) (?:game|book|novel|story|film|movie|play|sims)|my (?:sim|avatar|villager))\b",
    re.IGNORECASE,
)
_RETRACTED = re.compile(
    r"\b(?:just kidding|i'?m (?:just |only |totally )?(?:kidding|joking)|no i'?m kidding|jk|j/k|kidding!|only joking|"
    r"just joking|psych|not really lol|april fools?|i wish lol)\b|(?:^|\s)/s\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:imagine|pretend(?:ing)?|suppos(?:e|ing) (?:i|we|you)|what if|as if\b|let'?s say|"
    r"hypothetically|in another life|in a parallel|"
    r"if only|never have i ever|would rather|rumou?r has it)\b"
    r"|^\W*(?:say|picture|assume) (?:i|we|you|this)\b"
    r"|^\W*as [A-Z][\w'-]+,? i\b"
    r"|\b(?:i|we) (?:almost|nearly|could have|would have|should have|might have)\b"
    r"|\b(?:i|we)(?: once)? (?:almost|nearly) \w+ed\b"
    r"|\bwish (?:i|we|you|he|she|they|it)\b",
    re.IGNORECASE,
)
_DREAM = re.compile(
    r"\b(?:dreamt|dreamed|dream(?:ing)? (?:that|about|where|last)|had (?:a|the|"
    r"this) (?:\w+ ){0,2}(?:dream|nightmare)|in (?:my|the|a) dreams?|nightmare)\b",
    re.IGNORECASE,
)
_IRONY = re.compile(
    r"^\W*(?:oh (?:yeah|yes|sure|great|joy|wonderful|good|lovely|perfect)|yeah,? (?:right|sure|no)|"
    r"sure,? jan|because of course|of course i\b|of course we\b|"
    r"love (?:that|this) for (?:me|us)|thank god|and of course i\b)"
    r"|\b(?:literally|basically|practically|the well[- ]known|world'?s (?:best|worst|greatest|"
    r"okayest))\b (?:an? |the |made |satan|dead|dying|die)"
    r"|\b(?:going to|gonna|will|'ll|could|might) (?:literally |just |actually )?(?:murder|kill|"
    r"strangle|die|explode|scream|throttle|stab|burn down|cry|combust|marry (?:this|that|the|my))\b"
    r"|\b(?:murder|strangle|throttle|stab)\b"
    r"|\b(?:decided|going|plan(?:ning)?|want) to (?:become|be) (?:a |an |the )?(?:monk|nun|hermit|goat|"
    r"cat|dog|tree|rock|potato|ghost|king|queen|pope|astronaut|millionaire)\b",
    re.IGNORECASE,
)


def third_party_spans(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the parts that someone else wrote, in order.

    These are a forwarded message (to the end of the text), lines that start with `>`, text that a colon introduces as
    lyrics, a horoscope or a letter, and signed quotations.
    """
    return sorted(_find_third_party(text))


def _find_third_party(text: str) -> Iterator[tuple[int, int]]:
    for match in _FORWARDED.finditer(text):
        if match.group().lstrip().startswith(">"):
            yield match.span()
        else:
            yield match.start(), len(text)
            return
    for match in _QUOTED_AFTER_COLON.finditer(text):
        end = text.find("\n", match.end())
        yield match.end(), len(text) if end < 0 else end
    if _ATTRIBUTED.search(text):
        yield from (match.span() for match in _QUOTED.finditer(text))


def is_retracted(text: str) -> bool:
    """Return whether a message takes back what it says (just kidding) or plays a character."""
    return bool(_RETRACTED.search(text) or _CHARACTER.search(text))


def is_dream(sentence: str) -> bool:
    """Return whether a sentence begins to tell a dream."""
    return bool(_DREAM.search(sentence))


def is_not_literal(sentence: str) -> bool:
    """Return whether a sentence is hypothetical, ironic or exaggerated."""
    return bool(_HYPOTHETICAL.search(sentence) or _IRONY.search(sentence))
