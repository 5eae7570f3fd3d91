"""Rows of episodes, converted only as far as they are needed.

A search gathers some hundred episodes to rank them and shows ten: making records of all of them took
longer than ranking them.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from mnemo.models.graph import Episode
from mnemo.store import records

__all__ = ["EpisodeRow", "EpisodeRows"]


class EpisodeRow:
    """What ranking needs of an episode; properties that were edited by hand are read as `records` reads them."""

    __slots__ = ("_row", "content", "position", "session", "speaker", "uuid")

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read what every question needs; the rest is read on demand."""
        self._row = row
        self.uuid: str = row["uuid"]
        self.content = records.text(row, "content")
        self.session = records.text(row, "session")
        self.position = records.number(row, "position")
        self.speaker = records.optional(row, "speaker")

    @property
    def occurred_at(self) -> datetime | None:
        """When it was written, in UTC; None is unknown."""
        return records.instant(self._row["occurred_at"])

    @property
    def zone(self) -> str | None:
        """IANA zone of the writer."""
        return records.optional(self._row, "zone")

    def episode(self, group: str) -> Episode:
        """Return the whole row as an episode of a group."""
        return records.episode({**self._row, "group": group})


class EpisodeRows(Mapping[str, Episode]):
    """Episodes by uuid, each made on demand."""

    def __init__(self, rows: Sequence[EpisodeRow], group: str) -> None:
        """Keep rows of a group, none twice."""
        self._rows = {row.uuid: row for row in rows}
        self._group = group

    def __getitem__(self, uuid: str) -> Episode:
        """Return one.

        Raises:
            KeyError: There is none.
        """
        return self._rows[uuid].episode(self._group)

    def __contains__(self, uuid: object) -> bool:
        """Return whether there is one, without making it."""
        return uuid in self._rows

    def __iter__(self) -> Iterator[str]:
        """Yield all uuids, in the order of the rows."""
        return iter(self._rows)

    def __len__(self) -> int:
        """Return the number of episodes."""
        return len(self._rows)
