"""Former names of routes and hierarchies."""

import pytest

from mnemo import ArgumentError, FormerNameWarning
from mnemo.memory.hierarchies import checked_kind
from mnemo.memory.routes import checked_route


@pytest.mark.parametrize("route", ["system1", "system2", "both", "memtree"])
def test_a_route_is_known_by_its_name(route: str) -> None:
    assert checked_route(route) == route


def test_the_former_name_of_the_memtree_route_warns() -> None:
    with pytest.warns(FormerNameWarning, match="the route 'tree' is now 'memtree'"):
        assert checked_route("tree") == "memtree"


@pytest.mark.parametrize(("former", "kind"), [("episodes", "memtree"), ("entities", "categories")])
def test_former_kinds_of_hierarchies_warn(former: str, kind: str) -> None:
    with pytest.warns(FormerNameWarning, match=f"the hierarchy kind '{former}' is now '{kind}'"):
        assert checked_kind(former) == kind


def test_other_names_are_refused_with_those_that_exist() -> None:
    with pytest.raises(ArgumentError, match="route must be one of system1, system2, both, memtree, got 'system3'"):
        checked_route("system3")
    with pytest.raises(ArgumentError, match="must be memtree or categories, got 'forest'"):
        checked_kind("forest")
