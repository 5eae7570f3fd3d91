"""Items in ranked order, type by type, as every route returns them: pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.hierarchy import Category
from mnemo.models.results import Found, Route

__all__ = ["RankedItems", "cut", "with_routes"]

T = TypeVar("T", bound=Episode | Entity | Edge)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedItems:
    """Best first, nothing twice within a type."""

    episodes: tuple[Found[Episode], ...] = ()
    entities: tuple[Found[Entity], ...] = ()
    edges: tuple[Found[Edge], ...] = ()
    categories: tuple[Found[Category], ...] = ()
    sources: Mapping[str, Episode] = field(default_factory=dict)
    """Episodes by uuid that edges and categories may cite and that are not among `episodes`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of entities by uuid, as far as known: subjects and objects of the edges among them."""


def cut(items: RankedItems, k: int) -> RankedItems:
    """Keep k episodes, 2k entities and 2k edges; episodes that are cut may still be cited.

    Args:
        items: In ranked order.
        k: Most episodes, at least 1.
    """
    best = items.episodes[:k]
    shown = {found.item.uuid for found in best}
    rest = {found.item.uuid: found.item for found in items.episodes[k:]}
    sources = {uuid: episode for uuid, episode in {**items.sources, **rest}.items() if uuid not in shown}
    return replace(items, episodes=best, entities=items.entities[: 2 * k], edges=items.edges[: 2 * k], sources=sources)


def with_routes(items: RankedItems, routes: Mapping[str, tuple[Route, ...]] | tuple[Route, ...]) -> RankedItems:
    """Set the routes that found each item.

    Args:
        items: In ranked order.
        routes: The same for all, or by uuid.
    """

    def marked(found: Sequence[Found[T]]) -> tuple[Found[T], ...]:
        return tuple(
            replace(each, routes=routes if isinstance(routes, tuple) else routes[each.item.uuid]) for each in found
        )

    return replace(items, episodes=marked(items.episodes), entities=marked(items.entities), edges=marked(items.edges))
