"""Categories without an LLM: everyday themes by the nearest kind of thing, and clusters for everything else.

Each entity is compared with about a thousand kinds (`themes.txt`), by its whole name and by its head noun, after
subtracting the mean of the kinds from all embeddings. An entity near enough to a theme joins it; a tag of person,
place or organisation raises the score of the matching theme. The remaining entities are clustered, and each cluster
is named by a term its members share. On higher layers, themes are grouped by domain.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.categories.categoriser import (
    Categorisation,
    Item,
    ProposedCategory,
    ReplyCache,
    merge_categories,
    name_key,
)
from mnemo.hierarchy.categories.clustering import centre, cluster, medoid, split
from mnemo.hierarchy.categories.themes import ThemeKind, theme_kinds
from mnemo.providers.base import Embedder

__all__ = ["OTHERS", "LocalCategoriser", "head_noun", "shared_term", "wider_categories"]

OTHERS = "Other things"
"""The category of entities that fit no theme and no cluster."""

_MIN_SCORE = 0.38
"""Minimum score to join a theme; random names score below .35 in all but a few cases."""
_SECOND_SCORE = 0.5
_SECOND_SHARE = 0.85
"""An entity joins a second theme from `_SECOND_SCORE`, if it is also at least this share of the first score."""
_TAG_BONUS = 0.15
_HEAD_SHARE = 0.5
_HEADLESS_PENALTY = 0.12
"""Subtracted from the score of the whole name alone; used where the head says little (`suitcase update`)."""
_MIN_SIBLING_SCORE = 0.3
"""Minimum similarity to join a sibling theme rather than form a singleton."""
_MIN_CLUSTER_COSINE = 0.55
_WIDE = 40
"""A category with more members is split by kinds."""
_MIN_KIND_MEMBERS = 3
_TAG_THEMES = {"person": "People", "place": "Places", "organisation": "Organisations"}
_NAME_THEMES = frozenset(_TAG_THEMES.values())
"""Themes whose kinds are names, which are no use as category names."""
_VAGUE_TAGS = frozenset(("topic", "thing", "event", *_TAG_THEMES))
_CHUNK = 4_096

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _ThemeSpace:
    """The embedded kinds."""

    kinds: tuple[ThemeKind, ...]
    vectors: Matrix
    """Centred, shape (kinds, dimensions)."""
    mean: Matrix
    themes: tuple[str, ...]
    starts: tuple[int, ...]
    """Index of each theme's first kind; the kinds of a theme are contiguous."""

    @property
    def domains(self) -> tuple[str, ...]:
        """The domain of each theme."""
        return tuple(self.kinds[start].domain for start in self.starts)

    def domain_of(self, name: str) -> str:
        """Return the domain of a theme, or of a `More …` category."""
        for domain in self.domains:
            if name == _rest_of(domain):
                return domain
        return self.domains[self.themes.index(name)]

    def scores(self, cosines: Matrix) -> Matrix:
        """Return the scores of themes, shape (rows, themes): 0.6 * best kind + 0.4 * mean of the three best kinds."""
        ends = (*self.starts[1:], len(self.kinds))
        columns = []
        for start, end in zip(self.starts, ends, strict=True):
            best = -np.partition(-cosines[:, start:end], 2, axis=1)[:, :3]
            columns.append(0.6 * best.max(axis=1) + 0.4 * best.mean(axis=1))
        return np.stack(columns, axis=1)


class LocalCategoriser:
    """Groups entities by theme, and themes by domain; deterministic."""

    def __init__(self, embedder: Embedder) -> None:
        """Keep the embedder, the same one that embedded the entities."""
        self._embedder = embedder
        self._space: _ThemeSpace | None = None
        self._loading = asyncio.Lock()

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:  # noqa: ARG002  # there are no replies to cache
        """Propose categories for nodes, without an LLM call; see `Categoriser`.

        Raises:
            ProviderError: The embedder failed.
        """
        if layer > 1:
            return Categorisation(categories=wider_categories(items))
        space = await self._theme_space()
        heads = await self._head_vectors(items)
        return Categorisation(categories=await asyncio.to_thread(_by_theme, space, items, heads))

    async def _theme_space(self) -> _ThemeSpace:
        async with self._loading:
            if self._space is None:
                self._space = _to_space(await self._embedder.passages([kind.name for kind in theme_kinds()]))
            return self._space

    async def _head_vectors(self, items: Sequence[Item]) -> Matrix:
        """Return the embedding of each item's head noun, or the item's own embedding if it has none."""
        words = [head_noun(item) for item in items]
        distinct = list(dict.fromkeys(word for word in words if word))
        vectors = dict(zip(distinct, await self._embedder.passages(distinct), strict=True)) if distinct else {}
        return np.stack(
            [vectors[word] if word else item.vector for word, item in zip(words, items, strict=True)]
        ).astype(np.float32)


