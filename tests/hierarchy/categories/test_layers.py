"""Layers from the bottom up: when they end, and what they keep to."""

from collections.abc import Sequence

import numpy as np

from mnemo.hierarchy.categories.categoriser import Categorised, Drafts, Group, Item
from mnemo.hierarchy.categories.layers import NoDrafts, Rules, raised, stacked
from support.embedders import HashEmbedder, vector


class Scripted:
    """Proposes what it was given, layer by layer, and remembers what it was shown."""

    def __init__(self, *layers: Sequence[Group]) -> None:
        self.layers = layers
        self.shown: list[list[str]] = []

    async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:  # noqa: ARG002  # the protocol's
        self.shown.append([item.name for item in items])
        return Categorised(groups=tuple(self.layers[layer - 1]) if layer <= len(self.layers) else ())


def entities(*names: str, speakers: tuple[str, ...] = ()) -> list[Item]:
    return [Item(uuid=name, name=name, vector=vector(name), speaker=name in speakers) for name in names]


def group(name: str, *members: int) -> Group:
    return Group(name=name, members=members)


def sizes(made: object) -> list[int]:
    return [len(layer.groups) for layer in made.layers]  # type: ignore[attr-defined]  # Layers


async def test_layer_one_may_have_more_nodes_than_there_are_entities() -> None:
    categoriser = Scripted([group("ab", 0, 1), group("bc", 1, 2), group("ac", 0, 2), group("abc", 0, 1, 2)])
    made = await stacked(entities("a", "b", "c"), categoriser, HashEmbedder(), Rules(), NoDrafts())
    assert sizes(made) == [4]
    assert not made.discarded


async def test_the_first_layer_larger_than_the_one_beneath_is_discarded_and_ends_the_build() -> None:
    categoriser = Scripted(
        [group("ab", 0, 1), group("cd", 2, 3), group("ef", 4, 5)],
        [group("x", 0, 1), group("y", 1, 2), group("z", 0, 2), group("w", 0, 1, 2)],
        [group("never", 0, 1)],
    )
    made = await stacked(entities(*"abcdef"), categoriser, HashEmbedder(), Rules(), NoDrafts())
    assert sizes(made) == [3]
    assert made.discarded
    assert len(categoriser.shown) == 2


async def test_a_layer_as_large_as_the_one_beneath_is_kept() -> None:
    categoriser = Scripted(
        [group("ab", 0, 1), group("cd", 2, 3), group("ef", 4, 5)],
        [group("x", 0, 1), group("y", 1, 2), group("z", 0, 2)],
    )
    made = await stacked(entities(*"abcdef"), categoriser, HashEmbedder(), Rules(max_layers=2), NoDrafts())
    assert sizes(made) == [3, 3]


async def test_max_layers_ends_the_build() -> None:
    pairs = [[group(f"{n}-{i}", i, i + 1) for i in range(0, size, 2)] for n, size in enumerate((32, 16, 8, 4, 2))]
    made = await stacked(entities(*map(str, range(32))), Scripted(*pairs), HashEmbedder(), Rules(), NoDrafts())
    assert sizes(made) == [16, 8, 4, 2]
    short = await stacked(
        entities(*map(str, range(32))), Scripted(*pairs), HashEmbedder(), Rules(max_layers=1), NoDrafts()
    )
    assert sizes(short) == [16]


async def test_speakers_are_not_shown_to_the_categoriser_and_stand_in_their_category() -> None:
    categoriser = Scripted([group("Pets", 0, 1)])
    made = await stacked(
        entities("Ana", "Rex", "Tom", speakers=("Ana",)), categoriser, HashEmbedder(), Rules(), NoDrafts()
    )
    assert categoriser.shown[0] == ["Rex", "Tom"]
    assert [(each.name, each.members) for each in made.layers[0].groups] == [("Speaker", (0,)), ("Pets", (1, 2))]


async def test_no_call_is_made_for_fewer_nodes_than_a_category_needs() -> None:
    categoriser = Scripted([group("never", 0)])
    made = await stacked(entities("Rex"), categoriser, HashEmbedder(), Rules(), NoDrafts())
    assert (made.layers, categoriser.shown) == ((), [])


async def test_nothing_is_built_on_nothing() -> None:
    assert (await stacked([], Scripted(), HashEmbedder(), Rules(), NoDrafts())).layers == ()


async def test_a_category_is_embedded_by_its_name_tags_and_members() -> None:
    embedder = HashEmbedder()
    categoriser = Scripted([Group(name="Pets", tags=("animals",), members=(0, 1))])
    made = await stacked(entities("Rex", "Tom"), categoriser, embedder, Rules(), NoDrafts())
    assert made.layers[0].contents == ("Pets (animals): Rex, Tom",)
    assert np.array_equal(made.layers[0].vectors[0], vector("Pets (animals): Rex, Tom"))


async def test_raising_promotes_every_node_until_there_are_as_many_layers_as_wanted() -> None:
    made = await stacked(
        entities(*"abcd"), Scripted([group("ab", 0, 1), group("cd", 2, 3)]), HashEmbedder(), Rules(), NoDrafts()
    )
    high = raised(made, 3)
    assert [[(each.name, each.members) for each in layer.groups] for layer in high.layers] == [
        [("ab", (0, 1)), ("cd", (2, 3))],
        [("ab", (0,)), ("cd", (1,))],
        [("ab", (0,)), ("cd", (1,))],
    ]
