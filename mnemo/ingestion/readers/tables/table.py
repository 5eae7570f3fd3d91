"""Rows with named columns as messages, whatever file they came from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from mnemo.ingestion.readers.conversation import Conversation
from mnemo.ingestion.readers.fields import ROLES, Options, Place, read_each
from mnemo.ingestion.readers.files.source import Source
from mnemo.ingestion.readers.stamps import Stamp, decide
from mnemo.ingestion.readers.tables.columns import Column, author_name
from mnemo.ingestion.readers.talk import Talk
from mnemo.ingestion.readers.times import localise
from mnemo.ingestion.readers.written import DateOrder, numeric_stamp, parse_date
from mnemo.models.graph import Message

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one file, and which of their columns hold what."""

    source: Source
    options: Options
    name: str
    columns: Mapping[Column, tuple[str, ...]]

    def conversation(self, rows: Callable[[], Iterator[Place]]) -> Conversation:
        """Make the conversation of all rows, which are JSON objects or the like.

        Dates such as 3/4/2025 are read in the order of day and month that fits the whole file.
        """

        def load() -> Iterator[Message]:
            order = self._order(rows())
            return read_each(rows(), partial(self._message, order))

        return Conversation(self.name, self.source.label, load)

    def _order(self, rows: Iterator[Place]) -> DateOrder:
        if self.options.dates != "auto":
            return self.options.dates
        stamps = [stamp for row in rows if (stamp := self._stamp(row)) is not None]
        return decide(stamps, self.source.path) if stamps else "auto"

    def _stamp(self, row: Place) -> Stamp | None:
        written = self._written(row)
        return numeric_stamp(written) if written else None

    def _message(self, order: DateOrder, row: Place) -> Message | None:
        row.mapping()
        content = self._cell(row, "content")
        if content.value is None or not content.text().strip():
            return None
        role = (self._cell(row, "role").any_text() or "").lower()
        session = self._cell(row, "session").any_identifier()
        speaker = author_name(self._cell(row, "speaker").value) or (role if role and role not in ROLES else None)
        talk = Talk(session or self.name, self.source, self.options, by_day=session is None)
        message = talk.message(
            content.text(),
            speaker=speaker,
            moment=self._moment(row, order),
            source_id=self._identifier(row),
            role=ROLES.get(role, "user"),
        )
        return message if message is None or message.source_id else replace(message, metadata=_line(row))

    def _cell(self, row: Place, column: Column) -> Place:
        names = self.columns.get(column)
        return row.key(names[0]) if names else Place(row.source, row.where, None)

    def _identifier(self, row: Place) -> str | None:
        """Return the row's id, made unique by the file's name: a table numbers its own rows."""
        identifier = self._cell(row, "id").any_identifier()
        return f"{self.name}:{identifier}" if identifier else None

    def _written(self, row: Place) -> str | None:
        """Return the time as it is written, its day and clock joined."""
        parts = [row.key(name).value for name in self.columns.get("time", ())]
        texts = [part.strip() for part in parts if isinstance(part, str) and part.strip()]
        return " ".join(texts) or None

    def _moment(self, row: Place, order: DateOrder) -> tuple[datetime | None, str | None]:
        zone = self._cell(row, "zone").zone(self.options.zone)
        written = self._written(row)
        found = parse_date(written, order) if written else None
        if found is not None:
            return localise(found, zone)
        cell = self._cell(row, "time")
        if isinstance(cell.value, dict):
            cell = cell.first("$date", "seconds", "_seconds")
        return cell.known_time(zone)


def _line(row: Place) -> dict[str, Any]:
    return {"line": str(row.where)} if isinstance(row.where, int) else {}
