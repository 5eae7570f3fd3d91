"""How a layer is made of what a categoriser proposes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.categories.categoriser import (
    SPEAKER,
    Group,
    Item,
    folded,
    is_speaker_word,
    joins_ideas,
    layer_of,
    merged,
)

VECTOR = np.ones(1, np.float32)


def items(*names: str, speakers: tuple[str, ...] = (), layer: int = 0) -> list[Item]:
    return [Item(uuid=name, name=name, vector=VECTOR, speaker=name in speakers, layer=layer) for name in names]


def shown(layer: tuple[Group, ...] | None) -> list[tuple[str, tuple[int, ...]]]:
    return [(group.name, group.members) for group in layer or ()]


def test_a_node_may_sit_in_several_categories() -> None:
    groups = [Group(name="Fruit", members=(0, 1)), Group(name="Red things", members=(1, 2))]
    layer = layer_of(items("apple", "cherry", "rose"), groups, min_children=2)
    assert shown(layer) == [("Fruit", (0, 1)), ("Red things", (1, 2))]


def test_a_category_with_fewer_than_min_children_is_not_made_and_its_node_is_promoted_under_its_own_name() -> None:
    groups = [Group(name="Fruit", members=(0, 1)), Group(name="Flowers", members=(2,))]
    layer = layer_of(items("apple", "cherry", "rose"), groups, min_children=2)
    assert shown(layer) == [("Fruit", (0, 1)), ("rose", (2,))]


def test_min_children_of_one_makes_a_category_of_one() -> None:
    layer = layer_of(items("apple", "rose"), [Group(name="Flowers", members=(1,))], min_children=1)
    assert shown(layer) == [("Flowers", (1,)), ("apple", (0,))]


def test_nothing_but_promoted_nodes_makes_no_layer() -> None:
    assert layer_of(items("apple", "rose"), [Group(name="Flowers", members=(1,))], min_children=2) is None


def test_speakers_have_a_category_of_their_own_and_no_other() -> None:
    groups = [Group(name="People", members=(0, 1, 2))]
    layer = layer_of(items("Ana", "Ben", "Rex", speakers=("Ana",)), groups, min_children=2)
    assert shown(layer) == [(SPEAKER, (0,)), ("People", (1, 2))]


def test_above_layer_one_the_speakers_category_is_promoted_alone() -> None:
    nodes = items("Speaker", "Pets", "Farms", speakers=("Speaker",), layer=1)
    layer = layer_of(nodes, [Group(name="Animals", members=(0, 1, 2))], min_children=2)
    assert shown(layer) == [("Animals", (1, 2)), ("Speaker", (0,))]


def test_a_second_category_of_the_same_members_is_left_out() -> None:
    groups = [Group(name="Pets", members=(0, 1)), Group(name="Animals", members=(0, 1))]
    assert shown(layer_of(items("cat", "dog"), groups, min_children=2)) == [("Pets", (0, 1))]


def test_groups_of_one_name_are_joined_and_the_first_spelling_stays() -> None:
    groups = [
        Group(name="Hobbies", tags=("fun",), members=(0, 3)),
        Group(name="Pets", members=(1,)),
        Group(name="hobby", tags=("leisure",), members=(2, 3)),
    ]
    assert merged(groups) == (
        Group(name="Hobbies", tags=("fun", "leisure"), members=(0, 2, 3)),
        Group(name="Pets", members=(1,)),
    )


def test_groups_told_to_be_alike_are_joined() -> None:
    groups = [Group(name="Pets", members=(0,)), Group(name="Jobs", members=(1,)), Group(name="Animals", members=(2,))]
    assert [(each.name, each.members) for each in merged(groups, {2: 0})] == [("Pets", (0, 2)), ("Jobs", (1,))]


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
def test_a_name_that_joins_two_ideas_is_told(name: str, *, joined: bool) -> None:
    assert joins_ideas(name) is joined


def test_user_i_and_me_mean_the_speaker() -> None:
    assert [is_speaker_word(name) for name in ("user", "I", " Me ", "Mia", "username")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_plurals_and_case_do_not_tell_names_apart() -> None:
    assert folded("Hobbies") == folded("hobby") == "hobby"
    assert folded("Glass") == "glass"
    assert folded("Road-Trips") == folded("road trip")


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
    groups = [
        Group(name=f"g{i}", members=tuple(sorted(m for m in members if m < number))) for i, members in enumerate(drawn)
    ]
    layer = layer_of(nodes, groups, min_children=min_children)
    if layer is None:
        assert not any(place < number for place in speaking)
    else:
        assert {place for group in layer for place in group.members} == set(range(number))
