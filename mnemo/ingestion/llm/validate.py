"""Checks an LLM's reply against its window: quotes and names must occur there, message numbers must be in range."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemo.ingestion.extraction import Extraction, Fact, Kind, Mention, Window, said_at
from mnemo.ingestion.fact_times import format_time, resolve_timing
from mnemo.ingestion.llm.prompts import EXAMPLE_NAMES
from mnemo.ingestion.llm.replies import EntityReply, ExtractReply, FactReply
from mnemo.ingestion.quotes import Grounds, find_quote
from mnemo.ingestion.resolution.names import has_pronoun, is_alias, name_key, tidy_name, tidy_tags
from mnemo.ingestion.resolution.relations import canonical
from mnemo.ingestion.speakers import speaker_of, speakers_of
from mnemo.models.graph import Episode
from mnemo.models.results import Usage

__all__ = ["validated"]

_SELF = frozenset(["i", "me", "my", "myself", "user", "the user", "speaker", "the speaker", "we", "us"])
_OURS = frozenset(["my", "our"])
MAX_FACT_CHARS = 500


def validated(window: Window, chosen: Sequence[Episode], replies: Sequence[ExtractReply], usage: Usage) -> Extraction:
    """Turn replies into an extraction; drop and count what the window does not support.

    Reasons: `unreadable` (an item that is no entity or fact), `no_such_message` (a message number out of
    range), `quote_not_found` (the quote is not in its message), `unknown_name` (a name that neither window
    nor context has), `not_a_name` (an alias or name such as "my friend" or "her boss"), `copied_example` (a
    name from the prompt's example), `tag` (too long, or past the fifth), `repeated` (the same fact again).

    Args:
        window: What was read.
        chosen: The episodes as they were numbered, from 1.
        replies: Of the extraction and of reflections, in order.
        usage: What they cost.
    """
    draft = _Draft(window, chosen)
    for reply in replies:
        draft.drop("unreadable", reply.junk)
        for entity in reply.entities:
            draft.take_entity(entity)
    for reply in replies:
        for fact in reply.facts:
            draft.take_fact(fact)
    return draft.extraction(usage)


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


class _Draft:
    """An extraction being built."""

    def __init__(self, window: Window, chosen: Sequence[Episode]) -> None:
        self._chosen = chosen
        speakers = speakers_of(window)
        self._speakers = {name_key(name): name for name in speakers}
        texts = [episode.content for episode in (*window.context, *chosen)]
        self._grounds = Grounds([*speakers, *texts])
        self._entities: dict[str, _Entity] = {}
        self._facts: dict[tuple[str, str, str | None, str, int], Fact] = {}
        self._dropped: Counter[str] = Counter()
        for episode in chosen:
            name = speaker_of(episode)
            if name is not None:
                self._entity(name, "person").speaker = True
                self._entity(name, "person").episodes[episode.uuid] = None

    def drop(self, reason: str, count: int = 1) -> None:
        """Count what is dropped."""
        self._dropped[reason] += count

    def take_entity(self, reply: EntityReply) -> None:
        """Keep an entity that a message of the window names."""
        listed = [self._chosen[number - 1] for number in reply.messages if 1 <= number <= len(self._chosen)]
        self.drop("no_such_message", len(reply.messages) - len(listed))
        name = self._believed(reply.name, listed)
        if name is None:
            return
        episodes = listed or [episode for episode in self._chosen if name_key(name) in name_key(episode.content)]
        if not episodes:
            self.drop("unknown_name")
            return
        entity = self._entity(name, reply.kind)
        entity.tags += reply.tags
        entity.summary = entity.summary or " ".join(reply.summary.split())[:MAX_FACT_CHARS]
        entity.aliases.update(dict.fromkeys(self._aliases(reply, name)))
        entity.episodes.update(dict.fromkeys(episode.uuid for episode in episodes))

    def take_fact(self, reply: FactReply) -> None:
        """Keep a fact whose quote and names are there."""
        if not 1 <= reply.message <= len(self._chosen):
            self.drop("no_such_message")
            return
        episode = self._chosen[reply.message - 1]
        span = find_quote(episode.content, reply.quote)
        text = " ".join(reply.fact.split())[:MAX_FACT_CHARS]
        if span is None or not any(character.isalnum() for character in text):
            self.drop("quote_not_found" if span is None else "unreadable")
            return
        if self._copied(text):
            self.drop("copied_example")
            return
        subject = self._believed(reply.subject, [episode])
        described = reply.object is not None and has_pronoun(tidy_name(reply.object))
        target = self._believed(reply.object, [episode]) if reply.object and tidy_name(reply.object) else None
        if subject is None or (reply.object and target is None and not described):
            return
        self._keep(reply, episode, span, (subject, target))

    def extraction(self, usage: Usage) -> Extraction:
        """Return what was kept."""
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

    def _keep(self, reply: FactReply, episode: Episode, span: tuple[int, int], names: tuple[str, str | None]) -> None:
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

    def _believed(self, name: str, episodes: Sequence[Episode]) -> str | None:
        """Return a name as it is kept; None, and counted, if the window does not have it.

        Args:
            name: As given.
            episodes: Which of them name it: "I" and "my" mean their speaker, if they have one only.
        """
        speakers = {speaker_of(episode) for episode in episodes}
        speaker = next(iter(speakers)) if len(speakers) == 1 else None
        tidy = _owned(tidy_name(name), speaker)
        if tidy.casefold() in _SELF:
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
        """Return why a name is not believed; None if it is."""
        if self._copied(name):
            return "copied_example"
        if has_pronoun(name):
            return "not_a_name"
        return None if name and self._grounds.support(name) else "unknown_name"

    def _copied(self, text: str) -> bool:
        words = set(name_key(text).split())
        return any(word in words and not self._grounds.support(word) for word in EXAMPLE_NAMES)

    def _aliases(self, reply: EntityReply, name: str) -> list[str]:
        """Return the other names of an entity that the window has."""
        kept: list[str] = []
        for alias in map(tidy_name, reply.aliases):
            if alias in {"", name}:
                continue
            problem = self._problem(alias) if is_alias(alias, name) else "not_a_name"
            if problem is None:
                kept.append(alias)
            else:
                self.drop(problem)
        return kept

    def _entity(self, name: str, kind: Kind) -> _Entity:
        return self._entities.setdefault(name_key(name), _Entity(name, kind))


def _owned(name: str, speaker: str | None) -> str:
    """Return a name with its owner: my sister, said by Ana, is Ana's sister."""
    first, _, rest = name.partition(" ")
    return f"{speaker}'s {rest}" if speaker and rest and first.casefold() in _OURS else name
