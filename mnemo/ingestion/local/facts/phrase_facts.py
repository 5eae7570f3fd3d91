"""Adds what set phrases say is over to the fact from the same words, or to a new fact if there is none."""

from __future__ import annotations  # importing spaCy takes a second

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.local.changes.phrases import ending_phrases
from mnemo.ingestion.local.clauses.predicates import Link
from mnemo.ingestion.local.facts.drafts import Draft
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.topics import ENDED

if TYPE_CHECKING:
    from mnemo.ingestion.local.changes.phrases import EndingPhrase
    from mnemo.ingestion.local.reading import WindowReading

__all__ = ["keep_phrases"]


def keep_phrases(span: tuple[int, int], reading: WindowReading) -> None:
    """Add the topics of a sentence's ending phrases to its facts.

    Args:
        span: Of the sentence in the message.
        reading: The message.
    """
    text = reading.episode.content[slice(*span)]
    before = reading.episode.content[: span[0]]
    for phrase in ending_phrases(text.replace("’", "'"), before):
        subject = _subject(phrase, reading)
        if subject is not None:
            place = (span[0] + phrase.span[0], span[0] + phrase.span[1])
            if not _attach(phrase, subject, place, reading):
                _keep(phrase, subject, place, reading)


def _subject(phrase: EndingPhrase, reading: WindowReading) -> str | None:
    if phrase.who is None:
        return reading.speaker
    if phrase.who.lower() in {"he", "she"}:
        meant = reading.gathering.discourse.meant_by(phrase.who.lower(), reading.place)
        return meant.name if meant is not None else None
    bare = phrase.who.removeprefix("my ").removeprefix("My ").removeprefix("our ")
    names = (f"{reading.speaker}'s {bare.lower()}", *((bare,) if bare == phrase.who else ()))
    return next((known.name for name in names if (known := reading.gathering.known(name)) is not None), None)


def _attach(phrase: EndingPhrase, subject: str, place: tuple[int, int], reading: WindowReading) -> bool:
    """Add the topics to the fact from the phrase's words; return whether there is one."""
    facts = reading.gathering.facts
    for index, fact in enumerate(facts):
        same = fact.episode == reading.episode.uuid and fact.start < place[1] and place[0] < fact.end
        about = {name_key(subject)} & {name_key(fact.subject), name_key(fact.object or "")}
        if same and about and not fact.relation.startswith(("has_", "not_")):
            facts[index] = replace(fact, topics=tuple(dict.fromkeys((*fact.topics, *phrase.topics))))
            return True
    return False


def _keep(phrase: EndingPhrase, subject: str, place: tuple[int, int], reading: WindowReading) -> None:
    now = said_at(reading.episode)
    dates = [w for w in reading.dates if place[0] <= w.span[0] and w.span[1] <= place[1] and w.start <= now][:1]
    words = reading.episode.content[slice(*place)]
    link = Link(ENDED, None, "happened", topics=phrase.topics)
    reading.keep(Draft(link, subject, None, f"It is over for {subject}: {words}", place, dates))
