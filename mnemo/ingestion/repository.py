"""Reads and writes of the pipeline in the database: one method per round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemo.errors import ConflictError
from mnemo.ingestion.extraction import Extraction, Mention
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import family, releases
from mnemo.ingestion.resolution.topics import search_words
from mnemo.ingestion.resolution.types import EntityCandidate, ResolvedFact, Settled
from mnemo.ingestion.serialization import (
    alias_token,
    changes,
    edge_row,
    edge_zones,
    ending_rows,
    entity_row,
    episode_row,
    initials,
    link_rows,
    read_fact,
)
from mnemo.models.embedding_text import entity_text, episode_text
from mnemo.models.graph import Episode
from mnemo.models.group import text_key
from mnemo.models.results import Counts
from mnemo.providers.base import Vectors
from mnemo.store import records
from mnemo.store.driver import Database
from mnemo.store.lucene import text_query

__all__ = ["GraphExcerpt", "IngestionRepository", "PendingEpisodes", "WindowOutcome"]

_ANY = "*"
BATCH_ROWS = 500
"""Episodes acknowledged in one transaction."""
CANDIDATES = 6
"""Most entities found by text for a mention without an exact match, and as many by vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEpisodes:
    """Pending episodes, with what is needed to cut them into windows."""

    pending: tuple[Episode, ...]
    """Each session's together, by position; sessions in the order of their first episode."""
    others: tuple[Episode, ...] = ()
    """Finished episodes shortly before a pending one."""
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Number of all episodes of each session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphExcerpt:
    """Entities and facts of the graph that a window may refer to, repeat or end."""

    found: list[list[EntityCandidate]] = field(default_factory=list)
    """One list per mention, in their order."""
    stored: list[ResolvedFact] = field(default_factory=list)
    """Facts, no uuid twice."""
    forgets: int = -1
    """The group's count of forget calls when this was read; -1 if it does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOutcome:
    """Everything to write for a window."""

    settled: Settled
    vectors: Mapping[str, Vectors]
    """By episode text, fact and entity text; each (dimensions,)."""
    done: Sequence[Episode]
    failed: Mapping[str, str]
    """Uuid to reason."""
    recorded_at: datetime
    fallback: Mapping[str, str] = field(default_factory=dict)
    """Uuid of each episode that the fallback extractor read to why."""
    forgets: int = -1
    """That of the `GraphExcerpt` it was resolved against."""


class IngestionRepository:
    """The pipeline's statements on one database."""

    def __init__(self, database: Database, model: str) -> None:
        """Keep the database and the name of the embedding model."""
        self._database = database
        self._model = model

    async def acknowledge(self, group: str, episodes: Sequence[Episode]) -> set[str]:
        """Store episodes as pending, `BATCH_ROWS` a transaction; return the uuids of the new ones.

        Raises:
            StoreError: See its kinds; whole transactions before may have been stored, and are known next time.
        """
        unique = list({episode.source_id: episode for episode in episodes}.values())
        new: set[str] = set()
        for start in range(0, len(unique), BATCH_ROWS):
            batch = unique[start : start + BATCH_ROWS]
            rows = [
                {"source_id": item.source_id, "session": item.session, "properties": episode_row(item)}
                for item in batch
            ]
            (answer,) = await self._database.run("ingestion/acknowledge", group=group, rows=rows)
            fresh = set(answer["source_ids"])
            new.update(item.uuid for item in batch if item.source_id in fresh)
        return new

    async def take_lease(self, group: str, owner: str, *, stale: str, seconds: int) -> str:
        """Try to take the lease on a group; return its owner now.

        Args:
            group: A checked group.
            owner: Who asks.
            stale: An owner known to be dead, or the empty string.
            seconds: How long the lease lasts unless renewed.
        """
        (row,) = await self._database.run(
            "ingestion/take_lease", group=group, owner=owner, stale=stale, seconds=seconds
        )
        return str(row["owner"])

    async def release_lease(self, group: str, owner: str) -> None:
        """Release the lease if the owner has it."""
        await self._database.run("ingestion/release_lease", group=group, owner=owner)

    async def upcoming(self, group: str, *, taken: Sequence[str], context: int, limit: int) -> PendingEpisodes:
        """Read the next pending episodes.

        Args:
            group: A checked group.
            taken: Uuids to leave out: this run has them already.
            context: Positions before a pending episode to read too.
            limit: Most pending episodes.
        """
        rows = await self._database.run(
            "ingestion/pending", group=group, taken=list(taken), context=context, limit=limit
        )
        return PendingEpisodes(
            pending=tuple(records.episode(item) for row in rows for item in row["pending"] if _is_there(item)),
            others=tuple(records.episode(item) for row in rows for item in row["others"] if _is_there(item)),
            lengths={row["session"]: row["length"] for row in rows},
        )

    async def candidates(self, group: str, extraction: Extraction, vectors: Mapping[str, Vectors]) -> GraphExcerpt:
        """Read the entities that a window's mentions may refer to, and the facts that its facts may repeat or end.

        Args:
            group: A checked group.
            extraction: Of the window.
            vectors: By entity text and by fact; empty searches by text alone.
        """
        single, paired = _relations(extraction)
        (row,) = await self._database.run(
            "ingestion/candidates",
            group=group,
            mentions=[_lookup(group, mention, vectors) for mention in extraction.mentions],
            single=single,
            paired=paired,
            topics=[{"words": list(words)} for words in _topic_words(extraction)],
            vectors=[vectors[fact.fact] for fact in extraction.facts if fact.fact in vectors],
            limit=CANDIDATES,
        )
        found: list[list[EntityCandidate]] = [[] for _ in extraction.mentions]
        for item in sorted(row["found"], key=lambda each: (-each["similarity"], each["uuid"])):
            found[item["place"]].append(_candidate(item))
        stored = sorted(row["stored"], key=lambda each: (each["said_at"], each["uuid"]))
        return GraphExcerpt(found=found, stored=[read_fact(item) for item in stored], forgets=row["forgets"])

    async def write(self, group: str, owner: str, seconds: int, outcome: WindowOutcome) -> bool:
        """Write a window in one transaction; return whether it was written.

        False, and nothing is written, if the lease is lost or something of the group was forgotten since
        `outcome.forgets`; call `left` to find out.
        """
        settled, vectors = outcome.settled, outcome.vectors
        zones = edge_zones(settled.links, outcome.done)
        shared = {"group": group, "group_key": text_key(group), "recorded_at": outcome.recorded_at}
        rows = await self._database.run(
            "ingestion/write",
            group=group,
            owner=owner,
            seconds=seconds,
            forgets=outcome.forgets,
            uuids=[*(item.uuid for item in outcome.done), *outcome.failed],
            entities=[entity_row(group, item, vectors) for item in settled.entities],
            edges=[
                edge_row(item, vectors[item.fact], {**shared, "zone": zones.get(item.uuid)}) for item in settled.edges
            ],
            links=link_rows(settled.links, outcome.done),
            changes=changes(settled),
            endings=ending_rows(settled),
            done=[
                {
                    "uuid": item.uuid,
                    "vector": vectors[episode_text(item.content, item.speaker)],
                    "reason": outcome.fallback.get(item.uuid),
                }
                for item in outcome.done
            ],
            failed=[{"uuid": uuid, "reason": reason} for uuid, reason in outcome.failed.items()],
            model=self._model,
        )
        return bool(rows)

    async def left(self, group: str, owner: str, seconds: int, uuids: Sequence[str]) -> frozenset[str]:
        """Return which of some episodes still exist; take the lease again if it was deleted with its group.

        Raises:
            ConflictError: The lease was lost to another process.
        """
        (row,) = await self._database.run("ingestion/left", group=group, uuids=list(uuids))
        holder = row["owner"]
        if holder is None and row["left"]:
            holder = await self.take_lease(group, owner, stale="", seconds=seconds)
        if holder not in {owner, None}:
            message = "another process has taken over this group and processes its pending episodes"
            raise ConflictError(message)
        return frozenset(row["left"])

    async def retry(self, group: str) -> int:
        """Make failed episodes pending again; return how many."""
        (row,) = await self._database.run("ingestion/retry", group=group)
        return int(row["number"])

    async def counts(self, group: str) -> Counts:
        """Count the group's episodes by state."""
        rows = await self._database.run("ingestion/counts", group=group)
        return Counts(**{row["status"]: row["number"] for row in rows})

    async def outcomes(self, group: str, uuids: Sequence[str]) -> list[dict[str, Any]]:
        """Return uuid, status and reason of each episode that exists."""
        return await self._database.run("ingestion/outcomes", group=group, uuids=list(uuids))


