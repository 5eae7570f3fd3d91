"""Extraction without an LLM: spaCy's small English model and rules, in a worker thread.

Entities are the speakers, named entities, noun phrases of two or more words, and the subjects and
objects of facts. Each fact is an asserted clause, rewritten in the third person with its date.
"""

from __future__ import annotations  # importing spaCy takes a second

import asyncio
import threading
from typing import TYPE_CHECKING

from mnemo.ingestion.local.collector import WindowCollector
from mnemo.ingestion.local.message_reader import MessageReader
from mnemo.ingestion.local.names.window_names import find_names
from mnemo.ingestion.local.parsing.non_english import is_english
from mnemo.ingestion.local.parsing.normalize import nicknames, normalize
from mnemo.ingestion.local.parsing.parser import parse
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.speakers import addressee_of, extractable, speaker_of, speakers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemo.ingestion.extraction import Extraction, Window

__all__ = ["LocalExtractor"]

_LOCK = threading.Lock()


class LocalExtractor:
    """Extracts by rules; loads the parser once per process, at the first window."""

    def __init__(self, *, extract_system: bool = False) -> None:
        """Set whether to extract from system messages."""
        self._extract_system = extract_system

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes state, without blocking the event loop."""
        return await asyncio.to_thread(self.read, window)

    def read(self, window: Window) -> Extraction:
        """Return what the window's episodes state; blocks, and only one thread parses at a time."""
        selected = {episode.uuid for episode in extractable(window, extract_system=self._extract_system)}
        indices = [index for index, episode in enumerate(window.episodes) if episode.uuid in selected]
        english = [index for index in indices if is_english(window.episodes[index].content)]
        short_names = nicknames(speakers_of(window), (episode.content for episode in window.episodes))
        vocatives = {*speakers_of(window), *short_names}
        with _LOCK:
            window_names = find_names(
                speakers_of(window), (e.content for e in (*window.context, *window.episodes) if e.role != "system")
            )
            normalized = {
                index: normalize(
                    window_names.restore(window.episodes[index].content), vocatives, window_names.possessive()
                )
                for index in english
            }
            docs = dict(zip(english, parse((normalized[index].text for index in english), window_names), strict=True))
        collector = WindowCollector(speakers_of(window), short_names)
        for index in indices:
            reader = MessageReader(window.episodes[index], index, _addressee(window, index, short_names), collector)
            if index in docs:
                reader.read_english(docs[index], normalized[index])
            elif window.episodes[index].role != "assistant":
                reader.read_foreign()
        return collector.extraction()


def _addressee(window: Window, index: int, short_names: Mapping[str, str]) -> str | None:
    """Return whom `you` refers to; with more than two speakers, only someone the message names."""
    if len(speakers_of(window)) <= 2:  # noqa: PLR2004  # a conversation of two
        return addressee_of(window, index)
    episode = window.episodes[index]
    words = set(name_key(episode.content).split())
    others = [name for name in speakers_of(window) if name != speaker_of(episode)]
    named = [
        name for name in others if words & {name_key(name), *(name_key(n) for n, s in short_names.items() if s == name)}
    ]
    return named[0] if len(named) == 1 else None
