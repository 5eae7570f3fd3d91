"""Keeps the categories up to date between builds: places new entities, reviews names, rebuilds drifted subtrees."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemo.errors import ConflictError, ProviderError
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.naming import Namer, NameReview
from mnemo.hierarchy.categories.placement import CANDIDATES, refresh_categories
from mnemo.models.results import Usage
from mnemo.store.hierarchy import categories

__all__ = ["CategoryMaintenance", "NameReviewOptions"]

_PLACED_AT_ONCE = 1_000
_SHOWN = 10
"""Member names shown from each end of a category when its name is reviewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameReviewOptions:
    """How the names of outgrown categories are reviewed."""

    namer: Namer
    most: int = 20
    """Categories per review."""
    seconds: float = 20.0
    """Timeout of a review."""


class CategoryMaintenance:
    """Updates the current hierarchies of a database; groups without one are left alone."""

    def __init__(
        self, builder: Builder, *, drift: float | None = None, name_review: NameReviewOptions | None = None
    ) -> None:
        """Keep the parts.

        Args:
            builder: Rebuilds drifted subtrees.
            drift: Share of new entities above which a subtree is rebuilt; None never rebuilds.
            name_review: How names are reviewed; None keeps all names.
        """
        self._builder = builder
        self._drift = drift
        self._name_review = name_review
        self._changed: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """Categories with new entities since the last update, by group; used as ordered sets."""
        self._unreviewed: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """Changed categories whose names are not reviewed yet: no call was left, or the call failed."""

    async def place(self, group: str, uuids: Sequence[str]) -> int:
        """Place new entities in the current hierarchy, in one round trip; return how many were placed.

        Raises:
            StoreError: See its kinds.
        """
        if not uuids:
            return 0
        placed = await categories.place(self._builder.database, group, uuids, candidates=CANDIDATES)
        self._changed[group].update(dict.fromkeys(placed.values()))
        return len(placed)

    async def update(self, groups: Iterable[str], calls: int | None = None) -> Usage:
        """Place entities an interrupted run missed, review names, refresh category texts and rebuild drifted subtrees.

        Args:
            groups: Groups to update.
            calls: Most LLM requests for names; None sets no limit (a review takes one per group).

        Returns:
            The usage of the name reviews.

        Raises:
            ProviderError: The embedder failed; call again.
            StoreError: See its kinds.
        """
        spent = Usage()
        for group in dict.fromkeys(groups):
            while missing := await categories.unplaced(self._builder.database, group, _PLACED_AT_ONCE):
                if not await self.place(group, missing):
                    break
            changed = self._changed.pop(group, {})
            self._unreviewed[group].update(changed)
            usage, renamed = await self._review_names(group, None if calls is None else calls - spent.calls)
            spent += usage
            if changed or renamed:
                await refresh_categories(self._builder.database, self._builder.embedder, group, [*changed, *renamed])
            if changed:
                await self._rebuild_drifted(group)
        return spent

    async def refresh(self, group: str, categories: Iterable[str]) -> None:
        """Rewrite the texts of categories that lost members.

        Raises:
            ProviderError: The embedder failed; call again.
            StoreError: See its kinds.
        """
        await refresh_categories(self._builder.database, self._builder.embedder, group, categories)

    async def _review_names(self, group: str, calls: int | None) -> tuple[Usage, list[str]]:
        """Review the names of outgrown categories; return the usage and the categories whose text changes."""
        options, changed = self._name_review, self._unreviewed.pop(group, {})
        if options is None or not options.most or not changed:
            return Usage(), []
        if calls is not None and calls < options.namer.calls:
            self._unreviewed[group].update(changed)
            return Usage(), []
        database = self._builder.database
        outgrown = await categories.outgrown(
            database, group, list(changed), growth=options.namer.growth, limit=options.most, shown=_SHOWN
        )
        if not outgrown:
            return Usage(), []
        review = await self._review(options, group, outgrown)
        if review is None or not review.labels:
            self._unreviewed[group].update(changed)
            return Usage() if review is None else review.usage, []
        reviewed = [each for each in outgrown if each.uuid in review.labels]
        parents = await categories.rename(database, group, [_row(each, review) for each in reviewed])
        return review.usage, [*(each.uuid for each in reviewed), *parents]

    async def _review(
        self, options: NameReviewOptions, group: str, outgrown: Sequence[categories.OutgrownCategory]
    ) -> NameReview | None:
        """Return the review, or None if it failed: a name is not worth failing the run."""
        try:
            async with asyncio.timeout(options.seconds):
                return await options.namer.review(group, outgrown)
        except (ProviderError, TimeoutError):
            return None

    async def _rebuild_drifted(self, group: str) -> None:
        if self._drift is None:
            return
        try:
            await self._builder.refresh(group, self._drift)
        except ConflictError:
            return  # another process is rebuilding the whole hierarchy


def _row(category: categories.OutgrownCategory, review: NameReview) -> Mapping[str, object]:
    label = review.labels[category.uuid]
    return {"uuid": category.uuid, "name": label.name, "tags": list(label.tags), "leaves": category.leaves}
