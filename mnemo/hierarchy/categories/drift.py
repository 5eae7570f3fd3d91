"""Measures how far placed categories are from a fresh build: pairwise F1 of entities that share a category."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.categories.builder import Builder, to_item
from mnemo.hierarchy.categories.layers import LayerRules, NoReplyCache, build_layers
from mnemo.models.category_builds import Agreement, DriftCheck
from mnemo.store.hierarchy import categories

__all__ = ["agreement", "check_drift"]


async def check_drift(builder: Builder, group: str) -> DriftCheck:
    """Compare the current layer 1 with that of a fresh build, which is discarded afterwards.

    Raises:
        ProviderError: The categoriser or the embedder failed.
        StoreError: See its kinds.
    """
    rows = await categories.entities(builder.database, group)
    items = [to_item(row) for row in rows]
    rules = LayerRules(min_children=builder.rules.min_children, max_layers=1)
    built = await build_layers(items, builder.categoriser, builder.embedder, rules, NoReplyCache())
    indexes = {item.uuid: index for index, item in enumerate(items)}
    members = await categories.layer_one_members(builder.database, group)
    current = [[indexes[uuid] for uuid in uuids if uuid in indexes] for uuids in members]
    fresh = [list(each.members) for layer in built.layers for each in layer.categories]
    return DriftCheck(
        entities=len(items),
        agreement=agreement(current, fresh, len(items)),
        tops=tuple(await categories.tops(builder.database, group)),
        usage=built.usage,
    )


def agreement(one: Sequence[Sequence[int]], other: Sequence[Sequence[int]], number: int) -> Agreement:
    """Count the pairs that share a group in each of two groupings and in both.

    Args:
        one: Groups of indexes; an index may be in several groups.
        other: The second grouping, in the same form.
        number: Number of items; indexes are below it.
    """
    first, second = _pairs(one, number), _pairs(other, number)
    shared = np.intersect1d(first, second, assume_unique=True)
    return Agreement(pairs=len(first), others=len(second), shared=len(shared))


def _pairs(groups: Sequence[Sequence[int]], number: int) -> NDArray[np.int64]:
    """Return each pair once, encoded as one number."""
    found = [np.zeros(0, np.int64)]
    for group in groups:
        indexes = np.unique(np.asarray(group, np.int64))
        low, high = np.triu_indices(len(indexes), 1)
        found.append(indexes[low] * number + indexes[high])
    return np.unique(np.concatenate(found))
