"""Checks an LLM's reply against its window: quotes and names must occur in it, message numbers must be in range."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemo.ingestion.extraction import Extraction, Fact, Kind, Mention, Window, said_at
from mnemo.ingestion.fact_times import format_time, resolve_timing
from mnemo.ingestion.llm.prompts import EXAMPLE_NAMES
from mnemo.ingestion.llm.replies import EntityReply, ExtractReply, FactReply
from mnemo.ingestion.quotes import WindowWords, find_quote
from mnemo.ingestion.resolution.names import has_pronoun, is_alias, name_key, tidy_name, tidy_tags
from mnemo.ingestion.resolution.relations import canonical
from mnemo.ingestion.speakers import speaker_of, speakers_of
from mnemo.models.graph import Episode
from mnemo.models.results import Usage

__all__ = ["validate_replies"]

_FIRST_PERSON = frozenset(["i", "me", "my", "myself", "user", "the user", "speaker", "the speaker", "we", "us"])
_POSSESSIVES = frozenset(["my", "our"])
MAX_FACT_CHARS = 500


def validate_replies(
    window: Window, chosen: Sequence[Episode], replies: Sequence[ExtractReply], usage: Usage
) -> Extraction:
    """Turn replies into an extraction; drop and count the items that the window does not support.

    Reasons: `unreadable` (not an entity or fact), `no_such_message` (message number out of range),
    `quote_not_found` (the quote is not in its message), `unknown_name` (a name that is neither in the window
    nor in its context), `not_a_name` (an alias or name such as "my friend" or "her boss"), `copied_example`
    (a name from the prompt's example), `tag` (too long, or after the fifth), `repeated` (the same fact again).

    Args:
        window: The extracted window.
        chosen: The episodes in the order of their numbers, from 1.
        replies: The replies to the extraction and reflection prompts, in order.
        usage: Usage of these calls.
    """
    builder = _ExtractionBuilder(window, chosen)
    for reply in replies:
        builder.drop("unreadable", reply.junk)
        for entity in reply.entities:
            builder.add_entity(entity)
    for reply in replies:
        for fact in reply.facts:
            builder.add_fact(fact)
    return builder.extraction(usage)


@dataclass(slots=True)
class _Entity:
    """A mention being built."""

    name: str
    kind: Kind
    speaker: bool = False
    tags: list[str] = field(default_factory=list)
    summary: str = ""
    aliases: dict[str, None] = field(default_factory=dict)
    episodes: dict[str, None] = field(default_factory=dict)


class _ExtractionBuilder:
    """An extraction being built."""

    def __init__(self, window: Window, chosen: Sequence[Episode]) -> None:
        self._chosen = chosen
        speakers = speakers_of(window)
        self._speakers = {name_key(name): name for name in speakers}
        texts = [episode.content for episode in (*window.context, *chosen)]
        self._window_words = WindowWords([*speakers, *texts])
        self._entities: dict[str, _Entity] = {}
        self._facts: dict[tuple[str, str, str | None, str, int], Fact] = {}
        self._dropped: Counter[str] = Counter()
        for episode in chosen:
            name = speaker_of(episode)
            if name is not None:
                self._entity(name, "person").speaker = True
                self._entity(name, "person").episodes[episode.uuid] = None

    def drop(self, reason: str, count: int = 1) -> None:
        """Count dropped items under a reason."""
        self._dropped[reason] += count

    def add_entity(self, reply: EntityReply) -> None:
        """Add an entity that an episode of the window mentions; drop others."""
        episodes_listed = [self._chosen[number - 1] for number in reply.messages if 1 <= number <= len(self._chosen)]
        self.drop("no_such_message", len(reply.messages) - len(episodes_listed))
        name = self._supported_name(reply.name, episodes_listed)
        if name is None:
            return
        episodes = episodes_listed or [
            episode for episode in self._chosen if name_key(name) in name_key(episode.content)
        ]
        if not episodes:
            self.drop("unknown_name")
            return
        entity = self._entity(name, reply.kind)
        entity.tags += reply.tags
        entity.summary = entity.summary or " ".join(reply.summary.split())[:MAX_FACT_CHARS]
        entity.aliases.update(dict.fromkeys(self._aliases(reply, name)))
        entity.episodes.update(dict.fromkeys(episode.uuid for episode in episodes))

    def add_fact(self, reply: FactReply) -> None:
        """Add a fact whose quote and names occur in the window; drop others."""
        if not 1 <= reply.message <= len(self._chosen):
            self.drop("no_such_message")
            return
        episode = self._chosen[reply.message - 1]
        span = find_quote(episode.content, reply.quote)
        text = " ".join(reply.fact.split())[:MAX_FACT_CHARS]
        if span is None or not any(character.isalnum() for character in text):
            self.drop("quote_not_found" if span is None else "unreadable")
            return
        if self._is_copied(text):
            self.drop("copied_example")
            return
        subject = self._supported_name(reply.subject, [episode])
        is_description = reply.object is not None and has_pronoun(tidy_name(reply.object))
        target = self._supported_name(reply.object, [episode]) if reply.object and tidy_name(reply.object) else None
        if subject is None or (reply.object and target is None and not is_description):
            return
        self._store_fact(reply, episode, span, (subject, target))

    def extraction(self, usage: Usage) -> Extraction:
        """Return the extraction of all items added."""
        mentions = []
        for entity in self._entities.values():
            tags = tidy_tags(entity.tags)
            self.drop("tag", len({tag.strip().lower() for tag in entity.tags}) - len(tags))
            mentions.append(
                Mention(
                    name=entity.name,
                    kind=entity.kind,
                    tags=tags,
                    summary=entity.summary,
                    aliases=tuple(entity.aliases),
                    speaker=entity.speaker,
                    episodes=tuple(entity.episodes),
                ),
            )
        dropped = {reason: number for reason, number in sorted(self._dropped.items()) if number > 0}
        return Extraction(mentions=tuple(mentions), facts=tuple(self._facts.values()), dropped=dropped, usage=usage)

    def _store_fact(
        self, reply: FactReply, episode: Episode, span: tuple[int, int], names: tuple[str, str | None]
    ) -> None:
        subject, target = names
        for name in names:
            if name is not None:
                self._entity(name, "thing").episodes[episode.uuid] = None
        phrase = reply.when if reply.when and find_quote(episode.content, reply.when) else None
        time = resolve_timing(phrase, episode, span)
        relation, state = canonical(reply.relation, reply.state)
        text = " ".join(reply.fact.split())[:MAX_FACT_CHARS]
        fact = Fact(
            subject=subject,
            relation=relation,
            object=target,
            fact=f"{text.rstrip('.')} ({format_time(time.when, episode)})" if time.when is not None else text,
            episode=episode.uuid,
            quote=episode.content[slice(*span)],
            start=span[0],
            end=span[1],
            said_at=said_at(episode),
            state=state,
            valid_from=None if state == "ends" else time.start,
            valid_to=time.start if state == "ends" else time.end,
            when=phrase,
            precision=time.when.precision if time.when is not None else "unknown",
            recurs=time.when.recurs if time.when is not None else None,
        )
        key = (subject, relation, target, episode.uuid, span[0])
        self.drop("repeated", key in self._facts)
        self._facts.setdefault(key, fact)

    def _supported_name(self, name: str, episodes: Sequence[Episode]) -> str | None:
        """Return a name tidied and resolved; None, and counted as dropped, if the window does not support it.

        Args:
            name: The name in the reply.
            episodes: The episodes that mention it; "I" and "my" refer to their speaker, if it is only one.
        """
        speakers = {speaker_of(episode) for episode in episodes}
        speaker = next(iter(speakers)) if len(speakers) == 1 else None
        tidy = _with_owner(tidy_name(name), speaker)
        if tidy.casefold() in _FIRST_PERSON:
            return speaker
        if name_key(tidy) in self._speakers:
            return self._speakers[name_key(tidy)]
        problem = self._problem(tidy)
        if problem is not None:
            self.drop(problem)
            return None
        known = self._entities.get(name_key(tidy))
        return known.name if known is not None else tidy

    def _problem(self, name: str) -> str | None:
        """Return why a name is not supported; None if it is."""
        if self._is_copied(name):
            return "copied_example"
        if has_pronoun(name):
            return "not_a_name"
        return None if name and self._window_words.contains_name(name) else "unknown_name"

    def _is_copied(self, text: str) -> bool:
        words = set(name_key(text).split())
        return any(word in words and not self._window_words.contains_name(word) for word in EXAMPLE_NAMES)

    def _aliases(self, reply: EntityReply, name: str) -> list[str]:
        """Return the aliases of an entity that the window supports."""
        aliases: list[str] = []
        for alias in map(tidy_name, reply.aliases):
            if alias in {"", name}:
                continue
            problem = self._problem(alias) if is_alias(alias, name) else "not_a_name"
            if problem is None:
                aliases.append(alias)
            else:
                self.drop(problem)
        return aliases

    def _entity(self, name: str, kind: Kind) -> _Entity:
        return self._entities.setdefault(name_key(name), _Entity(name, kind))


def _with_owner(name: str, speaker: str | None) -> str:
    """Return a name with its owner: `my sister` said by Ana becomes `Ana's sister`."""
    first, _, rest = name.partition(" ")
    return f"{speaker}'s {rest}" if speaker and rest and first.casefold() in _POSSESSIVES else name
