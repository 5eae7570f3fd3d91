"""Collects the mentions and facts of a window, message by message."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mnemo.ingestion.extraction import Extraction, Fact, Mention
from mnemo.ingestion.local.names.entities import NamedEntity
from mnemo.ingestion.local.names.pronouns import Discourse
from mnemo.ingestion.resolution.names import name_key, tidy_tags
from mnemo.models.graph import Episode

__all__ = ["WindowCollector"]


@dataclass(slots=True)
class WindowCollector:
    """Mentions and facts of a window so far."""

    speakers: tuple[str, ...]
    nicknames: Mapping[str, str]
    """Full name by short form, for speakers."""
    discourse: Discourse = field(default_factory=Discourse)
    facts: list[Fact] = field(default_factory=list)
    unnamed_animal: tuple[str, str, str, int] | None = None
    """The last animal mentioned without a name: owner, noun, noun phrase, index of the message."""
    index: int = 0
    """Index of the current message in the window."""
    _entities: dict[str, NamedEntity] = field(default_factory=dict)
    _episodes: dict[str, dict[str, None]] = field(default_factory=dict)
    _writers: set[str] = field(default_factory=set)
    _writer_by_episode: dict[str, str] = field(default_factory=dict)
    _kinds_set: set[str] = field(default_factory=set)

    def add_mention(self, entity: NamedEntity, episode: Episode) -> str:
        """Add an entity mentioned in an episode; return its name as first written."""
        key = name_key(entity.name)
        existing = self._entities.setdefault(key, entity)
        if existing.kind == "topic" and entity.kind != "topic":
            self._entities[key] = NamedEntity(existing.name, entity.kind, entity.tags)
        self._episodes.setdefault(key, {})[episode.uuid] = None
        return existing.name

    def add_writer(self, speaker: str, episode: Episode) -> None:
        """Record who wrote an episode."""
        self.add_mention(NamedEntity(speaker, "person", ("person",)), episode)
        self._writers.add(name_key(speaker))
        self._writer_by_episode[episode.uuid] = speaker

    def set_kind(self, entity: NamedEntity) -> None:
        """Override an entity's guessed kind by the one that a relation implies; the first override wins."""
        key = name_key(entity.name)
        if key in self._kinds_set or key in {name_key(speaker) for speaker in self.speakers}:
            return
        self._kinds_set.add(key)
        self._entities[key] = NamedEntity(self._entities[key].name, entity.kind, entity.tags)

    def recent_episodes(self, episode: Episode, speaker: str | None) -> set[str]:
        """Return the uuids of the speaker's episodes among the last three, without `episode` itself."""
        return {
            uuid for uuid, who in list(self._writer_by_episode.items())[-3:] if who == speaker and uuid != episode.uuid
        }

    def find_entity(self, name: str) -> NamedEntity | None:
        """Return the entity with a name, if the window has mentioned it."""
        return self._entities.get(name_key(name))

    def is_speaker(self, name: str) -> bool:
        """Return whether a name is a speaker's."""
        return name in self.speakers

    def extraction(self) -> Extraction:
        """Return all mentions and facts."""
        return Extraction(
            mentions=tuple(
                Mention(
                    name=entity.name,
                    kind=entity.kind,
                    tags=tidy_tags(entity.tags),
                    speaker=key in self._writers,
                    aliases=tuple(short for short, name in self.nicknames.items() if name == entity.name),
                    episodes=tuple(self._episodes[key]),
                )
                for key, entity in self._entities.items()
            ),
            facts=tuple(self.facts),
        )
