"""The hierarchy over entities between builds: new entities placed at once, the rest at the end of a run."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mnemo.errors import ConflictError
from mnemo.hierarchy.build import Builder
from mnemo.hierarchy.place import CANDIDATES, freshen
from mnemo.store import layers

__all__ = ["Upkeep"]

_SWEEP = 1_000


class Upkeep:
    """Keeps the hierarchies of a database's groups in step with what is learnt; those without one stay without."""

    def __init__(self, builder: Builder, *, drift: float | None = None) -> None:
        """Keep what a hierarchy is built with.

        Args:
            builder: Builds drifted subtrees anew.
            drift: Share of new entities past which that is done; None leaves it to whoever asks for it.
        """
        self._builder = builder
        self._drift = drift
        self._touched: defaultdict[str, dict[str, None]] = defaultdict(dict)

    async def place(self, group: str, uuids: Sequence[str]) -> int:
        """Place new entities in the current hierarchy, in one round trip; return how many were placed.

        Raises:
            StoreError: See its kinds.
        """
        if not uuids:
            return 0
        placed = await layers.place(self._builder.database, group, uuids, candidates=CANDIDATES)
        self._touched[group].update(dict.fromkeys(placed.values()))
        return len(placed)

    async def settle(self, groups: Iterable[str]) -> None:
        """Place what a run that was stopped has left out, say anew what was touched, and mend what has drifted.

        Raises:
            ProviderError: The embedder failed; call it again.
            StoreError: See its kinds.
        """
        for group in dict.fromkeys(groups):
            while missing := await layers.unplaced(self._builder.database, group, _SWEEP):
                if not await self.place(group, missing):
                    break
            touched = self._touched.pop(group, {})
            if touched:
                await freshen(self._builder.database, self._builder.embedder, group, touched)
                await self._mend(group)

    async def forgotten(self, group: str, categories: Iterable[str]) -> None:
        """Say anew what categories are about that have lost members.

        Raises:
            ProviderError: The embedder failed; call it again.
            StoreError: See its kinds.
        """
        await freshen(self._builder.database, self._builder.embedder, group, categories)

    async def _mend(self, group: str) -> None:
        if self._drift is None:
            return
        try:
            await self._builder.refresh(group, self._drift)
        except ConflictError:
            return  # another process builds the whole of it at the moment
