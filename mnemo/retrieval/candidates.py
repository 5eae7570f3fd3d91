"""What a route found, ranked type by type."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.hierarchy import Category
from mnemo.models.results import Found

__all__ = ["Finds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finds:
    """Best first, nothing twice within a type."""

    episodes: tuple[Found[Episode], ...] = ()
    entities: tuple[Found[Entity], ...] = ()
    edges: tuple[Found[Edge], ...] = ()
    categories: tuple[Found[Category], ...] = ()
    backing: Mapping[str, Episode] = field(default_factory=dict)
    """Episodes by uuid that edges and categories may be cited by, those of `episodes` left out."""
