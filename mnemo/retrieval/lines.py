"""Episodes as rows, read as far as they are looked at.

A search gathers some hundred episodes to rank them and shows ten: making records of all of them took
longer than ranking them.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from mnemo.models.graph import Episode
from mnemo.store import records

__all__ = ["Backing", "Line"]


class Line:
    """What ranking looks at of a gathered episode; a property changed by hand is read as `records` reads it."""

    __slots__ = ("_row", "content", "position", "session", "speaker", "uuid")

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read what every question needs; the rest waits until it is asked for."""
        self._row = row
        self.uuid: str = row["uuid"]
        self.content = records.text(row, "content")
        self.session = records.text(row, "session")
        self.position = records.number(row, "position")
        self.speaker = records.optional(row, "speaker")

    @property
    def occurred_at(self) -> datetime | None:
        """When it was said, in UTC; None is unknown."""
        return records.instant(self._row["occurred_at"])

    @property
    def zone(self) -> str | None:
        """IANA zone of who said it."""
        return records.optional(self._row, "zone")

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
