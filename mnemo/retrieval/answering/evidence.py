"""Facts and messages as evidence for an answer, each with the messages before it: pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemo.models.graph import Edge, Episode
from mnemo.models.results import Found
from mnemo.retrieval.question import features
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.ranking.term_overlap import words

__all__ = ["Evidence", "gather_evidence"]

_BEFORE = 4
"""Messages of the same session that are read as the context of one."""
_NEAR = 2
"""Of these, how many may lend words."""
_FACTS = 20
_MESSAGES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One fact, or one message, that may answer."""

    text: str
    """The fact's sentence, or the whole message."""
    stems: frozenset[str]
    speaker: str | None
    """Who said it; None for a fact and for a document."""
    about: tuple[str, ...]
    """Names of the fact's subject and object."""
    before: tuple[tuple[str, str], ...]
    """Speaker and text of messages just before, nearest first; for a fact its own message first."""
    before_stems: frozenset[str]
    """Stems of the nearest of them, without names of speakers."""
    sources: tuple[str, ...]
    """Uuids of episodes, newest last."""
    edge: Edge | None
    moment: datetime | None
    """When it began to hold, or was said."""
    cosine: float
    """To the question; 0 if unknown."""
    rank: int
    """Among its type, from 0."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts and names that it comes with."""
        before = (part for said in self.before for part in said)
        return (self.text, self.speaker or "", *self.about, *before)

    @property
    def own(self) -> bool:
        """Whether its speaker speaks of himself or herself."""
        return self.edge is None and features.speaks_of_self(self.text)

    @property
    def replies(self) -> bool:
        """Whether it follows a question by somebody else."""
        if self.edge is not None or not self.before:
            return False
        speaker, text = self.before[0]
        return speaker != self.speaker and features.is_question(text)

    @property
    def asks(self) -> bool:
        """Whether it is itself a question."""
        return self.edge is None and features.is_question(self.text)


def gather_evidence(items: RankedItems) -> list[Evidence]:
    """Return the best facts and messages as evidence, facts first, each in ranked order."""
    episodes = {**items.sources, **{found.item.uuid: found.item for found in items.episodes}}
    places = {(episode.session, episode.position): episode for episode in episodes.values()}
    facts = [_fact(found, rank, items, episodes, places) for rank, found in enumerate(items.edges[:_FACTS])]
    messages = [_message(found, rank, places) for rank, found in enumerate(items.episodes[:_MESSAGES])]
    return [*facts, *messages]


def _fact(
    found: Found[Edge],
    rank: int,
    items: RankedItems,
    episodes: dict[str, Episode],
    places: dict[tuple[str, int], Episode],
) -> Evidence:
    edge = found.item
    source = next((episodes[uuid] for uuid in reversed(found.sources) if uuid in episodes), None)
    before = (_said(source), *_before(source, places)) if source else ()
    names = tuple(items.names[uuid] for uuid in (edge.subject, edge.object) if uuid and uuid in items.names)
    said_at = source.occurred_at if source else None
    return Evidence(
        text=edge.fact,
        stems=words(edge.fact) | words(edge.relation.replace("_", " ")),
        speaker=None,
        about=names,
        before=before,
        before_stems=_stems(before[:_NEAR]),
        sources=found.sources,
        edge=edge,
        moment=edge.valid_from or said_at,
        cosine=found.signals.get("cosine", 0.0),
        rank=rank,
    )


def _message(found: Found[Episode], rank: int, places: dict[tuple[str, int], Episode]) -> Evidence:
    episode = found.item
    before = _before(episode, places)
    return Evidence(
        text=episode.content,
        stems=words(episode.content),
        speaker=episode.speaker,
        about=(),
        before=before,
        before_stems=_stems(before[:_NEAR]),
        sources=(episode.uuid,),
        edge=None,
        moment=episode.occurred_at,
        cosine=found.signals.get("cosine", 0.0),
        rank=rank,
    )


def _before(episode: Episode, places: dict[tuple[str, int], Episode]) -> tuple[tuple[str, str], ...]:
    found = (places.get((episode.session, episode.position - gap)) for gap in range(1, _BEFORE + 1))
    return tuple(_said(each) for each in found if each is not None)


def _said(episode: Episode) -> tuple[str, str]:
    return episode.speaker or "", episode.content


def _stems(said: Sequence[tuple[str, str]]) -> frozenset[str]:
    return frozenset(one for _, text in said for one in words(text))
