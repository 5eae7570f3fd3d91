"""Builds the categories bottom-up beside the current hierarchy and swaps them in at once."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mnemo.clock import Clock
from mnemo.errors import ConflictError, StoreError
from mnemo.hierarchy.categories.categoriser import Categoriser, Item, is_speaker_word
from mnemo.hierarchy.categories.layers import CategoryLayers, LayerRules, NoReplyCache, build_layers, pad_layers
from mnemo.hierarchy.categories.placement import CANDIDATES, refresh_categories
from mnemo.models.category_builds import BuildResult
from mnemo.models.progress import OnProgress, Progress, ignore_progress
from mnemo.providers.base import Embedder
from mnemo.store.driver import Database
from mnemo.store.hierarchy import categories
from mnemo.store.hierarchy.categories import CategorisedEntity, GenerationRows, OpenGeneration
from mnemo.store.owners import RENEW_S, new_owner

__all__ = ["MIN_PLACED", "Builder", "to_generation", "to_item"]

MIN_PLACED = 8
"""New entities under a top category before its drift is considered."""
_DEVIATIONS = 2.5
"""An entity is too far from a category if its cosine is this many standard deviations below the members' mean."""
_MIN_NEARNESS = 0.25
"""Upper bound on the minimum cosine: this far from the mean cosine to any category towards the mean to one's own."""
_RELEASE_S = 5.0
"""Timeout for releasing the claim of a failed build."""


