"""The categoriser interface, and how its proposals become a layer.

Source: Mnemis (arXiv 2602.15313), bottom-up construction of the hierarchical graph.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mnemo.models.results import Usage

__all__ = [
    "SPEAKER",
    "Categorisation",
    "Categoriser",
    "Item",
    "ProposedCategory",
    "ReplyCache",
    "is_speaker_word",
    "joins_ideas",
    "merge_categories",
    "name_key",
    "next_layer",
    "short_tags",
]

SPEAKER = "Speaker"
"""Name of the layer-1 category that holds only the speakers."""
_SPEAKER_WORDS = frozenset(("user", "the user", "i", "me", "myself", "speaker", "speakers"))
_JOINED = re.compile(
    r"(?<=\s)(?i:and|or|und|oder|et|ou|plus)(?=\s)|(?<=\s)[ye](?=\s)|[/,;]|\s&\s|\w{2,}\s*&|&\s*\w{2,}|\w\s*\+\s*\w"
)
"""A word or sign that joins two ideas; the E of `E-mail`, the & of `R&B` and the + of `C++` do not."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Item:
    """A node to categorise: an entity, or a category of the layer below."""

    uuid: str
    name: str
    tags: tuple[str, ...] = ()
    vector: NDArray[np.float32]
    """Unit length, shape (dimensions,)."""
    speaker: bool = False
    layer: int = 0
    """0 for an entity, else the category's layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCategory:
    """A category proposed by a categoriser."""

    name: str
    tags: tuple[str, ...] = ()
    members: tuple[int, ...]
    """Indexes into the list of items, ascending, no duplicates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Categorisation:
    """The categories proposed for one layer."""

    categories: tuple[ProposedCategory, ...]
    usage: Usage = field(default_factory=Usage)
    ignored: int = 0
    """Member numbers that were out of range."""
    refused: int = 0
    """Categories dropped because their name still joined two ideas after a second request."""


class ReplyCache(Protocol):
    """LLM replies kept by key, so that a resumed build does not pay for them again."""

    def get(self, key: str) -> str | None:
        """Return the reply stored under `key` as JSON, or None."""
        ...

    async def put(self, key: str, reply: str) -> None:
        """Store a reply.

        Raises:
            StoreError: See its kinds.
        """
        ...


class Categoriser(Protocol):
    """Groups the nodes of one layer into categories."""

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:
        """Propose categories for nodes. A node may be in several, or in none.

        Args:
            items: Nodes of one layer, without speakers; at least one.
            layer: Layer of the new categories, from 1.
            replies: Replies of an earlier run of this build; new replies are added.

        Raises:
            ProviderError: An LLM or the embedder failed.
        """
        ...


@dataclass(slots=True)
class _Merging:
    name: str
    tags: dict[str, None] = field(default_factory=dict)
    members: dict[int, None] = field(default_factory=dict)


def name_key(name: str) -> str:
    """Return a key that ignores case, hyphens, spacing and an English plural."""
    words = name.casefold().replace("-", " ").split()
    if not words:
        return ""
    last = words[-1]
    if last.endswith("ies") and len(last) > 4:  # noqa: PLR2004  # "ties" is not the plural of "ty"
        last = f"{last[:-3]}y"
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 3:  # noqa: PLR2004  # keep "gas"
        last = last[:-1]
    return " ".join((*words[:-1], last))


def joins_ideas(name: str) -> bool:
    """Return whether a name joins two ideas, such as `Food and Drinks`."""
    return bool(_JOINED.search(name))


def is_speaker_word(name: str) -> bool:
    """Return whether a name means the speaker: user, I, me."""
    return name.strip().casefold() in _SPEAKER_WORDS


def short_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return up to five distinct tags of one to three words, in lower case."""
    clean = [" ".join(tag.split()).lower() for tag in tags]
    return tuple(dict.fromkeys(tag for tag in clean if tag and len(tag.split()) <= 3))[:5]  # noqa: PLR2004  # at most 3 words


def merge_categories(
    categories: Sequence[ProposedCategory], same: Mapping[int, int] | None = None
) -> tuple[ProposedCategory, ...]:
    """Merge categories of the same name, in order of first appearance; the first spelling is kept.

    Args:
        categories: Proposals in order.
        same: Maps the index of a category to that of an earlier one with the same meaning.
    """
    by_name: dict[str, _Merging] = {}
    keys: list[str] = []
    for index, category in enumerate(categories):
        key = keys[same[index]] if same and index in same else name_key(category.name)
        keys.append(key)
        into = by_name.setdefault(key, _Merging(category.name))
        into.tags.update(dict.fromkeys(category.tags))
        into.members.update(dict.fromkeys(category.members))
    return tuple(
        ProposedCategory(name=each.name, tags=tuple(each.tags)[:5], members=tuple(sorted(each.members)))
        for each in by_name.values()
    )


def next_layer(
    items: Sequence[Item], proposed: Sequence[ProposedCategory], *, min_children: int
) -> tuple[ProposedCategory, ...] | None:
    """Build the next layer: the speakers' category, the proposed categories, then uncategorised nodes promoted alone.

    Drops categories with fewer than `min_children` members, and those with the same members as an earlier one.

    Args:
        items: The layer below.
        proposed: The categoriser's proposals, with distinct names.
        min_children: Minimum number of members, at least 1; `Speaker` may have one.

    Returns:
        None if the layer would hold only promoted nodes.
    """
    speakers = tuple(index for index, item in enumerate(items) if item.speaker)
    kept: dict[tuple[int, ...], ProposedCategory] = {}
    for category in proposed:
        members = tuple(index for index in category.members if index not in speakers)
        if len(members) >= min_children and members not in kept:
            kept[members] = ProposedCategory(name=category.name, tags=category.tags, members=members)
    made = [*_speaker_category(items, speakers), *kept.values()]
    covered = {index for category in made for index in category.members}
    if not made:
        return None
    promoted = [
        ProposedCategory(name=item.name, tags=item.tags, members=(index,))
        for index, item in enumerate(items)
        if index not in covered
    ]
    return (*made, *promoted)


def _speaker_category(items: Sequence[Item], speakers: tuple[int, ...]) -> list[ProposedCategory]:
    """Return the `Speaker` category of layer 1; higher layers promote it like any uncategorised node."""
    if not speakers or items[speakers[0]].layer:
        return []
    return [ProposedCategory(name=SPEAKER, tags=("person",), members=speakers)]
