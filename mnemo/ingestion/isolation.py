"""Extracts a window and isolates the episodes that make it fail, unless the provider is down."""

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
"""Retryable failures in a row, on smaller and smaller parts, after which the provider counts as down."""
TIMEOUT_STREAK = 3
"""Timeouts in a row after which the provider counts as down: the window and both halves."""
HOPELESS_STREAK = 8
"""Failures in a row of any kind after which the remaining parts are given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolated:
    """The extraction of a window without the episodes that failed. No episode is in two of the mappings."""

    extraction: Extraction
    failed: Mapping[str, str] = field(default_factory=dict)
    """Reason by uuid for episodes that failed alone."""
    fallback: Mapping[str, str] = field(default_factory=dict)
    """Reason by uuid for episodes read by the fallback extractor."""
    pending: Mapping[str, str] = field(default_factory=dict)
    """Reason by uuid for episodes left to another run."""


async def isolate(extractor: Extractor, window: Window, fallback: Extractor | None = None) -> Isolated:
    """Extract a window; if that fails, extract its halves, and so on down to single episodes.

    One call if nothing fails. Parts are tried breadth first, so that an outage shows after few calls. A part with a
    runaway reply is not split further, because each attempt takes as long as the longest possible reply.

    Args:
        extractor: Extracts each part.
        window: The window to extract.
        fallback: Extracts the parts with runaway replies; None leaves them pending.

    Raises:
        ProviderError: The provider is down or rejects the key, or everything failed with a retryable error;
            the result is unknown.
    """
    isolation = _Isolation(window)
    while isolation.parts:
        part = isolation.parts.popleft()
        try:
            extraction = await extractor.extract(part)
        except ProviderAuthError:
            raise
        except RunawayReplyError as error:
            isolation.run_away(part, error)
        except (ProviderError, IngestionError) as error:
            isolation.fail(part, error)
        else:
            isolation.succeed(part, extraction)
    return await fall_back(isolation.outcome(), isolation.runaway, fallback)


async def fall_back(isolated: Isolated, parts: Sequence[tuple[Window, str]], fallback: Extractor | None) -> Isolated:
    """Extract parts of a window with a fallback extractor; parts on which it fails too stay pending.

    Args:
        isolated: The result for the other parts.
        parts: Each with the reason why the usual extractor did not read it.
        fallback: None leaves all parts pending.
    """
    extractions = [isolated.extraction]
    fallback_read: dict[str, str] = {}
    pending: dict[str, str] = {}
    for part, reason in parts:
        uuids = [episode.uuid for episode in part.episodes]
        if fallback is None:
            pending.update(dict.fromkeys(uuids, reason))
            continue
        try:
            extractions.append(await fallback.extract(part))
        except MnemoError as error:
            pending.update(dict.fromkeys(uuids, _reason(error)))
        else:
            fallback_read.update(dict.fromkeys(uuids, reason))
    return replace(isolated, extraction=merge(extractions), fallback=fallback_read, pending=pending)


class _Isolation:
    """The parts still to try, and the results so far."""

    def __init__(self, window: Window) -> None:
        self.parts = deque([window])
        self.runaway: list[tuple[Window, str]] = []
        self._found: list[tuple[Window, Extraction]] = []
        self._failed: dict[str, str] = {}
        self._transient_error: MnemoError | None = None
        self._usages: list[Usage] = []
        self._streak = self._timeouts = 0

    def succeed(self, part: Window, extraction: Extraction) -> None:
        self._found.append((part, extraction))
        self._streak = self._timeouts = 0

    def run_away(self, part: Window, error: RunawayReplyError) -> None:
        self._add_usage(error)
        self.runaway.append((part, _reason(error)))

    def fail(self, part: Window, error: MnemoError) -> None:
        self._streak += 1
        self._timeouts = self._timeouts + 1 if isinstance(error, ProviderTimeoutError) else 0
        self._add_usage(error)
        if error.retryable:
            self._transient_error = error
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

    def _add_usage(self, error: MnemoError) -> None:
        usage = getattr(error, "usage", None)
        if isinstance(usage, Usage):
            self._usages.append(usage)

    def _give_up(self, error: MnemoError) -> None:
        for part in self.parts:
            self._failed.update((episode.uuid, _reason(error)) for episode in part.episodes)
        self.parts.clear()

    def outcome(self) -> Isolated:
        if self._transient_error is not None and not self._found:
            raise self._transient_error
        found = sorted(self._found, key=lambda pair: pair[0].episodes[0].position)
        merged = merge([extraction for _, extraction in found])
        usage = sum(self._usages, merged.usage)
        return Isolated(extraction=replace(merged, usage=usage), failed=self._failed)


def _reason(error: MnemoError) -> str:
    return f"{type(error).__name__}: {error}"


def _halves(window: Window) -> tuple[Window, Window]:
    middle = len(window.episodes) // 2
    first, second = window.episodes[:middle], window.episodes[middle:]
    context = (*window.context, *first)[-max(len(window.context), 1) :]
    return replace(window, episodes=first), replace(window, episodes=second, context=context)


def merge(extractions: Sequence[Extraction]) -> Extraction:
    """Merge the extractions of a window's parts, in their order.

    Mentions with the same name key become one, under the name seen first.
    """
    if len(extractions) == 1:
        return extractions[0]
    mentions: dict[str, Mention] = {}
    facts: list[Fact] = []
    dropped: dict[str, int] = {}
    for extraction in extractions:
        for mention in extraction.mentions:
            key = name_key(mention.name)
            mentions[key] = _merge_mentions(mentions[key], mention) if key in mentions else mention
        facts.extend(_with_merged_names(fact, mentions) for fact in extraction.facts)
        for reason, count in extraction.dropped.items():
            dropped[reason] = dropped.get(reason, 0) + count
    usage = sum((extraction.usage for extraction in extractions), Usage())
    return Extraction(mentions=tuple(mentions.values()), facts=tuple(facts), dropped=dropped, usage=usage)


def _merge_mentions(first: Mention, second: Mention) -> Mention:
    names = dict.fromkeys((*first.aliases, second.name, *second.aliases))
    return replace(
        first,
        tags=tuple(dict.fromkeys((*first.tags, *second.tags)))[:5],
        summary=second.summary or first.summary,
        aliases=tuple(name for name in names if name != first.name),
        speaker=first.speaker or second.speaker,
        episodes=tuple(dict.fromkeys((*first.episodes, *second.episodes))),
    )


def _with_merged_names(fact: Fact, mentions: Mapping[str, Mention]) -> Fact:
    subject = mentions[name_key(fact.subject)].name
    target = None if fact.object is None else mentions[name_key(fact.object)].name
    return replace(fact, subject=subject, object=target)
