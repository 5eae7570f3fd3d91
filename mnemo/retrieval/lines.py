"""Episodes as rows, read as far as they are looked at.

A search gathers some hundred episodes to rank them and shows ten: making records of all of them took
longer than ranking them.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from mnemo.models.graph import Episode
from mnemo.store import records

__all__ = ["Backing", "Line"]


class Line:
    """What ranking looks at of a gathered episode."""

    __slots__ = ("_row",)

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Keep the row; nothing is read yet."""
        self._row = row

    @property
    def uuid(self) -> str:
        """The episode's."""
        return str(self._row["uuid"])

    @property
    def content(self) -> str:
        """What was said; empty where it was deleted by hand."""
        return self._row["content"] or ""

    @property
    def speaker(self) -> str | None:
        """Who said it."""
        return cast("str | None", self._row["speaker"])

    @property
    def session(self) -> str:
        """Where it was said."""
        return self._row["session"] or ""

    @property
    def position(self) -> int:
        """Order within the session."""
        return self._row["position"] or 0

    @property
    def occurred_at(self) -> datetime | None:
        """When it was said, in UTC; None is unknown."""
        return records.instant(self._row["occurred_at"])

    @property
    def zone(self) -> str | None:
        """IANA zone of who said it."""
        return cast("str | None", self._row["zone"])

    def episode(self, group: str) -> Episode:
        """Return all that the row holds, as the episode of a group."""
        return records.episode({**self._row, "group": group})


class Backing(Mapping[str, Episode]):
    """Episodes by uuid, each made when it is asked for."""

    def __init__(self, lines: Sequence[Line], group: str) -> None:
        """Keep lines of a group, none twice."""
        self._lines = {line.uuid: line for line in lines}
        self._group = group

    def __getitem__(self, uuid: str) -> Episode:
        """Return one.

        Raises:
            KeyError: There is none.
        """
        return self._lines[uuid].episode(self._group)

    def __contains__(self, uuid: object) -> bool:
        """Tell whether there is one, without making it."""
        return uuid in self._lines

    def __iter__(self) -> Iterator[str]:
        """Yield all uuids, in the lines' order."""
        return iter(self._lines)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._lines)
