"""What of an LLM's reply may be believed: quotes that are there, names that are there, numbers in range."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mnemo.ingestion.extraction import Extraction, Fact, Kind, Mention, Window, said_at
from mnemo.ingestion.fact_times import in_brackets, timing
from mnemo.ingestion.llm.prompts import EXAMPLE_NAMES, EntityReply, ExtractReply, FactReply
from mnemo.ingestion.quotes import Grounds, find_quote
from mnemo.ingestion.resolution.names import name_key, tidy_name, tidy_tags
from mnemo.ingestion.resolution.relations import canonical
from mnemo.ingestion.speakers import speaker_of, speakers_of
from mnemo.models.graph import Episode
from mnemo.models.results import Usage

__all__ = ["validated"]

_SELF = frozenset(["i", "me", "my", "myself", "user", "the user", "speaker", "the speaker", "we", "us"])
MAX_FACT_CHARS = 500


def validated(window: Window, chosen: Sequence[Episode], replies: Sequence[ExtractReply], usage: Usage) -> Extraction:
    """Turn replies into an extraction, refusing and counting what cannot be held against the window.

    Refused: a fact whose quote is not in its message (`quote_not_found`), whose message number is out
    of range (`no_such_message`), about a name that neither window nor context has (`unknown_name`), or
    with a name from the prompt's example (`copied_example`); an entity likewise; a tag too long or
    past the fifth (`tag`). Two facts with the same subject, relation, object and quote are one.

    Args:
        window: What was read.
        chosen: The episodes as they were numbered, from 1.
        replies: Of the extraction and of reflections, in order.
        usage: What they cost.
    """
    draft = _Draft(window, chosen)
    for reply in replies:
        for entity in reply.entities:
            draft.take_entity(entity)
    for reply in replies:
        for fact in reply.facts:
            draft.take_fact(fact)
    return draft.extraction(usage)


@dataclass(slots=True)
class _Entity:
    """A mention in the making."""

    name: str
    kind: Kind
    speaker: bool = False
    tags: list[str] = field(default_factory=list)
    summary: str = ""
    aliases: dict[str, None] = field(default_factory=dict)
    episodes: dict[str, None] = field(default_factory=dict)


class _Draft:
    """An extraction in the making."""

    def __init__(self, window: Window, chosen: Sequence[Episode]) -> None:
        self._chosen = chosen
        speakers = speakers_of(window)
        self._speakers = {name_key(name): name for name in speakers}
        texts = [episode.content for episode in (*window.context, *chosen)]
        self._grounds = Grounds([*speakers, *texts])
        self._entities: dict[str, _Entity] = {}
        self._facts: dict[tuple[str, str, str | None, str, int], Fact] = {}
        self._refused: Counter[str] = Counter()
        for episode in chosen:
            name = speaker_of(episode)
            if name is not None:
                self._entity(name, "person").speaker = True
                self._entity(name, "person").episodes[episode.uuid] = None

    def take_entity(self, reply: EntityReply) -> None:
        """Keep an entity that a message of the window names."""
        numbers = [number for number in reply.messages if 1 <= number <= len(self._chosen)]
        self._refused["no_such_message"] += len(reply.messages) - len(numbers)
        name = self._believed(reply.name, None)
        episodes = [self._chosen[number - 1] for number in numbers]
        episodes = episodes or [e for e in self._chosen if name and name_key(name) in name_key(e.content)]
        if name is None or not episodes:
            self._refused["unknown_name"] += name is not None
            return
        entity = self._entity(name, reply.kind)
        entity.tags += reply.tags
        entity.summary = entity.summary or " ".join(reply.summary.split())[:MAX_FACT_CHARS]
        entity.aliases.update(dict.fromkeys(self._aliases(reply, name)))
        entity.episodes.update(dict.fromkeys(episode.uuid for episode in episodes))

    def take_fact(self, reply: FactReply) -> None:
        """Keep a fact whose quote and names are there."""
        if not 1 <= reply.message <= len(self._chosen):
            self._refused["no_such_message"] += 1
            return
        episode = self._chosen[reply.message - 1]
        span = find_quote(episode.content, reply.quote)
        text = " ".join(reply.fact.split())[:MAX_FACT_CHARS]
        if span is None or not text:
            self._refused["quote_not_found"] += 1
            return
        if self._copied(text):
            self._refused["copied_example"] += 1
            return
        subject = self._believed(reply.subject, episode)
        target = self._believed(reply.object, episode) if reply.object else None
        if subject is None or (reply.object and target is None):
            return
        self._keep(reply, episode, span, (subject, target))

    def extraction(self, usage: Usage) -> Extraction:
        """Return what was kept."""
        mentions = []
        for entity in self._entities.values():
            tags = tidy_tags(entity.tags)
            self._refused["tag"] += len({tag.strip().lower() for tag in entity.tags}) - len(tags)
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
        refused = {reason: number for reason, number in sorted(self._refused.items()) if number > 0}
        return Extraction(mentions=tuple(mentions), facts=tuple(self._facts.values()), dropped=refused, usage=usage)

    def _keep(self, reply: FactReply, episode: Episode, span: tuple[int, int], names: tuple[str, str | None]) -> None:
        subject, target = names
        for name in names:
            if name is not None:
                self._entity(name, "thing").episodes[episode.uuid] = None
        quote = episode.content[slice(*span)]
        phrase = reply.when if reply.when and find_quote(episode.content, reply.when) else None
        time = timing(phrase, episode, span)
        relation, state = canonical(reply.relation, reply.state)
        text = " ".join(reply.fact.split())[:MAX_FACT_CHARS]
        fact = Fact(
            subject=subject,
            relation=relation,
            object=target,
            fact=f"{text.rstrip('.')} ({in_brackets(time.when, episode)})" if time.when is not None else text,
            episode=episode.uuid,
            quote=quote,
            start=span[0],
            end=span[1],
            said_at=said_at(episode),
            state=state,
            valid_from=None if state == "ends" else time.start,
            valid_to=time.start if state == "ends" else time.end,
            when=phrase,
            precision=time.when.precision if time.when is not None else "unknown",
        )
        self._facts.setdefault((subject, relation, target, episode.uuid, span[0]), fact)

    def _believed(self, name: str, episode: Episode | None) -> str | None:
        """Return a name as it is kept; None, and counted, when the window does not have it."""
        tidy = tidy_name(name)
        if tidy.casefold() in _SELF:
            return speaker_of(episode) if episode is not None else None
        if name_key(tidy) in self._speakers:
            return self._speakers[name_key(tidy)]
        if self._copied(tidy):
            self._refused["copied_example"] += 1
            return None
        if not tidy or not self._grounds.support(tidy):
            self._refused["unknown_name"] += 1
            return None
        known = self._entities.get(name_key(tidy))
        return known.name if known is not None else tidy

    def _copied(self, text: str) -> bool:
        words = set(name_key(text).split())
        return any(word in words and not self._grounds.support(word) for word in EXAMPLE_NAMES)

    def _aliases(self, reply: EntityReply, name: str) -> list[str]:
        tidied = (tidy_name(alias) for alias in reply.aliases)
        return [a for a in tidied if a and a.casefold() not in _SELF and a != name and self._grounds.support(a)]

    def _entity(self, name: str, kind: Kind) -> _Entity:
        return self._entities.setdefault(name_key(name), _Entity(name, kind))
