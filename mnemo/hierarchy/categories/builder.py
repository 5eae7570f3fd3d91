"""Builds the hierarchy over entities, from the bottom up, beside the current one, and swaps it in whole."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mnemo.clock import Clock
from mnemo.errors import StoreError
from mnemo.hierarchy.categories.categoriser import Categoriser, Item, is_speaker_word
from mnemo.hierarchy.categories.layers import Layers, NoDrafts, Rules, Told, raised, stacked, untold
from mnemo.hierarchy.categories.placement import CANDIDATES, freshen
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder
from mnemo.store import categories
from mnemo.store.categories import Building, EntityRow, Generation
from mnemo.store.driver import Database

__all__ = ["LEAST_PLACED", "Builder", "Built", "generation_of", "item_of"]

LEAST_PLACED = 8
"""New entities under a top category from which its drift counts."""
_TOLERANCE = 2.5
"""Standard deviations below the usual nearness of a member to its category from which an entity is too far."""
_RELEASE_S = 5.0
"""Longest that a failed build waits to give up its claim."""

_NEARER = 0.25
"""How much of the way from any category to its own an entity must be near at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build came to."""

    generation: int
    entities: int
    categories: tuple[int, ...]
    """Of each layer, from the bottom; empty where there was nothing to build on."""
    usage: Usage
    ignored: int
    """Members out of range that the categoriser named."""
    refused: int
    """Categories whose name joined two ideas, twice."""
    discarded: bool
    """Whether the build ended because a layer would have been larger than the one beneath."""


@dataclass(slots=True)
class _Drafts:
    """Replies kept with the generation that is being built."""

    database: Database
    building: Building
    kept: dict[str, str]

    def get(self, key: str) -> str | None:
        return self.kept.get(key)

    async def put(self, key: str, reply: str) -> None:
        self.kept[key] = reply
        await categories.keep_draft(self.database, self.building, {key: reply})


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """What a hierarchy over entities is built with."""

    database: Database
    categoriser: Categoriser
    embedder: Embedder
    clock: Clock
    rules: Rules = field(default_factory=Rules)

    async def build(self, group: str, told: Told = untold) -> Built:
        """Build a new generation from all entities of a group and make it the current one.

        Queries see the one before until then, and whole. A build that was stopped goes on with the replies that
        it had paid for: at once after a failure or a cancellation, and where the process was killed, when its claim has
        run out. Entities that came while it ran are placed in it.

        Raises:
            ConflictError: Another process builds this group's hierarchy.
            ProviderError: The categoriser or the embedder failed; call it again to go on.
            StoreError: See its kinds.
        """
        building = await categories.begin(self.database, group, str(uuid.uuid4()), uuid.uuid4().hex, self.clock.now())
        try:
            return await self._built(building, told)
        except BaseException:  # a cancelled build has a claim to give up too
            await self._released(building)
            raise

    async def _built(self, building: Building, told: Told) -> Built:
        database, group = self.database, building.group
        rows = await categories.entities(database, group)
        told("read", len(rows), max(len(rows), 1))
        drafts = _Drafts(database, building, dict(building.drafts))
        items = [item_of(row) for row in rows]
        made = await stacked(items, self.categoriser, self.embedder, self.rules, drafts, told)
        generation = generation_of(building.uuid, items, made)
        told("write", 0, 1)
        await categories.write(database, building, generation, self.embedder.model)
        await categories.swap(database, building, generation.properties)
        while missing := await categories.unplaced(database, group):
            if not await categories.place(database, group, missing, candidates=CANDIDATES):
                break
        await categories.clear(database, group)
        told("write", 1, 1)
        return Built(
            generation=building.generation,
            entities=len(rows),
            categories=tuple(len(layer.groups) for layer in made.layers),
            usage=made.usage,
            ignored=made.ignored,
            refused=made.refused,
            discarded=made.discarded,
        )

    async def _released(self, building: Building) -> None:
        """Let the next build begin at once; where even that fails, the claim runs out by itself."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_RELEASE_S):
                await categories.release(self.database, building)

    async def refresh(self, group: str, drift: float) -> tuple[str, ...]:
        """Build anew the subtrees to which too much has come since they were built.

        Args:
            group: Whose memory.
            drift: Share of a top category's entities that came since; those past it are built anew, from
                `LEAST_PLACED` new entities on.

        Returns:
            Names of the top categories that were built anew, in order.

        Raises:
            ConflictError: Another process builds this group's hierarchy.
            ProviderError: The categoriser or the embedder failed; subtrees before are built.
            StoreError: See its kinds.
        """
        drifted = [
            top
            for top in await categories.tops(self.database, group)
            if top.drift > drift and top.placed >= LEAST_PLACED
        ]
        if any(top.layers < 2 for top in drifted):  # noqa: PLR2004  # a top category that holds entities itself
            await self.build(group)
            return tuple(top.name for top in drifted)
        for top in drifted:
            items = [item_of(row) for row in await categories.under(self.database, group, top.uuid)]
            rules = replace(self.rules, max_layers=top.layers - 1)
            made = raised(await stacked(items, self.categoriser, self.embedder, rules, NoDrafts()), top.layers - 1)
            if made.layers:
                generation = generation_of(str(uuid.uuid4()), items, made)
                await categories.graft(self.database, top, group, generation, self.embedder.model)
                await freshen(self.database, self.embedder, group, [top.uuid])
        return tuple(top.name for top in drifted)


def item_of(row: EntityRow) -> Item:
    """Return an entity as a categoriser sees it; one that is called user, I or me is a speaker."""
    speaker = row.speaker or is_speaker_word(row.name)
    return Item(uuid=row.uuid, name=row.name, tags=row.tags, vector=row.vector, speaker=speaker)


def generation_of(namespace: str, items: Sequence[Item], made: Layers) -> Generation:
    """Return layers as rows to be written; the same namespace gives the same uuids."""
    uuids = [
        [str(uuid.uuid5(uuid.UUID(namespace), f"{number}/{place}")) for place in range(len(layer.groups))]
        for number, layer in enumerate(made.layers, 1)
    ]
    categories: list[Mapping[str, Any]] = []
    nested: list[Mapping[str, Any]] = []
    leaves: list[Mapping[str, Any]] = []
    under: list[set[int]] = [{place} for place in range(len(items))]
    speakers = None
    for number, layer in enumerate(made.layers, 1):
        own = uuids[number - 1]
        beneath = uuids[number - 2] if number > 1 else [item.uuid for item in items]
        ties = [
            {"parent": own[place], "child": beneath[member], "position": position}
            for place, group in enumerate(layer.groups)
            for position, member in enumerate(group.members)
        ]
        (nested if number > 1 else leaves).extend(ties)
        under = [set().union(*(under[member] for member in group.members)) for group in layer.groups]
        for place, group in enumerate(layer.groups):
            speaks = number == 1 and all(items[member].speaker for member in group.members)
            speakers = own[place] if speaks else speakers
            categories.append(
                {
                    "uuid": own[place],
                    "properties": {
                        "name": group.name,
                        "tags": list(group.tags),
                        "content": layer.contents[place],
                        "layer": number,
                        "leaves": len(under[place]),
                        "placed": 0,
                        **({"speaker": True} if speaks else {}),
                    },
                }
            )
    tops = [{"child": own, "position": place} for place, own in enumerate(uuids[-1])] if uuids else []
    vectors = [layer.vectors for layer in made.layers]
    return Generation(
        categories=categories,
        vectors=np.concatenate(vectors) if vectors else np.zeros((0, 1), np.float32),
        tops=tops,
        nested=nested,
        leaves=leaves,
        properties=_properties(items, made, speakers),
    )


def _properties(items: Sequence[Item], made: Layers, speakers: str | None) -> dict[str, Any]:
    return {
        "calls": made.usage.calls,
        "input_tokens": made.usage.input_tokens,
        "output_tokens": made.usage.output_tokens,
        "inserts": len(items),
        "layers": len(made.layers),
        "least": _least(items, made),
        "speakers": speakers,
    }


def _least(items: Sequence[Item], made: Layers) -> float | None:
    """Return the cosine to a category of layer 1 below which an entity is too far from it; None where nothing tells.

    It is taken from how near members are to their categories, and everything to any category, so that it fits
    the embedding model.
    """
    if not made.layers:
        return None
    layer = made.layers[0]
    near = [
        float(items[member].vector @ layer.vectors[place])
        for place, group in enumerate(layer.groups)
        for member in group.members
        if len(group.members) > 1
    ]
    if not near:
        return None
    usual = float(np.mean(near))
    far = float(np.mean([item.vector for item in items], axis=0) @ layer.vectors.mean(axis=0))
    return min(usual - _TOLERANCE * float(np.std(near)), far + _NEARER * (usual - far))
