"""What was handed out of a memory of late, and an extractor that does not learn it again.

The record lives in the process that searched, is bounded, and is gone with it: a message that another
process recalled is known only by the layout of its context (see `mnemo.ingestion.echo`).
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from mnemo.ingestion.echo import MIN_WORDS, Words, masked, repeats, words_of
from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Window
from mnemo.models.graph import Episode
from mnemo.text.sentences import sentences

__all__ = ["RecallLog", "Unechoed"]

KEPT_SENTENCES = 1_000
"""Most sentences of a group; the oldest go first."""
KEPT_GROUPS = 1_000
"""Most groups; those recalled from longest ago go first."""
_MACHINES = frozenset(["assistant", "tool"])


@dataclass(frozen=True, slots=True)
class _Handed:
    words: Words
    at: datetime
    source: str | None
    """Uuid of the episode that it is a quote of: no episode is its own echo."""


class RecallLog:
    """Sentences that were handed out, by group; use within one event loop."""

    def __init__(self) -> None:
        """Start with nothing recalled."""
        self._handed: OrderedDict[str, deque[_Handed]] = OrderedDict()

    def note(self, group: str, texts: Iterable[str], at: datetime, source: str | None = None) -> None:
        """Keep the sentences of texts that were handed out.

        Args:
            group: Whose memory they came from.
            texts: Facts, quotes, lines of a context, answers.
            at: When; only messages that were recorded then or later can be echoes of them.
            source: Uuid of the episode that they quote.
        """
        kept = self._handed.setdefault(group, deque(maxlen=KEPT_SENTENCES))
        self._handed.move_to_end(group)
        for text in texts:
            kept.extend(_Handed(words, at, source) for words in map(words_of, sentences(text)) if words)
        while len(self._handed) > KEPT_GROUPS:
            self._handed.popitem(last=False)

    def before(self, episode: Episode) -> list[Words]:
        """Return what an episode may be an echo of: sentences handed out before it was recorded."""
        handed = self._handed.get(episode.group, ())
        fitting = (h.words for h in handed if h.at <= episode.recorded_at and h.source != episode.uuid)
        return list(dict.fromkeys(fitting))


class Unechoed:
    """An extractor that reads a window without what it gives back of what was recalled.

    An episode that only gives back is not read at all; in messages of assistants and tools, sentences that
    do are blotted out. A person's single sentence is always read: people do say things again.
    """

    def __init__(self, extractor: Extractor, log: RecallLog) -> None:
        """Keep who extracts, and what was recalled."""
        self._extractor = extractor
        self._log = log

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes say of their own; quotes are those of the episodes as they are.

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
        return replace(found, facts=tuple(fact for fact in facts if not _given_back(fact, originals, known)))


def _left(episode: Episode, known: list[Words]) -> str:
    """Return what of an episode is to be read, as long as it is itself; empty when it is an echo."""
    text = episode.content
    left = masked(text, known)
    if left != text and _says_nothing(left) and (_by_machine(episode) or _several(text)):
        return ""
    return left if _by_machine(episode) else masked(text, ())


def _says_nothing(left: str) -> bool:
    """Whether what is left, but for lines that lead in (Here is what I found:), is too short to be a statement."""
    own = (line for line in left.splitlines() if not line.rstrip().endswith(":"))
    return len(words_of(" ".join(own))) < MIN_WORDS


def _several(text: str) -> bool:
    """Whether it has two sentences or lines at least, or is laid out as a context."""
    return len(sentences(text)) > 1 or masked(text, ()) != text


def _by_machine(episode: Episode) -> bool:
    return episode.role in _MACHINES


def _quoted(fact: Fact, originals: Mapping[str, Episode]) -> Fact:
    return replace(fact, quote=originals[fact.episode].content[fact.start : fact.end])


def _given_back(fact: Fact, originals: Mapping[str, Episode], known: Mapping[str, list[Words]]) -> bool:
    return _by_machine(originals[fact.episode]) and repeats(fact.quote, known[fact.episode])
