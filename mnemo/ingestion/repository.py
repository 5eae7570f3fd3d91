"""The pipeline's database reads and writes, one method per round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemo.errors import ConflictError
from mnemo.ingestion.extraction import Extraction, Mention
from mnemo.ingestion.resolution.names import name_key
from mnemo.ingestion.resolution.relations import ends_relation, family_of
from mnemo.ingestion.resolution.topics import search_words
from mnemo.ingestion.resolution.types import EntityCandidate, ResolvedFact, WindowWrites
from mnemo.ingestion.serialization import (
    alias_token,
    change_rows,
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
"""Most episodes stored per transaction."""
CANDIDATES = 6
"""Most entities found by full text for a mention without an exact match, and as many by vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEpisodes:
    """Pending episodes, and what is needed to cut them into windows."""

    pending: tuple[Episode, ...]
    """Grouped by session, by position; sessions in the order of their first episode."""
    others: tuple[Episode, ...] = ()
    """Finished episodes shortly before a pending one."""
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Number of episodes by session, finished ones included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphExcerpt:
    """Entities and facts of the graph that a window may refer to, repeat or end."""

    found: list[list[EntityCandidate]] = field(default_factory=list)
    """One list per mention, in their order."""
    stored: list[ResolvedFact] = field(default_factory=list)
    """Facts, no uuid twice."""
    forgets: int = -1
    """How often the group had forgotten something when this was read; -1 to skip the check at the write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOutcome:
    """What to write for a window."""

    writes: WindowWrites
    vectors: Mapping[str, Vectors]
    """By episode text, fact and entity text; each of shape (dimensions,)."""
    done: Sequence[Episode]
    failed: Mapping[str, str]
    """Reason by uuid."""
    recorded_at: datetime
    fallback: Mapping[str, str] = field(default_factory=dict)
    """Reason by uuid for episodes read by the fallback extractor."""
    forgets: int = -1
    """`forgets` of the `GraphExcerpt` it was resolved against."""


class IngestionRepository:
    """Runs the pipeline's queries on one database."""

    def __init__(self, database: Database, model: str) -> None:
        """Store the database and the name of the embedding model."""
        self._database = database
        self._model = model

    async def acknowledge(self, group: str, episodes: Sequence[Episode]) -> set[str]:
        """Store episodes as pending, `BATCH_ROWS` per transaction; return the uuids of the new ones.

        Raises:
            StoreError: See its subclasses; earlier batches may have been stored and are skipped at the next call.
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
            new_ids = set(answer["source_ids"])
            new.update(item.uuid for item in batch if item.source_id in new_ids)
        return new

    async def take_lease(self, group: str, owner: str, *, stale: str, seconds: int) -> str:
        """Try to take the lease on a group; return the owner after the attempt.

        Args:
            group: A checked group.
            owner: The owner that wants the lease.
            stale: An owner known to be dead, or the empty string.
            seconds: Seconds until the lease expires unless renewed.
        """
        (row,) = await self._database.run(
            "ingestion/take_lease", group=group, owner=owner, stale=stale, seconds=seconds
        )
        return str(row["owner"])

    async def release_lease(self, group: str, owner: str) -> None:
        """Release the lease if the owner holds it."""
        await self._database.run("ingestion/release_lease", group=group, owner=owner)

    async def upcoming(self, group: str, *, taken: Sequence[str], context: int, limit: int) -> PendingEpisodes:
        """Read the next pending episodes.

        Args:
            group: A checked group.
            taken: Uuids to skip: those that this run already has.
            context: How many positions before a pending episode to read as well.
            limit: Most pending episodes.
        """
        rows = await self._database.run(
            "ingestion/pending", group=group, taken=list(taken), context=context, limit=limit
        )
        return PendingEpisodes(
            pending=tuple(records.episode(item) for row in rows for item in row["pending"] if _exists(item)),
            others=tuple(records.episode(item) for row in rows for item in row["others"] if _exists(item)),
            lengths={row["session"]: row["length"] for row in rows},
        )

    async def candidates(self, group: str, extraction: Extraction, vectors: Mapping[str, Vectors]) -> GraphExcerpt:
        """Read the entities that a window's mentions may refer to, and the facts that its facts may repeat or end.

        Args:
            group: A checked group.
            extraction: The window's extraction.
            vectors: By entity text and by fact; if empty, the search uses text only.
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

        Returns False and writes nothing if the lease is lost or the group has forgotten something since
        `outcome.forgets`; `remaining` tells which.
        """
        writes, vectors = outcome.writes, outcome.vectors
        zones = edge_zones(writes.links, outcome.done)
        shared = {"group": group, "group_key": text_key(group), "recorded_at": outcome.recorded_at}
        rows = await self._database.run(
            "ingestion/write",
            group=group,
            owner=owner,
            seconds=seconds,
            forgets=outcome.forgets,
            uuids=[*(item.uuid for item in outcome.done), *outcome.failed],
            entities=[entity_row(group, item, vectors) for item in writes.entities],
            edges=[
                edge_row(item, vectors[item.fact], {**shared, "zone": zones.get(item.uuid)}) for item in writes.edges
            ],
            links=link_rows(writes.links, outcome.done),
            changes=change_rows(writes),
            endings=ending_rows(writes),
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

    async def remaining(self, group: str, owner: str, seconds: int, uuids: Sequence[str]) -> frozenset[str]:
        """Return which of some episodes still exist; retake the lease if it was deleted with its group.

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


def _exists(item: Mapping[str, Any]) -> bool:
    """Return whether a node still existed when it was read; a node deleted meanwhile has no properties."""
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
    """Return the distinct search words of the topics that the window's facts end."""
    found = {search_words(topic) for fact in extraction.facts for topic in fact.topics}
    return sorted(words for words in found if words)


def _relations(extraction: Extraction) -> tuple[list[str], list[str]]:
    """Return the relations that may compete with a fact of the window: for any object, and for the same object."""
    single: set[str] = set()
    paired: set[str] = set()
    for relation_family in {family_of(fact.relation) for fact in extraction.facts}:
        (single if relation_family.scope == "subject" else paired).update(
            (*relation_family.members, relation_family.ending, relation_family.past)
        )
        if ends_relation(relation_family.ending, "owns") or any(
            ends_relation(member, "play") for member in relation_family.members
        ):
            paired.add(_ANY)  # the thing given up may be the object of any relation
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
