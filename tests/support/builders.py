"""Builders of test objects with defaults."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from mnemo.ingestion.extraction import Extraction, Fact, Mention, Window
from mnemo.ingestion.intake.episodes import episode_uuid
from mnemo.models.graph import Episode
from mnemo.models.results import Usage
from mnemo.store.driver import Database

__all__ = ["EPOCH", "CountingDatabase", "ScriptedExtractor", "episode", "extraction"]

EPOCH = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def episode(content: str = "hello", position: int = 0, *, group: str = "g", session: str = "s") -> Episode:
    """Return a pending episode; its time is `position` minutes after a fixed start."""
    source_id = f"{session}/{position}"
    return Episode(
        uuid=episode_uuid(group, source_id),
        group=group,
        content=content,
        role="user",
        speaker="Ana",
        session=session,
        position=position,
        occurred_at=EPOCH + timedelta(minutes=position),
        zone="UTC",
        source=None,
        source_id=source_id,
        content_hash="",
        recorded_at=EPOCH,
    )


def extraction(window: Window) -> Extraction:
    """Return a fact for each line of the form `Name verb Name`, and the names as entities."""
    mentions: dict[str, Mention] = {}
    facts: list[Fact] = []
    for item in window.episodes:
        words = item.content.split()
        subject, thing = words[0], words[-1]
        for name in dict.fromkeys((subject, thing)):
            before = mentions[name].episodes if name in mentions else ()
            mentions[name] = Mention(name=name, episodes=(*before, item.uuid))
        facts.append(
            Fact(
                subject=subject,
                relation="_".join(words[1:-1]) or "is",
                object=thing if thing != subject else None,
                fact=item.content,
                episode=item.uuid,
                quote=item.content,
                start=0,
                end=len(item.content),
                said_at=item.occurred_at or item.recorded_at,
            )
        )
    usage = Usage(calls=1, input_tokens=100, output_tokens=10)
    return Extraction(mentions=tuple(mentions.values()), facts=tuple(facts), usage=usage)


class ScriptedExtractor:
    """Extracts by rule; raises an error for a window with a content listed in `errors`."""

    def __init__(self, errors: dict[str, Exception] | None = None) -> None:
        self.errors = errors or {}
        self.windows: list[Window] = []

    async def extract(self, window: Window) -> Extraction:
        self.windows.append(window)
        for item in window.episodes:
            for content, error in self.errors.items():
                if content in ("*", item.content):
                    raise error
        return extraction(window)


class CountingDatabase:
    """A database that counts its round trips by query."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.calls: Counter[str] = Counter()

    async def run(self, query_name: str, /, **params: Any) -> list[dict[str, Any]]:
        self.calls[query_name] += 1
        return await self._database.run(query_name, **params)
