"""The hierarchy over entities between builds: new entities placed at once, the rest at the end of a run."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemo.errors import ConflictError, ProviderError
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.naming import Namer, Renamed
from mnemo.hierarchy.categories.placement import CANDIDATES, freshen
from mnemo.models.results import Usage
from mnemo.store import categories

__all__ = ["Renaming", "Upkeep"]

_SWEEP = 1_000
_SHOWN = 10
"""Names of members from either end that a look at a category's name takes in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renaming:
    """How names and tags are kept fitting."""

    namer: Namer
    most: int = 20
    """Categories in one look."""
    seconds: float = 20.0
    """Longest that a look may take."""


class Upkeep:
    """Keeps the hierarchies of a database's groups in step with what is learnt; those without one stay without."""

    def __init__(self, builder: Builder, *, drift: float | None = None, renaming: Renaming | None = None) -> None:
        """Keep what a hierarchy is built with.

        Args:
            builder: Builds drifted subtrees anew.
            drift: Share of new entities past which that is done; None leaves it to whoever asks for it.
            renaming: Of what has been touched; None keeps all names.
        """
        self._builder = builder
        self._drift = drift
        self._renaming = renaming
        self._touched: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._unnamed: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """Touched, and not looked at since: there was no call left, or the call failed."""

    async def place(self, group: str, uuids: Sequence[str]) -> int:
        """Place new entities in the current hierarchy, in one round trip; return how many were placed.

        Raises:
            StoreError: See its kinds.
        """
        if not uuids:
            return 0
        placed = await categories.place(self._builder.database, group, uuids, candidates=CANDIDATES)
        self._touched[group].update(dict.fromkeys(placed.values()))
        return len(placed)

    async def settle(self, groups: Iterable[str], calls: int | None = None) -> Usage:
        """Place what a run that was stopped has left out, say anew what was touched, and mend what has drifted.

        Args:
            groups: Whose memory.
            calls: Requests to an LLM that may be made for names; None is as many as are of use, one a group.

        Returns:
            What the names have cost.

        Raises:
            ProviderError: The embedder failed; call it again.
            StoreError: See its kinds.
        """
        spent = Usage()
        for group in dict.fromkeys(groups):
            while missing := await categories.unplaced(self._builder.database, group, _SWEEP):
                if not await self.place(group, missing):
                    break
            touched = self._touched.pop(group, {})
            self._unnamed[group].update(touched)
            usage, above = await self._named(group, None if calls is None else calls - spent.calls)
            spent += usage
            if touched or above:
                await freshen(self._builder.database, self._builder.embedder, group, [*touched, *above])
            if touched:
                await self._mend(group)
        return spent

    async def forgotten(self, group: str, categories: Iterable[str]) -> None:
        """Say anew what categories are about that have lost members.

        Raises:
            ProviderError: The embedder failed; call it again.
            StoreError: See its kinds.
        """
        await freshen(self._builder.database, self._builder.embedder, group, categories)

    async def _named(self, group: str, calls: int | None) -> tuple[Usage, list[str]]:
        """Look at names that may have been outgrown; return the cost, and the categories whose content they change."""
        renaming, touched = self._renaming, self._unnamed.pop(group, {})
        if renaming is None or not renaming.most or not touched:
            return Usage(), []
        if calls is not None and calls < renaming.namer.calls:
            self._unnamed[group].update(touched)
            return Usage(), []
        database = self._builder.database
        due = await categories.due(
            database, group, list(touched), growth=renaming.namer.growth, limit=renaming.most, shown=_SHOWN
        )
        if not due:
            return Usage(), []
        looked = await self._looked(renaming, group, due)
        if looked is None or not looked.namings:
            self._unnamed[group].update(touched)
            return Usage() if looked is None else looked.usage, []
        named = [each for each in due if each.uuid in looked.namings]
        above = await categories.rename(database, group, [_row(each, looked) for each in named])
        return looked.usage, [*(each.uuid for each in named), *above]

    async def _looked(self, renaming: Renaming, group: str, due: Sequence[categories.Due]) -> Renamed | None:
        """Return what the look came to; None where it failed: a name is not worth a failed run."""
        try:
            async with asyncio.timeout(renaming.seconds):
                return await renaming.namer.look(group, due)
        except (ProviderError, TimeoutError):
            return None

    async def _mend(self, group: str) -> None:
        if self._drift is None:
            return
        try:
            await self._builder.refresh(group, self._drift)
        except ConflictError:
            return  # another process builds the whole of it at the moment


def _row(due: categories.Due, looked: Renamed) -> Mapping[str, object]:
    naming = looked.namings[due.uuid]
    return {"uuid": due.uuid, "name": naming.name, "tags": list(naming.tags), "said": due.leaves}
