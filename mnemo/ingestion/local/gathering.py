"""Collects the mentions and facts of a window, message by message."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mnemo.ingestion.extraction import Extraction, Fact, Mention
from mnemo.ingestion.local.names.entities import NamedEntity
from mnemo.ingestion.local.names.pronouns import Discourse
from mnemo.ingestion.resolution.names import name_key, tidy_tags
from mnemo.models.graph import Episode

__all__ = ["Gathering"]


@dataclass(slots=True)
class Gathering:
    """Mentions and facts of a window so far."""

    speakers: tuple[str, ...]
    nicknames: Mapping[str, str]
    """Short forms of speakers' names, with the full names."""
    discourse: Discourse = field(default_factory=Discourse)
    facts: list[Fact] = field(default_factory=list)
    unnamed: tuple[str, str, str, int] | None = None
    """An animal that has no name yet: its owner, its noun, the words used, and the index of the message."""
    place: int = 0
    """Of the message that is read."""
    _entities: dict[str, NamedEntity] = field(default_factory=dict)
    _episodes: dict[str, dict[str, None]] = field(default_factory=dict)
    _writers: set[str] = field(default_factory=set)
    _said: dict[str, str] = field(default_factory=dict)
    _settled: set[str] = field(default_factory=set)

    def mention(self, entity: NamedEntity, episode: Episode) -> str:
        """Add an entity; return the name under which it is kept."""
        key = name_key(entity.name)
        kept = self._entities.setdefault(key, entity)
        if kept.kind == "topic" and entity.kind != "topic":
            self._entities[key] = NamedEntity(kept.name, entity.kind, entity.tags)
        self._episodes.setdefault(key, {})[episode.uuid] = None
        return kept.name

    def writes(self, speaker: str, episode: Episode) -> None:
        """Record who wrote an episode."""
        self.mention(NamedEntity(speaker, "person", ("person",)), episode)
        self._writers.add(name_key(speaker))
        self._said[episode.uuid] = speaker

    def settle(self, entity: NamedEntity) -> None:
        """Replace the parser's guess of a kind by the one that a relation implies; the first such kind wins."""
        key = name_key(entity.name)
        if key in self._settled or key in {name_key(speaker) for speaker in self.speakers}:
            return
        self._settled.add(key)
        self._entities[key] = NamedEntity(self._entities[key].name, entity.kind, entity.tags)

    def recent(self, episode: Episode, speaker: str | None) -> set[str]:
        """Return the uuids of a speaker's last three episodes before an episode."""
        return {uuid for uuid, who in list(self._said.items())[-3:] if who == speaker and uuid != episode.uuid}

    def known(self, name: str) -> NamedEntity | None:
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
