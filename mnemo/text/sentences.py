"""Where sentences end: the one rule for chunks, summaries, echoes, quotes and tenses.

A sentence ends at `.`, `!`, `?` or `…` with the closing quotes and brackets after it, if a blank follows; at a
full-width mark (`。！？｡`), blank or not; and at every line break. It does not end at a period after a title, an
initial or another common abbreviation (`Dr. Adeyemi`, `J. Okafor`, `Nov. 5`), or where a small letter follows `…`,
`etc.` or `p.m.`
"""  # noqa: RUF002  # full-width marks end sentences too

import re
from collections.abc import Iterator

from mnemo.text.patterns import lazy_pattern

__all__ = ["sentence_ends", "sentence_spans", "sentences"]

_END = lazy_pattern(
    r"(?P<marks>[.!?\u2026]+)[\"'\u201d\u2019)\]]*\s+"
    r"|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\uff09\u201d]*\s*"
    r"|\s*\n\s*"
)
_TITLE = lazy_pattern(
    r"(?<!\w)(?:mr|mrs|ms|dr|prof|st|sr|jr|rev|fr|capt|lt|sgt|gen|col|hon|mt|vs|e\.g|i\.e|cf|bzw|z\.b|(?-i:[A-Z]))$",
    re.IGNORECASE,
)
"""Abbreviations that a name or another word follows."""
_OFTEN_INSIDE = lazy_pattern(r"(?<!\w)(?:etc|a\.m|p\.m|inc|ltd|co)$", re.IGNORECASE)
"""Abbreviations that a sentence may end with; a small letter after them tells that it goes on."""
_BEFORE_NUMBER = lazy_pattern(r"(?<!\w)(?:no|nos|approx|ca|fig|pp?|(?-i:[A-Z])[a-z]{2,3})$", re.IGNORECASE)
"""Abbreviations before a number: `no. 5`, `Nov. 5`."""
_TAIL_CHARS = 8


def sentence_ends(text: str) -> Iterator[int]:
    """Yield where each sentence ends, with the blanks after it; the last offset is the text's length.

    The offsets cut the text into pieces that join to it again. An empty text has none.
    """
    for match in _END.finditer(text):
        if match.end() < len(text) and not _goes_on(text, match):
            yield match.end()
    if text:
        yield len(text)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each sentence in order, without the blanks at its ends; blank ones are left out."""
    start = 0
    for end in sentence_ends(text):
        piece = text[start:end]
        if stripped := piece.strip():
            first = start + piece.index(stripped)
            yield first, first + len(stripped)
        start = end


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in order, without the blanks at their ends."""
    return [text[start:end] for start, end in sentence_spans(text)]


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Return whether the marks do not end a sentence: in an abbreviation, or before a lower-case letter."""
    if match["marks"] is None or "\n" in match[0]:
        return False
    if match["marks"] != ".":
        return text[match.end()].islower() and match["marks"] in {"\u2026", "..."}
    before = text[max(0, match.start() - _TAIL_CHARS) : match.start()]
    if _TITLE.search(before):
        return not before.endswith(" I")
    following = text[match.end()]
    if _OFTEN_INSIDE.search(before):
        return following.islower()
    return following.isdigit() and _BEFORE_NUMBER.search(before) is not None
