r"""Builds full-text queries from any text, and the extra search terms to index beside a text.

Text is never treated as query syntax: it is split into words of letters, digits and emoji, each in quotes, so that
no operator, wildcard, field or slash reaches the parser. Every query requires the group's key and names its fields.

The indexes tokenise by Unicode (UAX 29) and stem English words. The property `search_terms` beside the text, and the
query, add what that misses: words without accents (café, cafe), full-width letters as plain ones, and two-letter
pieces of Katakana and Hangul runs, which would otherwise be one token. Runs of Han and Hiragana, one token per
letter in the index, are searched as adjacent pairs.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mnemo.models.group import text_key
from mnemo.text.patterns import lazy_pattern

__all__ = ["EXTRA_FIELD", "MAX_CLAUSES", "STOPWORDS", "content_words", "fold", "search_terms", "text_query"]

EXTRA_FIELD = "search_terms"
"""The indexed property that stores the result of `search_terms`."""

MAX_CLAUSES = 900
"""Most terms in a query; Lucene allows 1,024. Later words of a long text are left out."""

_SPACED = r"\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3005\u3006"
"""Han and Hiragana: one token per letter in the index."""
_JOINED = r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uac00-\ud7a3\u1100-\u11ff"
"""Katakana and Hangul: one token per run in the index."""
_RUN = lazy_pattern(rf"[{_SPACED}]+|[{_JOINED}]+")
_JOINED_RUN = lazy_pattern(rf"[{_JOINED}]+")
_EMOJI = (
    r"[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
    r"[\ufe0f\u200d\u2640\u2642\U0001f000-\U0001faff]*"
)
_LETTER = rf"[^\W_{_SPACED}{_JOINED}]"
_TOKEN = lazy_pattern(
    rf"(?P<cjk>[{_SPACED}]+|[{_JOINED}]+)|(?P<word>{_LETTER}+(?:[.'\u2019_]{_LETTER}+)*)|(?P<emoji>{_EMOJI})"
)
_INNER = lazy_pattern(r"[.'\u2019_]")
_UNFOLDED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "\u0131": "i"})
# Lucene's English stopwords, question words, and the remains of 's and 't.
_STOPWORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they
this to was will with who whom whose what when where which why how do does did has have had can could would
should am were been being i me my we our you your he him his she her its from about s t d ll re ve m
"""
STOPWORDS = frozenset(_STOPWORDS.split())
"""Stopwords in lower case."""


def text_query(group: str, text: str, fields: Sequence[str], *, filters: Mapping[str, str] | None = None) -> str:
    """Return a Lucene query for a group's texts that share words with `text`.

    Args:
        group: Group to search.
        text: Any text. Stopwords (the, what) are searched only if there are no other words.
        fields: Indexed properties to search, in addition to `search_terms`.
        filters: Further properties that must equal a single token, such as a `session_key`.

    Returns:
        A valid query; for a text without words, one that matches nothing.
    """
    keys = {"group_key": text_key(group), **(filters or {})}
    must = " ".join(f'+{field}:"{_quotable(value)}"^0' for field, value in keys.items())
    clauses = list(_bounded(content_words(text), fields))
    return f'{must} +({EXTRA_FIELD}:"nothing0matches0this" {" ".join(clauses)})'


def content_words(text: str) -> list[str]:
    """Return the distinct content words of a text, in order and as written; all words if only stopwords remain.

    Scripts without spaces give pairs of letters.
    """
    pieces = (piece for match in _TOKEN.finditer(_normal(text)) for piece in _pieces(match))
    found = list({piece.lower(): piece for piece in pieces}.values())
    content = [piece for piece in found if piece.lower() not in STOPWORDS]
    return content or found


def search_terms(text: str) -> str:
    """Return the extra words to index beside a text, distinct and in order, separated by spaces.

    Empty for plain English text.
    """
    if text.isascii():
        return ""
    plain = {match[0].lower() for match in _TOKEN.finditer(text)}
    terms: dict[str, None] = {}
    for match in _TOKEN.finditer(_normal(text)):
        if match["cjk"]:
            terms.update(dict.fromkeys(_extra_pairs(match["cjk"])))
        elif match["word"] and (folded := fold(match["word"])) not in plain:
            terms[folded] = None
    return " ".join(terms)


def fold(word: str) -> str:
    """Return a word in lower case without accents; letters of other scripts are kept."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(letter for letter in decomposed if not "\u0300" <= letter <= "\u036f")
    return unicodedata.normalize("NFC", bare).translate(_UNFOLDED)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _quotable(value: str) -> str:
    return re.sub(r'["\\]', " ", value)


def _pieces(match: re.Match[str]) -> Sequence[str]:
    if match["cjk"]:
        return _pairs(match["cjk"])
    parts = _INNER.split(match[0])
    return [match[0], *parts] if len(parts) > 1 else [match[0]]


def _pairs(run: str) -> Sequence[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _extra_pairs(run: str) -> Sequence[str]:
    pairs = _pairs(run)
    return pairs if _JOINED_RUN.fullmatch(run) and len(pairs) > 1 else ()


def _bounded(units: Iterable[str], fields: Sequence[str]) -> Iterator[str]:
    """Yield the terms of each word until `MAX_CLAUSES` tokens are used."""
    spent = 0
    for unit in units:
        terms = list(_terms(unit, fields))
        spent += len(terms) * _tokens(unit)
        if spent > MAX_CLAUSES:
            return
        yield " ".join(terms)


def _tokens(unit: str) -> int:
    return len(unit) if _RUN.fullmatch(unit) else 1 + len(_INNER.findall(unit))


def _terms(unit: str, fields: Sequence[str]) -> Iterator[str]:
    for word in dict.fromkeys((unit.lower(), fold(unit))):
        yield from (f'{field}:"{word}"' for field in fields)
    yield f'{EXTRA_FIELD}:"{fold(unit)}"'
