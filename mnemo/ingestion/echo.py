"""Recalled text that comes back as a message: recognised, so that it is not learnt again.

Three signs. Marks: lines that start as those of a context do, `[3] …`, two or more together or under
its heading. Repetition: a sentence whose words, nearly all of them, are those of one recalled text.
Both count for whole sentences; a message of which less than a tenth is its own is an echo.
"""

import re
from collections.abc import Collection, Iterator

from mnemo.ingestion.names import name_key

__all__ = ["is_echo", "own_part"]

MIN_WORDS = 4
"""A shorter sentence (Yes, I do) is nobody's."""
_CONTAINED = 0.9
_OWN_SHARE = 0.1
_MARKED = re.compile(r"^\s*(?:[-*•]\s*)?\[\d{1,3}\]\s+\S")
_CITED = re.compile(r"\s*\[\d{1,3}\](?:\s*,?\s*\[\d{1,3}\])*")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")  # noqa: RUF001  # full-width marks end sentences too
_CJK = re.compile(r"[぀-ヿ一-鿿가-힣]")


def is_echo(text: str, recalled: Collection[str]) -> bool:
    """Tell whether a message only gives back what was recalled.

    Args:
        text: The message.
        recalled: Facts, quotes and messages that were handed out in this group of late, as they were.
    """
    own = own_part(text, recalled)
    return bool(text.strip()) and _letters(own) <= _OWN_SHARE * _letters(text)


def own_part(text: str, recalled: Collection[str]) -> str:
    """Return a message without what it gives back of what was recalled: its own lines and sentences, in order.

    Nothing is taken from a message when nothing was recalled: then a marked list is somebody's own.
    """
    if not recalled:
        return text
    known = [words for words in (_words(each) for each in recalled) if words]
    lines = text.splitlines()
    marked = sum(bool(_MARKED.match(line)) for line in lines)
    kept = [
        piece
        for line in lines
        if not (marked > 1 and _MARKED.match(line))
        for piece in _sentences(line)
        if not _repeats(piece, known)
    ]
    return "\n".join(kept)


def _sentences(line: str) -> Iterator[str]:
    for match in _SENTENCE.finditer(line):
        if match.group().strip():
            yield match.group().strip()


def _repeats(sentence: str, known: Collection[frozenset[str]]) -> bool:
    words = _words(_CITED.sub("", sentence))
    if len(words) < MIN_WORDS:
        return False
    return any(len(words & other) >= _CONTAINED * len(words) for other in known)


def _words(text: str) -> frozenset[str]:
    """Words of a text, folded; characters in pairs where words have no blanks between them."""
    key = name_key(text)
    if _CJK.search(key):
        dense = key.replace(" ", "")
        return frozenset(dense[place : place + 2] for place in range(len(dense) - 1))
    return frozenset(key.split())


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)
