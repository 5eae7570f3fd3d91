"""Adds to any extractor what readers know about a message besides its text.

The structure of a vault states entities and facts: notes, their tags, and the notes they link to. Readers put these
into a document's metadata `note`, `title`, `tags`, `aliases` and `links`. They are added to what the extractor finds;
a note that the extractor found too becomes one entity.

Placeholders of attached files, such as `[photo]`, are not the speaker's words. The metadata `media` lists them, and
extractors see blanks instead.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mnemo.ingestion.extraction import Extraction, Extractor, Fact, Mention, Window, said_at
from mnemo.ingestion.resolution.names import name_key, tidy_name, tidy_tags
from mnemo.models.graph import Episode

__all__ = ["StructuredExtractor", "with_notes", "without_media"]

RELATION = "links_to"
_MAX_QUOTE_CHARS = 300


class StructuredExtractor:
    """Wraps an extractor: hides placeholders of media from it, and adds entities and facts from notes' structure."""

    def __init__(self, extractor: Extractor) -> None:
        """Store the wrapped extractor."""
        self._extractor = extractor

    async def extract(self, window: Window) -> Extraction:
        """Return the wrapped extractor's result with entities and facts from the structure of notes.

        Raises:
            ProviderError: The wrapped extractor failed.
        """
        blanked = without_media(window)
        found = await self._extractor.extract(blanked) if blanked is not None else Extraction()
        return with_notes(found if blanked is window else _restore_quotes(found, window), window)


def without_media(window: Window) -> Window | None:
    """Return a window with placeholders of media blanked out; None if no text is left.

    Messages that consist of media only are left out.
    """
    episodes = tuple(_blank_media(episode) for episode in window.episodes)
    if episodes == window.episodes:
        return window
    kept = tuple(episode for episode in episodes if episode.content.strip())
    context = tuple(episode for each in window.context if (episode := _blank_media(each)).content.strip())
    return replace(window, episodes=kept, context=context) if kept else None


def _blank_media(episode: Episode) -> Episode:
    media = [mark for mark in _strings(episode.metadata, "media") if mark in episode.content]
    content = episode.content
    for mark in media:
        content = content.replace(mark, " " * len(mark))
    return replace(episode, content=content) if media else episode


def _restore_quotes(extraction: Extraction, window: Window) -> Extraction:
    """Return the facts with quotes from the original messages."""
    contents = {episode.uuid: episode.content for episode in window.episodes}
    facts = (replace(fact, quote=contents[fact.episode][fact.start : fact.end]) for fact in extraction.facts)
    return replace(extraction, facts=tuple(facts))


@dataclass(slots=True)
class _NoteItems:
    """Mentions by name key, in order, and new facts by subject and object."""

    mentions: dict[str, Mention]
    facts: dict[tuple[str, str], Fact] = field(default_factory=dict)

    def mention(self, name: str, episode: Episode) -> str:
        """Add a mention of an entity by an episode; return its name as first written."""
        key = name_key(name)
        existing = self.mentions.get(key)
        if existing is None:
            self.mentions[key] = Mention(name=name, kind="topic", episodes=(episode.uuid,))
        elif episode.uuid not in existing.episodes:
            self.mentions[key] = replace(existing, episodes=(*existing.episodes, episode.uuid))
        return self.mentions[key].name


def with_notes(extraction: Extraction, window: Window) -> Extraction:
    """Return an extraction with the notes of a window, their tags and aliases, and a fact for each link.

    Args:
        extraction: An extractor's result for the window.
        window: The window.
    """
    items = _NoteItems({name_key(mention.name): mention for mention in extraction.mentions})
    for episode in window.episodes:
        if episode.role == "document":
            _add_document(items, episode)
    return replace(
        extraction, mentions=tuple(items.mentions.values()), facts=(*extraction.facts, *items.facts.values())
    )


def _add_document(items: _NoteItems, episode: Episode) -> None:
    note = tidy_name(episode.metadata.get("note", ""))
    name = _add_note(items, note, episode) if name_key(note) else None
    for target, link_text in _links(episode.metadata):
        start = episode.content.find(link_text)
        if start < 0 or not name_key(target):
            continue
        target_name = items.mention(target, episode)
        if name is not None and name_key(name) != name_key(target_name):
            first, last = _sentence(episode.content, start, start + len(link_text))
            items.facts.setdefault(
                (name_key(name), name_key(target_name)),
                Fact(
                    subject=name,
                    relation=RELATION,
                    object=target_name,
                    fact=f"{name} links to {target_name}",
                    episode=episode.uuid,
                    quote=episode.content[first:last],
                    start=first,
                    end=last,
                    said_at=said_at(episode),
                ),
            )


def _add_note(items: _NoteItems, note: str, episode: Episode) -> str:
    """Add a note as an entity, with its tags and aliases; return its name as first written."""
    name = items.mention(note, episode)
    key = name_key(name)
    existing = items.mentions[key]
    others = [tidy_name(each) for each in (episode.metadata.get("title", ""), *_strings(episode.metadata, "aliases"))]
    aliases = dict.fromkeys((*existing.aliases, *(other for other in others if other and name_key(other) != key)))
    tags = tidy_tags((*_strings(episode.metadata, "tags"), *existing.tags))
    items.mentions[key] = replace(existing, aliases=tuple(aliases), tags=tags)
    return name


def _sentence(content: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of the line around a link; those of the link if the line is very long."""
    first = content.rfind("\n", 0, start) + 1
    last = content.find("\n", end)
    last = len(content) if last < 0 else last
    return (first, last) if last - first <= _MAX_QUOTE_CHARS else (start, end)


def _links(metadata: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield target and text of each link."""
    for link in _json_list(metadata, "links"):
        words = [part for part in link if isinstance(part, str)] if isinstance(link, list) else []
        if len(words) == 2 and (target := tidy_name(words[0])) and (link_text := words[1].strip()):  # noqa: PLR2004  # a pair
            yield target, link_text


def _strings(metadata: Mapping[str, str], key: str) -> list[str]:
    return [each for each in _json_list(metadata, key) if isinstance(each, str)]


def _json_list(metadata: Mapping[str, str], key: str) -> list[object]:
    """Return a JSON list from the metadata; an empty list for anything else."""
    try:
        found = json.loads(metadata.get(key, "[]"))
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []
