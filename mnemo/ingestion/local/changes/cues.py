"""Finds cues anywhere in a sentence that say something has ended: `got nicked`, `last day at`, `ran out`.

A cue gives the kinds of facts it can end, and the nouns around it say which ones. See
`mnemo.ingestion.resolution.topics`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mnemo.ingestion.local.changes.cue_table import BARE_CUES, CUES, OBJECT, SUBJECT
from mnemo.ingestion.local.changes.phrases import is_not_final, statement_parts
from mnemo.ingestion.local.lexicon import FUNCTION_WORDS, KIN
from mnemo.text.patterns import lazy_pattern

__all__ = ["EndingCue", "ending_cues", "noun_phrases"]

_COMPILED = tuple((kinds.split(), side, lazy_pattern(cue, re.IGNORECASE)) for kinds, side, cue in CUES)
_COMPILED_BARE = tuple((kind, lazy_pattern(cue, re.IGNORECASE)) for kind, cue in BARE_CUES)
_PREPOSITION = lazy_pattern(
    r"\b(?:on|in|at|from|outside|near|for|to|with|because|by|along|after|before|around)\b", re.IGNORECASE
)
_PART_OF_THING = lazy_pattern(
    r"\b(?:chapters?|episodes?|half|levels?|pages?|parts?|bits?|pieces?|some|rest|match|meeting|shift)\b", re.IGNORECASE
)
"""Parts of something: finishing a chapter does not end the book."""
_NEGATION = lazy_pattern(r"\b(?:not|never|\w+n['’]?t|nobody|no one|without)\b", re.IGNORECASE)
_FIRST_PERSON = lazy_pattern(r"\b(?:me|us|my|our)\b", re.IGNORECASE)
_COMPLETED = lazy_pattern(
    r"\b(?:is|are|'s|s)(?: (?:all|finally|now))? (\w{3,}ed|built|written|sorted)\b", re.IGNORECASE
)
"""A completed plan: the kitchen's painted."""
_TODAY_ONLY = lazy_pattern(
    r"\b(?:cancelled|canceled|off|no)\b.{0,20}\b(?:today|tonight|this (?:week|morning|afternoon|evening))\b",
    re.IGNORECASE,
)
"""Cancelled for one day only, not for good."""
_WORD = lazy_pattern(r"[^\W_][\w&+'’-]*")
_OTHER_OWNER = lazy_pattern(
    r"\b(?:his|her|their|your|(?:my |our )?(?:neighbou?r|friend|colleague|boss|mate|\w+ next door)['’]?s|"
    r"(?:neighbou?r|friend|colleague|boss|mate|guy|woman|man|bloke) (?:at|from|next|down|across|in))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EndingCue:
    """The topics that a cue ends."""

    topics: tuple[str, ...]
    """A kind and one noun phrase near the cue each, such as `@job zara`."""
    subject: str
    """The words that may name the person it is about."""
    span: tuple[int, int]
    """Offsets in the sentence of the part that contains the cue."""
    names_subject: bool = False
    """Whether a noun in `subject` is the person it is about, so that an unknown noun excludes the speaker."""


def ending_cues(text: str) -> Iterator[EndingCue]:
    """Yield the endings that cues in a sentence state, in order; questions and quotations give none.

    Args:
        text: The sentence, with straight apostrophes.
    """
    earlier: tuple[str, ...] = ()
    for start, end in statement_parts(text):
        part = text[start:end]
        if not (
            is_not_final(part) or _PART_OF_THING.search(part) or _OTHER_OWNER.search(part) or _TODAY_ONLY.search(part)
        ):
            for kinds, side, cue in _COMPILED:
                found = cue.search(part)
                phrases = _candidate_phrases(part, found, side, earlier) if found is not None else ()
                topics = tuple(dict.fromkeys(f"@{kind} {thing}" for thing in phrases for kind in kinds))
                if found is not None and topics:
                    subject = found[0] if _FIRST_PERSON.search(found[0]) else part[: found.start()]
                    yield EndingCue(topics, subject, (start, end), names_subject=side == OBJECT)
            for topic, cue in _COMPILED_BARE:
                found = cue.search(part)
                if found is not None and not _NEGATION.search(part[: found.start()]):
                    yield EndingCue((topic,), part[: found.end()], (start, end))
            done = _COMPLETED.search(part)
            if done is not None:
                topics = tuple(f"~{done[1]} {thing}" for thing in noun_phrases(part[: done.start()]))
                if topics:
                    yield EndingCue(topics, "", (start, end))
        earlier += noun_phrases(part)


def _candidate_phrases(part: str, found: re.Match[str], side: str, earlier: tuple[str, ...]) -> tuple[str, ...]:
    """Return the noun phrases that a cue may end: those on its side, or `earlier` ones if there are none."""
    before, after = part[: found.start()], part[found.end() :]
    if _NEGATION.search(before):
        return ()
    within, subjects = noun_phrases(found.groupdict().get("thing") or ""), noun_phrases(before)
    if side == OBJECT:
        return within + _first_phrases(after)
    if side == SUBJECT:
        return within + (subjects or earlier)
    return within + (subjects + _first_phrases(after) or earlier)


def _first_phrases(after: str) -> tuple[str, ...]:
    """Return the noun phrases before the first preposition that follows one."""
    for cut in _PREPOSITION.finditer(after):
        if noun_phrases(after[: cut.start()]):
            return noun_phrases(after[: cut.start()])
    return noun_phrases(after)


def noun_phrases(text: str) -> tuple[str, ...]:
    """Return runs of content words, lower case, in order, without relatives' nouns."""
    phrases: list[list[str]] = [[]]
    previous_end = 0
    for found in _WORD.finditer(text):
        word = found[0].lower().removesuffix("'s").removesuffix("’s")
        separated = text[previous_end : found.start()].strip() != ""
        previous_end = found.end()
        if separated or word in FUNCTION_WORDS or word in KIN:
            phrases.append([])
        if word not in FUNCTION_WORDS and word not in KIN:
            phrases[-1].append(word)
    return tuple(" ".join(words) for words in phrases if words)
