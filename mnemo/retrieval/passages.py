"""Cuts a long text to the part around the sentence most similar to a question: pure."""

import re

from mnemo.providers.tokens import count_tokens, cut
from mnemo.text.sentences import sentences

__all__ = ["CUT", "around"]

CUT = "…"
"""Marks text that was left out."""

_WORD = re.compile(r"\w+")
_LEAST_LETTERS = 3


def around(text: str, question: str, limit: int) -> str:
    """Return a text whole if it has at most `limit` tokens, else its best sentence with what fits around it.

    The best sentence shares most words with the question, the first on a tie. Its neighbours are added in turns, the
    next one first, while they fit. `CUT` marks what was left out.

    Args:
        text: Any text.
        question: What is asked.
        limit: Tokens, at least 3.
    """
    flat = " ".join(text.split())
    if count_tokens(flat) <= limit:
        return flat
    parts = sentences(text)
    best = max(range(len(parts)), key=lambda place: (_shared(parts[place], question), -place), default=0)
    if not parts or count_tokens(_marked(parts, best, best + 1)) > limit:
        return _cut_one(parts[best] if parts else flat, limit)
    return _grown(parts, best, limit)


def _grown(parts: list[str], best: int, limit: int) -> str:
    first, end = best, best + 1
    open_ends = {"after", "before"}
    while open_ends:
        for side in ("after", "before"):
            if side not in open_ends:
                continue
            wider = (first, end + 1) if side == "after" else (first - 1, end)
            if wider[0] < 0 or wider[1] > len(parts) or count_tokens(_marked(parts, *wider)) > limit:
                open_ends.discard(side)
            else:
                first, end = wider
    return _marked(parts, first, end)


def _marked(parts: list[str], first: int, end: int) -> str:
    text = " ".join(" ".join(parts[first:end]).split())
    return f"{CUT + ' ' if first else ''}{text}{' ' + CUT if end < len(parts) else ''}"


def _cut_one(sentence: str, limit: int) -> str:
    """Cut within a sentence, at a blank if there is one."""
    room = limit - count_tokens(f" {CUT}")
    while room > 0:
        start = cut(" ".join(sentence.split()), room)
        shorter = start.rsplit(" ", 1)[0] if " " in start else start
        if count_tokens(f"{shorter} {CUT}") <= limit:
            return f"{shorter} {CUT}"
        room -= 1
    return CUT


def _shared(sentence: str, question: str) -> int:
    return len(_words(sentence) & _words(question))


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_LETTERS or not word.isascii()}
