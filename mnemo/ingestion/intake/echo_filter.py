"""An extractor that does not extract recalled text again."""

from collections.abc import Mapping
from dataclasses import replace

from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Window
from mnemo.ingestion.intake.echo import MIN_WORDS, Words, mask_echoes, repeats, words_of
from mnemo.ingestion.intake.recall_log import RecallLog
from mnemo.models.graph import Episode
from mnemo.text.sentences import sentences

__all__ = ["EchoFilter"]

_MACHINES = frozenset(["assistant", "tool"])


class EchoFilter:
    """Wraps an extractor and hides repetitions of recalled text from it.

    Episodes that consist of recalled text are skipped. In messages of assistants and tools, sentences that repeat
    recalled ones are blanked out. A person's single sentence is always extracted, because people do repeat themselves.
    """

    def __init__(self, extractor: Extractor, log: RecallLog) -> None:
        """Store the extractor and the log."""
        self._extractor = extractor
        self._log = log

    async def extract(self, window: Window) -> Extraction:
        """Return what the window's episodes state, without echoes; quotes are from the original episodes.

        Raises:
            ProviderError: The wrapped extractor failed; nothing is known about the window.
        """
        known = {episode.uuid: self._log.before(episode) for episode in window.episodes}
        readable = [
            (episode, remainder)
            for episode in window.episodes
            if (remainder := _without_echoes(episode, known[episode.uuid]))
        ]
        if not readable:
            return Extraction()
        shown = tuple(
            episode if remainder == episode.content else replace(episode, content=remainder)
            for episode, remainder in readable
        )
        found = await self._extractor.extract(replace(window, episodes=shown))
        originals = {episode.uuid: episode for episode in window.episodes}
        facts = tuple(_with_original_quote(fact, originals) for fact in found.facts)
        return replace(found, facts=tuple(fact for fact in facts if not _is_echo(fact, originals, known)))


def _without_echoes(episode: Episode, known: list[Words]) -> str:
    """Return an episode's content, of the same length, with echoes blanked out; empty if all of it is an echo."""
    text = episode.content
    remainder = mask_echoes(text, known)
    if remainder != text and _is_too_short(remainder) and (_is_machine(episode) or _is_composite(text)):
        return ""
    return remainder if _is_machine(episode) else mask_echoes(text, ())


def _is_too_short(remainder: str) -> bool:
    """Return whether the text, without introductory lines (Here is what I found:), is too short for a statement."""
    statements = (line for line in remainder.splitlines() if not line.rstrip().endswith(":"))
    return len(words_of(" ".join(statements))) < MIN_WORDS


def _is_composite(text: str) -> bool:
    """Return whether a text has two or more sentences, or the layout of a context."""
    return len(sentences(text)) > 1 or mask_echoes(text, ()) != text


def _is_machine(episode: Episode) -> bool:
    return episode.role in _MACHINES


def _with_original_quote(fact: Fact, originals: Mapping[str, Episode]) -> Fact:
    return replace(fact, quote=originals[fact.episode].content[fact.start : fact.end])


def _is_echo(fact: Fact, originals: Mapping[str, Episode], known: Mapping[str, list[Words]]) -> bool:
    return _is_machine(originals[fact.episode]) and repeats(fact.quote, known[fact.episode])
