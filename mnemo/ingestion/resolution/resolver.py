"""From what a window says to what is written of it.

Rules decide what is sure (`mentions`, `timelines`); a judge is asked once about all the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mnemo.ingestion.extraction import Extraction, Fact, Mention
from mnemo.ingestion.resolution.entities import MentionDecision, resolve_mentions
from mnemo.ingestion.resolution.facts import Placed, resolve_facts
from mnemo.ingestion.resolution.names import MAX_TAGS, name_key, tidy_tags
from mnemo.ingestion.resolution.relations import canonical
from mnemo.ingestion.resolution.types import (
    Candidate,
    Closing,
    EdgeWrite,
    EntityWrite,
    Judge,
    Opening,
    Question,
    Settled,
    Standing,
    StateLink,
    Verdict,
    Verdicts,
)

__all__ = [
    "Candidate",
    "Closing",
    "EdgeWrite",
    "EntityWrite",
    "Judge",
    "Opening",
    "Question",
    "Settled",
    "Standing",
    "StateLink",
    "Verdict",
    "Verdicts",
    "settle",
]

MAX_QUESTIONS = 60
"""Most that a judge is asked at once; the likeliest first, the rest is kept apart."""
_UNCERTAIN_FACT = 0.95
"""Cosine from which a judge is asked whether two facts of a subject are one."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, and what its answer is about."""

    question: Question
    mention: int | None
    """Index of the mention, or None for a fact."""
    option: str
    """Uuid of the candidate (or `twin:<index>`), or of the standing edge."""
    fact: str = ""
    """Uuid of the fact."""


async def settle(
    extraction: Extraction,
    candidates: Sequence[Sequence[Candidate]],
    standing: Sequence[Standing],
    judge: Judge | None,
    new_uuid: Callable[[Mention | Fact], str],
) -> Settled:
    """Decide a window: rules first, then at most one call of the judge.

    Args:
        extraction: What the window said.
        candidates: One sequence a mention, in their order: found by name key or alias, full text, vector.
        standing: Facts with any of the candidates as subject (open or closed), no uuid twice.
        judge: Asked about the uncertain band; None keeps apart what is uncertain.
        new_uuid: Makes the uuid of a new entity or edge; called once for each mention and each fact.

    Raises:
        ProviderError: The judge failed; nothing was decided.
    """
    decisions = resolve_mentions(extraction.mentions, candidates)
    fresh = [new_uuid(mention) for mention in extraction.mentions]
    uuids = [new_uuid(fact) for fact in extraction.facts]
    asked: list[_Asked] = []
    verdicts = Verdicts(verdicts=())
    if judge is not None:
        likely = _entities(decisions, fresh, lambda decision: decision.options[0].uuid)
        placed = _placed(extraction, likely, uuids)
        asked = (_about_mentions(extraction.mentions, decisions) + _about_facts(placed, standing))[:MAX_QUESTIONS]
        if asked:
            verdicts = await judge.decide([each.question for each in asked])
    answers = list(zip(asked, verdicts.verdicts, strict=False))
    chosen = {each.mention: each.option for each, verdict in reversed(answers) if verdict == "same"}
    of_facts = {(each.fact, each.option): verdict for each, verdict in answers if each.mention is None}
    entity_of = _entities_chosen(decisions, fresh, chosen)
    placed = _placed(extraction, entity_of, uuids)
    decided = resolve_facts(placed, standing, of_facts)
    return Settled(
        entities=_entity_writes(extraction.mentions, entity_of, candidates),
        edges=decided.edges,
        links=_links(extraction.facts, decided.edge_of),
        closings=decided.closings,
        openings=decided.openings,
        endings=decided.endings,
        usage=verdicts.usage,
    )


def _entities(
    decisions: Sequence[MentionDecision],
    fresh: Sequence[str],
    uncertain: Callable[[MentionDecision], str],
) -> list[str]:
    """Uuid of the entity of each mention; `uncertain` says which option an uncertain one takes."""
    entity_of: list[str] = []
    for place, decision in enumerate(decisions):
        uuid = decision.uuid or fresh[place]
        if decision.kind == "twin" and decision.twin is not None:
            uuid = entity_of[decision.twin]
        if decision.kind == "uncertain":
            option = uncertain(decision)
            uuid = entity_of[int(option[5:])] if option.startswith("twin:") else option or fresh[place]
        entity_of.append(uuid)
    return entity_of