@dataclass(slots=True)
class _StoredReplies:
    """A reply cache in the database, beside the generation being built."""

    database: Database
    generation: OpenGeneration
    replies: dict[str, str]

    def get(self, key: str) -> str | None:
        return self.replies.get(key)

    async def put(self, key: str, reply: str) -> None:
        self.replies[key] = reply
        await categories.keep_replies(self.database, self.generation, {key: reply})


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds and rebuilds the categories of a database's groups."""

    database: Database
    categoriser: Categoriser
    embedder: Embedder
    clock: Clock
    rules: LayerRules = field(default_factory=LayerRules)

    async def build(self, group: str, on_progress: OnProgress = ignore_progress) -> BuildResult:
        """Build a new generation from all entities of a group and make it current.

        Queries see the previous generation until the new one is complete. An interrupted build resumes with the LLM
        replies it already has: at once after a failure, a cancellation or the end of its process; if the process ran
        on another machine, when its claim has expired. Entities added meanwhile are placed in the new generation.

        Raises:
            ConflictError: Another process is building this group's categories.
            ProviderError: The categoriser or the embedder failed; call again to resume.
            StoreError: See its kinds.
        """
        generation = await categories.begin(self.database, group, str(uuid.uuid4()), new_owner(), self.clock.now())
        renewal = asyncio.create_task(self._renew(generation))
        try:
            return await self._build(generation, on_progress)
        except BaseException:  # a cancelled build must release its claim too
            await self._release(generation)
            raise
        finally:
            renewal.cancel()

    async def _build(self, generation: OpenGeneration, on_progress: OnProgress) -> BuildResult:
        database, group = self.database, generation.group
        rows = await categories.entities(database, group)
        on_progress(Progress(stage="read", done=len(rows), total=len(rows)))
        replies = _StoredReplies(database, generation, dict(generation.replies))
        items = [to_item(row) for row in rows]
        built = await build_layers(items, self.categoriser, self.embedder, self.rules, replies, on_progress)
        rows_to_write = to_generation(generation.uuid, items, built)
        on_progress(Progress(stage="write", done=0, total=1))
        await categories.write(database, generation, rows_to_write, self.embedder.model)
        await categories.swap(database, generation, rows_to_write.properties)
        while missing := await categories.unplaced(database, group):
            if not await categories.place(database, group, missing, candidates=CANDIDATES):
                break
        await categories.clear(database, group)
        on_progress(Progress(stage="write", done=1, total=1))
        return BuildResult(
            generation=generation.generation,
            entities=len(rows),
            categories=tuple(len(layer.categories) for layer in built.layers),
            usage=built.usage,
            ignored=built.ignored,
            refused=built.refused,
            discarded=built.discarded,
        )

    async def _renew(self, generation: OpenGeneration) -> None:
        """Renew the claim until cancelled; if it is lost, the next write says so."""
        with suppress(ConflictError):
            while True:
                await asyncio.sleep(RENEW_S)
                with suppress(StoreError):
                    await categories.keep_replies(self.database, generation, {})

    async def _release(self, generation: OpenGeneration) -> None:
        """Release the claim so that the next build can start at once; if this fails too, the claim expires."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_RELEASE_S):
                await categories.release(self.database, generation)

    async def refresh(self, group: str, drift: float) -> tuple[str, ...]:
        """Rebuild the subtrees that have drifted: too many of their entities were added since they were built.

        Args:
            group: Group to refresh.
            drift: Share of added entities above which a top category is rebuilt, once `MIN_PLACED` were added.

        Returns:
            Names of the rebuilt top categories, in order.

        Raises:
            ConflictError: Another process is building this group's categories.
            ProviderError: The categoriser or the embedder failed; subtrees rebuilt before stay rebuilt.
            StoreError: See its kinds.
        """
        drifted = [
            top for top in await categories.tops(self.database, group) if top.drift > drift and top.placed >= MIN_PLACED
        ]
        if any(top.layers < 2 for top in drifted):  # noqa: PLR2004  # a top category that holds entities itself
            await self.build(group)
            return tuple(top.name for top in drifted)
        for top in drifted:
            items = [to_item(row) for row in await categories.entities_under(self.database, group, top.uuid)]
            rules = replace(self.rules, max_layers=top.layers - 1)
            built = await build_layers(items, self.categoriser, self.embedder, rules, NoReplyCache())
            padded = pad_layers(built, top.layers - 1)
            if padded.layers:
                rows = to_generation(str(uuid.uuid4()), items, padded)
                await categories.graft(self.database, top, group, rows, self.embedder.model)
                await refresh_categories(self.database, self.embedder, group, [top.uuid])
        return tuple(top.name for top in drifted)


def to_item(row: CategorisedEntity) -> Item:
    """Convert an entity for a categoriser; an entity named user, I or me counts as a speaker."""
    speaker = row.speaker or is_speaker_word(row.name)
    return Item(uuid=row.uuid, name=row.name, tags=row.tags, vector=row.vector, speaker=speaker)


def to_generation(namespace: str, items: Sequence[Item], built: CategoryLayers) -> GenerationRows:
    """Convert layers to rows for the database; the same namespace (a uuid) gives the same uuids."""
    uuids = [
        [str(uuid.uuid5(uuid.UUID(namespace), f"{number}/{index}")) for index in range(len(layer.categories))]
        for number, layer in enumerate(built.layers, 1)
    ]
    rows: list[Mapping[str, Any]] = []
    nested: list[Mapping[str, Any]] = []
    leaves: list[Mapping[str, Any]] = []
    under: list[set[int]] = [{index} for index in range(len(items))]
    speakers = None
    for number, layer in enumerate(built.layers, 1):
        own = uuids[number - 1]
        below = uuids[number - 2] if number > 1 else [item.uuid for item in items]
        links = [
            {"parent": own[index], "child": below[member], "position": position}
            for index, category in enumerate(layer.categories)
            for position, member in enumerate(category.members)
        ]
        (nested if number > 1 else leaves).extend(links)
        under = [set().union(*(under[member] for member in category.members)) for category in layer.categories]
        for index, category in enumerate(layer.categories):
            is_speakers = number == 1 and all(items[member].speaker for member in category.members)
            speakers = own[index] if is_speakers else speakers
            rows.append(
                {
                    "uuid": own[index],
                    "properties": {
                        "name": category.name,
                        "tags": list(category.tags),
                        "content": layer.contents[index],
                        "layer": number,
                        "leaves": len(under[index]),
                        "placed": 0,
                        **({"speaker": True} if is_speakers else {}),
                    },
                }
            )
    tops = [{"child": own, "position": position} for position, own in enumerate(uuids[-1])] if uuids else []
    vectors = [layer.vectors for layer in built.layers]
    return GenerationRows(
        categories=rows,
        vectors=np.concatenate(vectors) if vectors else np.zeros((0, 1), np.float32),
        tops=tops,
        nested=nested,
        leaves=leaves,
        properties=_root_properties(items, built, speakers),
    )


def _root_properties(items: Sequence[Item], built: CategoryLayers, speakers: str | None) -> dict[str, Any]:
    return {
        "calls": built.usage.calls,
        "input_tokens": built.usage.input_tokens,
        "output_tokens": built.usage.output_tokens,
        "inserts": len(items),
        "layers": len(built.layers),
        "least": _min_cosine(items, built),
        "speakers": speakers,
    }


def _min_cosine(items: Sequence[Item], built: CategoryLayers) -> float | None:
    """Return the minimum cosine of an entity to a layer-1 category to be placed in it; None without any data.

    Derived from the cosines of members to their own category and of all items to any category, so that it fits the
    embedding model.
    """
    if not built.layers:
        return None
    layer = built.layers[0]
    to_own = [
        float(items[member].vector @ layer.vectors[index])
        for index, category in enumerate(layer.categories)
        for member in category.members
        if len(category.members) > 1
    ]
    if not to_own:
        return None
    mean = float(np.mean(to_own))
    to_any = float(np.mean([item.vector for item in items], axis=0) @ layer.vectors.mean(axis=0))
    return min(mean - _DEVIATIONS * float(np.std(to_own)), to_any + _MIN_NEARNESS * (mean - to_any))
