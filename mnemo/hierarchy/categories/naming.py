"""Reviews the names and tags of categories that have grown, with an LLM or by the terms of their members.

A proposed name is used only if `accepted_name` allows it. If the review fails, all names stay.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mnemo.errors import MalformedReplyError
from mnemo.hierarchy.categories.builder import to_item
from mnemo.hierarchy.categories.categoriser import (
    Categoriser,
    Item,
    ProposedCategory,
    is_speaker_word,
    joins_ideas,
    name_key,
    short_tags,
)
from mnemo.hierarchy.categories.layers import NoReplyCache
from mnemo.hierarchy.categories.local_categoriser import OTHERS, shared_term
from mnemo.hierarchy.categories.prompts import RenameReply, rename_prompt, subject_line
from mnemo.models.results import Usage
from mnemo.providers.base import Llm
from mnemo.providers.tokens import count_tokens
from mnemo.store.driver import Database
from mnemo.store.hierarchy import categories
from mnemo.store.hierarchy.categories import OutgrownCategory

__all__ = ["MAX_NAME", "CategoryLabel", "LlmNamer", "LocalNamer", "NameReview", "Namer", "accepted_name"]

MAX_NAME = 60
"""Most characters of a category name."""
_KEEPS_NAME = 1 / 3
"""Share of members in the named theme from which the old name is kept."""
_GIVES_NAME = 0.5
"""Share of members in one theme from which it names the category."""
_READ = 200
_GENERIC = frozenset(
    (
        "category", "cluster", "entity", "general", "group", "item", "misc", "miscellaneous", "n/a", "name", "new",
        "new category", "node", "none", "null", "object", "other", "other thing", "placeholder", "something", "stuff",
        "thing", "topic", "uncategorized", "unknown", "unnamed", "untitled", "various",
    )
)  # fmt: skip
_NUMBERED = re.compile(r"(?:\W|\d|\b(?:category|cluster|group|item|node|topic)s?\b)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryLabel:
    """The name and tags of a category."""

    name: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameReview:
    """The result of reviewing names."""

    labels: Mapping[str, CategoryLabel]
    """New labels by category uuid, for every category reviewed; most keep their name."""
    usage: Usage = field(default_factory=Usage)


class Namer(Protocol):
    """Reviews category names."""

    calls: int
    """LLM requests per review, not counting a repeat after a malformed reply; 0 for none."""
    growth: float
    """A category is reviewed once the share of entities added since the last review reaches this."""

    async def review(self, group: str, outgrown: Sequence[OutgrownCategory]) -> NameReview:
        """Return labels for some categories of a group.

        Raises:
            ProviderError: An LLM or the embedder failed.
            StoreError: See its kinds.
        """
        ...


class LlmNamer:
    """Asks an LLM about all categories in one call."""

    calls = 1
    growth = 0.25

    def __init__(self, llm: Llm, *, tokens: int = 3_000) -> None:
        """Keep the LLM and the token budget for the categories shown in one call."""
        self._llm = llm
        self._tokens = tokens

    async def review(self, group: str, outgrown: Sequence[OutgrownCategory]) -> NameReview:  # noqa: ARG002  # the prompt shows all it needs
        """Return labels; see `Namer`. Categories beyond the token budget are left for the next review.

        Raises:
            ProviderError: The call failed. A reply that cannot be parsed changes nothing and is not an error.
        """
        shown = self._within_budget(outgrown)
        try:
            reply = await self._llm.complete(rename_prompt(shown), RenameReply)
        except MalformedReplyError as error:
            return NameReview(labels={}, usage=error.usage if isinstance(error.usage, Usage) else Usage())
        proposals = {each.number: each for each in reversed(reply.value.categories)}
        used: set[str] = set()
        labels: dict[str, CategoryLabel] = {}
        for number, category in enumerate(shown, 1):
            proposal = proposals.get(number)
            name = accepted_name(proposal.name, category, used) if proposal is not None else None
            tags = short_tags(proposal.tags) if proposal is not None else ()
            labels[category.uuid] = CategoryLabel(name=name or category.name, tags=tags or category.tags)
            used.add(name_key(labels[category.uuid].name))
        return NameReview(labels=labels, usage=reply.usage)

    def _within_budget(self, outgrown: Sequence[OutgrownCategory]) -> list[OutgrownCategory]:
        """Return the first categories that fit the token budget; at least one."""
        shown: list[OutgrownCategory] = []
        spent = 0
        for each in outgrown:
            spent += count_tokens(subject_line(len(shown) + 1, each)) + 1
            if shown and spent > self._tokens:
                break
            shown.append(each)
        return shown


class LocalNamer:
    """Uses no LLM: a name stays while it describes enough of the members."""

    calls = 0
    growth = 1.0

    def __init__(self, database: Database, categoriser: Categoriser) -> None:
        """Keep the database to read members from, and the categoriser that finds their themes."""
        self._database = database
        self._categoriser = categoriser

    async def review(self, group: str, outgrown: Sequence[OutgrownCategory]) -> NameReview:
        """Return labels; see `Namer`. Categories above layer 1 are themes and keep their names.

        Raises:
            ProviderError: The embedder failed.
            StoreError: See its kinds.
        """
        labels: dict[str, CategoryLabel] = {}
        used: set[str] = set()
        for each in outgrown:
            label = CategoryLabel(name=each.name, tags=each.tags)
            if each.layer == 1:
                rows = await categories.entities_under(self._database, group, each.uuid)
                items = [to_item(row) for row in rows[:_READ]]
                label = await self._new_label(each, items, used) or label
            labels[each.uuid] = label
            used.add(name_key(label.name))
        return NameReview(labels=labels)

    async def _new_label(
        self, category: OutgrownCategory, items: Sequence[Item], used: set[str]
    ) -> CategoryLabel | None:
        """Return a new label, or None if the old name fits or nothing fits better."""
        if not items or _is_shared_term(category.name, items):
            return None
        proposal = await self._categoriser.categorise(items, 1, NoReplyCache())
        themes = sorted(proposal.categories, key=lambda each: -len(each.members))
        enough = _KEEPS_NAME * len(items)
        if any(_names_theme(category.name, each) and len(each.members) >= enough for each in themes):
            return None
        best = next((each for each in themes if each.name != OTHERS), None)
        if best is not None and len(best.members) >= _GIVES_NAME * len(items):
            name = accepted_name(best.name, category, used) or accepted_name(
                f"{best.name} like {items[best.members[0]].name}", category, used
            )
            return None if name is None else CategoryLabel(name=name, tags=best.tags)
        term = accepted_name(shared_term(items), category, used)
        return None if term is None else CategoryLabel(name=term, tags=category.tags)


def accepted_name(name: str, category: OutgrownCategory, used: set[str]) -> str | None:
    """Return the cleaned name, or None if the category may not have it.

    Refuses names that are empty, longer than `MAX_NAME`, generic (`Other`, `Category 3`), join two ideas, mean the
    speaker, belong to a sibling, or were given to another category in the same review.

    Args:
        name: The proposed name.
        category: The category; its current name is always accepted.
        used: Keys (`name_key`) of the names given in the same review.
    """
    clean = " ".join(name.split())
    key = name_key(clean)
    if clean == category.name:
        return clean
    if not key or len(clean) > MAX_NAME or key in _GENERIC or _NUMBERED.fullmatch(clean):
        return None
    if joins_ideas(clean) or is_speaker_word(clean):
        return None
    return None if key in used or key in {name_key(each) for each in category.siblings} else clean


def _names_theme(name: str, theme: ProposedCategory) -> bool:
    """Return whether the name is that of the theme, one of its parts, or a wider theme in its tags."""
    plain = name_key(name.partition(" like ")[0])
    return plain in {name_key(each.partition(" like ")[0]) for each in (theme.name, *theme.tags)}


def _is_shared_term(name: str, items: Sequence[Item]) -> bool:
    """Return whether at least half of the items, and at least two, have the name as a word or a tag."""
    key = name_key(name)
    having = sum(
        key in {name_key(word) for word in (*item.name.replace("-", " ").split(), *item.tags)} for item in items
    )
    return having >= max(2, _GIVES_NAME * len(items))