def head_noun(item: Item) -> str:
    """Return the noun that says what an entity is: the last tag that is a word of its name, else its last tag."""
    words = item.name.casefold().split()
    own = [tag for tag in item.tags if tag not in _VAGUE_TAGS]
    in_name = [tag for tag in own if any(word.startswith(tag[:-1] or tag) for word in words)]
    return (in_name or own or [""])[-1]


def wider_categories(items: Sequence[Item]) -> tuple[ProposedCategory, ...]:
    """Group categories by their first tag, which names the next wider category.

    Items with the most levels above them are grouped first. An item that would be alone in its wider category is
    grouped by the one above that.
    """
    trails = [_trail(item) for item in items]
    while depth := max(map(len, trails), default=0):
        wider: dict[str, list[int]] = {}
        for index, trail in enumerate(trails):
            if len(trail) == depth:
                wider.setdefault(trail[0], []).append(index)
        for index, (item, trail) in enumerate(zip(items, trails, strict=True)):
            if len(trail) < depth and item.name in wider:
                wider[item.name].append(index)
        categories = [
            ProposedCategory(name=name, tags=trails[indexes[0]][1:], members=tuple(sorted(indexes)))
            for name, indexes in wider.items()
            if len(indexes) > 1
        ]
        if categories:
            return tuple(categories)
        trails = [trail[1:] if len(trail) == depth else trail for trail in trails]
    return ()


@cache
def _theme_names() -> frozenset[str]:
    return frozenset(name for kind in theme_kinds() for name in (kind.theme, kind.domain))


def _trail(item: Item) -> tuple[str, ...]:
    """Return the wider categories in an item's tags, the next one first; empty for an entity."""
    return tuple(tag for tag in item.tags if tag in _theme_names() and tag != item.name) if item.layer else ()


def _rest_of(domain: str) -> str:
    """Return the name of the category for a domain's entities that would be alone in their theme."""
    return f"More {domain.lower()}"


def _to_space(vectors: Matrix) -> _ThemeSpace:
    kinds = theme_kinds()
    names = [kind.theme for kind in kinds]
    themes = tuple(dict.fromkeys(names))
    mean = vectors.mean(axis=0)
    return _ThemeSpace(kinds, centre(vectors, mean), mean, themes, tuple(names.index(theme) for theme in themes))


def _by_theme(space: _ThemeSpace, items: Sequence[Item], heads: Matrix) -> tuple[ProposedCategory, ...]:
    names = centre(np.stack([item.vector for item in items]), space.mean)
    head_vectors = centre(heads, space.mean)
    nearest = np.zeros(len(items), np.int64)
    scores = np.zeros((len(items), len(space.themes)), np.float32)
    for start in range(0, len(items), _CHUNK):
        part = slice(start, start + _CHUNK)
        by_name: Matrix = names[part] @ space.vectors.T
        by_head = _HEAD_SHARE * (head_vectors[part] @ space.vectors.T)
        cosines: Matrix = ((1 - _HEAD_SHARE) * by_name + by_head).astype(np.float32)
        near: Matrix = np.maximum(space.scores(cosines), space.scores(by_name) - _HEADLESS_PENALTY)
        scores[part] = _add_tag_bonus(space, near, items[part])
        nearest[part] = cosines.argmax(axis=1)
    chosen = [_choose_themes(row) for row in scores]
    members = _members_by_theme(space, scores, chosen)
    left = sorted((*members.pop(OTHERS, []), *(index for index, themes in enumerate(chosen) if not themes)))
    categories = [
        category
        for theme in (*space.themes, *(name for name in members if name not in space.themes))
        if theme in members
        for category in _split_by_kind(space, theme, members[theme], nearest, items, names)
    ]
    return merge_categories([*categories, *_clusters(space, left, items, names)])


def _members_by_theme(space: _ThemeSpace, scores: Matrix, chosen: Sequence[tuple[int, ...]]) -> dict[str, list[int]]:
    """Return item indexes by theme. A singleton joins a near theme of its domain, else the domain's `More …`."""
    counts = Counter(theme for themes in chosen for theme in themes)
    shared = [theme for theme, number in counts.items() if number > 1]
    members: dict[str, list[int]] = {}
    for index, themes in enumerate(chosen):
        names = [space.themes[theme] for theme in themes if counts[theme] > 1]
        if themes and not names:
            domain = space.domains[themes[0]]
            near = [
                theme
                for theme in shared
                if space.domains[theme] == domain and scores[index, theme] >= _MIN_SIBLING_SCORE
            ]
            best = max(near, key=lambda theme: scores[index, theme], default=None)
            names = [space.themes[best] if best is not None else _rest_of(domain)]
        for name in names:
            members.setdefault(name, []).append(index)
    for name in [name for name, indexes in members.items() if len(indexes) == 1]:
        (index,) = members.pop(name)
        near = [theme for theme in shared if space.domains[theme] == space.domain_of(name)]
        best = max(near, key=lambda theme: scores[index, theme], default=None)
        members.setdefault(OTHERS if best is None else space.themes[best], []).append(index)
    return {name: sorted(indexes) for name, indexes in members.items()}


