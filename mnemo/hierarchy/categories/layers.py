"""The layers of a hierarchy over some items, from the bottom up, in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.categories.categoriser import Categorised, Categoriser, Drafts, Group, Item, layer_of
from mnemo.hierarchy.categories.placement import content_of
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder

__all__ = ["Layer", "Layers", "NoDrafts", "Rules", "Told", "raised", "stacked", "untold"]

Told = Callable[[str, int, int], None]
"""Called with a stage, what is done of it, and what is to be done."""


def untold(_stage: str, _done: int, _total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a hierarchy must keep to."""

    min_children: int = 2
    """Least members of a category."""
    max_layers: int = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """One layer of categories."""

    groups: tuple[Group, ...]
    """Members are places in the layer beneath; of the first layer, in the items."""
    contents: tuple[str, ...]
    vectors: NDArray[np.float32]
    """Of the contents, (categories, dimensions)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layers:
    """The layers of categories above some items, from the bottom."""

    layers: tuple[Layer, ...]
    usage: Usage = field(default_factory=Usage)
    ignored: int = 0
    """Members out of range that the categoriser named."""
    refused: int = 0
    """Categories whose name joined two ideas, twice."""
    discarded: bool = False
    """Whether the build ended because a layer would have been larger than the one beneath."""


class NoDrafts:
    """Keeps nothing: for layers that are only compared."""

    def get(self, key: str) -> str | None:  # noqa: ARG002  # has none
        """Return None."""
        return None

    async def put(self, key: str, reply: str) -> None:
        """Forget it."""


async def stacked(
    items: Sequence[Item],
    categoriser: Categoriser,
    embedder: Embedder,
    rules: Rules,
    drafts: Drafts,
    told: Told = untold,
) -> Layers:
    """Return the layers above some items.

    Layer 1 may have more nodes than there are items; a later layer that has more than the one beneath is
    discarded, and one that would hold promoted nodes only is not made: either ends the build, and so does
    `max_layers`.

    Raises:
        ProviderError: The categoriser or the embedder failed.
        StoreError: A reply could not be kept.
    """
    found: list[Layer] = []
    said: list[Categorised] = []
    discarded = False
    current = list(items)
    while current and len(found) < rules.max_layers:
        number = len(found) + 1
        told(f"layer {number}", 0, 1)
        said.append(await _proposed(current, categoriser, number, rules, drafts))
        groups = layer_of(current, said[-1].groups, min_children=rules.min_children)
        discarded = groups is not None and bool(found) and len(groups) > len(current)
        if groups is None or discarded:
            break
        found.append(await _embedded(current, groups, embedder))
        current = [_above(place, found[-1], number, current) for place in range(len(groups))]
        told(f"layer {number}", 1, 1)
    return Layers(
        layers=tuple(found),
        usage=sum((each.usage for each in said), Usage()),
        ignored=sum(each.ignored for each in said),
        refused=sum(each.refused for each in said),
        discarded=discarded,
    )


def raised(made: Layers, layers: int) -> Layers:
    """Return layers with promoted ones on top until there are as many as wanted; none stay none."""
    found = list(made.layers)
    while found and len(found) < layers:
        top = found[-1]
        alone = tuple(
            Group(name=group.name, tags=group.tags, members=(place,)) for place, group in enumerate(top.groups)
        )
        found.append(Layer(groups=alone, contents=top.contents, vectors=top.vectors))
    return replace(made, layers=tuple(found))


async def _proposed(
    items: Sequence[Item], categoriser: Categoriser, number: int, rules: Rules, drafts: Drafts
) -> Categorised:
    """Ask about all items but speakers; makes no call where they are too few for a category."""
    places = [place for place, item in enumerate(items) if not item.speaker]
    if len(places) < max(rules.min_children, 1):
        return Categorised(groups=())
    said = await categoriser.categorise([items[place] for place in places], number, drafts)
    groups = tuple(
        Group(name=each.name, tags=each.tags, members=tuple(places[member] for member in each.members))
        for each in said.groups
    )
    return Categorised(groups=groups, usage=said.usage, ignored=said.ignored, refused=said.refused)


async def _embedded(items: Sequence[Item], groups: tuple[Group, ...], embedder: Embedder) -> Layer:
    contents = tuple(content_of(each.name, each.tags, [items[place].name for place in each.members]) for each in groups)
    return Layer(groups=groups, contents=contents, vectors=await embedder.passages(list(contents)))


def _above(place: int, layer: Layer, number: int, items: Sequence[Item]) -> Item:
    group = layer.groups[place]
    return Item(
        uuid=f"{number}/{place}",
        name=group.name,
        tags=group.tags,
        vector=layer.vectors[place],
        speaker=all(items[member].speaker for member in group.members),
        layer=number,
    )
