"""Days of facts are days in the zone of the writer: stored as instants, shown in that zone."""

import io
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from mnemo import AsyncMemory, Message
from mnemo.cli.rendering import results
from mnemo.models.graph import Edge
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of


@pytest.mark.parametrize(
    ("said", "zone", "content", "instant", "day"),
    [
        ("2025-04-10T19:40", "Europe/London", "I hurt my knee last Tuesday.", "2025-04-07T23:00", "2025-04-08"),
        ("2023-05-09T00:30", "Pacific/Auckland", "I adopted a cat yesterday.", "2023-05-07T12:00", "2023-05-08"),
        ("2023-05-09T00:30", "Pacific/Auckland", "I adopted a cat today.", "2023-05-08T12:00", "2023-05-09"),
        ("2023-05-08T23:30", "America/Los_Angeles", "I adopted a cat today.", "2023-05-08T07:00", "2023-05-08"),
        ("2024-03-31T12:00", "Europe/London", "I painted the shed yesterday.", "2024-03-30T00:00", "2024-03-30"),
        ("2024-12-31T23:45", "Asia/Kathmandu", "I painted the shed today.", "2024-12-30T18:15", "2024-12-31"),
    ],
)
async def test_day_is_that_of_the_writer_in_every_output(
    server_endpoint: Endpoint,
    database: Database,
    embedder: LocalEmbedder,
    group: str,
    said: str,
    zone: str,
    content: str,
    instant: str,
    day: str,
) -> None:
    assert database.version
    written = datetime.fromisoformat(said).replace(tzinfo=ZoneInfo(zone))
    async with AsyncMemory(settings_of(server_endpoint), group=group, embedder=embedder) as memory:
        await memory.add(Message(content=content, speaker="Kei", session="s", occurred_at=written))
        page = await memory.list("edges", as_of="ever")
        shown = (await memory.search(content)).context.text
    dated = [edge for edge in page.items if isinstance(edge, Edge) and edge.valid_from is not None]
    assert {(edge.valid_from, edge.zone) for edge in dated} == {
        (datetime.fromisoformat(instant).replace(tzinfo=UTC), zone)
    }
    assert all(day in edge.fact for edge in dated)
    facts = [line for line in shown.splitlines() if line.startswith("- Kei ")]
    assert facts
    assert all(line.count(day) == 1 and "since" not in line for line in facts)
    drawn = io.StringIO()
    results.page(Console(file=drawn, width=300), page, "edges")
    assert [line.count(day) for line in drawn.getvalue().splitlines() if "Kei" in line] == [1] * len(dated)
