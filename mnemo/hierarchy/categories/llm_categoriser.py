"""Categories by an LLM: similar nodes share a batch, known categories are offered for reuse, batches are merged."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mnemo.hierarchy.categories.categoriser import (
    Categorisation,
    Item,
    ProposedCategory,
    ReplyCache,
    is_speaker_word,
    joins_ideas,
    merge_categories,
    short_tags,
)
from mnemo.hierarchy.categories.clustering import order_by_similarity
from mnemo.hierarchy.categories.prompts import CategoriesReply, CategoryReply, again_prompt, categories_prompt
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Llm, Prompt

__all__ = ["ALIKE", "LlmCategoriser"]

ALIKE = 0.95
"""Cosine from which two names mean the same. With e5-small-v2: Pets, Pet animals .97; Cities, Countries .92."""
_CONCURRENT = 4
"""Batches requested concurrently; later batches are offered the categories of earlier ones."""
_KNOWN = 100
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class _Batch:
    categories: tuple[ProposedCategory, ...]
    """Members are indexes into the whole list of items."""
    usage: Usage
    ignored: int
    refused: int


class LlmCategoriser:
    """Asks an LLM; keeps only categories with a name of one idea and members that exist."""

    def __init__(self, llm: Llm, embedder: Embedder, *, batch: int = 60) -> None:
        """Keep the LLM, the embedder that compares category names, and the number of nodes per request."""
        self._llm = llm
        self._embedder = embedder
        self._size = batch

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:  # noqa: ARG002  # one prompt for all layers
        """Propose categories for nodes; see `Categoriser`.

        Raises:
            ProviderError: A request failed; earlier replies are in `replies`.
            StoreError: A reply could not be stored.
        """
        order = order_by_similarity(np.stack([item.vector for item in items]))
        batches = [order[start : start + self._size] for start in range(0, len(order), self._size)]
        done: list[_Batch] = []
        for start in range(0, len(batches), _CONCURRENT):
            known = list(dict.fromkeys(each.name for batch in done for each in batch.categories))[-_KNOWN:]
            wave = [self._batch(items, indexes, known, replies) for indexes in batches[start : start + _CONCURRENT]]
            done += await asyncio.gather(*wave)
        categories = merge_categories([each for batch in done for each in batch.categories])
        return Categorisation(
            categories=merge_categories(categories, await self._same_meaning(categories)),
            usage=sum((batch.usage for batch in done), Usage()),
            ignored=sum(batch.ignored for batch in done),
            refused=sum(batch.refused for batch in done),
        )

    async def _batch(
        self, items: Sequence[Item], indexes: Sequence[int], known: Sequence[str], replies: ReplyCache
    ) -> _Batch:
        prompt = categories_prompt([items[index] for index in indexes], known)
        reply, usage = await self._ask(prompt, replies)
        joined = [each.name for each in reply.categories if joins_ideas(each.name)]
        if joined:
            reply, more = await self._ask(again_prompt(prompt, reply, joined), replies)
            usage += more
        valid = [each for each in reply.categories if not joins_ideas(each.name) and not is_speaker_word(each.name)]
        categories = [_category(each, indexes) for each in valid if each.name.strip()]
        return _Batch(
            categories=tuple(each for each in categories if each.members),
            usage=usage,
            ignored=sum(not 1 <= member <= len(indexes) for each in valid for member in each.members),
            refused=len(reply.categories) - len(categories),
        )

    async def _ask(self, prompt: Prompt, replies: ReplyCache) -> tuple[CategoriesReply, Usage]:
        """Return the reply to a prompt, from the cache if it is there."""
        key = hashlib.sha256("\0".join(chat.content for chat in prompt.chats).encode()).hexdigest()
        cached = replies.get(key)
        if cached is not None:
            return CategoriesReply.model_validate_json(cached), Usage()
        reply = await self._llm.complete(prompt, CategoriesReply)
        await replies.put(key, reply.value.model_dump_json())
        return reply.value, reply.usage

    async def _same_meaning(self, categories: Sequence[ProposedCategory]) -> dict[int, int]:
        """Map the index of each category whose name means the same as an earlier one to the earlier index."""
        if len(categories) < 2:  # noqa: PLR2004  # nothing to compare
            return {}
        vectors = await self._embedder.passages([each.name for each in categories])
        cosines = np.tril(vectors @ vectors.T, -1)
        same: dict[int, int] = {}
        for index, row in enumerate(cosines):
            nearest = int(np.argmax(row))
            if index and row[nearest] >= ALIKE:
                same[index] = same.get(nearest, nearest)
        return same


def _category(reply: CategoryReply, indexes: Sequence[int]) -> ProposedCategory:
    members = sorted({indexes[member - 1] for member in reply.members if 1 <= member <= len(indexes)})
    name = " ".join(reply.name.split())[:_MAX_NAME].rstrip()
    return ProposedCategory(name=name, tags=short_tags(reply.tags), members=tuple(members))
