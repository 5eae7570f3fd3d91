"""Adds the topics that set phrases end to the fact from the same words, or to a new fact if there is none."""

from __future__ import annotations  # importing spaCy takes a second

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.local.changes.cues import ending_cues, noun_phrases
from mnemo.ingestion.local.changes.phrases import ending_phrases
from mnemo.ingestion.local.clauses.predicates import Link
from mnemo.ingestion.local.facts.drafts import FactDraft
from mnemo.ingestion.local.lexicon import KIN
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.topics import ENDED

if TYPE_CHECKING:
    from mnemo.ingestion.local.changes.cues import EndingCue
    from mnemo.ingestion.local.changes.phrases import EndingPhrase
    from mnemo.ingestion.local.message_state import MessageState

__all__ = ["add_ended_topics"]

_WORD = re.compile(r"[^\W\d_]+")


def add_ended_topics(sentence_span: tuple[int, int], message: MessageState) -> None:
    """Add the topics that a sentence's ending phrases and cues end to its facts.

    Args:
        sentence_span: Offsets of the sentence in the message.
        message: The message.
    """
    text = message.episode.content[slice(*sentence_span)]
    before = message.episode.content[: sentence_span[0]]
    straight_quotes = text.replace("’", "'")
    endings = [
        (phrase.topics, phrase.span, _subject(phrase, message)) for phrase in ending_phrases(straight_quotes, before)
    ]
    endings += [(cue.topics, cue.span, _named_subject(cue, message)) for cue in ending_cues(straight_quotes)]
    for topics, (start, end), subject in endings:
        span = (sentence_span[0] + start, sentence_span[0] + end)
        if subject is not None and not _add_topics(topics, subject, span, message):
            _add_ending(topics, subject, span, message)


def _subject(phrase: EndingPhrase, message: MessageState) -> str | None:
    if phrase.who is None:
        return message.speaker
    if phrase.who.lower() in {"he", "she"}:
        return _pronoun(phrase.who.lower(), message)
    noun = phrase.who.removeprefix("my ").removeprefix("My ").removeprefix("our ")
    names = (f"{message.speaker}'s {noun.lower()}", *((noun,) if noun == phrase.who else ()))
    return next((entity.name for name in names if (entity := message.collector.find_entity(name)) is not None), None)


def _named_subject(cue: EndingCue, message: MessageState) -> str | None:
    """Return whom a cue is about: I or we, a relative or known person, he or she; else the speaker.

    None for an unresolved he, she or relative, and for an unknown noun if `cue.names_subject`.
    """
    words = [found[0].lower() for found in _WORD.finditer(cue.subject)]
    if {"i", "we", "im", "ive"} & set(words):
        return message.speaker
    for word in words:
        owned = message.collector.find_entity(f"{message.speaker}'s {word}")
        entity = owned or message.collector.find_entity(word)
        if entity is not None and (entity.kind == "person" or owned is not None):
            return entity.name
        if word in KIN:
            return None
    pronoun = next((word for word in words if word in {"he", "she"}), None)
    if pronoun is not None:
        return _pronoun(pronoun, message)
    unknown = cue.names_subject and noun_phrases(cue.subject)
    return None if unknown else message.speaker


def _pronoun(word: str, message: MessageState) -> str | None:
    entity = message.collector.discourse.resolve(word, message.index)
    return entity.name if entity is not None else None


def _add_topics(topics: tuple[str, ...], subject: str, span: tuple[int, int], message: MessageState) -> bool:
    """Add the topics to the fact that overlaps the phrase; return whether there is one."""
    facts = message.collector.facts
    for index, fact in enumerate(facts):
        same = fact.episode == message.episode.uuid and fact.start < span[1] and span[0] < fact.end
        about = name_key(subject) in map(name_key, (fact.subject, fact.object or "", *fact.topics))
        if same and about and not fact.relation.startswith(("has_", "not_")):
            facts[index] = replace(fact, topics=tuple(dict.fromkeys((*fact.topics, *topics))))
            return True
    return False


def _add_ending(topics: tuple[str, ...], subject: str, span: tuple[int, int], message: MessageState) -> None:
    now = said_at(message.episode)
    dates = [w for w in message.dates if span[0] <= w.span[0] and w.span[1] <= span[1] and w.start <= now][:1]
    words = message.episode.content[slice(*span)]
    link = Link(ENDED, None, "happened", topics=topics)
    message.add_fact(FactDraft(link, subject, None, f"It is over for {subject}: {words}", span, dates))
