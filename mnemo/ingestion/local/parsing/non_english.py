"""Recognises text that is not English, and finds its names and first statements without a parser.

Such a message gives its speaker, the words that look like names, and its first statements
verbatim as `says` facts, so that a chat in Japanese can be searched in Japanese.
"""

import importlib
import re
from collections.abc import Iterator
from functools import cache

from mnemo.text.sentences import sentence_spans

__all__ = ["is_english", "names_in", "statements"]

MAX_STATEMENTS = 2
_MIN_WORDS = 3
_MIN_FOREIGN_STOP_WORDS = 2
"""Stop words of another language in a text without English ones that make it foreign."""
_CAPITAL = "A-ZÀ-ÖØ-ÞŠŽŁŚŻŹĆŃČĎĚŇŘŤŮŐŰĐĀĒĪŌŪ"
_NAME = re.compile(
    rf"[{_CAPITAL}]\w+(?: (?:d[aeiou]s?|van|von|der|den|del|la|le|los|bin|al|el|y|e))*(?: [{_CAPITAL}]\w+)+"
    rf"|(?<=[a-z,] )[{_CAPITAL}]\w+"
)
"""Names, whose particles say nothing about the language: Maria dos Santos."""
_MIN_CHARS = 6
_LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt")
_WORD = re.compile(r"(?<!\d)[^\W\d_]+(?!\d)")
_DAYS = "昨日|今日|明日|毎日|先日|先週|今週|来週|先月|今月|来月|去年|今年|来年|毎朝|今朝|今夜"
_KATAKANA = re.compile(rf"(?:(?!{_DAYS})[一-龥々]{{2,4}})?[ァ-ヺー]{{3,}}(?:・[ァ-ヺー]+)*")
_KANJI_NAME = re.compile(r"[一-龥々]{2,6}(?:駅|市|県|区|町|村|大学|高校|会社|病院|公園|寺|神社|さん|ちゃん|くん|様)")
_HANGUL_NAME = re.compile(r"[가-힣]{2,6}(?:시|대학교|회사|씨)(?![가-힣])")
_CAPITALISED = re.compile(r"(?<![.!?。！？\n]\s)(?<!^)\b[A-ZÀ-ÖØ-ÞА-ЯЁ]\w+(?:[ -][A-ZÀ-ÖØ-ÞА-ЯЁ]\w+)*")  # noqa: RUF001  # full-width marks end sentences too
_LATIN_IN_CJK = re.compile(r"[A-Za-z][A-Za-z0-9.+-]{1,}(?: [A-Z][A-Za-z0-9.+-]+)*")
MAX_NAMES = 5


def is_english(text: str) -> bool:
    """Return whether a text suits the English parser: mostly Latin letters, few stop words of other languages."""
    words = [word.lower() for word in _WORD.findall(_NAME.sub(" ", text)) if len(word) > 1 or word in "aIi"]
    letters = "".join(words)
    if not letters:
        return True
    if sum(character.isascii() for character in "".join(_WORD.findall(text))) < 0.7 * len(
        "".join(_WORD.findall(text))
    ):  # English has few accents
        return False
    if len(words) < _MIN_WORDS:
        return letters.isascii()
    own, *others = (sum(word in small for word in words) for small in _stop_words())
    return own >= max(others) or max(others) < (_MIN_FOREIGN_STOP_WORDS if own == 0 else own + _MIN_FOREIGN_STOP_WORDS)


@cache
def _stop_words() -> tuple[frozenset[str], ...]:
    """Return the stop words of some languages, English first."""
    modules = (importlib.import_module(f"spacy.lang.{language}.stop_words") for language in _LANGUAGES)
    return tuple(frozenset(module.STOP_WORDS) for module in modules)


def names_in(text: str) -> Iterator[str]:
    """Yield up to 5 words that look like names, each once.

    In CJK text, in this order: katakana of three or more characters, kanji and hangul with a suffix for a place, firm
    or person, and Latin words. In other text: capitalised words that do not start a sentence.
    """
    cjk = bool(re.search(r"[぀-ヿ一-龥가-힣]", text))
    patterns = (_KATAKANA, _KANJI_NAME, _HANGUL_NAME, _LATIN_IN_CJK) if cjk else (_CAPITALISED,)
    seen = dict.fromkeys(match.group() for pattern in patterns for match in pattern.finditer(text))
    yield from list(seen)[:MAX_NAMES]


def statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the first two sentences of six or more characters that are not questions."""
    found = 0
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if len(sentence) < _MIN_CHARS or sentence.endswith(("?", "？")) or found == MAX_STATEMENTS:  # noqa: RUF001  # full-width marks end sentences too
            continue
        found += 1
        yield start, end
