"""Categories without an LLM, by the built-in embedder."""

import pytest

from mnemo.hierarchy.categories.categoriser import Item
from mnemo.hierarchy.categories.layers import NoDrafts
from mnemo.hierarchy.categories.local_categoriser import OTHERS, LocalCategoriser, above, head_of
from mnemo.hierarchy.categories.themes import kinds
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


async def test_entities_go_where_a_person_would_look(embedder: Embedder) -> None:
    vectors = await embedder.passages(list(ENTITIES))
    items = [
        Item(uuid=name, name=name, tags=tags, vector=each)
        for (name, tags), each in zip(ENTITIES.items(), vectors, strict=True)
    ]
    made = await LocalCategoriser(embedder).categorise(items, 1, NoDrafts())
    held = {group.name: {items[place].name for place in group.members} for group in made.groups}
    assert held["Pets"] == {"beagle", "two kittens"}
    assert held["Places"] == {"Oslo", "Seville"}
    assert held["Ingredients"] == {"oat milk", "goat cheese"}
    assert {"Qzx-9931", "Wvv-2210"} & held[OTHERS]
    assert made.usage.calls == 0
    assert {place for group in made.groups for place in group.members} == set(range(len(items)))


async def test_the_same_entities_make_the_same_categories(embedder: Embedder) -> None:
    vectors = await embedder.passages(["beagle", "poodle", "tea"])
    items = [Item(uuid=str(place), name="x", vector=each) for place, each in enumerate(vectors)]
    categoriser = LocalCategoriser(embedder)
    assert await categoriser.categorise(items, 1, NoDrafts()) == await categoriser.categorise(items, 1, NoDrafts())


def test_themes_go_to_their_domain_and_narrow_categories_to_their_theme_first() -> None:
    items = [
        category("Dogs", "Pets", "Animals"),
        category("Cats", "Pets", "Animals"),
        category("Wildlife", "Animals"),
        category("Other things"),
    ]
    assert [(each.name, each.tags, each.members) for each in above(items)] == [("Pets", ("Animals",), (0, 1))]
    higher = [category("Pets", "Animals"), category("Wildlife", "Animals"), category("Other things")]
    assert [(each.name, each.tags, each.members) for each in above(higher)] == [("Animals", (), (0, 1))]


def test_a_category_alone_under_its_theme_is_looked_at_under_its_domain() -> None:
    items = [category("Dogs", "Pets", "Animals"), category("Wildlife", "Animals")]
    assert [(each.name, each.members) for each in above(items)] == [("Animals", (0, 1))]
    assert above([category("Other things"), category("Places")]) == ()


@pytest.mark.parametrize(
    ("name", "tags", "head"),
    [
        ("camera bag", ("topic", "bag"), "bag"),
        ("Ana's sister", ("person", "sister"), "sister"),
        ("Oslo", ("place",), ""),
        ("running", ("topic", "activity"), "activity"),
    ],
)
def test_the_noun_at_the_head_says_what_kind_of_thing_it_is(name: str, tags: tuple[str, ...], head: str) -> None:
    assert head_of(Item(uuid=name, name=name, tags=tags, vector=vector(name))) == head


def test_every_kind_has_a_theme_and_themes_stand_together() -> None:
    themes = [kind.theme for kind in kinds()]
    runs = [theme for place, theme in enumerate(themes) if place == 0 or themes[place - 1] != theme]
    assert len(runs) == len(set(themes))
    assert all(themes.count(theme) >= 3 for theme in runs)
    assert len({kind.name for kind in kinds()}) >= 600
