"""Adds what set phrases say is over to the fact from the same words, or to a new fact if there is none."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.local.changes.cues import ending_cues, noun_phrases
from mnemo.ingestion.local.changes.phrases import ending_phrases
from mnemo.ingestion.local.clauses.predicates import Link
from mnemo.ingestion.local.facts.drafts import Draft
from mnemo.ingestion.local.lexicon import KIN
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.topics import ENDED

if TYPE_CHECKING:
    from mnemo.ingestion.local.changes.cues import EndingCue
    from mnemo.ingestion.local.changes.phrases import EndingPhrase
    from mnemo.ingestion.local.reading import WindowReading

__all__ = ["keep_phrases"]

_WORD = re.compile(r"[^\W\d_]+")


def keep_phrases(span: tuple[int, int], reading: WindowReading) -> None:
    """Add the topics of a sentence's ending phrases to its facts.

    Args:
        span: Of the sentence in the message.
        reading: The message.
    """
    text = reading.episode.content[slice(*span)]
    before = reading.episode.content[: span[0]]
    plain = text.replace("’", "'")
    found = [(phrase.topics, phrase.span, _subject(phrase, reading)) for phrase in ending_phrases(plain, before)]
    found += [(cue.topics, cue.span, _named_subject(cue, reading)) for cue in ending_cues(plain)]
    for topics, (start, end), subject in found:
        place = (span[0] + start, span[0] + end)
        if subject is not None and not _attach(topics, subject, place, reading):
            _keep(topics, subject, place, reading)


def _subject(phrase: EndingPhrase, reading: WindowReading) -> str | None:
    if phrase.who is None:
        return reading.speaker
    if phrase.who.lower() in {"he", "she"}:
        return _pronoun(phrase.who.lower(), reading)
    bare = phrase.who.removeprefix("my ").removeprefix("My ").removeprefix("our ")
    names = (f"{reading.speaker}'s {bare.lower()}", *((bare,) if bare == phrase.who else ()))
    return next((known.name for name in names if (known := reading.gathering.known(name)) is not None), None)


def _named_subject(cue: EndingCue, reading: WindowReading) -> str | None:
    """Return whom a cue is about: I or we, a relative or someone known, he or she; else the speaker.

    None for an unknown he or relative, and for an unknown noun where it can only be who did it.
    """
    words = [found[0].lower() for found in _WORD.finditer(cue.subject)]
    if {"i", "we", "im", "ive"} & set(words):
        return reading.speaker
    for word in words:
        owned = reading.gathering.known(f"{reading.speaker}'s {word}")
        known = owned or reading.gathering.known(word)
        if known is not None and (known.kind == "person" or owned is not None):
            return known.name
        if word in KIN:
            return None
    pronoun = next((word for word in words if word in {"he", "she"}), None)
    if pronoun is not None:
        return _pronoun(pronoun, reading)
    unknown = cue.names_subject and noun_phrases(cue.subject)
    return None if unknown else reading.speaker


def _pronoun(word: str, reading: WindowReading) -> str | None:
    meant = reading.gathering.discourse.meant_by(word, reading.place)
    return meant.name if meant is not None else None


def _attach(topics: tuple[str, ...], subject: str, place: tuple[int, int], reading: WindowReading) -> bool:
    """Add the topics to the fact from the phrase's words; return whether there is one."""
    facts = reading.gathering.facts
    for index, fact in enumerate(facts):
        same = fact.episode == reading.episode.uuid and fact.start < place[1] and place[0] < fact.end
        about = name_key(subject) in map(name_key, (fact.subject, fact.object or "", *fact.topics))
        if same and about and not fact.relation.startswith(("has_", "not_")):
            facts[index] = replace(fact, topics=tuple(dict.fromkeys((*fact.topics, *topics))))
            return True
    return False


def _keep(topics: tuple[str, ...], subject: str, place: tuple[int, int], reading: WindowReading) -> None:
    now = said_at(reading.episode)
    dates = [w for w in reading.dates if place[0] <= w.span[0] and w.span[1] <= place[1] and w.start <= now][:1]
    words = reading.episode.content[slice(*place)]
    link = Link(ENDED, None, "happened", topics=topics)
    reading.keep(Draft(link, subject, None, f"It is over for {subject}: {words}", place, dates))
