"""A small memory with known categories."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from mnemo.clock import SystemClock
from mnemo.hierarchy.categories.builder import Builder
from mnemo.hierarchy.categories.categoriser import Categorisation, Item, ProposedCategory, ReplyCache
from mnemo.ingestion.extraction import Extraction, Window
from mnemo.ingestion.pipeline import Pipeline
from mnemo.models.graph import Message
from mnemo.models.tree import Vector
from mnemo.store.driver import Database
from support.builders import ScriptedExtractor
from support.embedders import HashEmbedder, vector

START = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)
CHAT = (
    ("Ana", "Ana adopted Rex"),
    ("Ben", "Ben adopted Tom"),
    ("Ana", "Ana plays Violin"),
    ("Ben", "Ben plays Piano"),
    ("Ana", "Rex chased Tom"),
    ("Ben", "Ana owns Lute"),
)
SHELVES: Mapping[str, Sequence[str]] = {
    "Pets": ("Rex", "Tom", "Lute"),
    "Instruments": ("Violin", "Piano", "Lute"),
    "Animals": ("Pets",),
    "Music": ("Instruments", "Pets"),
}
"""Members by category name; Lute and Pets are each in two categories."""


class WordEmbedder(HashEmbedder):
    """Embeds a text by the mean of random word vectors, so texts that share words are similar."""

    async def passages(self, texts: Sequence[str]) -> Vector:
        self.texts += len(texts)
        return np.stack([words_vector(text) for text in texts])


def words_vector(text: str) -> Vector:
    words = "".join(character if character.isalnum() else " " for character in text.casefold()).split()
    total = np.sum([vector(word) for word in words] or [vector("")], axis=0)
    return (total / np.linalg.norm(total)).astype(np.float32)


class SpeakerExtractor(ScriptedExtractor):
    """Extracts by rule and marks the authors as speakers."""

    async def extract(self, window: Window) -> Extraction:
        found = await super().extract(window)
        speakers = {episode.speaker for episode in window.episodes}
        return replace(found, mentions=tuple(replace(each, speaker=each.name in speakers) for each in found.mentions))


class ByName:
    """Groups items by a plan of names and counts its calls."""

    def __init__(self, plan: Mapping[str, Sequence[str]] = SHELVES) -> None:
        self.plan = plan
        self.calls = 0

    async def categorise(self, items: Sequence[Item], layer: int, replies: ReplyCache) -> Categorisation:  # noqa: ARG002  # the protocol's
        self.calls += 1
        places = {item.name: place for place, item in enumerate(items)}
        groups = [
            ProposedCategory(name=name, members=tuple(sorted(places[member] for member in members if member in places)))
            for name, members in self.plan.items()
        ]
        return Categorisation(categories=tuple(group for group in groups if group.members))


def messages(chat: Sequence[tuple[str, str]] = CHAT, *, session: str = "s", start: datetime = START) -> list[Message]:
    return [
        Message(content=text, speaker=who, session=session, occurred_at=start + timedelta(days=day), zone="UTC")
        for day, (who, text) in enumerate(chat)
    ]


def pipeline(database: Database, **parts: object) -> Pipeline:
    return Pipeline(database, WordEmbedder(), SpeakerExtractor(), **parts)  # type: ignore[arg-type]  # named parts


async def remember(database: Database, group: str, chat: Sequence[tuple[str, str]] = CHAT, **fields: object) -> None:
    made = pipeline(database)
    await made.acknowledge(group, messages(chat, **fields))  # type: ignore[arg-type]  # session or start
    await made.process(group)


def builder(database: Database, categoriser: object | None = None) -> Builder:
    return Builder(
        database=database,
        categoriser=categoriser or ByName(),  # type: ignore[arg-type]  # a Categoriser
        embedder=WordEmbedder(),
        clock=SystemClock(),
    )
