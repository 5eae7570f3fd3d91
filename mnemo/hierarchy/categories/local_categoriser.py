"""Categories without an LLM: everyday themes by the nearest kind of thing, and clusters for what fits none.

An entity is compared with about a thousand kinds (`themes.txt`), by its whole name and by the noun at its
head, in the embedder's space less the mean of the kinds. What is near enough to a theme goes there; what an
extractor tagged as a person, place or organisation leans that way. The rest is clustered and named by the
term that its members share. Above, themes go to their domains.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mnemo.hierarchy.categories.categoriser import Categorised, Drafts, Group, Item, folded, merged
from mnemo.hierarchy.categories.clustering import centred, medoid, near_groups, split
from mnemo.hierarchy.categories.themes import Kind, kinds
from mnemo.providers.base import Embedder

__all__ = ["OTHERS", "LocalCategoriser", "shared_term"]

OTHERS = "Other things"
"""The category of what is near nothing."""

_LEAST = 0.38
"""Nearness from which a theme is taken; random names stay below .35 in all but a few cases."""
_ALSO = 0.5
_ALSO_SHARE = 0.85
"""A second theme is taken from here on, and only if it is nearly as near as the first."""
_LEAN = 0.15
_HEAD_SHARE = 0.5
_HEADLESS = 0.12
"""How much less the whole name alone counts than name and head together: a head may say little (`suitcase update`)."""
_COMPANY = 0.3
"""Nearness to another theme of the domain that is enough for one who would be alone in its own."""
_CLUSTER = 0.55
_WIDE = 40
"""Members of a category from which it is parted by kinds."""
_KIND_LEAST = 3
_LEANS = {"person": "People", "place": "Places", "organisation": "Organisations"}
_NAMED = frozenset(_LEANS.values())
"""Themes whose kinds are names, which say nothing about a category."""
_CHUNK = 4_096

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Space:
    """The kinds, embedded."""

    kinds: tuple[Kind, ...]
    vectors: Matrix
    """Centred, (kinds, dimensions)."""
    mean: Matrix
    themes: tuple[str, ...]
    starts: tuple[int, ...]
    """Where each theme's kinds begin; they stand together."""

    @property
    def domains(self) -> tuple[str, ...]:
        """The domain of each theme."""
        return tuple(self.kinds[start].domain for start in self.starts)

    def domain_of(self, name: str) -> str:
        """Return the domain of a theme, or of what else a domain has."""
        for domain in self.domains:
            if name == f"More {domain.lower()}":
                return domain
        return self.domains[self.themes.index(name)]

    def scores(self, cosines: Matrix) -> Matrix:
        """Return (rows, themes): six parts the nearest kind, four parts the mean of the nearest three."""
        ends = (*self.starts[1:], len(self.kinds))
        columns = []
        for start, end in zip(self.starts, ends, strict=True):
            best = -np.partition(-cosines[:, start:end], 2, axis=1)[:, :3]
            columns.append(0.6 * best.max(axis=1) + 0.4 * best.mean(axis=1))
        return np.stack(columns, axis=1)


class LocalCategoriser:
    """Groups entities by theme, and themes by domain; deterministic."""

    def __init__(self, embedder: Embedder) -> None:
        """Keep the embedder that the entities were embedded by."""
        self._embedder = embedder
        self._space: _Space | None = None
        self._opening = asyncio.Lock()

    async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:  # noqa: ARG002  # costs nothing, keeps nothing
        """Return categories of some nodes; see `Categoriser`. Costs no LLM call.

        Raises:
            ProviderError: The embedder failed.
        """
        if layer > 1:
            return Categorised(groups=above(items))
        space = await self._opened()
        heads = await self._heads(items)
        return Categorised(groups=await asyncio.to_thread(_themed, space, items, heads))

    async def _opened(self) -> _Space:
        async with self._opening:
            if self._space is None:
                self._space = _space(await self._embedder.passages([kind.name for kind in kinds()]))
            return self._space

    async def _heads(self, items: Sequence[Item]) -> Matrix:
        """Return the vector of each item's head noun, its own vector where it has none."""
        words = [head_of(item) for item in items]
        distinct = list(dict.fromkeys(word for word in words if word))
        vectors = dict(zip(distinct, await self._embedder.passages(distinct), strict=True)) if distinct else {}
        return np.stack(
            [vectors[word] if word else item.vector for word, item in zip(words, items, strict=True)]
        ).astype(np.float32)


