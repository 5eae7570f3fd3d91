"""Checks whether a text has an answer of some kind, such as a number or a place, beyond the question: pure."""

import re
from collections.abc import Collection

from mnemo.retrieval.answering.question_focus import AnswerKind
from mnemo.retrieval.question import features
from mnemo.retrieval.ranking.term_overlap import stem
from mnemo.store.lucene import STOPWORDS

__all__ = ["holds"]

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|into|on|around|outside|leave|left|reached|of)\s+(?:the\s+|my\s+|our\s+)?([^\W\d_][\w'’-]+)"
)
_SHORTEST = 3
"""Letters of a name."""
_INTRODUCED = re.compile(r"\b(?:called|named|name['’]?s|name is|name was|names are)\s+([^\W\d_]{3,})", re.IGNORECASE)
_ENUMERATION = re.compile(r"^\W*[^\W\d_]+(?:, [^\W\d_]+)+,? (?:and|&) [^\W\d_]+\W*$")
_OCCUPATION = re.compile(
    r"\b(?:as an?|an?|the|works? as|teach(?:es)?|drives?)\s+(?:\w+\s+)?"
    r"(?:\w{2,}(?:er|or|ist|ian|eer|ant|man|woman)s?|nurse|chef|vet|doctor|pilot|medic|guide|judge|coach|cook|clerk)\b"
    r"|\bfor a living\b|\b(?:works?|worked|working|job|position)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|once|twice)\b",
    re.IGNORECASE,
)


def holds(kind: AnswerKind, text: str, asked: Collection[str], names: Collection[str]) -> float:
    """Return how likely a text has an answer of a kind: 1 or 0, and 0.5 for kinds without signs.

    Args:
        kind: What is asked for.
        text: A fact or a message.
        asked: Stems of the question: its own words are no answer.
        names: Words of known names, in lower case, for texts without capitals.
    """
    if kind == "time":
        return float(features.has_time(text))
    if kind == "number":
        return float(any(stem(match[0].lower()) not in asked for match in _NUMBER.finditer(text)))
    if kind in {"person", "name"}:
        return float(_has_name(text, asked, names))
    if kind == "place":
        return float(_has_place(text, asked, names))
    if kind == "occupation":
        return float(bool(_OCCUPATION.search(text)))
    return 0.5


def _has_name(text: str, asked: Collection[str], names: Collection[str]) -> bool:
    if _ENUMERATION.search(text):
        return True
    introduced = _INTRODUCED.search(text)
    if introduced and stem(introduced[1].lower()) not in asked:
        return True
    opens = True
    for match in _TOKEN.finditer(text):
        token, starts, opens = match[0], opens, text[match.end() : match.end() + 1] in {".", "!", "?"}
        lower = token.lower().removesuffix("'s").removesuffix("’s")
        if stem(lower) in asked or lower in STOPWORDS or len(lower) < _SHORTEST:
            continue
        if lower in names or (token[0].isupper() and not token.isupper() and not starts):
            return True
    return False


def _has_place(text: str, asked: Collection[str], names: Collection[str]) -> bool:
    for match in _PLACE.finditer(text):
        word = match[1]
        if stem(word.lower()) not in asked and (word[0].isupper() or word.lower() in names):
            return True
    return False
