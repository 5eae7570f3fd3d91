"""Builds the layers of categories in memory, from the bottom up."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.categories.categoriser import (
    Categorisation,
    Categoriser,
    Item,
    ProposedCategory,
    ReplyCache,
    next_layer,
)
from mnemo.hierarchy.categories.placement import category_text
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder

__all__ = ["CategoryLayer", "CategoryLayers", "LayerRules", "NoReplyCache", "build_layers", "pad_layers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRules:
    """Limits on the layers of a hierarchy."""

    min_children: int = 2
    """Minimum number of members of a category."""
    max_layers: int = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategoryLayer:
    """One layer of categories."""

    categories: tuple[ProposedCategory, ...]
    """Their members are indexes into the layer below; in layer 1, into the items."""
    contents: tuple[str, ...]
    """The text of each category."""
    vectors: NDArray[np.float32]
    """Embeddings of `contents`, shape (categories, dimensions)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategoryLayers:
    """All layers above some items, bottom layer first."""

    layers: tuple[CategoryLayer, ...]
    usage: Usage = field(default_factory=Usage)
    ignored: int = 0
    """Member numbers from the categoriser that were out of range."""
    refused: int = 0
    """Categories dropped because their name still joined two ideas after a second request."""
    discarded: bool = False
    """Whether the build stopped because the next layer would have been larger than the one below it."""


class NoReplyCache:
    """Stores nothing; for layers that are built only to be compared."""

    def get(self, key: str) -> str | None:  # noqa: ARG002  # nothing is stored
        """Return None."""
        return None

    async def put(self, key: str, reply: str) -> None:
        """Do nothing."""


async def build_layers(
    items: Sequence[Item],
    categoriser: Categoriser,
    embedder: Embedder,
    rules: LayerRules,
    replies: ReplyCache,
    on_progress: OnProgress = ignore_progress,
) -> CategoryLayers:
    """Build the layers above items.

    Stops at `max_layers`, at a layer that would hold only promoted nodes, or at one larger than the layer below it.
    CategoryLayer 1 may be larger than the number of items.

    Raises:
        ProviderError: The categoriser or the embedder failed.
        StoreError: A reply could not be stored.
    """
    layers: list[CategoryLayer] = []
    proposals: list[Categorisation] = []
    discarded = False
    current = list(items)
    while current and len(layers) < rules.max_layers:
        number = len(layers) + 1
        on_progress(Progress(stage=f"layer {number}", done=0, total=1))
        proposals.append(await _categorise(current, categoriser, number, rules, replies))
        categories = next_layer(current, proposals[-1].categories, min_children=rules.min_children)
        discarded = categories is not None and bool(layers) and len(categories) > len(current)
        if categories is None or discarded:
            break
        layers.append(await _embed(current, categories, embedder))
        current = [_as_item(index, layers[-1], number, current) for index in range(len(categories))]
        on_progress(Progress(stage=f"layer {number}", done=1, total=1))
    return CategoryLayers(
        layers=tuple(layers),
        usage=sum((each.usage for each in proposals), Usage()),
        ignored=sum(each.ignored for each in proposals),
        refused=sum(each.refused for each in proposals),
        discarded=discarded,
    )


def pad_layers(built: CategoryLayers, layers: int) -> CategoryLayers:
    """Pad to `layers` by repeating the top layer; an empty list stays empty."""
    padded = list(built.layers)
    while padded and len(padded) < layers:
        top = padded[-1]
        promoted = tuple(
            ProposedCategory(name=category.name, tags=category.tags, members=(index,))
            for index, category in enumerate(top.categories)
        )
        padded.append(CategoryLayer(categories=promoted, contents=top.contents, vectors=top.vectors))
    return replace(built, layers=tuple(padded))


async def _categorise(
    items: Sequence[Item], categoriser: Categoriser, number: int, rules: LayerRules, replies: ReplyCache
) -> Categorisation:
    """Categorise all items except speakers; skip the call if there are too few for one category."""
    indexes = [index for index, item in enumerate(items) if not item.speaker]
    if len(indexes) < max(rules.min_children, 1):
        return Categorisation(categories=())
    proposal = await categoriser.categorise([items[index] for index in indexes], number, replies)
    categories = tuple(
        ProposedCategory(name=each.name, tags=each.tags, members=tuple(indexes[member] for member in each.members))
        for each in proposal.categories
    )
    return replace(proposal, categories=categories)


async def _embed(items: Sequence[Item], categories: tuple[ProposedCategory, ...], embedder: Embedder) -> CategoryLayer:
    contents = tuple(
        category_text(each.name, each.tags, [items[index].name for index in each.members]) for each in categories
    )
    return CategoryLayer(categories=categories, contents=contents, vectors=await embedder.passages(list(contents)))


def _as_item(index: int, layer: CategoryLayer, number: int, items: Sequence[Item]) -> Item:
    category = layer.categories[index]
    return Item(
        uuid=f"{number}/{index}",
        name=category.name,
        tags=category.tags,
        vector=layer.vectors[index],
        speaker=all(items[member].speaker for member in category.members),
        layer=number,
    )
