"""Later messages end facts, also when each message is processed separately."""

from datetime import UTC, datetime

import pytest

from mnemo import AsyncMemory, Message
from mnemo.models.graph import Edge
from mnemo.store.endpoint import Endpoint
from support.memories import settings_of

MARCH, MAY = datetime(2025, 3, 3, 9, tzinfo=UTC), datetime(2025, 5, 20, 9, tzinfo=UTC)


async def said(endpoint: Endpoint, group: str, *lines: tuple[datetime, str]) -> dict[str, Edge]:
    """Return the facts by sentence after messages of Petra, each processed separately."""
    async with AsyncMemory(settings_of(endpoint)) as memory:
        for moment, content in lines:
            message = Message(content=content, speaker="Petra", session="chat", occurred_at=moment)
            await memory.add([message], group=group)
        edges = await memory.list("edges", group=group, as_of="ever", limit=100)
        return {edge.fact: edge for edge in edges.items if isinstance(edge, Edge)}


@pytest.mark.parametrize(
    ("first", "then", "ended"),
    [
        ("My dog is called Biscuit.", "Biscuit died yesterday.", "Biscuit is Petra's dog"),
        ("I have a cold.", "My cold is gone.", "Petra has a cold"),
        ("I play the cello.", "I don't play the cello anymore.", "Petra plays the cello"),
        ("I'm going to buy a piano.", "I bought a piano.", "Petra is going to buy a piano"),
        ("I work at Acme.", "I quit my job.", "Petra works at Acme"),
    ],
)
async def test_later_message_ends_a_fact(
    first: str, then: str, ended: str, server_endpoint: Endpoint, group: str
) -> None:
    facts = await said(server_endpoint, group, (MARCH, first), (MAY, then))
    assert facts[ended].valid_to is not None
    assert MARCH < facts[ended].valid_to <= MAY


async def test_values_coexist_unless_a_change_is_stated(server_endpoint: Endpoint, group: str) -> None:
    lines = ["I work at Acme.", "I also work at Birch on weekends.", "I joined Nora for lunch.", "I quit Twitter."]
    facts = await said(server_endpoint, group, *((MARCH, line) for line in lines))
    jobs = {edge.fact: edge.valid_to for edge in facts.values() if edge.relation == "works_at"}
    assert jobs == {"Petra works at Acme": None, "Petra also works at Birch on weekends": None}
