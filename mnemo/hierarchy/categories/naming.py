"""Names and tags of categories that have grown: looked at again, by an LLM or by the terms of their members.

What comes back is believed only where it is a name that a category may have: see `fitting`. Where the call
fails, all names stay.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mnemo.errors import MalformedReplyError
from mnemo.hierarchy.categories.builder import item_of
from mnemo.hierarchy.categories.categoriser import (
    Categoriser,
    Group,
    Item,
    folded,
    is_speaker_word,
    joins_ideas,
    short_tags,
)
from mnemo.hierarchy.categories.layers import NoDrafts
from mnemo.hierarchy.categories.local_categoriser import OTHERS, shared_term
from mnemo.hierarchy.categories.prompts import RenameReply, rename_prompt, subject_line
from mnemo.models.results import Usage
from mnemo.providers.base import Llm
from mnemo.providers.tokens import count_tokens
from mnemo.store import categories
from mnemo.store.categories import Due
from mnemo.store.driver import Database

__all__ = ["MAX_NAME", "LlmNamer", "LocalNamer", "Namer", "Naming", "Renamed", "fitting"]

MAX_NAME = 60
_FITS = 1 / 3
"""Share of the members whose theme a name must say to be kept."""
_NAMES = 0.5
"""Share of the members of one theme from which it names the category."""
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
class Naming:
    """What a category is called from now on."""

    name: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """What a look at some names came to."""

    namings: Mapping[str, Naming]
    """By uuid of category; those that were looked at, most of them with the name that they had."""
    usage: Usage = field(default_factory=Usage)


class Namer(Protocol):
    """Looks at names again."""

    calls: int
    """Requests to an LLM that a look may cost, but for a reply that is asked again; 0 for none."""
    growth: float
    """Share of a category's entities that have come since its name was fitting, from which it is looked at again."""

    async def look(self, group: str, due: Sequence[Due]) -> Renamed:
        """Return names and tags of some categories of a group.

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
        """Take the LLM, and the most tokens of categories that the call shows."""
        self._llm = llm
        self._tokens = tokens

    async def look(self, group: str, due: Sequence[Due]) -> Renamed:  # noqa: ARG002  # all it needs is shown
        """Return names and tags; see `Namer`. Those past the tokens are left for another time.

        Raises:
            ProviderError: The call failed, but for a reply that could not be read: it changes nothing.
        """
        shown = self._within(due)
        try:
            reply = await self._llm.complete(rename_prompt(shown), RenameReply)
        except MalformedReplyError as error:
            return Renamed(namings={}, usage=error.usage if isinstance(error.usage, Usage) else Usage())
        said = {each.number: each for each in reversed(reply.value.categories)}
        given: set[str] = set()
        namings: dict[str, Naming] = {}
        for number, each in enumerate(shown, 1):
            wanted = said.get(number)
            name = fitting(wanted.name, each, given) if wanted is not None else None
            tags = short_tags(wanted.tags) if wanted is not None else ()
            namings[each.uuid] = Naming(name=name or each.name, tags=tags or each.tags)
            given.add(folded(namings[each.uuid].name))
        return Renamed(namings=namings, usage=reply.usage)

    def _within(self, due: Sequence[Due]) -> list[Due]:
        """Return the first categories, as many as the tokens take; at least one."""
        shown: list[Due] = []
        spent = 0
        for each in due:
            spent += count_tokens(subject_line(len(shown) + 1, each)) + 1
            if shown and spent > self._tokens:
                break
            shown.append(each)
        return shown


class LocalNamer:
    """Asks nobody: a name stays while it says what a good part of the members are."""

    calls = 0
    growth = 1.0

    def __init__(self, database: Database, categoriser: Categoriser) -> None:
        """Take where members are read from, and who tells their themes."""
        self._database = database
        self._categoriser = categoriser

    async def look(self, group: str, due: Sequence[Due]) -> Renamed:
        """Return names and tags; see `Namer`. Categories of categories keep theirs: they are themes.

        Raises:
            ProviderError: The embedder failed.
            StoreError: See its kinds.
        """
        namings: dict[str, Naming] = {}
        given: set[str] = set()
        for each in due:
            naming = Naming(name=each.name, tags=each.tags)
            if each.layer == 1:
                rows = await categories.under(self._database, group, each.uuid)
                items = [item_of(row) for row in rows[:_READ]]
                naming = await self._named(each, items, given) or naming
            namings[each.uuid] = naming
            given.add(folded(naming.name))
        return Renamed(namings=namings)

    async def _named(self, due: Due, items: Sequence[Item], given: set[str]) -> Naming | None:
        """Return another name; None where the old one fits, or nothing fits better."""
        if not items or _term_fits(due.name, items):
            return None
        made = await self._categoriser.categorise(items, 1, NoDrafts())
        groups = sorted(made.groups, key=lambda each: -len(each.members))
        if any(_says(due.name, each) and len(each.members) >= _FITS * len(items) for each in groups):
            return None
        best = next((each for each in groups if each.name != OTHERS), None)
        if best is not None and len(best.members) >= _NAMES * len(items):
            name = fitting(best.name, due, given) or fitting(
                f"{best.name} like {items[best.members[0]].name}", due, given
            )
            return None if name is None else Naming(name=name, tags=best.tags)
        term = fitting(shared_term(items), due, given)
        return None if term is None else Naming(name=term, tags=due.tags)


def fitting(name: str, due: Due, given: set[str]) -> str | None:
    """Return a name as it is kept, or None for one that a category may not have.

    That is one that is empty or longer than `MAX_NAME`, joins two ideas, stands for whoever speaks, says nothing
    (`Other`, `Category 3`), or is that of a sibling or of a category that was named in the same look.

    Args:
        name: As it came.
        due: The category; its own name fits as it is.
        given: Names that were given in the same look, folded.
    """
    clean = " ".join(name.split())
    key = folded(clean)
    if clean == due.name:
        return clean
    if not key or len(clean) > MAX_NAME or key in _GENERIC or _NUMBERED.fullmatch(clean):
        return None
    if joins_ideas(clean) or is_speaker_word(clean):
        return None
    return None if key in given or key in {folded(each) for each in due.taken} else clean


def _says(name: str, group: Group) -> bool:
    """Tell whether a name is that of a group, of its narrower parts, or of the theme that it is a part of."""
    plain = folded(name.partition(" like ")[0])
    return plain in {folded(each.partition(" like ")[0]) for each in (group.name, *group.tags)}


def _term_fits(name: str, items: Sequence[Item]) -> bool:
    """Tell whether at least half of the members have the name as a word of theirs or as a tag."""
    key = folded(name)
    having = sum(key in {folded(word) for word in (*item.name.replace("-", " ").split(), *item.tags)} for item in items)
    return having >= max(2, _NAMES * len(items))
