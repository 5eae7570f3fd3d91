"""Conversations in, facts and entities out: each one remembered in a fresh group by the local extractor."""

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
    """Remember conversations and score what is held; nothing of it stays.

    Args:
        settings: Of the server and the embedder; no LLM is asked.
        scenes: The conversations.
        window: Messages read in one go; 1 is a live conversation, message by message.
        embedder: Wins over the settings. Vectors take no part in what is measured, so a quick one will do.

    Returns:
        One score a scene, in their order.

    Raises:
        StoreError: See its kinds.
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
    """Return settings without an LLM and without trees, which take no part in extraction."""
    ingestion = settings.ingestion.model_copy(update={"extractor": "local", "window": window})
    llm = settings.llm.model_copy(update={"provider": "none"})
    tree = settings.memtree.model_copy(update={"enabled": False})
    hierarchy = settings.hierarchy.model_copy(update={"rename": 0})
    return settings.model_copy(update={"ingestion": ingestion, "llm": llm, "memtree": tree, "hierarchy": hierarchy})


def _messages(scene: CaseScene) -> list[Message]:
    return [
        Message(
            content=said.content,
            role=said.role,
            speaker=said.speaker,
            session=scene.name,
            occurred_at=said.at,
            zone=said.zone,
            source_id=str(place),
        )
        for place, said in enumerate(scene.messages)
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
