"""Building layers bottom-up: limits and stop conditions."""

from collections.abc import Sequence

import numpy as np

from mnemo.hierarchy.categories.categoriser import Categorisation, Item, ProposedCategory, ReplyCache
from mnemo.hierarchy.categories.layers import LayerRules, NoReplyCache, build_layers, pad_layers
from support.embedders import HashEmbedder, vector


class Scripted:
    """Proposes the given layers and records the items it was shown."""

    def __init__(self, *layers: Sequence[ProposedCategory]) -> None:
        self.layers = layers
        self.shown: list[list[str]] = []

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:  # noqa: ARG002  # the protocol's
        self.shown.append([item.name for item in items])
        return Categorisation(categories=tuple(self.layers[layer - 1]) if layer <= len(self.layers) else ())


def entities(*names: str, speakers: tuple[str, ...] = ()) -> list[Item]:
    return [Item(uuid=name, name=name, vector=vector(name), speaker=name in speakers) for name in names]


def category(name: str, *members: int) -> ProposedCategory:
    return ProposedCategory(name=name, members=members)


def sizes(made: object) -> list[int]:
    return [len(layer.categories) for layer in made.layers]  # type: ignore[attr-defined]  # Layers


async def test_layer_one_may_have_more_nodes_than_there_are_entities() -> None:
    categoriser = Scripted([category("ab", 0, 1), category("bc", 1, 2), category("ac", 0, 2), category("abc", 0, 1, 2)])
    made = await build_layers(entities("a", "b", "c"), categoriser, HashEmbedder(), LayerRules(), NoReplyCache())
    assert sizes(made) == [4]
    assert not made.discarded


async def test_the_first_layer_larger_than_the_one_beneath_is_discarded_and_ends_the_build() -> None:
    categoriser = Scripted(
        [category("ab", 0, 1), category("cd", 2, 3), category("ef", 4, 5)],
        [category("x", 0, 1), category("y", 1, 2), category("z", 0, 2), category("w", 0, 1, 2)],
        [category("never", 0, 1)],
    )
    made = await build_layers(entities(*"abcdef"), categoriser, HashEmbedder(), LayerRules(), NoReplyCache())
    assert sizes(made) == [3]
    assert made.discarded
    assert len(categoriser.shown) == 2


async def test_a_layer_as_large_as_the_one_beneath_is_kept() -> None:
    categoriser = Scripted(
        [category("ab", 0, 1), category("cd", 2, 3), category("ef", 4, 5)],
        [category("x", 0, 1), category("y", 1, 2), category("z", 0, 2)],
    )
    made = await build_layers(
        entities(*"abcdef"), categoriser, HashEmbedder(), LayerRules(max_layers=2), NoReplyCache()
    )
    assert sizes(made) == [3, 3]


async def test_max_layers_ends_the_build() -> None:
    pairs = [[category(f"{n}-{i}", i, i + 1) for i in range(0, size, 2)] for n, size in enumerate((32, 16, 8, 4, 2))]
    made = await build_layers(
        entities(*map(str, range(32))), Scripted(*pairs), HashEmbedder(), LayerRules(), NoReplyCache()
    )
    assert sizes(made) == [16, 8, 4, 2]
    short = await build_layers(
        entities(*map(str, range(32))), Scripted(*pairs), HashEmbedder(), LayerRules(max_layers=1), NoReplyCache()
    )
    assert sizes(short) == [16]


async def test_speakers_are_not_shown_to_the_categoriser() -> None:
    categoriser = Scripted([category("Pets", 0, 1)])
    made = await build_layers(
        entities("Ana", "Rex", "Tom", speakers=("Ana",)), categoriser, HashEmbedder(), LayerRules(), NoReplyCache()
    )
    assert categoriser.shown[0] == ["Rex", "Tom"]
    assert [(each.name, each.members) for each in made.layers[0].categories] == [("Speaker", (0,)), ("Pets", (1, 2))]


async def test_too_few_nodes_for_a_category_make_no_call() -> None:
    categoriser = Scripted([category("never", 0)])
    made = await build_layers(entities("Rex"), categoriser, HashEmbedder(), LayerRules(), NoReplyCache())
    assert (made.layers, categoriser.shown) == ((), [])


async def test_no_nodes_build_no_layers() -> None:
    assert (await build_layers([], Scripted(), HashEmbedder(), LayerRules(), NoReplyCache())).layers == ()


async def test_a_category_is_embedded_by_its_name_tags_and_members() -> None:
    embedder = HashEmbedder()
    categoriser = Scripted([ProposedCategory(name="Pets", tags=("animals",), members=(0, 1))])
    made = await build_layers(entities("Rex", "Tom"), categoriser, embedder, LayerRules(), NoReplyCache())
    assert made.layers[0].contents == ("Pets (animals): Rex, Tom",)
    assert np.array_equal(made.layers[0].vectors[0], vector("Pets (animals): Rex, Tom"))


async def test_padding_promotes_every_node_up_to_the_number_of_layers() -> None:
    made = await build_layers(
        entities(*"abcd"),
        Scripted([category("ab", 0, 1), category("cd", 2, 3)]),
        HashEmbedder(),
        LayerRules(),
        NoReplyCache(),
    )
    high = pad_layers(made, 3)
    assert [[(each.name, each.members) for each in layer.categories] for layer in high.layers] == [
        [("ab", (0, 1)), ("cd", (2, 3))],
        [("ab", (0,)), ("cd", (1,))],
        [("ab", (0,)), ("cd", (1,))],
    ]
