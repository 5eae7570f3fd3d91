"""Turns an extraction into writes: rules first, then one call of a judge for what is uncertain."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mnemo.ingestion.extraction import Extraction, Fact, Mention
from mnemo.ingestion.resolution.entities import MentionDecision, Referent, resolve_mentions
from mnemo.ingestion.resolution.facts import resolve_facts
from mnemo.ingestion.resolution.names import MAX_TAGS, name_key, tidy_tags
from mnemo.ingestion.resolution.relations import canonical
from mnemo.ingestion.resolution.topics import ENDED
from mnemo.ingestion.resolution.types import (
    EntityCandidate,
    EntityWrite,
    Judge,
    JudgeQuestion,
    ResolvedFact,
    Settled,
    StateLink,
    Verdict,
    Verdicts,
)

__all__ = ["settle"]

MAX_QUESTIONS = 60
"""Most questions put to a judge at once, likeliest first; the rest stay apart."""
_UNCERTAIN_FACT = 0.95
"""Cosine from which a judge is asked whether two facts of a subject are the same."""


@dataclass(frozen=True, slots=True)
class _MentionCase:
    """Whether a mention is one of its options."""

    question: JudgeQuestion
    mention: int
    option: Referent


@dataclass(frozen=True, slots=True)
class _FactCase:
    """Whether a new fact is a stored one."""

    question: JudgeQuestion
    fact: str
    edge: str


async def settle(
    extraction: Extraction,
    candidates: Sequence[Sequence[EntityCandidate]],
    stored: Sequence[ResolvedFact],
    judge: Judge | None,
    new_uuid: Callable[[Mention | Fact], str],
) -> Settled:
    """Decide a window: rules first, then at most one call of the judge.

    Args:
        extraction: What the window says.
        candidates: One sequence per mention, in their order: found by name key or alias, full text, vector.
        stored: Facts with any of the candidates as subject (open or closed), no uuid twice.
        judge: Decides uncertain cases; with None they stay apart.
        new_uuid: Makes the uuid of a new entity or edge; called once for each mention and each fact.

    Raises:
        ProviderError: The judge failed; nothing was decided.
    """
    decisions = resolve_mentions(extraction.mentions, candidates)
    fresh = [new_uuid(mention) for mention in extraction.mentions]
    uuids = [new_uuid(fact) for fact in extraction.facts]
    cases: list[_MentionCase | _FactCase] = []
    verdicts = Verdicts(verdicts=())
    if judge is not None:
        first = {place: each.options[0] for place, each in enumerate(decisions) if each.options}
        likely = _resolved(extraction, _entities(decisions, fresh, first), uuids)
        cases += _mention_cases(extraction.mentions, decisions)
        cases += _fact_cases(likely, stored)
        del cases[MAX_QUESTIONS:]
        if cases:
            verdicts = await judge.decide([case.question for case in cases])
    chosen, of_facts = _decided(cases, verdicts.verdicts)
    entity_of = _entities(decisions, fresh, chosen)
    decided = resolve_facts(_resolved(extraction, entity_of, uuids), stored, of_facts)
    idle = {e.uuid for e in decided.edges if e.relation == ENDED} - {ending.by for ending in decided.endings}
    return Settled(
        entities=_entity_writes(extraction.mentions, entity_of, candidates),
        edges=tuple(edge for edge in decided.edges if edge.uuid not in idle),
        links=tuple(link for link in _links(extraction.facts, decided.edge_of) if link.edge not in idle),
        closings=decided.closings,
        openings=decided.openings,
        endings=decided.endings,
        confirmed=decided.confirmed,
        usage=verdicts.usage,
    )


def _decided(
    cases: Sequence[_MentionCase | _FactCase], verdicts: Sequence[Verdict]
) -> tuple[dict[int, Referent], dict[tuple[str, str], Verdict]]:
    """Return the first option of each mention that is the same, and the verdict on each pair of facts."""
    chosen: dict[int, Referent] = {}
    of_facts: dict[tuple[str, str], Verdict] = {}
    for case, verdict in zip(cases, verdicts, strict=False):
        if isinstance(case, _FactCase):
            of_facts[case.fact, case.edge] = verdict
        elif verdict == "same":
            chosen.setdefault(case.mention, case.option)
    return chosen, of_facts


def _entities(decisions: Sequence[MentionDecision], fresh: Sequence[str], chosen: Mapping[int, Referent]) -> list[str]:
    """Return the uuid of each mention's entity; `chosen` has the option that an uncertain one takes."""
    entity_of: list[str] = []
    for place, decision in enumerate(decisions):
        referent = decision.referent or chosen.get(place)
        if referent is None:
            entity_of.append(fresh[place])
        elif referent.mention is not None:
            entity_of.append(entity_of[referent.mention])
        else:
            entity_of.append(referent.entity.uuid)
    return entity_of


