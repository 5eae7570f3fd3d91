"""Uses what readers know about a message besides its text, with any extractor.

A vault of notes states entities and facts by its structure: notes, their tags, and the notes they link to. The
reader leaves them in a document's metadata: `note`, `title`, `tags`, `aliases`, `links`. What an extractor finds is
kept, and a note that it names too is one entity with it.

Placeholders of attached files, such as `[photo]`, are not words of the speaker: the metadata `media` lists them,
and extractors see blanks instead.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Mention, Window, said_at
from mnemo.ingestion.resolution.names import name_key, tidy_name, tidy_tags
from mnemo.models.graph import Episode

__all__ = ["StructureAware", "with_notes", "without_media"]

RELATION = "links_to"
_MOST_QUOTED = 300


class StructureAware:
    """An extractor that hides marks of media from another one, and adds what the structure of notes says."""

    def __init__(self, extractor: Extractor) -> None:
        """Keep the other extractor."""
        self._extractor = extractor

    async def extract(self, window: Window) -> Extraction:
        """Return what the other extractor finds, and what the structure of notes says.

        Raises:
            ProviderError: The other extractor failed.
        """
        said = without_media(window)
        found = await self._extractor.extract(said) if said is not None else Extraction()
        return with_notes(found if said is window else _quoted(found, window), window)


def without_media(window: Window) -> Window | None:
    """Return a window with placeholders of media blanked out; None if nothing is left to read.

    A message of nothing but media is left out.
    """
    episodes = tuple(_said(episode) for episode in window.episodes)
    if episodes == window.episodes:
        return window
    kept = tuple(episode for episode in episodes if episode.content.strip())
    context = tuple(episode for each in window.context if (episode := _said(each)).content.strip())
    return replace(window, episodes=kept, context=context) if kept else None


def _said(episode: Episode) -> Episode:
    media = [mark for mark in _names(episode.metadata, "media") if mark in episode.content]
    content = episode.content
    for mark in media:
        content = content.replace(mark, " " * len(mark))
    return replace(episode, content=content) if media else episode


def _quoted(extraction: Extraction, window: Window) -> Extraction:
    """Return facts with their quotes as the messages have them."""
    contents = {episode.uuid: episode.content for episode in window.episodes}
    facts = (replace(fact, quote=contents[fact.episode][fact.start : fact.end]) for fact in extraction.facts)
    return replace(extraction, facts=tuple(facts))


@dataclass(slots=True)
class _Draft:
    """Mentions by key, in order, and new facts."""

    mentions: dict[str, Mention]
    facts: dict[tuple[str, str], Fact] = field(default_factory=dict)

    def mention(self, name: str, episode: Episode) -> str:
        """Note that an episode names an entity; return the name under which it is kept."""
        key = name_key(name)
        known = self.mentions.get(key)
        if known is None:
            self.mentions[key] = Mention(name=name, kind="topic", episodes=(episode.uuid,))
        elif episode.uuid not in known.episodes:
            self.mentions[key] = replace(known, episodes=(*known.episodes, episode.uuid))
        return self.mentions[key].name


def with_notes(extraction: Extraction, window: Window) -> Extraction:
    """Return an extraction with the notes of a window, their tags and aliases, and a fact for each link.

    Args:
        extraction: What an extractor found.
        window: What it read.
    """
    draft = _Draft({name_key(mention.name): mention for mention in extraction.mentions})
    for episode in window.episodes:
        if episode.role == "document":
            _take(draft, episode)
    return replace(
        extraction, mentions=tuple(draft.mentions.values()), facts=(*extraction.facts, *draft.facts.values())
    )


def _take(draft: _Draft, episode: Episode) -> None:
    note = tidy_name(episode.metadata.get("note", ""))
    name = _note(draft, note, episode) if name_key(note) else None
    for target, shown in _links(episode.metadata):
        start = episode.content.find(shown)
        if start < 0 or not name_key(target):
            continue
        thing = draft.mention(target, episode)
        if name is not None and name_key(name) != name_key(thing):
            first, last = _sentence(episode.content, start, start + len(shown))
            draft.facts.setdefault(
                (name_key(name), name_key(thing)),
                Fact(
                    subject=name,
                    relation=RELATION,
                    object=thing,
                    fact=f"{name} links to {thing}",
                    episode=episode.uuid,
                    quote=episode.content[first:last],
                    start=first,
                    end=last,
                    said_at=said_at(episode),
                ),
            )


def _note(draft: _Draft, note: str, episode: Episode) -> str:
    """Note the note itself, with its tags and its other names."""
    name = draft.mention(note, episode)
    key = name_key(name)
    known = draft.mentions[key]
    others = [tidy_name(each) for each in (episode.metadata.get("title", ""), *_names(episode.metadata, "aliases"))]
    aliases = dict.fromkeys((*known.aliases, *(other for other in others if other and name_key(other) != key)))
    tags = tidy_tags((*_names(episode.metadata, "tags"), *known.tags))
    draft.mentions[key] = replace(known, aliases=tuple(aliases), tags=tags)
    return name


def _sentence(content: str, start: int, end: int) -> tuple[int, int]:
    """Return where the line around a link begins and ends, or the link alone in a very long one."""
    first = content.rfind("\n", 0, start) + 1
    last = content.find("\n", end)
    last = len(content) if last < 0 else last
    return (first, last) if last - first <= _MOST_QUOTED else (start, end)


def _links(metadata: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the target and the words of each link."""
    for link in _listed(metadata, "links"):
        words = [part for part in link if isinstance(part, str)] if isinstance(link, list) else []
        if len(words) == 2 and (target := tidy_name(words[0])) and (shown := words[1].strip()):  # noqa: PLR2004  # a pair
            yield target, shown


def _names(metadata: Mapping[str, str], key: str) -> list[str]:
    return [each for each in _listed(metadata, key) if isinstance(each, str)]


def _listed(metadata: Mapping[str, str], key: str) -> list[object]:
    """Return a list that the metadata holds as JSON; an empty one for anything else."""
    try:
        found = json.loads(metadata.get(key, "[]"))
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []
