"""Categories by an LLM: batches of near nodes, known categories offered for reuse, batches merged."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mnemo.hierarchy.categories.categoriser import (
    Categorised,
    Drafts,
    Group,
    Item,
    is_speaker_word,
    joins_ideas,
    merged,
    short_tags,
)
from mnemo.hierarchy.categories.clustering import ordered_by_nearness
from mnemo.hierarchy.categories.prompts import CategoriesReply, CategoryReply, again_prompt, categories_prompt
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Llm, Prompt

__all__ = ["ALIKE", "LlmCategoriser"]

ALIKE = 0.95
"""Cosine from which two category names mean the same; e5-small-v2: Pets, Pet animals .97; Cities, Countries .92."""
_AT_ONCE = 4
"""Batches asked side by side; the next ones know their categories."""
_KNOWN = 100
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class _Batch:
    groups: tuple[Group, ...]
    """Members are places in the whole list of items."""
    usage: Usage
    ignored: int
    refused: int


class LlmCategoriser:
    """Asks an LLM; believes only what has a name of one idea and members that exist."""

    def __init__(self, llm: Llm, embedder: Embedder, *, batch: int = 60) -> None:
        """Take the LLM, the embedder that tells names of one meaning, and how many nodes a call shows."""
        self._llm = llm
        self._embedder = embedder
        self._size = batch

    async def categorise(self, items: Sequence[Item], layer: int, drafts: Drafts) -> Categorised:  # noqa: ARG002  # one prompt for all layers
        """Return categories of some nodes; see `Categoriser`.

        Raises:
            ProviderError: A call failed; replies before it are in `drafts`.
            StoreError: A reply could not be kept.
        """
        order = ordered_by_nearness(np.stack([item.vector for item in items]))
        batches = [order[start : start + self._size] for start in range(0, len(order), self._size)]
        done: list[_Batch] = []
        for start in range(0, len(batches), _AT_ONCE):
            known = list(dict.fromkeys(group.name for batch in done for group in batch.groups))[-_KNOWN:]
            wave = [self._batch(items, places, known, drafts) for places in batches[start : start + _AT_ONCE]]
            done += await asyncio.gather(*wave)
        groups = merged([group for batch in done for group in batch.groups])
        return Categorised(
            groups=merged(groups, await self._alike(groups)),
            usage=sum((batch.usage for batch in done), Usage()),
            ignored=sum(batch.ignored for batch in done),
            refused=sum(batch.refused for batch in done),
        )

    async def _batch(
        self, items: Sequence[Item], places: Sequence[int], known: Sequence[str], drafts: Drafts
    ) -> _Batch:
        prompt = categories_prompt([items[place] for place in places], known)
        reply, usage = await self._asked(prompt, drafts)
        joined = [each.name for each in reply.categories if joins_ideas(each.name)]
        if joined:
            reply, more = await self._asked(again_prompt(prompt, reply, joined), drafts)
            usage += more
        fitting = [each for each in reply.categories if not joins_ideas(each.name) and not is_speaker_word(each.name)]
        groups = [_group(each, places) for each in fitting if each.name.strip()]
        return _Batch(
            groups=tuple(group for group in groups if group.members),
            usage=usage,
            ignored=sum(not 1 <= member <= len(places) for each in fitting for member in each.members),
            refused=len(reply.categories) - len(groups),
        )

    async def _asked(self, prompt: Prompt, drafts: Drafts) -> tuple[CategoriesReply, Usage]:
        """Return the reply, from the drafts where it was paid for already."""
        key = hashlib.sha256("\0".join(chat.content for chat in prompt.chats).encode()).hexdigest()
        kept = drafts.get(key)
        if kept is not None:
            return CategoriesReply.model_validate_json(kept), Usage()
        reply = await self._llm.complete(prompt, CategoriesReply)
        await drafts.put(key, reply.value.model_dump_json())
        return reply.value, reply.usage

    async def _alike(self, groups: Sequence[Group]) -> dict[int, int]:
        """Return the place of each group whose name means the same as an earlier one's, to that one's place."""
        if len(groups) < 2:  # noqa: PLR2004  # one group is like no other
            return {}
        vectors = await self._embedder.passages([group.name for group in groups])
        cosines = np.tril(vectors @ vectors.T, -1)
        alike: dict[int, int] = {}
        for place, row in enumerate(cosines):
            nearest = int(np.argmax(row))
            if place and row[nearest] >= ALIKE:
                alike[place] = alike.get(nearest, nearest)
        return alike


def _group(reply: CategoryReply, places: Sequence[int]) -> Group:
    members = sorted({places[member - 1] for member in reply.members if 1 <= member <= len(places)})
    name = " ".join(reply.name.split())[:_MAX_NAME].rstrip()
    return Group(name=name, tags=short_tags(reply.tags), members=tuple(members))
