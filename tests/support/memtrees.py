"""Memtrees for tests: vectors and contents derived from names, and the invariants of every memtree."""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from mnemo.config import MemtreeSettings
from mnemo.hierarchy.memtree.aggregate import AggregateRequest, AggregateResult
from mnemo.hierarchy.memtree.tree import Memtree
from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Message
from mnemo.models.hierarchy import Category, Member
from mnemo.models.results import Usage
from mnemo.providers.base import Embedder, Vectors
from mnemo.store import graph
from mnemo.store.driver import Call, Database, Row
from mnemo.store.forget import forget_episodes
from mnemo.store.hierarchy import members, memtree

__all__ = [
    "COSINE",
    "JoiningAggregator",
    "NameEmbedder",
    "NothingExtractor",
    "Watched",
    "add",
    "apart",
    "at_angle",
    "broken",
    "forget",
    "grown",
    "outline",
]

T = TypeVar("T")

COSINE = MemtreeSettings(similarity_floor=0.0)
"""Similarity is the cosine itself."""


def apart(count: int, *, seed: int = 1) -> dict[str, Sequence[float]]:
    """Return `count` named vectors in six clusters."""
    drawn = np.random.default_rng(seed)
    centres = drawn.standard_normal((6, 12))
    rows = centres[drawn.integers(0, 6, count)] + 0.7 * drawn.standard_normal((count, 12))
    return {f"n{number}": list(row / np.linalg.norm(row)) for number, row in enumerate(rows)}


def at_angle(cosine: float, *, axis: int = 1) -> list[float]:
    """Return a vector with this cosine to the first axis, in the plane of another axis."""
    vector = [0.0] * (axis + 1)
    vector[0], vector[axis] = cosine, float(np.sqrt(1 - cosine * cosine))
    return vector


class NameEmbedder:
    """Embeds names by the given vectors, and a content such as `a+b` by the mean of its names' vectors."""

    model = "local/e5-small-v2-q"
    dimensions = 384

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self._vectors = {name: self._padded(vector) for name, vector in vectors.items()}

    async def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.vector(text) for text in texts])

    async def questions(self, texts: Sequence[str]) -> Vectors:
        return await self.passages(texts)

    async def close(self) -> None:
        return None

    def vector(self, text: str) -> Vectors:
        total = np.sum([self._vectors.get(name, self._last()) for name in text.split("+")], axis=0)
        length = np.linalg.norm(total)
        return (total / length if length else self._last()).astype(np.float32)

    def _last(self) -> Vectors:
        return np.eye(1, self.dimensions, self.dimensions - 1, dtype=np.float32)[0]

    def _padded(self, vector: Sequence[float]) -> Vectors:
        padded = np.zeros(self.dimensions, np.float32)
        padded[: len(vector)] = vector
        return padded


class JoiningAggregator:
    """Joins the names of leaves; records its requests; fails for the texts in `fails`."""

    name: Literal["llm", "extract"] = "llm"

    def __init__(self) -> None:
        self.asked: list[AggregateRequest] = []
        self.fails: dict[str, Exception] = {}
        self.at_once = self.most_at_once = 0

    async def aggregate(self, request: AggregateRequest) -> AggregateResult:
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        for text in request.texts:
            if text in self.fails:
                raise self.fails[text]
        names = [name for text in (request.content, *request.texts) for name in text.split("+") if name]
        return AggregateResult(content="+".join(names), usage=Usage(calls=1))


class NothingExtractor:
    """Extracts nothing."""

    async def extract(self, _: Window) -> Extraction:
        return Extraction(mentions=(), facts=(), usage=Usage())