def head_of(item: Item) -> str:
    """Return the noun that says what kind of thing an entity is: a tag that is a word of its name, or its last one."""
    words = item.name.casefold().split()
    own = [tag for tag in item.tags if tag not in _LEANS and tag not in {"topic", "thing", "event"}]
    within = [tag for tag in own if any(word.startswith(tag[:-1] or tag) for word in words)]
    return (within or own or [""])[-1]


def above(items: Sequence[Item]) -> tuple[Group, ...]:
    """Group categories by their first tag, which names the next wider idea; those with the longest way up go first.

    One that would be alone under its next idea is looked at under the one after it.
    """
    trails = [_trail(item) for item in items]
    while depth := max(map(len, trails), default=0):
        wider: dict[str, list[int]] = {}
        for place, trail in enumerate(trails):
            if len(trail) == depth:
                wider.setdefault(trail[0], []).append(place)
        for place, (item, trail) in enumerate(zip(items, trails, strict=True)):
            if len(trail) < depth and item.name in wider:
                wider[item.name].append(place)
        groups = [
            Group(name=name, tags=trails[places[0]][1:], members=tuple(sorted(places)))
            for name, places in wider.items()
            if len(places) > 1
        ]
        if groups:
            return tuple(groups)
        trails = [trail[1:] if len(trail) == depth else trail for trail in trails]
    return ()


@cache
def _ideas() -> frozenset[str]:
    return frozenset(name for kind in kinds() for name in (kind.theme, kind.domain))


def _trail(item: Item) -> tuple[str, ...]:
    """Return the wider ideas that a category's tags name, the next one first; an entity's tags name none."""
    return tuple(tag for tag in item.tags if tag in _ideas() and tag != item.name) if item.layer else ()


def _space(vectors: Matrix) -> _Space:
    found = kinds()
    names = [kind.theme for kind in found]
    themes = tuple(dict.fromkeys(names))
    mean = vectors.mean(axis=0)
    return _Space(found, centred(vectors, mean), mean, themes, tuple(names.index(theme) for theme in themes))


def _themed(space: _Space, items: Sequence[Item], heads: Matrix) -> tuple[Group, ...]:
    names = centred(np.stack([item.vector for item in items]), space.mean)
    centred_heads = centred(heads, space.mean)
    nearest = np.zeros(len(items), np.int64)
    scores = np.zeros((len(items), len(space.themes)), np.float32)
    for start in range(0, len(items), _CHUNK):
        part = slice(start, start + _CHUNK)
        whole: Matrix = names[part] @ space.vectors.T
        heads_too = _HEAD_SHARE * (centred_heads[part] @ space.vectors.T)
        cosines: Matrix = ((1 - _HEAD_SHARE) * whole + heads_too).astype(np.float32)
        near: Matrix = np.maximum(space.scores(cosines), space.scores(whole) - _HEADLESS)
        scores[part] = _leaning(space, near, items[part])
        nearest[part] = cosines.argmax(axis=1)
    chosen = [_chosen(row) for row in scores]
    members = _gathered(space, scores, chosen)
    left = sorted((*members.pop(OTHERS, []), *(place for place, themes in enumerate(chosen) if not themes)))
    groups = [
        group
        for theme in (*space.themes, *(name for name in members if name not in space.themes))
        if theme in members
        for group in _parts(space, theme, members[theme], nearest, items, names)
    ]
    return merged([*groups, *_clusters(space, left, items, names)])


def _gathered(space: _Space, scores: Matrix, chosen: Sequence[tuple[int, ...]]) -> dict[str, list[int]]:
    """Return members by theme; who would be alone goes to a near theme of its domain, else to the domain's rest."""
    counts = Counter(theme for themes in chosen for theme in themes)
    company = [theme for theme, number in counts.items() if number > 1]
    members: dict[str, list[int]] = {}
    for place, themes in enumerate(chosen):
        names = [space.themes[theme] for theme in themes if counts[theme] > 1]
        if themes and not names:
            domain = space.domains[themes[0]]
            near = [theme for theme in company if space.domains[theme] == domain and scores[place, theme] >= _COMPANY]
            best = max(near, key=lambda theme: scores[place, theme], default=None)
            names = [space.themes[best] if best is not None else f"More {domain.lower()}"]
        for name in names:
            members.setdefault(name, []).append(place)
    for name in [name for name, places in members.items() if len(places) == 1]:
        (place,) = members.pop(name)
        near = [theme for theme in company if space.domains[theme] == space.domain_of(name)]
        best = max(near, key=lambda theme: scores[place, theme], default=None)
        members.setdefault(OTHERS if best is None else space.themes[best], []).append(place)
    return {name: sorted(places) for name, places in members.items()}


