"""Estimates the number of tokens of a text without a tokenizer, a vocabulary or a network. Pure.

A budget must hold for any model that reads the context, so the estimate is rather too high. Each run
of letters is weighted by its length, on a scale between two extremes: a light one for text with many of
the most common words of English or another large European language, and a heavy one for text without
them (other languages, code, random letters). Digits, punctuation, line breaks and letters of other
scripts have separate weights. No text has more tokens than UTF-8 bytes.

Estimate divided by the count of OpenAI's encodings:

    ====================================  =========  =========
    text                                  o200k      cl100k
    ====================================  =========  =========
    English chat, 1,000 tokens or more    1.03-1.15  1.00-1.10
    English chat, single turns            0.94-1.15  0.91-1.08  (5th to 95th percentile; at worst 6 tokens short)
    Markdown, JSON, code, URLs            1.1-1.6    1.1-1.6
    German, French, Spanish               1.5-1.8    1.2-1.5
    Finnish, Polish, Vietnamese           1.1-2.1    0.9-1.3
    Cyrillic, Greek, Hebrew, Arabic       1.8-2.9    0.95-1.2
    Hindi, Tamil, Thai                    2.9-4.5    1.0-1.4
    Chinese, Japanese, Korean             1.5-1.8    1.0-1.2   (rare traditional Han: 0.95, 0.7)
    hex, base64, random letters, numbers  1.0-1.35   1.0-1.35
    emoji alone                           1.45       0.86
    ====================================  =========  =========

Tokenizers that split every digit (Llama 2, Gemma, Qwen) can exceed the estimate on tables of long numbers.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil

__all__ = ["count_many", "count_tokens", "cut"]

_ENGLISH = """
the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she or an
will my one all would there their what so up out if about who get which go me when make can like time no just him know
take into your some could them see other than then now only come its over think also back after use two how our work
well even new want because any these give day most us is are was were been had has did am im yes really great thanks
hey
"""
_EUROPEAN = """
der die das und ist nicht ich ein eine zu mit auf den dem von sie es wir wie aber auch war hat im des sich für aus bei
le la les un une et est pas je que qui dans pour sur avec des du en ce au il elle nous vous sont ont été à
el los las una y es no que por con para su del se lo como más pero al mi ha muy yo está son o
il di che non un per sono con mi si della è ho anche ma gli
os um uma não com por mais como mas foi ele ela isso eu da do na em
de het een van en ik niet dat zijn op te voor met er maar ook
"""


def _known(words: str) -> frozenset[str]:
    listed = words.split()
    return frozenset(listed) | frozenset(word.capitalize() for word in listed)


_COMMON = _known(_ENGLISH)
_FOREIGN = _known(_EUROPEAN) - _COMMON
_FOREIGN_WEIGHT = 0.3
_COMMON_SHARE = 0.22
"""Share of common words above which only the light scale applies; English chat has 0.3 to 0.5."""

_LONGEST = 64
_LIGHT = tuple(
    1.0 if size <= 5 else 1.1 if size <= 8 else 1.25 if size <= 10 else 1.7 if size <= 13 else size / 4.5  # noqa: PLR2004  # measured means for these lengths
    for size in range(_LONGEST + 1)
)
_HEAVY = tuple(max(1.0, 0.4 + size / 1.9) for size in range(_LONGEST + 1))

_WORD = re.compile(rf"[A-Z]?[a-z]{{1,{_LONGEST - 1}}}|[A-Z]{{1,{_LONGEST}}}")
_LATIN_WORD = re.compile(rf"[A-ZÀ-Þ]?[a-zß-ÿ\u0100-\u024f\u1e00-\u1eff]{{1,{_LONGEST - 1}}}|[A-ZÀ-Þ]{{1,{_LONGEST}}}")
_CLASSES = bytes.maketrans(
    bytes(range(256)),
    b"." * 9
    + b" nnnn"
    + b"." * 18
    + b" "
    + b"." * 6
    + b"'"
    + b"." * 8  # up to the slash
    + b"0" * 10
    + b"." * 7
    + b"a" * 26
    + b"." * 6
    + b"a" * 26
    + b"." * 5  # up to delete
    + b"w" * 128,
)
"""Class of each byte: line break, blank, digit, part of a wide character, letter, apostrophe, punctuation."""
_WIDE = re.compile(r"[^\x00-\x7f]")

_BLOCKS: tuple[tuple[int, float], ...] = (
    (0x80, 1.0),  # symbols of Latin-1
    (0xC0, 0.6),  # Latin letters, in addition to the weight of their word
    (0x250, 1.2),  # phonetic symbols, accents, Greek
    (0x400, 0.55),  # Cyrillic
    (0x530, 1.2),  # Armenian, Hebrew
    (0x600, 0.9),  # Arabic
    (0x700, 1.5),  # Indic scripts, Thai and related ones
    (0x1E00, 0.4),  # Latin letters of Vietnamese
    (0x1F00, 1.5),  # ancient Greek
    (0x2000, 1.0),  # dashes, quotes, joiners
    (0x2070, 2.0),  # arrows, mathematical symbols, box drawing
    (0x2600, 2.5),  # early emoji
    (0x2800, 2.0),
    (0x3000, 1.1),  # CJK punctuation, kana
    (0x3400, 1.5),  # Han
    (0xA000, 2.0),
    (0xAC00, 1.35),  # Hangul
    (0xD7B0, 2.0),
    (0xFE00, 1.2),  # variation selectors, full-width forms
    (0x10000, 3.0),  # historic scripts
    (0x1F000, 2.5),  # emoji
    (0x20000, 3.5),  # rare Han
)
_STARTS = tuple(start for start, _ in _BLOCKS)


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens, rather too high than too low; 0 for an empty text."""
    if not text:
        return 0
    ascii_only = text.isascii()
    data = text.encode("utf-8", "surrogatepass")
    total = _words((_WORD if ascii_only else _LATIN_WORD).findall(text)) + _rest(data.translate(_CLASSES))
    if not ascii_only:
        total += sum(map(_weight, _WIDE.findall(text)))
    return min(len(data), max(1, ceil(total)))