def _entities_chosen(
    decisions: Sequence[MentionDecision],
    fresh: Sequence[str],
    chosen: dict[int | None, str],
) -> list[str]:
    places = {id(decision): place for place, decision in enumerate(decisions)}
    return _entities(decisions, fresh, lambda decision: chosen.get(places[id(decision)], ""))


def _placed(extraction: Extraction, entity_of: Sequence[str], uuids: Sequence[str]) -> list[Placed]:
    by_key = {name_key(m.name): uuid for m, uuid in reversed(list(zip(extraction.mentions, entity_of, strict=True)))}
    return [
        Placed(
            uuid=uuid,
            subject=by_key[name_key(fact.subject)],
            relation=fact.relation,
            object=None if fact.object is None else by_key[name_key(fact.object)],
            fact=fact.fact,
            state=fact.state,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            said_at=fact.said_at,
            when=fact.when,
            precision=fact.precision,
        )
        for fact, uuid in zip(extraction.facts, uuids, strict=True)
    ]


def _about_mentions(mentions: Sequence[Mention], decisions: Sequence[MentionDecision]) -> list[_Asked]:
    return [
        _Asked(
            question=Question(kind="entity", new=_shown(mention), known=_shown(option)),
            mention=place,
            option=option.uuid,
        )
        for place, (mention, decision) in enumerate(zip(mentions, decisions, strict=True))
        for option in decision.options
    ]


def _shown(entity: Mention | Candidate) -> str:
    about = entity.summary or ", ".join(entity.tags)
    return f"{entity.name} ({about})" if about else entity.name


def _about_facts(placed: Sequence[Placed], standing: Sequence[Standing]) -> list[_Asked]:
    """Pairs of one subject that the rules call different though their vectors are near."""
    asked: list[_Asked] = []
    edge_of = resolve_facts(placed, standing).edge_of
    for fact, edge in zip(placed, edge_of, strict=True):
        if edge != fact.uuid:
            continue
        for known in standing:
            if known.subject != fact.subject or known.similarity < _UNCERTAIN_FACT or known.valid_to is not None:
                continue
            same_relation = canonical(known.relation, "holds")[0] == canonical(fact.relation, fact.state)[0]
            question = Question(kind="fact", new=fact.fact, known=known.fact, may_contradict=same_relation)
            asked.append(_Asked(question=question, mention=None, option=known.uuid, fact=fact.uuid))
    return asked


def _entity_writes(
    mentions: Sequence[Mention],
    entity_of: Sequence[str],
    candidates: Sequence[Sequence[Candidate]],
) -> tuple[EntityWrite, ...]:
    known = {option.uuid: option for options in candidates for option in options}
    groups: dict[str, list[Mention]] = {}
    for mention, uuid in zip(mentions, entity_of, strict=True):
        groups.setdefault(uuid, []).append(mention)
    return tuple(_entity_write(uuid, group, known.get(uuid)) for uuid, group in groups.items())


def _entity_write(uuid: str, mentions: Sequence[Mention], known: Candidate | None) -> EntityWrite:
    name = known.name if known else next((m.name for m in mentions if m.speaker), mentions[0].name)
    taken = {name, *(known.aliases if known else ())}
    seen = dict.fromkeys(text for m in mentions for text in (m.name, *m.aliases) if text not in taken)
    episodes = dict.fromkeys(uuid for m in mentions for uuid in m.episodes)
    return EntityWrite(
        uuid=uuid,
        new=known is None,
        name=name,
        key=name_key(name),
        aliases=tuple(seen),
        tags=tidy_tags(tag for m in mentions for tag in m.tags)[:MAX_TAGS],
        summary=next((m.summary for m in mentions if m.summary), ""),
        speaker=any(m.speaker for m in mentions),
        episodes=tuple(episodes),
    )


def _links(facts: Sequence[Fact], edge_of: Sequence[str]) -> tuple[StateLink, ...]:
    """One link for each episode, edge and place of the quote."""
    links = (
        StateLink(episode=fact.episode, edge=edge, quote=fact.quote, start=fact.start, end=fact.end)
        for fact, edge in zip(facts, edge_of, strict=True)
    )
    return tuple(dict.fromkeys(links))