def _leaning(space: _Space, scores: Matrix, items: Sequence[Item]) -> Matrix:
    columns = {tag: space.themes.index(theme) for tag, theme in _LEANS.items()}
    for row, item in enumerate(items):
        for tag in item.tags:
            if tag in columns:
                scores[row, columns[tag]] += _LEAN
    return scores


def _chosen(scores: Matrix) -> tuple[int, ...]:
    """Return the places of the nearest theme, and of the second if it is nearly as near; none if all are far."""
    second, first = (int(place) for place in np.argsort(scores, kind="stable")[-2:])
    if scores[first] < _LEAST:
        return ()
    near = scores[second] >= max(_ALSO, _ALSO_SHARE * scores[first])
    return (first, second) if near else (first,)


def _parts(
    space: _Space, theme: str, places: list[int], nearest: NDArray[np.int64], items: Sequence[Item], names: Matrix
) -> list[Group]:
    """Make one category of a theme, or one a kind and one of the rest where there are many members."""
    domain = space.domain_of(theme)
    trail = () if domain == theme else (domain,)
    if len(places) <= _WIDE:
        return [Group(name=theme, tags=trail, members=tuple(places))]
    by_kind: dict[str, list[int]] = {}
    for place in places:
        kind = space.kinds[nearest[place]]
        named = kind.theme != theme or theme in _NAMED
        by_kind.setdefault("" if named else kind.name, []).append(place)
    rest = [place for kind, inside in by_kind.items() if not kind or len(inside) < _KIND_LEAST for place in inside]
    groups = [
        group
        for kind, inside in by_kind.items()
        if kind and len(inside) >= _KIND_LEAST
        for group in _cut(kind[0].upper() + kind[1:], (theme, *trail), inside, items, names)
    ]
    return [*groups, *_cut(theme, (theme, *trail), sorted(rest), items, names)]


def _cut(name: str, trail: tuple[str, ...], places: list[int], items: Sequence[Item], names: Matrix) -> list[Group]:
    """Make one category, or several of near members that are told apart by the one in their middle."""
    if not places:
        return []
    parts = split(names[places], _WIDE)
    if len(parts) == 1:
        return [Group(name=name, tags=trail, members=tuple(places))]
    groups = []
    for part in parts:
        inside = [places[place] for place in part]
        middle = items[inside[medoid(names[inside])]].name
        groups.append(Group(name=f"{name} like {middle}", tags=trail, members=tuple(inside)))
    return groups


def _clusters(space: _Space, left: list[int], items: Sequence[Item], names: Matrix) -> list[Group]:
    """Group what is near no theme by nearness, named by a shared term; the rest is `OTHERS`."""
    groups: list[Group] = []
    alone = dict.fromkeys(left)
    for cluster in near_groups(names[left], _CLUSTER) if left else []:
        inside = [left[place] for place in cluster]
        term = shared_term([items[place] for place in inside])
        if term:
            groups.append(Group(name=term, tags=(_domain(space, names[inside]),), members=tuple(inside)))
            for place in inside:
                alone.pop(place)
    return [*groups, Group(name=OTHERS, members=tuple(alone))] if alone else groups


def shared_term(items: Sequence[Item]) -> str:
    """Return the word that most of the items have as a head, a name or a tag; empty if fewer than two have one."""
    counts: Counter[str] = Counter()
    for item in items:
        words = [word for word in item.name.split() if word[:1].isupper()]
        words += [item.name.split()[-1], *(tag for tag in item.tags if tag not in {"topic", "thing", "event", *_LEANS})]
        counts.update({folded(word) for word in words if len(word) > 2})  # noqa: PLR2004  # short words name nothing
    if not counts:
        return ""
    best, number = counts.most_common(1)[0]
    return best.capitalize() if number > 1 and number * 2 >= len(items) else ""


def _domain(space: _Space, vectors: Matrix) -> str:
    scores = space.scores((vectors.mean(axis=0) @ space.vectors.T)[np.newaxis].astype(np.float32))
    return space.domains[int(np.argmax(scores[0]))]
