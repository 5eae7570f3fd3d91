"""Splits long texts into chunks at paragraph and sentence ends, and dialogues into rounds."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mnemo.errors import ArgumentError
from mnemo.models.graph import Message
from mnemo.providers.tokens import count_tokens
from mnemo.text.sentences import sentence_ends

__all__ = ["WINDOW_TOKENS", "Chunk", "rounds", "split", "windows"]

WINDOW_TOKENS = (512, 1024)
"""Usual range of document windows, in tokens."""

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*\Z")
_BLANKS = re.compile(r"\s+")
_CHARS_PER_TOKEN = 4
_MIN_FILL = 0.6
_TAIL_CHARS = 64


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text."""

    start: int
    """Its offset in the text."""
    end: int
    text: str
    """`text[start:end]` of the whole text, not stripped."""
    tokens: int


@dataclass(frozen=True, slots=True)
class _Atom:
    """A piece that is not split further: a sentence, or part of a long one."""

    start: int
    end: int
    tokens: int


def split(text: str, *, limit: int, overlap: int = 0, count: Callable[[str], int] = count_tokens) -> list[Chunk]:
    """Split a text into chunks at paragraph and sentence ends.

    Every character is in a chunk; without overlap, the joined chunks are the text. A sentence over the limit is split
    between words, a word over it between characters.

    Args:
        text: Any text; an empty one has no chunks.
        limit: Most tokens of a chunk, at least 1. A single character with more tokens is a chunk by itself.
        overlap: Most tokens from a chunk's end that the next one repeats, starting at a sentence or word; at least
            0 and less than `limit`.
        count: Counts the tokens of a text; called on pieces of a few times `limit` characters, about twice a sentence.

    Returns:
        The chunks in text order.

    Raises:
        ArgumentError: `limit` is below 1, or `overlap` negative or not below `limit`.
    """
    if limit < 1 or not 0 <= overlap < limit:
        message = f"limit must be at least 1 and overlap from 0 to below limit, got {limit} and {overlap}"
        raise ArgumentError(message)
    atoms = list(_atoms(text, limit - overlap, count))
    chunks: list[Chunk] = []
    first, start = 0, 0
    while first < len(atoms):
        overlap_tokens = count(text[start : atoms[first].start]) if start < atoms[first].start else 0
        after = _fill(text, atoms, first, limit - overlap_tokens)
        chunk = _fit_chunk(text, (start, first, after), atoms, limit, count)
        chunks.append(chunk)
        while first < len(atoms) and atoms[first].end <= chunk.end:
            first += 1
        start = _overlap_start(text, chunk, overlap, count) if overlap else chunk.end
    return chunks


def windows(text: str, *, tokens: int = WINDOW_TOKENS[0], count: Callable[[str], int] = count_tokens) -> list[Chunk]:
    """Split a document into windows of at most `tokens` tokens, without overlap."""
    return split(text, limit=tokens, count=count)


def _fill(text: str, atoms: Sequence[_Atom], first: int, budget: int) -> int:
    """Return the index after the last atom that fits, or after a paragraph end if the chunk is full enough there."""
    used, after, paragraph = 0, first, first
    while after < len(atoms) and (after == first or used + atoms[after].tokens <= budget):
        used += atoms[after].tokens
        after += 1
        if used >= budget * _MIN_FILL and _ends_paragraph(text, atoms[after - 1]):
            paragraph = after
    return paragraph if paragraph > first and after < len(atoms) else after


def _ends_paragraph(text: str, atom: _Atom) -> bool:
    return _PARAGRAPH_END.search(text, max(atom.start, atom.end - _TAIL_CHARS), atom.end) is not None


def _fit_chunk(
    text: str, bounds: tuple[int, int, int], atoms: Sequence[_Atom], limit: int, count: Callable[[str], int]
) -> Chunk:
    """Return the chunk; drop its last atoms, then the overlap, while its tokens exceed the limit."""
    start, first, after = bounds
    while True:
        piece = text[start : atoms[after - 1].end]
        tokens = count(piece)
        if tokens > limit and after > first + 1:
            after -= 1
        elif tokens > limit and start < atoms[first].start:
            start = atoms[first].start
        else:
            return Chunk(start, atoms[after - 1].end, piece, tokens)


def _overlap_start(text: str, chunk: Chunk, overlap: int, count: Callable[[str], int]) -> int:
    """Return where the next chunk starts: a sentence, else a word, at most `overlap` tokens before the chunk's end."""
    size = min(overlap * _CHARS_PER_TOKEN, chunk.end - chunk.start - 1)
    while size > 0 and (tokens := count(text[chunk.end - size : chunk.end])) > overlap:
        size = min(size - 1, size * overlap // tokens)
    first = chunk.end - max(size, 0)
    if sentence := next((first + end for end in sentence_ends(text[first : chunk.end]) if first + end < chunk.end), 0):
        return sentence
    if word := _BLANKS.search(text, first, chunk.end - 1):
        return word.end()
    return first


def _atoms(text: str, limit: int, count: Callable[[str], int]) -> Iterator[_Atom]:
    """Yield sentences with the blanks after them, in pieces if they exceed the limit."""
    start = 0
    for end in sentence_ends(text):
        if end - start <= limit * _CHARS_PER_TOKEN * 2:
            tokens = count(text[start:end])
            if tokens <= limit:
                yield _Atom(start, end, tokens)
                start = end
                continue
        while start < end:
            atom = _piece(text, start, end, limit, count)
            yield atom
            start = atom.end


def _piece(text: str, start: int, end: int, limit: int, count: Callable[[str], int]) -> _Atom:
    """Return a piece that fits, cut between words if one ends in its last third."""
    size = min(end - start, limit * _CHARS_PER_TOKEN * 2)
    tokens = count(text[start : start + size])
    while tokens > limit and size > 1:
        size = max(1, min(size - 1, size * limit // tokens))
        tokens = count(text[start : start + size])
    if start + size < end:
        last = start + size + 1
        cut = max(text.rfind(" ", start, last), text.rfind("\n", start, last)) + 1
        if cut - start > size * 2 // 3 and (counted := count(text[start:cut])) <= limit:
            return _Atom(start, cut, counted)
    return _Atom(start, start + size, tokens)


def rounds(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """Group a dialogue into rounds of a turn and its reply.

    With an assistant, a round is one or more user messages and all messages up to the next user message. Among people,
    it is two turns, where a turn is consecutive messages of one speaker. A round never spans two sessions.

    Returns:
        Half-open index ranges, in order, that cover every message once.
    """
    assisted = any(message.role == "assistant" for message in messages)
    ranges: list[tuple[int, int]] = []
    start, turns = 0, 1
    for index in range(1, len(messages)):
        before, here = messages[index - 1], messages[index]
        if assisted:
            ends = here.role == "user" and before.role != "user"
        else:
            turns += here.speaker != before.speaker
            ends = turns > 2  # noqa: PLR2004  # a turn and its reply
        if ends or here.session != before.session:
            ranges.append((start, index))
            start, turns = index, 1
    return [*ranges, (start, len(messages))] if messages else []
