"""The same benchmark as `run` without a database: each conversation is extracted and resolved in one window."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

from mnemo.bench.facts.cases import CaseMessage, CaseScene
from mnemo.bench.facts.held import held_entity, held_fact
from mnemo.bench.facts.scores import SceneScore, score_scene
from mnemo.ingestion.extraction import Fact, Mention, Window
from mnemo.ingestion.local.extractor import LocalExtractor
from mnemo.ingestion.resolution.resolver import resolve_window
from mnemo.ingestion.resolution.types import WindowWrites
from mnemo.models.graph import Episode

__all__ = ["measure_offline"]

_NAMESPACE = uuid.UUID("7b1f6c0e-52a1-4c0b-9d53-0f6d6e656d6f")


def measure_offline(scenes: Sequence[CaseScene]) -> list[SceneScore]:
    """Extract and resolve conversations in memory and score the result.

    Equal to the result with a database as long as a conversation fits in one window, since nothing is looked up.

    Returns:
        One score per scene, in order.
    """
    return asyncio.run(_measured(scenes))


async def _measured(scenes: Sequence[CaseScene]) -> list[SceneScore]:
    extractor = LocalExtractor()
    return [await _scored(extractor, scene) for scene in scenes]


async def _scored(extractor: LocalExtractor, scene: CaseScene) -> SceneScore:
    episodes = tuple(_episode(scene, place, message) for place, message in enumerate(scene.messages))
    extraction = await extractor.extract(Window(group=scene.name, episodes=episodes))
    writes = await resolve_window(extraction, [() for _ in extraction.mentions], (), None, _uuid)
    entities = {each.uuid: each for each in writes.entities}
    places = _places(writes)
    facts = [held_fact(edge, entities, places[edge.uuid]) for edge in writes.edges]
    held = [held_entity(each) for each in writes.entities]
    return score_scene(scene, facts, held)


def _episode(scene: CaseScene, place: int, message: CaseMessage) -> Episode:
    return Episode(
        uuid=str(place),
        group=scene.name,
        content=message.content,
        role=message.role,
        speaker=message.speaker,
        session=scene.name,
        position=place,
        occurred_at=message.at.astimezone(UTC),
        zone=message.zone,
        source=None,
        source_id=str(place),
        content_hash="",
        recorded_at=datetime.now(UTC),
    )


def _uuid(item: Mention | Fact) -> str:
    """Return a uuid derived from an entity or a fact."""
    if isinstance(item, Mention):
        return str(uuid.uuid5(_NAMESPACE, f"entity {item.name}"))
    key = [item.episode, item.start, item.end, item.subject, item.relation, item.object, item.fact]
    return str(uuid.uuid5(_NAMESPACE, json.dumps(key)))


def _places(writes: WindowWrites) -> dict[str, list[int]]:
    """Return the positions of the messages that state each edge."""
    places: dict[str, list[int]] = {}
    for link in writes.links:
        places.setdefault(link.edge, []).append(int(link.episode))
    return places
