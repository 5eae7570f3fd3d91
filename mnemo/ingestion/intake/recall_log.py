"""A log of recently recalled text, which ingestion does not learn again (`mnemo.ingestion.intake.echo_filter`).

It is bounded and belongs to the process that searched. Text recalled by another process is recognised only by the
layout of a context (`mnemo.ingestion.intake.echo`).
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from cachetools import LRUCache

from mnemo.ingestion.intake.echo import Words, words_of
from mnemo.models.graph import Episode
from mnemo.text.sentences import sentences

__all__ = ["RecallLog"]

KEPT_SENTENCES = 1_000
"""Most sentences per group; the oldest are dropped."""
KEPT_GROUPS = 1_000
"""Most groups; the least recently used ones are dropped."""


@dataclass(frozen=True, slots=True)
class _RecalledSentence:
    """A sentence of a search result or an answer."""

    words: Words
    at: datetime
    source: str | None
    """Uuid of the episode that it quotes; an episode is never an echo of itself."""


class RecallLog:
    """Recalled sentences by group. Use it from one event loop."""

    def __init__(self) -> None:
        """Start empty."""
        self._returned: LRUCache[str, deque[_RecalledSentence]] = LRUCache(maxsize=KEPT_GROUPS)

    def note(self, group: str, texts: Iterable[str], at: datetime, source: str | None = None) -> None:
        """Add the sentences of recalled texts.

        Args:
            group: The group they were recalled from.
            texts: Facts, quotes, lines of a context, answers.
            at: When they were returned; only messages recorded at or after it can be echoes.
            source: Uuid of the episode that they quote.
        """
        kept = self._returned.setdefault(group, deque(maxlen=KEPT_SENTENCES))
        for text in texts:
            kept.extend(_RecalledSentence(words, at, source) for words in map(words_of, sentences(text)) if words)

    def before(self, episode: Episode) -> list[Words]:
        """Return the sentences that an episode may echo: those recalled before it was recorded."""
        returned = self._returned.get(episode.group, ())
        earlier = (each for each in returned if each.at <= episode.recorded_at and each.source != episode.uuid)
        return list(dict.fromkeys(each.words for each in earlier))
