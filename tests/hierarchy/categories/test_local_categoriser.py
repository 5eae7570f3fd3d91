"""The local categoriser, with the built-in embedder."""

import pytest

from mnemo.hierarchy.categories.categoriser import Item
from mnemo.hierarchy.categories.layers import NoReplyCache
from mnemo.hierarchy.categories.local_categoriser import OTHERS, LocalCategoriser, head_noun, wider_categories
from mnemo.hierarchy.categories.themes import theme_kinds
from mnemo.providers.base import Embedder
from support.embedders import vector

ENTITIES = {
    "beagle": ("topic",),
    "two kittens": ("topic", "kitten"),
    "oat milk": ("topic", "milk"),
    "goat cheese": ("topic", "cheese"),
    "violin lessons": ("topic", "lesson"),
    "jazz concert": ("topic", "concert"),
    "Oslo": ("place",),
    "Seville": ("place",),
    "her sister-in-law": ("person",),
    "Aunt Rosa": ("person",),
    "Qzx-9931": ("topic",),
    "Wvv-2210": ("topic",),
}


def category(name: str, *tags: str) -> Item:
    return Item(uuid=name, name=name, tags=tags, vector=vector(name), layer=1)


async def test_entities_join_the_expected_themes(embedder: Embedder) -> None:
    vectors = await embedder.passages(list(ENTITIES))
    items = [
        Item(uuid=name, name=name, tags=tags, vector=each)
        for (name, tags), each in zip(ENTITIES.items(), vectors, strict=True)
    ]
    made = await LocalCategoriser(embedder).categorise(items, 1, NoReplyCache())
    held = {each.name: {items[index].name for index in each.members} for each in made.categories}
    assert held["Pets"] == {"beagle", "two kittens"}
    assert held["Places"] == {"Oslo", "Seville"}
    assert held["Ingredients"] == {"oat milk", "goat cheese"}
    assert {"Qzx-9931", "Wvv-2210"} & held[OTHERS]
    assert made.usage.calls == 0
    assert {index for each in made.categories for index in each.members} == set(range(len(items)))


async def test_the_same_entities_make_the_same_categories(embedder: Embedder) -> None:
    vectors = await embedder.passages(["beagle", "poodle", "tea"])
    items = [Item(uuid=str(place), name="x", vector=each) for place, each in enumerate(vectors)]
    categoriser = LocalCategoriser(embedder)
    assert await categoriser.categorise(items, 1, NoReplyCache()) == await categoriser.categorise(
        items, 1, NoReplyCache()
    )


def test_narrow_categories_are_grouped_by_theme_before_domain() -> None:
    items = [
        category("Dogs", "Pets", "Animals"),
        category("Cats", "Pets", "Animals"),
        category("Wildlife", "Animals"),
        category("Other things"),
    ]
    assert [(each.name, each.tags, each.members) for each in wider_categories(items)] == [
        ("Pets", ("Animals",), (0, 1))
    ]
    higher = [category("Pets", "Animals"), category("Wildlife", "Animals"), category("Other things")]
    assert [(each.name, each.tags, each.members) for each in wider_categories(higher)] == [("Animals", (), (0, 1))]


def test_category_alone_in_its_theme_is_grouped_by_domain() -> None:
    items = [category("Dogs", "Pets", "Animals"), category("Wildlife", "Animals")]
    assert [(each.name, each.members) for each in wider_categories(items)] == [("Animals", (0, 1))]
    assert wider_categories([category("Other things"), category("Places")]) == ()


@pytest.mark.parametrize(
    ("name", "tags", "head"),
    [
        ("camera bag", ("topic", "bag"), "bag"),
        ("Ana's sister", ("person", "sister"), "sister"),
        ("Oslo", ("place",), ""),
        ("running", ("topic", "activity"), "activity"),
    ],
)
def test_head_noun_says_what_an_entity_is(name: str, tags: tuple[str, ...], head: str) -> None:
    assert head_noun(Item(uuid=name, name=name, tags=tags, vector=vector(name))) == head


def test_kinds_of_a_theme_are_contiguous() -> None:
    themes = [kind.theme for kind in theme_kinds()]
    runs = [theme for place, theme in enumerate(themes) if place == 0 or themes[place - 1] != theme]
    assert len(runs) == len(set(themes))
    assert all(themes.count(theme) >= 3 for theme in runs)
    assert len({kind.name for kind in theme_kinds()}) >= 600