def _is_there(item: Mapping[str, Any]) -> bool:
    """Whether a node had properties when it was read; one deleted in the meantime has none."""
    return item.get("uuid") is not None


def _lookup(group: str, mention: Mention, vectors: Mapping[str, Vectors]) -> dict[str, Any]:
    names = (mention.name, *mention.aliases)
    words = " ".join((*names, *filter(None, map(initials, names)), *map(alias_token, names)))
    return {
        "key": name_key(mention.name),
        "text": text_query(group, words, ("name", "aliases", "alias_tokens")),
        "vector": vectors.get(entity_text(mention.name, mention.summary)),
    }


def _topic_words(extraction: Extraction) -> list[tuple[str, ...]]:
    """Return the word beginnings of each topic that a fact of the window says is over, each once."""
    found = {search_words(topic) for fact in extraction.facts for topic in fact.topics}
    return sorted(words for words in found if words)


def _relations(extraction: Extraction) -> tuple[list[str], list[str]]:
    """Return the relations that may compete with a fact: for any object, and for the same object."""
    single: set[str] = set()
    paired: set[str] = set()
    for kin in {family(fact.relation) for fact in extraction.facts}:
        (single if kin.scope == "subject" else paired).update((*kin.members, kin.ending, kin.past))
        if releases(kin.ending, "owns") or any(releases(member, "play") for member in kin.members):
            paired.add(_ANY)  # any relation may be the one that is given up
    paired.update(fact.relation for fact in extraction.facts)
    return sorted(single), sorted(paired)


def _candidate(item: Mapping[str, Any]) -> EntityCandidate:
    return EntityCandidate(
        uuid=item["uuid"],
        name=item["name"],
        aliases=tuple(item["aliases"]),
        summary=item["summary"],
        tags=tuple(item["tags"]),
        speaker=item["speaker"],
        similarity=item["similarity"],
    )
