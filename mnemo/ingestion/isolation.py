"""Extraction that sets apart the episodes that make it fail, and tells them from an outage."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mnemo.errors import IngestionError, MnemoError, ProviderAuthError, ProviderError
from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Mention, Window
from mnemo.ingestion.resolution.names import name_key
from mnemo.models.results import Usage

__all__ = ["Isolated", "isolate", "merge", "total"]

OUTAGE_STREAK = 4
"""Retryable failures in a row, of ever smaller parts, after which the provider counts as down."""
HOPELESS_STREAK = 8
"""Failures in a row of any kind after which the rest is not tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolated:
    """What a window gave once the episodes that fail were left out."""

    extraction: Extraction
    failed: Mapping[str, str] = field(default_factory=dict)
    """Uuid of each episode that fails on its own to why."""


async def isolate(extractor: Extractor, window: Window) -> Isolated:
    """Extract a window; when it fails, its halves, and so on down to the episodes that fail alone.

    Breadth first, so that a failure of the provider shows after few calls. One call when nothing fails.

    Raises:
        ProviderError: The provider is down, refuses the key, or nothing that was tried could be
            read for a reason that may pass; nothing is known about the window.
    """
    search = _Search(window)
    while search.parts:
        part = search.parts.popleft()
        try:
            extraction = await extractor.extract(part)
        except ProviderAuthError:
            raise
        except (ProviderError, IngestionError) as error:
            search.fail(part, error)
        else:
            search.succeed(part, extraction)
    return search.outcome()


class _Search:
    """Which parts are still to be tried, and what came of the others."""

    def __init__(self, window: Window) -> None:
        self.parts = deque([window])
        self._found: list[tuple[Window, Extraction]] = []
        self._failed: dict[str, str] = {}
        self._passing: MnemoError | None = None
        self._spent: list[Usage] = []
        self._streak = 0

    def succeed(self, part: Window, extraction: Extraction) -> None:
        self._found.append((part, extraction))
        self._streak = 0

    def fail(self, part: Window, error: MnemoError) -> None:
        self._streak += 1
        usage = getattr(error, "usage", None)
        if isinstance(usage, Usage):
            self._spent.append(usage)
        if error.retryable:
            self._passing = error
            if self._streak >= OUTAGE_STREAK:
                raise error
        if len(part.episodes) == 1 and part.context:  # the fault may lie in what was shown beside it
            self.parts.append(replace(part, context=()))
        elif len(part.episodes) == 1:
            self._failed[part.episodes[0].uuid] = _reason(error)
        else:
            self.parts.extend(_halves(part))
        if self._streak >= HOPELESS_STREAK:
            self._give_up(error)

    def _give_up(self, error: MnemoError) -> None:
        for part in self.parts:
            self._failed.update((episode.uuid, _reason(error)) for episode in part.episodes)
        self.parts.clear()

    def outcome(self) -> Isolated:
        if self._passing is not None and not self._found:
            raise self._passing
        found = sorted(self._found, key=lambda pair: pair[0].episodes[0].position)
        merged = merge([extraction for _, extraction in found])
        return Isolated(
            extraction=replace(merged, usage=total((merged.usage, *self._spent))),
            failed=self._failed,
        )


def _reason(error: MnemoError) -> str:
    return f"{type(error).__name__}: {error}"


def _halves(window: Window) -> tuple[Window, Window]:
    middle = len(window.episodes) // 2
    first, second = window.episodes[:middle], window.episodes[middle:]
    shown = (*window.context, *first)[-max(len(window.context), 1) :]
    return replace(window, episodes=first), replace(window, episodes=second, context=shown)


def total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of what several calls cost."""
    several = list(usages)
    return Usage(
        calls=sum(usage.calls for usage in several),
        input_tokens=sum(usage.input_tokens for usage in several),
        output_tokens=sum(usage.output_tokens for usage in several),
    )


def merge(extractions: Sequence[Extraction]) -> Extraction:
    """Return one extraction of several parts of a window, in the order of the parts.

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
    usage = total(extraction.usage for extraction in extractions)
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
