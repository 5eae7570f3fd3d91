"""Extraction without an LLM: spaCy's small English model and rules, in a worker thread.

Entities are the speakers, named entities, noun phrases of two words or more, and what facts are
about. Facts are clauses that state something, retold in the third person with their date.
"""

from __future__ import annotations  # importing spaCy takes a second

import asyncio
import threading
from typing import TYPE_CHECKING

from mnemo.ingestion.local.gathering import Gathering
from mnemo.ingestion.local.names.window_names import names_of
from mnemo.ingestion.local.parsing.non_english import is_english
from mnemo.ingestion.local.parsing.normalize import nicknames, plain
from mnemo.ingestion.local.parsing.parser import parse
from mnemo.ingestion.local.scene import Scene
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.speakers import addressee_of, readable, speaker_of, speakers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemo.ingestion.extraction import Extraction, Window

__all__ = ["LocalExtractor"]

_LOCK = threading.Lock()


class LocalExtractor:
    """Extracts by rules; loads the parser with the first window, once per process."""

    def __init__(self, *, extract_system: bool = False) -> None:
        """Set whether to extract from system messages."""
        self._extract_system = extract_system

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes state, without blocking the event loop."""
        return await asyncio.to_thread(self.read, window)

    def read(self, window: Window) -> Extraction:
        """Return what the window's episodes state; only one thread parses at a time."""
        chosen = {episode.uuid for episode in readable(window, extract_system=self._extract_system)}
        places = [place for place, episode in enumerate(window.episodes) if episode.uuid in chosen]
        english = [place for place in places if is_english(window.episodes[place].content)]
        names = nicknames(speakers_of(window), (episode.content for episode in window.episodes))
        called = {*speakers_of(window), *names}
        with _LOCK:
            known = names_of(
                speakers_of(window), (e.content for e in (*window.context, *window.episodes) if e.role != "system")
            )
            plains = {
                place: plain(known.restore(window.episodes[place].content), called, known.possessive())
                for place in english
            }
            docs = dict(zip(english, parse((plains[place].text for place in english), known), strict=True))
        gathering = Gathering(speakers_of(window), names)
        for place in places:
            scene = Scene(window.episodes[place], place, _addressee(window, place, names), gathering)
            if place in docs:
                scene.read_english(docs[place], plains[place])
            elif window.episodes[place].role != "assistant":
                scene.read_foreign()
        return gathering.extraction()


def _addressee(window: Window, place: int, names: Mapping[str, str]) -> str | None:
    """Return whom `you` refers to: with more than two speakers, only someone called by name."""
    if len(speakers_of(window)) <= 2:  # noqa: PLR2004  # a dialogue
        return addressee_of(window, place)
    episode = window.episodes[place]
    words = set(name_key(episode.content).split())
    others = [name for name in speakers_of(window) if name != speaker_of(episode)]
    called = [
        name for name in others if words & {name_key(name), *(name_key(n) for n, s in names.items() if s == name)}
    ]
    return called[0] if len(called) == 1 else None