def _resolved(extraction: Extraction, entity_of: Sequence[str], uuids: Sequence[str]) -> list[ResolvedFact]:
    by_key = {name_key(m.name): uuid for m, uuid in reversed(list(zip(extraction.mentions, entity_of, strict=True)))}
    return [
        ResolvedFact.of(
            fact,
            uuid=uuid,
            subject=by_key[name_key(fact.subject)],
            target=None if fact.object is None else by_key[name_key(fact.object)],
        )
        for fact, uuid in zip(extraction.facts, uuids, strict=True)
    ]


def _mention_cases(mentions: Sequence[Mention], decisions: Sequence[MentionDecision]) -> list[_MentionCase]:
    return [
        _MentionCase(
            JudgeQuestion(kind="entity", new=_shown(mention), known=_shown(option.entity)),
            mention=place,
            option=option,
        )
        for place, (mention, decision) in enumerate(zip(mentions, decisions, strict=True))
        for option in decision.options
    ]


def _fact_cases(facts: Sequence[ResolvedFact], stored: Sequence[ResolvedFact]) -> list[_FactCase]:
    """Pairs of one subject that the rules keep apart although their vectors are near."""
    cases: list[_FactCase] = []
    edge_of = resolve_facts(facts, stored).edge_of
    for fact, edge in zip(facts, edge_of, strict=True):
        if edge != fact.uuid:
            continue
        for known in stored:
            if known.subject != fact.subject or known.similarity < _UNCERTAIN_FACT or known.valid_to is not None:
                continue
            same_relation = canonical(known.relation, "holds")[0] == canonical(fact.relation, fact.state)[0]
            question = JudgeQuestion(kind="fact", new=fact.fact, known=known.fact, may_contradict=same_relation)
            cases.append(_FactCase(question, fact=fact.uuid, edge=known.uuid))
    return cases


def _shown(entity: Mention | EntityCandidate) -> str:
    about = entity.summary or ", ".join(entity.tags)
    return f"{entity.name} ({about})" if about else entity.name


def _entity_writes(
    mentions: Sequence[Mention],
    entity_of: Sequence[str],
    candidates: Sequence[Sequence[EntityCandidate]],
) -> tuple[EntityWrite, ...]:
    known = {option.uuid: option for options in candidates for option in options}
    groups: dict[str, list[Mention]] = {}
    for mention, uuid in zip(mentions, entity_of, strict=True):
        groups.setdefault(uuid, []).append(mention)
    return tuple(_entity_write(uuid, group, known.get(uuid)) for uuid, group in groups.items())


def _entity_write(uuid: str, mentions: Sequence[Mention], known: EntityCandidate | None) -> EntityWrite:
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
    """One link per episode, edge and place of the quote."""
    links = (
        StateLink(episode=fact.episode, edge=edge, quote=fact.quote, start=fact.start, end=fact.end)
        for fact, edge in zip(facts, edge_of, strict=True)
    )
    return tuple(dict.fromkeys(links))
