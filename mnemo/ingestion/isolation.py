"""Extraction that isolates the episodes that make it fail, and distinguishes them from an outage."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mnemo.errors import (
    IngestionError,
    MnemoError,
    ProviderAuthError,
    ProviderError,
    ProviderTimeoutError,
    RunawayReplyError,
)
from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Mention, Window
from mnemo.ingestion.resolution.names import name_key
from mnemo.models.results import Usage

__all__ = ["Isolated", "fall_back", "isolate", "merge"]

OUTAGE_STREAK = 4
"""Retryable failures in a row, of ever smaller parts, after which the provider counts as down."""
TIMEOUT_STREAK = 3
"""Timeouts in a row after which it counts as down: the window and both of its halves."""
HOPELESS_STREAK = 8
"""Failures in a row of any kind after which the rest is not tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolated:
    """The extraction of a window without the episodes that fail. No episode is in two of the mappings."""

    extraction: Extraction
    failed: Mapping[str, str] = field(default_factory=dict)
    """Uuid of each episode that fails on its own to why."""
    fallback: Mapping[str, str] = field(default_factory=dict)
    """Uuid of each episode that the fallback extractor read to why."""
    pending: Mapping[str, str] = field(default_factory=dict)
    """Uuid of each episode that is left for another run to why."""


async def isolate(extractor: Extractor, window: Window, fallback: Extractor | None = None) -> Isolated:
    """Extract a window; if it fails, its halves, and so on down to the episodes that fail alone.

    Breadth first, so that a failure of the provider shows after few calls. One call if nothing fails. A part
    whose reply runs away is not cut further, since each attempt takes the longest time that a reply can take.

    Args:
        extractor: Reads the window.
        window: What to read.
        fallback: Reads what the reply ran away on; None leaves it pending.

    Raises:
        ProviderError: The provider is down, refuses the key, or everything failed for a reason that may
            pass; nothing is known about the window.
    """
    search = _Search(window)
    while search.parts:
        part = search.parts.popleft()
        try:
            extraction = await extractor.extract(part)
        except ProviderAuthError:
            raise
        except RunawayReplyError as error:
            search.run_away(part, error)
        except (ProviderError, IngestionError) as error:
            search.fail(part, error)
        else:
            search.succeed(part, extraction)
    return await fall_back(search.outcome(), search.runaway, fallback)


async def fall_back(isolated: Isolated, parts: Sequence[tuple[Window, str]], fallback: Extractor | None) -> Isolated:
    """Let a fallback extractor read parts of a window; leave those pending that it cannot read either.

    Args:
        isolated: What the other parts gave.
        parts: Each with the reason why the usual extractor does not read it.
        fallback: None leaves all pending.
    """
    extractions = [isolated.extraction]
    read: dict[str, str] = {}
    left: dict[str, str] = {}
    for part, reason in parts:
        uuids = [episode.uuid for episode in part.episodes]
        if fallback is None:
            left.update(dict.fromkeys(uuids, reason))
            continue
        try:
            extractions.append(await fallback.extract(part))
        except MnemoError as error:
            left.update(dict.fromkeys(uuids, _reason(error)))
        else:
            read.update(dict.fromkeys(uuids, reason))
    return replace(isolated, extraction=merge(extractions), fallback=read, pending=left)


class _Search:
    """The parts still to try, and the results of the others."""

    def __init__(self, window: Window) -> None:
        self.parts = deque([window])
        self.runaway: list[tuple[Window, str]] = []
        self._found: list[tuple[Window, Extraction]] = []
        self._failed: dict[str, str] = {}
        self._passing: MnemoError | None = None
        self._spent: list[Usage] = []
        self._streak = self._timeouts = 0

    def succeed(self, part: Window, extraction: Extraction) -> None:
        self._found.append((part, extraction))
        self._streak = self._timeouts = 0

    def run_away(self, part: Window, error: RunawayReplyError) -> None:
        self._spend(error)
        self.runaway.append((part, _reason(error)))

    def fail(self, part: Window, error: MnemoError) -> None:
        self._streak += 1
        self._timeouts = self._timeouts + 1 if isinstance(error, ProviderTimeoutError) else 0
        self._spend(error)
        if error.retryable:
            self._passing = error
            if self._streak >= OUTAGE_STREAK or self._timeouts >= TIMEOUT_STREAK:
                raise error
        if len(part.episodes) == 1 and part.context:  # the fault may lie in the context
            self.parts.append(replace(part, context=()))
        elif len(part.episodes) == 1:
            self._failed[part.episodes[0].uuid] = _reason(error)
        else:
            self.parts.extend(_halves(part))
        if self._streak >= HOPELESS_STREAK:
            self._give_up(error)

    def _spend(self, error: MnemoError) -> None:
        usage = getattr(error, "usage", None)
        if isinstance(usage, Usage):
            self._spent.append(usage)

    def _give_up(self, error: MnemoError) -> None:
        for part in self.parts:
            self._failed.update((episode.uuid, _reason(error)) for episode in part.episodes)
        self.parts.clear()

    def outcome(self) -> Isolated:
        if self._passing is not None and not self._found:
            raise self._passing
        found = sorted(self._found, key=lambda pair: pair[0].episodes[0].position)
        merged = merge([extraction for _, extraction in found])
        usage = sum(self._spent, merged.usage)
        return Isolated(extraction=replace(merged, usage=usage), failed=self._failed)


def _reason(error: MnemoError) -> str:
    return f"{type(error).__name__}: {error}"


def _halves(window: Window) -> tuple[Window, Window]:
    middle = len(window.episodes) // 2
    first, second = window.episodes[:middle], window.episodes[middle:]
    shown = (*window.context, *first)[-max(len(window.context), 1) :]
    return replace(window, episodes=first), replace(window, episodes=second, context=shown)


def merge(extractions: Sequence[Extraction]) -> Extraction:
    """Return one extraction for several parts of a window, in the order of the parts.

    Mentions of one name key become one, under the name seen first.
    """
    if len(extractions) == 1:
        return extractions[0]
    mentions: dict[str, Mention] = {}
    facts: list[Fact] = []
    dropped: dict[str, int] = {}
    for extraction in extractions:
        for mention in extraction.mentions:
            key = name_key(mention.name)
            mentions[key] = _joined(mentions[key], mention) if key in mentions else mention
        facts.extend(_renamed(fact, mentions) for fact in extraction.facts)
        for reason, count in extraction.dropped.items():
            dropped[reason] = dropped.get(reason, 0) + count
    usage = sum((extraction.usage for extraction in extractions), Usage())
    return Extraction(mentions=tuple(mentions.values()), facts=tuple(facts), dropped=dropped, usage=usage)


def _joined(first: Mention, second: Mention) -> Mention:
    names = dict.fromkeys((*first.aliases, second.name, *second.aliases))
    return replace(
        first,
        tags=tuple(dict.fromkeys((*first.tags, *second.tags)))[:5],
        summary=second.summary or first.summary,
        aliases=tuple(name for name in names if name != first.name),
        speaker=first.speaker or second.speaker,
        episodes=tuple(dict.fromkeys((*first.episodes, *second.episodes))),
    )


def _renamed(fact: Fact, mentions: Mapping[str, Mention]) -> Fact:
    subject = mentions[name_key(fact.subject)].name
    known = None if fact.object is None else mentions[name_key(fact.object)].name
    return replace(fact, subject=subject, object=known)
