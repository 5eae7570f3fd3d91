"""What a categoriser is given and gives, and how a layer is made of it: pure.

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
    "Categorised",
    "Categoriser",
    "Drafts",
    "Group",
    "Item",
    "folded",
    "is_speaker_word",
    "joins_ideas",
    "layer_of",
    "merged",
    "short_tags",
]

SPEAKER = "Speaker"
"""Name of the layer-1 category that holds who wrote messages, and nothing else."""
_SPEAKER_WORDS = frozenset(("user", "the user", "i", "me", "myself", "speaker", "speakers"))
_JOINED = re.compile(
    r"(?<=\s)(?i:and|or|und|oder|et|ou|plus)(?=\s)|(?<=\s)[ye](?=\s)|[/,;]|\s&\s|\w{2,}\s*&|&\s*\w{2,}|\w\s*\+\s*\w"
)
"""A word or a sign between two ideas: not the E of `E-mail`, the & of `R&B`, the + of `C++`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Item:
    """A node of a layer as a categoriser sees it: its name and tags."""

    uuid: str
    name: str
    tags: tuple[str, ...] = ()
    vector: NDArray[np.float32]
    """Of unit length, (dimensions,)."""
    speaker: bool = False
    layer: int = 0
    """0 for an entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A category that is proposed."""

    name: str
    tags: tuple[str, ...] = ()
    members: tuple[int, ...]
    """Places in the list of items, ascending, each once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Categorised:
    """What a categoriser made of one layer."""

    groups: tuple[Group, ...]
    usage: Usage = field(default_factory=Usage)
    ignored: int = 0
    """Members out of range."""
    refused: int = 0
    """Categories whose name joined two ideas, twice."""


class Drafts(Protocol):
    """Replies that a build has paid for already, by key, so that one that was stopped pays nothing twice."""

    def get(self, key: str) -> str | None:
        """Return a reply as JSON; None where there is none yet."""
        ...

    async def put(self, key: str, reply: str) -> None:
        """Keep a reply.

        Raises:
            StoreError: See its kinds.
        """
        ...


class Categoriser(Protocol):
    """Groups the nodes of a layer."""

    async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:
        """Return categories of some nodes; many-to-many, nodes may be left out.

        Args:
            items: Of one layer, without speakers; at least one.
            layer: Of the categories, from 1.
            drafts: What was paid for already, and where to keep what is.

        Raises:
            ProviderError: An LLM or the embedder failed.
        """
        ...


@dataclass(slots=True)
class _Merging:
    name: str
    tags: dict[str, None] = field(default_factory=dict)
    members: dict[int, None] = field(default_factory=dict)


def folded(name: str) -> str:
    """Return what two spellings of one category name share: case, blanks and an English plural."""
    words = name.casefold().replace("-", " ").split()
    if not words:
        return ""
    last = words[-1]
    if last.endswith("ies") and len(last) > 4:  # noqa: PLR2004  # ties is no plural of ty
        last = f"{last[:-3]}y"
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 3:  # noqa: PLR2004  # gas stays
        last = last[:-1]
    return " ".join((*words[:-1], last))


def joins_ideas(name: str) -> bool:
    """Tell whether a name joins two ideas, such as `Food and Drinks`; a category has one."""
    return bool(_JOINED.search(name))


def is_speaker_word(name: str) -> bool:
    """Tell whether a name stands for whoever speaks: user, I, me."""
    return name.strip().casefold() in _SPEAKER_WORDS


def short_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return up to five distinct tags in lower case, of those that have one to three words."""
    clean = [" ".join(tag.split()).lower() for tag in tags]
    return tuple(dict.fromkeys(tag for tag in clean if tag and len(tag.split()) <= 3))[:5]  # noqa: PLR2004  # at most 3 words


def merged(groups: Sequence[Group], alike: Mapping[int, int] | None = None) -> tuple[Group, ...]:
    """Join groups of one name, in order of first appearance; the first spelling stays.

    Args:
        groups: In the order in which they were made.
        alike: Place of a group to the place of an earlier one that means the same.
    """
    by_name: dict[str, _Merging] = {}
    keys: list[str] = []
    for place, group in enumerate(groups):
        key = keys[alike[place]] if alike and place in alike else folded(group.name)
        keys.append(key)
        into = by_name.setdefault(key, _Merging(group.name))
        into.tags.update(dict.fromkeys(group.tags))
        into.members.update(dict.fromkeys(group.members))
    return tuple(
        Group(name=each.name, tags=tuple(each.tags)[:5], members=tuple(sorted(each.members)))
        for each in by_name.values()
    )


def layer_of(items: Sequence[Item], groups: Sequence[Group], *, min_children: int) -> tuple[Group, ...] | None:
    """Return all nodes of the next layer: speakers, categories, then nodes promoted alone under their own name.

    A category with fewer than `min_children` members is left out; a category of the same members as one before
    it adds nothing and is left out too.

    Args:
        items: The layer beneath.
        groups: What the categoriser proposed, names distinct.
        min_children: Least members of a category, at least 1; `Speaker` may have one.

    Returns:
        None if there is nothing but promoted nodes: the layer would add nothing.
    """
    speakers = tuple(place for place, item in enumerate(items) if item.speaker)
    kept: dict[tuple[int, ...], Group] = {}
    for group in groups:
        members = tuple(place for place in group.members if place not in speakers)
        if len(members) >= min_children and members not in kept:
            kept[members] = Group(name=group.name, tags=group.tags, members=members)
    made = [*_speaker_group(items, speakers), *kept.values()]
    covered = {place for group in made for place in group.members}
    if not made:
        return None
    alone = [
        Group(name=item.name, tags=item.tags, members=(place,))
        for place, item in enumerate(items)
        if place not in covered
    ]
    return (*made, *alone)


def _speaker_group(items: Sequence[Item], speakers: tuple[int, ...]) -> list[Group]:
    """Make `Speaker` of speakers at layer 1; above, it is promoted like any node that no category covers."""
    if not speakers or items[speakers[0]].layer:
        return []
    return [Group(name=SPEAKER, tags=("person",), members=speakers)]