def _add_tag_bonus(space: _ThemeSpace, scores: Matrix, items: Sequence[Item]) -> Matrix:
    columns = {tag: space.themes.index(theme) for tag, theme in _TAG_THEMES.items()}
    for row, item in enumerate(items):
        for tag in item.tags:
            if tag in columns:
                scores[row, columns[tag]] += _TAG_BONUS
    return scores


def _choose_themes(scores: Matrix) -> tuple[int, ...]:
    """Return the index of the best theme, and of the second best if it scores nearly as well; empty if all are low."""
    second, first = (int(index) for index in np.argsort(scores, kind="stable")[-2:])
    if scores[first] < _MIN_SCORE:
        return ()
    near = scores[second] >= max(_SECOND_SCORE, _SECOND_SHARE * scores[first])
    return (first, second) if near else (first,)


def _split_by_kind(
    space: _ThemeSpace,
    theme: str,
    indexes: list[int],
    nearest: NDArray[np.int64],
    items: Sequence[Item],
    names: Matrix,
) -> list[ProposedCategory]:
    """Make one category of a theme; if it is wide, one per kind and one of the remaining members."""
    domain = space.domain_of(theme)
    trail = () if domain == theme else (domain,)
    if len(indexes) <= _WIDE:
        return [ProposedCategory(name=theme, tags=trail, members=tuple(indexes))]
    by_kind: dict[str, list[int]] = {}
    for index in indexes:
        kind = space.kinds[nearest[index]]
        unusable = kind.theme != theme or theme in _NAME_THEMES
        by_kind.setdefault("" if unusable else kind.name, []).append(index)
    rest = [
        index for kind, members in by_kind.items() if not kind or len(members) < _MIN_KIND_MEMBERS for index in members
    ]
    categories = [
        category
        for kind, members in by_kind.items()
        if kind and len(members) >= _MIN_KIND_MEMBERS
        for category in _split_wide(kind[0].upper() + kind[1:], (theme, *trail), members, items, names)
    ]
    return [*categories, *_split_wide(theme, (theme, *trail), sorted(rest), items, names)]


def _split_wide(
    name: str, trail: tuple[str, ...], indexes: list[int], items: Sequence[Item], names: Matrix
) -> list[ProposedCategory]:
    """Make one category, or several of similar members, each named after its medoid (`Dogs like Rex`)."""
    if not indexes:
        return []
    parts = split(names[indexes], _WIDE)
    if len(parts) == 1:
        return [ProposedCategory(name=name, tags=trail, members=tuple(indexes))]
    categories = []
    for part in parts:
        members = [indexes[index] for index in part]
        middle = items[members[medoid(names[members])]].name
        categories.append(ProposedCategory(name=f"{name} like {middle}", tags=trail, members=tuple(members)))
    return categories


def _clusters(space: _ThemeSpace, left: list[int], items: Sequence[Item], names: Matrix) -> list[ProposedCategory]:
    """Cluster the items that fit no theme and name each cluster by a shared term; the rest goes to `OTHERS`."""
    categories: list[ProposedCategory] = []
    alone = dict.fromkeys(left)
    for indexes in cluster(names[left], _MIN_CLUSTER_COSINE) if left else []:
        members = [left[index] for index in indexes]
        term = shared_term([items[index] for index in members])
        if term:
            domain = _nearest_domain(space, names[members])
            categories.append(ProposedCategory(name=term, tags=(domain,), members=tuple(members)))
            for index in members:
                alone.pop(index)
    return [*categories, ProposedCategory(name=OTHERS, members=tuple(alone))] if alone else categories


def shared_term(items: Sequence[Item]) -> str:
    """Return the most common head, name or tag word if at least two items and half of them have it, else ""."""
    counts: Counter[str] = Counter()
    for item in items:
        words = [word for word in item.name.split() if word[:1].isupper()]
        words += [item.name.split()[-1], *(tag for tag in item.tags if tag not in _VAGUE_TAGS)]
        counts.update({name_key(word) for word in words if len(word) > 2})  # noqa: PLR2004  # shorter words name nothing
    if not counts:
        return ""
    best, number = counts.most_common(1)[0]
    return best.capitalize() if number > 1 and number * 2 >= len(items) else ""


def _nearest_domain(space: _ThemeSpace, vectors: Matrix) -> str:
    scores = space.scores((vectors.mean(axis=0) @ space.vectors.T)[np.newaxis].astype(np.float32))
    return space.domains[int(np.argmax(scores[0]))]
