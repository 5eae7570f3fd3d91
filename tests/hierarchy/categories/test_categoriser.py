"""Making a layer from a categoriser's proposals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.categories.categoriser import (
    SPEAKER,
    Item,
    ProposedCategory,
    is_speaker_word,
    joins_ideas,
    merge_categories,
    name_key,
    next_layer,
)

VECTOR = np.ones(1, np.float32)


def items(*names: str, speakers: tuple[str, ...] = (), layer: int = 0) -> list[Item]:
    return [Item(uuid=name, name=name, vector=VECTOR, speaker=name in speakers, layer=layer) for name in names]


def pairs(layer: tuple[ProposedCategory, ...] | None) -> list[tuple[str, tuple[int, ...]]]:
    return [(category.name, category.members) for category in layer or ()]


def test_node_can_be_in_several_categories() -> None:
    proposed = [ProposedCategory(name="Fruit", members=(0, 1)), ProposedCategory(name="Red things", members=(1, 2))]
    layer = next_layer(items("apple", "cherry", "rose"), proposed, min_children=2)
    assert pairs(layer) == [("Fruit", (0, 1)), ("Red things", (1, 2))]


def test_category_below_min_children_is_dropped_and_its_node_promoted() -> None:
    proposed = [ProposedCategory(name="Fruit", members=(0, 1)), ProposedCategory(name="Flowers", members=(2,))]
    layer = next_layer(items("apple", "cherry", "rose"), proposed, min_children=2)
    assert pairs(layer) == [("Fruit", (0, 1)), ("rose", (2,))]


def test_min_children_of_one_makes_a_category_of_one() -> None:
    layer = next_layer(items("apple", "rose"), [ProposedCategory(name="Flowers", members=(1,))], min_children=1)
    assert pairs(layer) == [("Flowers", (1,)), ("apple", (0,))]


def test_only_promoted_nodes_make_no_layer() -> None:
    assert next_layer(items("apple", "rose"), [ProposedCategory(name="Flowers", members=(1,))], min_children=2) is None


def test_speakers_are_only_in_the_speaker_category() -> None:
    proposed = [ProposedCategory(name="People", members=(0, 1, 2))]
    layer = next_layer(items("Ana", "Ben", "Rex", speakers=("Ana",)), proposed, min_children=2)
    assert pairs(layer) == [(SPEAKER, (0,)), ("People", (1, 2))]


def test_above_layer_one_the_speakers_category_is_promoted_alone() -> None:
    nodes = items("Speaker", "Pets", "Farms", speakers=("Speaker",), layer=1)
    layer = next_layer(nodes, [ProposedCategory(name="Animals", members=(0, 1, 2))], min_children=2)
    assert pairs(layer) == [("Animals", (1, 2)), ("Speaker", (0,))]


def test_second_category_with_the_same_members_is_dropped() -> None:
    proposed = [ProposedCategory(name="Pets", members=(0, 1)), ProposedCategory(name="Animals", members=(0, 1))]
    assert pairs(next_layer(items("cat", "dog"), proposed, min_children=2)) == [("Pets", (0, 1))]


def test_categories_of_the_same_name_are_merged_and_keep_the_first_spelling() -> None:
    proposed = [
        ProposedCategory(name="Hobbies", tags=("fun",), members=(0, 3)),
        ProposedCategory(name="Pets", members=(1,)),
        ProposedCategory(name="hobby", tags=("leisure",), members=(2, 3)),
    ]
    assert merge_categories(proposed) == (
        ProposedCategory(name="Hobbies", tags=("fun", "leisure"), members=(0, 2, 3)),
        ProposedCategory(name="Pets", members=(1,)),
    )


def test_categories_with_the_same_meaning_are_merged() -> None:
    proposed = [
        ProposedCategory(name="Pets", members=(0,)),
        ProposedCategory(name="Jobs", members=(1,)),
        ProposedCategory(name="Animals", members=(2,)),
    ]
    assert [(each.name, each.members) for each in merge_categories(proposed, {2: 0})] == [
        ("Pets", (0, 2)),
        ("Jobs", (1,)),
    ]


@pytest.mark.parametrize(
    ("name", "joined"),
    [
        ("Food and Drinks", True),
        ("Food & Drinks", True),
        ("Food/Drinks", True),
        ("Food, Drinks", True),
        ("Essen und Trinken", True),
        ("Food&Drinks", True),
        ("Food AND Drinks", True),
        ("Food + Drinks", True),
        ("Food; Drinks", True),
        ("Comida y bebida", True),
        ("Cibo e vino", True),
        ("Jobs or Hobbies", True),
        ("E-mail", False),
        ("Vitamin E", False),
        ("Generation Y", False),
        ("R&B", False),
        ("C++ projects", False),
        ("Rock-and-roll", False),
        ("Food", False),
        ("Bands", False),
        ("Orchids", False),
        ("Hand tools", False),
    ],
)
def test_names_that_join_two_ideas_are_detected(name: str, *, joined: bool) -> None:
    assert joins_ideas(name) is joined


def test_user_i_and_me_mean_the_speaker() -> None:
    assert [is_speaker_word(name) for name in ("user", "I", " Me ", "Mia", "username")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_name_key_ignores_plural_and_case() -> None:
    assert name_key("Hobbies") == name_key("hobby") == "hobby"
    assert name_key("Glass") == "glass"
    assert name_key("Road-Trips") == name_key("road trip")


@given(
    st.integers(1, 12),
    st.lists(st.sets(st.integers(0, 11), max_size=6), max_size=6),
    st.sets(st.integers(0, 11), max_size=3),
    st.integers(1, 3),
)
def test_every_node_is_under_the_next_layer(
    number: int, drawn: list[set[int]], speaking: set[int], min_children: int
) -> None:
    nodes = items(*(f"n{i}" for i in range(number)), speakers=tuple(f"n{i}" for i in speaking))
    proposed = [
        ProposedCategory(name=f"g{i}", members=tuple(sorted(m for m in members if m < number)))
        for i, members in enumerate(drawn)
    ]
    layer = next_layer(nodes, proposed, min_children=min_children)
    if layer is None:
        assert not any(place < number for place in speaking)
    else:
        assert {place for group in layer for place in group.members} == set(range(number))
