"""A log of what searches returned recently, and an extractor that does not learn it again.

The log belongs to the process that searched and is bounded. What another process recalled is recognised
only by the layout of a context (see `mnemo.ingestion.intake.echo`).
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from cachetools import LRUCache

from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Window
from mnemo.ingestion.intake.echo import MIN_WORDS, Words, masked, repeats, words_of
from mnemo.models.graph import Episode
from mnemo.text.sentences import sentences

__all__ = ["RecallLog", "Unechoed"]

KEPT_SENTENCES = 1_000
"""Most sentences of a group; the oldest go first."""
KEPT_GROUPS = 1_000
"""Most groups; the least recently used go first."""
_MACHINES = frozenset(["assistant", "tool"])


@dataclass(frozen=True, slots=True)
class _Returned:
    """A sentence that a search or an answer returned."""

    words: Words
    at: datetime
    source: str | None
    """Uuid of the episode that it quotes: no episode is an echo of itself."""


class RecallLog:
    """Sentences that searches returned, by group; use within one event loop."""

    def __init__(self) -> None:
        """Start empty."""
        self._returned: LRUCache[str, deque[_Returned]] = LRUCache(maxsize=KEPT_GROUPS)

    def note(self, group: str, texts: Iterable[str], at: datetime, source: str | None = None) -> None:
        """Keep the sentences of texts that a search or an answer returned.

        Args:
            group: Whose memory they came from.
            texts: Facts, quotes, lines of a context, answers.
            at: When they were returned; only messages recorded then or later can be echoes of them.
            source: Uuid of the episode that they quote.
        """
        kept = self._returned.setdefault(group, deque(maxlen=KEPT_SENTENCES))
        for text in texts:
            kept.extend(_Returned(words, at, source) for words in map(words_of, sentences(text)) if words)

    def before(self, episode: Episode) -> list[Words]:
        """Return what an episode may be an echo of: sentences returned before it was recorded."""
        returned = self._returned.get(episode.group, ())
        earlier = (each for each in returned if each.at <= episode.recorded_at and each.source != episode.uuid)
        return list(dict.fromkeys(each.words for each in earlier))


class Unechoed:
    """An extractor that skips what only repeats recalled text.

    An episode that is nothing else is not read. In messages of assistants and tools, sentences that repeat
    recalled ones are blanked out. A person's single sentence is always read: people do say things again.
    """

    def __init__(self, extractor: Extractor, log: RecallLog) -> None:
        """Keep the extractor and the log."""
        self._extractor = extractor
        self._log = log

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes say themselves; quotes are those of the original episodes.

        Raises:
            ProviderError: The extractor's; nothing is known about the window.
        """
        known = {episode.uuid: self._log.before(episode) for episode in window.episodes}
        read = [(episode, left) for episode in window.episodes if (left := _left(episode, known[episode.uuid]))]
        if not read:
            return Extraction()
        shown = tuple(episode if left == episode.content else replace(episode, content=left) for episode, left in read)
        found = await self._extractor.extract(replace(window, episodes=shown))
        originals = {episode.uuid: episode for episode in window.episodes}
        facts = tuple(_quoted(fact, originals) for fact in found.facts)
        return replace(found, facts=tuple(fact for fact in facts if not _is_echo(fact, originals, known)))


def _left(episode: Episode, known: list[Words]) -> str:
    """Return an episode's content with echoes blanked out, of the same length; empty if all of it is an echo."""
    text = episode.content
    left = masked(text, known)
    if left != text and _says_nothing(left) and (_by_machine(episode) or _several(text)):
        return ""
    return left if _by_machine(episode) else masked(text, ())


def _says_nothing(left: str) -> bool:
    """Whether the rest, without introductory lines (Here is what I found:), is too short to be a statement."""
    own = (line for line in left.splitlines() if not line.rstrip().endswith(":"))
    return len(words_of(" ".join(own))) < MIN_WORDS


def _several(text: str) -> bool:
    """Whether a text has two or more sentences, or the layout of a context."""
    return len(sentences(text)) > 1 or masked(text, ()) != text


def _by_machine(episode: Episode) -> bool:
    return episode.role in _MACHINES


def _quoted(fact: Fact, originals: Mapping[str, Episode]) -> Fact:
    return replace(fact, quote=originals[fact.episode].content[fact.start : fact.end])


def _is_echo(fact: Fact, originals: Mapping[str, Episode], known: Mapping[str, list[Words]]) -> bool:
    return _by_machine(originals[fact.episode]) and repeats(fact.quote, known[fact.episode])
