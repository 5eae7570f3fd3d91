"""Old names of routes and hierarchies."""

import pytest

from mnemo import ArgumentError, FormerNameWarning
from mnemo.memory.hierarchies import checked_kind
from mnemo.memory.routes import checked_route


@pytest.mark.parametrize("route", ["system1", "system2", "both", "memtree"])
def test_route_is_found_by_its_name(route: str) -> None:
    assert checked_route(route) == route


def test_old_name_of_the_memtree_route_warns() -> None:
    with pytest.warns(FormerNameWarning, match="the route 'tree' is now 'memtree'"):
        assert checked_route("tree") == "memtree"


@pytest.mark.parametrize(("former", "kind"), [("episodes", "memtree"), ("entities", "categories")])
def test_old_hierarchy_names_warn(former: str, kind: str) -> None:
    with pytest.warns(FormerNameWarning, match=f"the hierarchy kind '{former}' is now '{kind}'"):
        assert checked_kind(former) == kind


def test_unknown_name_error_lists_valid_names() -> None:
    with pytest.raises(ArgumentError, match="route must be one of system1, system2, both, memtree, got 'system3'"):
        checked_route("system3")
    with pytest.raises(ArgumentError, match="must be memtree or categories, got 'forest'"):
        checked_kind("forest")
