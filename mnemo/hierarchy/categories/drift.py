"""How far a hierarchy that grew online is from a fresh build: pairwise F1 of sharing a parent."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.categories.builder import Builder, item_of
from mnemo.hierarchy.categories.layers import NoDrafts, Rules, stacked
from mnemo.models.results import Usage
from mnemo.store import categories
from mnemo.store.categories import Top

__all__ = ["Agreement", "Check", "agreement", "check"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How much two groupings of the same entities agree."""

    pairs: int
    """Pairs that share a parent in the first."""
    others: int
    """Pairs that share a parent in the second."""
    shared: int
    """Pairs that do so in both."""

    @property
    def precision(self) -> float:
        """Share of the first's pairs that the second has too; 1 where the first has none."""
        return self.shared / self.pairs if self.pairs else 1.0

    @property
    def recall(self) -> float:
        """Share of the second's pairs that the first has too; 1 where the second has none."""
        return self.shared / self.others if self.others else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both; 0 where both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A standing hierarchy beside a fresh one."""

    entities: int
    agreement: Agreement
    tops: tuple[Top, ...]
    usage: Usage
    """What the fresh one cost."""


async def check(builder: Builder, group: str) -> Check:
    """Compare the current hierarchy's layer 1 with that of a fresh build, which is thrown away.

    Raises:
        ProviderError: The categoriser or the embedder failed.
        StoreError: See its kinds.
    """
    rows = await categories.entities(builder.database, group)
    items = [item_of(row) for row in rows]
    rules = Rules(min_children=builder.rules.min_children, max_layers=1)
    made = await stacked(items, builder.categoriser, builder.embedder, rules, NoDrafts())
    places = {item.uuid: place for place, item in enumerate(items)}
    held = await categories.holds(builder.database, group)
    standing = [[places[uuid] for uuid in inside if uuid in places] for inside in held]
    fresh = [list(each.members) for layer in made.layers for each in layer.groups]
    return Check(
        entities=len(items),
        agreement=agreement(standing, fresh, len(items)),
        tops=tuple(await categories.tops(builder.database, group)),
        usage=made.usage,
    )


def agreement(one: Sequence[Sequence[int]], other: Sequence[Sequence[int]], number: int) -> Agreement:
    """Count the pairs that share a group, in each of two groupings and in both.

    Args:
        one: Groups of places; a place may be in several.
        other: The same.
        number: Of places: they run from 0 to below it.
    """
    first, second = _pairs(one, number), _pairs(other, number)
    shared = np.intersect1d(first, second, assume_unique=True)
    return Agreement(pairs=len(first), others=len(second), shared=len(shared))


def _pairs(groups: Sequence[Sequence[int]], number: int) -> NDArray[np.int64]:
    """Return each pair once, as one number."""
    found = [np.zeros(0, np.int64)]
    for group in groups:
        places = np.unique(np.asarray(group, np.int64))
        low, high = np.triu_indices(len(places), 1)
        found.append(places[low] * number + places[high])
    return np.unique(np.concatenate(found))
