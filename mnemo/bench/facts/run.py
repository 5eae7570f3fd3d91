"""Ingests conversations with the local extractor, each into a new group, and scores facts and entities."""

import uuid
from collections.abc import Sequence

from mnemo import AsyncMemory, Message
from mnemo.bench.facts.cases import CaseScene
from mnemo.bench.facts.held import held_entity, held_fact
from mnemo.bench.facts.scores import SceneScore, score_scene
from mnemo.config import Settings
from mnemo.models.graph import Edge, Entity, Episode
from mnemo.providers.base import Embedder
from mnemo.store import graph
from mnemo.store.driver import Database

__all__ = ["measure"]

_PAGE = 1_000


async def measure(
    settings: Settings, scenes: Sequence[CaseScene], *, window: int = 20, embedder: Embedder | None = None
) -> list[SceneScore]:
    """Ingest conversations into temporary groups and score the stored facts and entities.

    Args:
        settings: Settings of the server and the embedder; no LLM is used.
        scenes: The conversations.
        window: Messages per extraction; 1 corresponds to a live conversation.
        embedder: Overrides the settings. Vectors do not affect the scores, so a fast one is enough.

    Returns:
        One score per scene, in order.

    Raises:
        StoreError: A query failed; see its subclasses.
        ProviderError: The embedder failed.
    """
    run = uuid.uuid4().hex
    groups = {scene.name: f"bench/facts/{run}/{scene.name}" for scene in scenes}
    async with (
        AsyncMemory(_local(settings, window), embedder=embedder) as memory,
        await Database.open(settings) as database,
    ):
        try:
            for scene in scenes:
                await memory.add(_messages(scene), group=groups[scene.name], when="later")
            await memory.process(groups.values())
            return [await _scored(memory, database, scene, groups[scene.name]) for scene in scenes]
        finally:
            for group in groups.values():
                await memory.forget(group=group)


def _local(settings: Settings, window: int) -> Settings:
    """Return settings without an LLM and without the memtree, which does not affect extraction."""
    ingestion = settings.ingestion.model_copy(update={"extractor": "local", "window": window})
    llm = settings.llm.model_copy(update={"provider": "none"})
    memtree = settings.memtree.model_copy(update={"enabled": False})
    hierarchy = settings.hierarchy.model_copy(update={"rename": 0})
    return settings.model_copy(update={"ingestion": ingestion, "llm": llm, "memtree": memtree, "hierarchy": hierarchy})


def _messages(scene: CaseScene) -> list[Message]:
    return [
        Message(
            content=message.content,
            role=message.role,
            speaker=message.speaker,
            session=scene.name,
            occurred_at=message.at,
            zone=message.zone,
            source_id=str(place),
        )
        for place, message in enumerate(scene.messages)
    ]


async def _scored(memory: AsyncMemory, database: Database, scene: CaseScene, group: str) -> SceneScore:
    edges = (await memory.list("edges", group=group, as_of="ever", limit=_PAGE)).items
    entities = (await memory.list("entities", group=group, limit=_PAGE)).items
    episodes = (await memory.list("episodes", group=group, limit=_PAGE)).items
    place_of = {item.uuid: int(item.source_id) for item in episodes if isinstance(item, Episode)}
    sources: dict[str, list[int]] = {}
    for quote in await graph.sources(database, group, [edge.uuid for edge in edges]):
        sources.setdefault(quote.edge, []).append(place_of[quote.episode])
    by_uuid = {item.uuid: item for item in entities if isinstance(item, Entity)}
    facts = [held_fact(edge, by_uuid, sources[edge.uuid]) for edge in edges if isinstance(edge, Edge)]
    held = [held_entity(each) for each in by_uuid.values()]
    return score_scene(scene, facts, held)
