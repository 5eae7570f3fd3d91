"""Ranked items for tests of contexts and answers."""

from datetime import UTC, datetime, timedelta

from mnemo.models.graph import Edge, Entity, Episode
from mnemo.models.results import Found, SearchResult
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.request import SearchRequest
from mnemo.retrieval.search_results import search_result

START = datetime(2023, 5, 8, 12, 30, tzinfo=UTC)


def episode(uuid: str, content: str, *, speaker: str | None = "Ana", zone: str = "UTC", day: int = 0) -> Episode:
    return Episode(
        uuid=uuid,
        group="g",
        content=content,
        role="user",
        speaker=speaker,
        session="s",
        position=day,
        occurred_at=START + timedelta(days=day),
        zone=zone,
        source=None,
        source_id=uuid,
        content_hash="",
        recorded_at=START,
    )


def edge(uuid: str, fact: str, *, start: datetime | None = None, end: datetime | None = None) -> Edge:
    return Edge(
        uuid=uuid,
        group="g",
        fact=fact,
        relation="is",
        subject="e",
        object=None,
        valid_from=start,
        valid_to=end,
        recorded_at=START,
        precision="day",
    )


def entity(uuid: str, name: str, *, tags: tuple[str, ...] = (), aliases: tuple[str, ...] = ()) -> Entity:
    return Entity(uuid=uuid, group="g", name=name, tags=tags, aliases=aliases)


def result(question: str, items: RankedItems, budget: int = 500) -> SearchResult:
    request = SearchRequest(group="g", question=question, budget=budget, passages=True)
    return search_result(request, items, "system1", START)


def items() -> RankedItems:
    """Two messages, two facts (one whose message is not among them) and two entities."""
    one, two = episode("m1", "I adopted Rex."), episode("m2", "Ben paints boats.", speaker="Ben", day=1)
    far = episode("m3", "I moved to Lisbon in March.", day=2)
    return RankedItems(
        episodes=(Found(item=one, score=0.9, sources=("m1",)), Found(item=two, score=0.8, sources=("m2",))),
        entities=(
            Found(item=entity("n1", "Rex", tags=("dog",), aliases=("Rexy",)), score=0.8),
            Found(item=entity("n2", "Lisbon"), score=0.5),
        ),
        edges=(
            Found(item=edge("f1", "Ana adopted Rex", start=START), score=0.9, sources=("m1",)),
            Found(item=edge("f2", "Ana lives in Lisbon", end=START), score=0.8, sources=("m3",)),
        ),
        sources={"m3": far},
    )