def count_many(texts: Iterable[str]) -> list[int]:
    """Return the estimate for each text, in order."""
    return [count_tokens(text) for text in texts]


def cut(text: str, limit: int) -> str:
    """Return the longest prefix of at most `limit` tokens, accurate to one percent of its length.

    Args:
        text: Any text; it may be cut inside a word but not inside a character.
        limit: Tokens, at least 0.
    """
    if count_tokens(text) <= limit:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > max(1, fits // 100):
        middle = (fits + too_long) // 2
        if count_tokens(text[:middle]) <= limit:
            fits = middle
        else:
            too_long = middle
    return text[:fits]


def _words(words: Sequence[str]) -> float:
    if not words:
        return 0.0
    sizes = [len(word) for word in words]
    light = sum(map(_LIGHT.__getitem__, sizes))
    common = sum(map(_COMMON.__contains__, words)) + _FOREIGN_WEIGHT * sum(map(_FOREIGN.__contains__, words))
    lack = 1 - common / len(words) / _COMMON_SHARE
    return light if lack <= 0 else light + lack * (sum(map(_HEAVY.__getitem__, sizes)) - light)


def _rest(classes: bytes) -> float:
    """Weigh digits, punctuation and gaps, given the class of each byte."""
    count = classes.count
    digits = count(b"0")
    runs = count(b" 0") + count(b"a0") + count(b".0") + count(b"n0") + classes.startswith(b"0")
    numbers = (digits + runs) / 2 + count(b" 0") if digits else 0.0
    signs = count(b".") - 0.35 * count(b"..") + count(b"'") - count(b"a'a")
    gaps = count(b"n") - count(b"nn") + classes.replace(b" " * 4, b"  ").count(b"  ")
    return numbers + signs + gaps


@lru_cache(maxsize=16_384)
def _weight(character: str) -> float:
    return _BLOCKS[bisect_right(_STARTS, ord(character)) - 1][1]