async def add(database: Database, embedder: Embedder, group: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Store and process messages without the memtree; return their uuids."""
    pipeline = Pipeline(database, embedder, NothingExtractor())
    added = await pipeline.acknowledge(group, [Message(content=text, session="s") for text in texts])
    await pipeline.process(group)
    return added.uuids


async def grown(
    database: Database, embedder: Embedder, group: str, texts: Sequence[str], settings: MemtreeSettings = COSINE
) -> tuple[Memtree, JoiningAggregator]:
    """Add messages one by one, inserting each before the next."""
    aggregator = JoiningAggregator()
    tree = Memtree(database, embedder, aggregator, settings=settings)
    for text in texts:
        await add(database, embedder, group, [text])
        await tree.process(group)
    return tree, aggregator


async def forget(database: Database, tree: Memtree, group: str, uuids: Sequence[str]) -> None:
    """Delete episodes as `Memory.forget` does."""

    async def prelude(batch: Sequence[str]) -> Sequence[tuple[str, dict[str, object]]]:
        return await tree.removal_calls(group, batch)

    await forget_episodes(database, group, uuids, prelude)


async def outline(database: Database, group: str) -> str:
    """Return a memtree as nested brackets, leaves by their text, in order."""
    root = await members.find_root(database, group, "memtree")
    if root is None:
        return ""

    async def drawn(parent: str) -> str:
        parts = []
        for member in await memtree.children(database, group, [parent]):
            own = f"({await drawn(member.node.uuid)})" if isinstance(member.node, Category) else member.node.text
            parts.append(own)
        return " ".join(parts)

    return await drawn(root.uuid)


async def broken(database: Database, embedder: NameEmbedder, group: str) -> list[str]:
    """Return the violated invariants of a group's memtree; empty if it is valid."""
    root = await members.find_root(database, group, "memtree")
    page = await graph.list_episodes(database, group, limit=1000)
    expected = {episode.uuid: episode.content for episode in page.items if episode.status == "done"}
    if root is None:
        return [] if not expected else ["no tree"]
    problems: list[str] = []
    seen: list[str] = []

    async def walk(parent: str, depth: int) -> int:
        members = await memtree.children(database, group, [parent])
        if depth and len(members) < 2:
            problems.append(f"inner node with {len(members)} children")
        if len({member.position for member in members}) != len(members):
            problems.append("two siblings in one position")
        total = 0
        for member in members:
            if isinstance(member.node, Category):
                below = await walk(member.node.uuid, depth + 1)
                problems.extend(_wrong(member, depth + 1, below, embedder))
                total += below
            else:
                seen.append(member.node.uuid)
                if expected.get(member.node.uuid) != member.node.text:
                    problems.append("a leaf's text has changed")
                total += 1
        return total

    await walk(root.uuid, 0)
    if sorted(seen) != sorted(expected):
        problems.append(f"{len(seen)} leaves, {len(set(seen))} distinct, for {len(expected)} episodes")
    return problems


def _wrong(member: Member, depth: int, leaves: int, embedder: NameEmbedder) -> list[str]:
    node = member.node
    if not isinstance(node, Category):
        return []
    problems = []
    if node.layer != depth:
        problems.append(f"a category of layer {node.layer} at depth {depth}")
    if node.leaves != leaves:
        problems.append(f"a category says {node.leaves} leaves and has {leaves}")
    if not np.allclose(np.asarray(member.vector, np.float32), embedder.vector(node.content), atol=1e-6):
        problems.append("a vector that is not that of the content")
    if len(node.content.split("+")) != leaves:
        problems.append("a content that does not speak of all leaves")
    return problems


class Watched:
    """Counts round trips by query, and raises errors before or after chosen ones."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.calls: Counter[str] = Counter()
        self.before: dict[str, Exception] = {}
        self.after: dict[str, Exception] = {}

    @property
    def procedures(self) -> frozenset[str]:
        return self._database.procedures

    async def run(self, query_name: str, /, **params: Any) -> list[Row]:
        return await self._watched(query_name, self._database.run(query_name, **params))

    async def run_guarded(self, calls: Sequence[Call]) -> list[list[Row]]:
        return await self._watched(calls[0][0], self._database.run_guarded(calls))

    async def _watched(self, name: str, work: Coroutine[Any, Any, T]) -> T:
        self.calls[name] += 1
        if name in self.before:
            work.close()
            raise self.before[name]
        result = await work
        if name in self.after:
            raise self.after[name]
        return result
