"""Converts episodes, entities and facts to database rows and back. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.ingestion.extraction import said_at
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.types import EntityWrite, ResolvedFact, StateLink, WindowWrites
from mnemo.models.embedding_text import entity_text, session_key, speaker_key
from mnemo.models.graph import Episode
from mnemo.models.group import text_key
from mnemo.providers.base import Vectors
from mnemo.store.lucene import search_terms

__all__ = [
    "alias_token",
    "change_rows",
    "edge_row",
    "edge_zones",
    "ending_rows",
    "entity_row",
    "episode_row",
    "initials",
    "link_rows",
    "read_fact",
]

_MINOR_WORDS = frozenset(("of", "the", "and", "for", "in", "on", "at"))


def alias_token(name: str) -> str:
    """Return a name as a single search token, equal for all its spellings."""
    return text_key(name_key(name))


def initials(name: str) -> str:
    """Return the initials of a name without minor words (of, the); empty for a single word."""
    words = [word for word in name_key(name).split() if word not in _MINOR_WORDS]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def episode_row(episode: Episode) -> dict[str, Any]:
    """Return an episode's properties, without its position in the session and in the group."""
    zone = ZoneInfo(episode.zone) if episode.zone else UTC
    return {
        "uuid": episode.uuid,
        "group": episode.group,
        "content": episode.content,
        "role": episode.role,
        "speaker": episode.speaker,
        "session": episode.session,
        "occurred_at": None if episode.occurred_at is None else episode.occurred_at.astimezone(zone),
        "zone": episode.zone,
        "source": episode.source,
        "source_id": episode.source_id,
        "content_hash": episode.content_hash,
        "recorded_at": episode.recorded_at,
        "status": "pending",
        "attempts": 0,
        "metadata": json.dumps(dict(episode.metadata), ensure_ascii=False, sort_keys=True),
        "occurred_key": episode.occurred_at or DISTANT_PAST,
        "visible_from": said_at(episode),
        "group_key": text_key(episode.group),
        "session_key": session_key(episode.session),
        "speaker_key": speaker_key(episode.speaker),
        "search_terms": search_terms(episode.content),
    }


def entity_row(group: str, entity: EntityWrite, vectors: Mapping[str, Vectors]) -> dict[str, Any]:
    """Return an entity's row for `ingestion/write`: all properties if it is new, the additions if it is stored."""
    names = (entity.name, *entity.aliases)
    created = {
        "uuid": entity.uuid,
        "name": entity.name,
        "aliases": [],
        "alias_tokens": [],
        "tags": [],
        "summary": "",
        "speaker": False,
        "group_key": text_key(group),
        "search_terms": " ".join(filter(None, (search_terms(entity.name), initials(entity.name)))),
    }
    return {
        "key": entity.key,
        "created": created,
        "aliases": list(entity.aliases),
        "alias_tokens": [alias_token(name) for name in names],
        "tags": list(entity.tags),
        "summary": entity.summary,
        "speaker": entity.speaker,
        "episodes": list(entity.episodes),
        "vector": vectors.get(entity_text(entity.name, entity.summary)) if entity.new or entity.summary else None,
    }


def edge_zones(links: Iterable[StateLink], episodes: Iterable[Episode]) -> dict[str, str]:
    """Return by edge the zone of the first episode with a zone that states it."""
    zones = {episode.uuid: episode.zone for episode in episodes}
    found: dict[str, str] = {}
    for link in links:
        zone = zones.get(link.episode)
        if zone:
            found.setdefault(link.edge, zone)
    return found


def edge_row(edge: ResolvedFact, vector: Vectors, shared: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new edge's row for `ingestion/write`.

    A past event stays true, so its `valid_to` stays open and its end goes to `event_end`.

    Args:
        edge: The new edge.
        vector: Of its fact, shape (dimensions,).
        shared: Properties that all edges of the window have.
    """
    event = edge.state == "happened"
    properties = {
        **shared,
        "fact": edge.fact,
        "relation": edge.relation,
        "subject": edge.subject,
        "object": edge.object,
        "valid_from": edge.valid_from or DISTANT_PAST,
        "valid_to": DISTANT_FUTURE if event else edge.valid_to or DISTANT_FUTURE,
        "stated_to": DISTANT_FUTURE if event else edge.stated_to or DISTANT_FUTURE,
        "event": event,
        "event_end": edge.valid_to if event else None,
        "said_at": edge.said_at,
        "retired_at": DISTANT_FUTURE,
        "when": edge.when,
        "precision": edge.precision,
        "certain": edge.certain,
        "recurs": edge.recurs,
        "fact_key": edge.uuid,
        "search_terms": search_terms(edge.fact),
    }
    return {
        "uuid": edge.uuid,
        "subject": edge.subject,
        "object": edge.object,
        "properties": properties,
        "vector": vector,
    }


def link_rows(links: Iterable[StateLink], episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Return rows for `ingestion/write` of the links from episodes to the facts they state."""
    times = {episode.uuid: said_at(episode) for episode in episodes}
    return [
        {
            "episode": link.episode,
            "edge": link.edge,
            "quote": link.quote,
            "start": link.start,
            "end": link.end,
            "said_at": times[link.episode],
        }
        for link in links
    ]


def change_rows(writes: WindowWrites) -> list[dict[str, Any]]:
    """Return rows for `ingestion/write` of the stored facts that get a start or an end or become certain."""
    ends = [{"edge": each.edge, "properties": {"valid_to": each.valid_to}} for each in writes.closings]
    starts = [{"edge": each.edge, "properties": {"valid_from": each.valid_from}} for each in writes.openings]
    sure = [{"edge": uuid, "properties": {"certain": True}} for uuid in writes.confirmed]
    return [*ends, *starts, *sure]


def ending_rows(writes: WindowWrites) -> list[dict[str, Any]]:
    """Return rows for `ingestion/write` that say which fact ends which."""
    return [{"by": each.by, "edge": each.edge, "valid_to": each.valid_to} for each in writes.endings]


def read_fact(row: Mapping[str, Any]) -> ResolvedFact:
    """Return a stored fact from a row of `ingestion/candidates`."""
    return ResolvedFact(
        uuid=row["uuid"],
        stored=True,
        subject=row["subject"],
        relation=row["relation"],
        object=row["object"],
        fact=row["fact"],
        valid_from=None if row["valid_from"] == DISTANT_PAST else row["valid_from"],
        valid_to=None if row["valid_to"] == DISTANT_FUTURE else row["valid_to"],
        state="happened" if row["event"] else "holds",
        said_at=row["said_at"],
        last_said_at=row["last_said_at"],
        certain=row["certain"],
        recurs=row["recurs"],
        similarity=row["similarity"],
    )
