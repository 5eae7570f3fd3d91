"""Turns an extraction into database writes: rules first, then one call of a judge for uncertain cases."""

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
    StateLink,
    Verdict,
    Verdicts,
    WindowWrites,
)

__all__ = ["resolve_window"]

MAX_QUESTIONS = 60
"""Most questions to the judge per window, mentions first; further cases count as different."""
_UNCERTAIN_FACT = 0.95
"""Minimum cosine to ask a judge whether two facts of a subject are the same."""


@dataclass(frozen=True, slots=True)
class _MentionCase:
    """The question whether a mention is one of its options."""

    question: JudgeQuestion
    mention: int
    option: Referent


@dataclass(frozen=True, slots=True)
class _FactCase:
    """The question whether a new fact repeats a stored one."""

    question: JudgeQuestion
    fact: str
    edge: str


async def resolve_window(
    extraction: Extraction,
    candidates: Sequence[Sequence[EntityCandidate]],
    stored: Sequence[ResolvedFact],
    judge: Judge | None,
    new_uuid: Callable[[Mention | Fact], str],
) -> WindowWrites:
    """Resolve a window's extraction: rules first, then at most one call of the judge.

    Args:
        extraction: The window's extraction.
        candidates: One sequence per mention, in order: entities found by name key or alias, full text, and vector.
        stored: Facts with any candidate as subject, open or closed, no uuid twice.
        judge: Decides uncertain cases; if None, they count as different.
        new_uuid: Returns the uuid for a new entity or edge; called once per mention and fact.

    Raises:
        ProviderError: The judge failed; nothing was decided.
    """
    decisions = resolve_mentions(extraction.mentions, candidates)
    new_uuids = [new_uuid(mention) for mention in extraction.mentions]
    uuids = [new_uuid(fact) for fact in extraction.facts]
    cases: list[_MentionCase | _FactCase] = []
    verdicts = Verdicts(verdicts=())
    if judge is not None:
        first_options = {index: each.options[0] for index, each in enumerate(decisions) if each.options}
        likely_facts = _resolve_names(extraction, _entity_uuids(decisions, new_uuids, first_options), uuids)
        cases += _mention_cases(extraction.mentions, decisions)
        cases += _fact_cases(likely_facts, stored)
        del cases[MAX_QUESTIONS:]
        if cases:
            verdicts = await judge.decide([case.question for case in cases])
    chosen, fact_verdicts = _split_verdicts(cases, verdicts.verdicts)
    entity_uuids = _entity_uuids(decisions, new_uuids, chosen)
    decided = resolve_facts(_resolve_names(extraction, entity_uuids, uuids), stored, fact_verdicts)
    unused = {e.uuid for e in decided.edges if e.relation == ENDED} - {ending.by for ending in decided.endings}
    return WindowWrites(
        entities=_entity_writes(extraction.mentions, entity_uuids, candidates),
        edges=tuple(edge for edge in decided.edges if edge.uuid not in unused),
        links=tuple(link for link in _links(extraction.facts, decided.edge_uuids) if link.edge not in unused),
        closings=decided.closings,
        openings=decided.openings,
        endings=decided.endings,
        confirmed=decided.confirmed,
        usage=verdicts.usage,
    )


def _split_verdicts(
    cases: Sequence[_MentionCase | _FactCase], verdicts: Sequence[Verdict]
) -> tuple[dict[int, Referent], dict[tuple[str, str], Verdict]]:
    """Return by mention the first option judged the same, and the verdicts by pair of facts."""
    chosen: dict[int, Referent] = {}
    fact_verdicts: dict[tuple[str, str], Verdict] = {}
    for case, verdict in zip(cases, verdicts, strict=False):
        if isinstance(case, _FactCase):
            fact_verdicts[case.fact, case.edge] = verdict
        elif verdict == "same":
            chosen.setdefault(case.mention, case.option)
    return chosen, fact_verdicts


def _entity_uuids(
    decisions: Sequence[MentionDecision], new_uuids: Sequence[str], chosen: Mapping[int, Referent]
) -> list[str]:
    """Return the entity uuid of each mention; `chosen` has the options of uncertain mentions."""
    entity_uuids: list[str] = []
    for index, decision in enumerate(decisions):
        referent = decision.referent or chosen.get(index)
        if referent is None:
            entity_uuids.append(new_uuids[index])
        elif referent.mention is not None:
            entity_uuids.append(entity_uuids[referent.mention])
        else:
            entity_uuids.append(referent.entity.uuid)
    return entity_uuids


def _resolve_names(extraction: Extraction, entity_uuids: Sequence[str], uuids: Sequence[str]) -> list[ResolvedFact]:
    by_key = {name_key(m.name): uuid for m, uuid in reversed(list(zip(extraction.mentions, entity_uuids, strict=True)))}
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
            JudgeQuestion(kind="entity", new=_describe(mention), known=_describe(option.entity)),
            mention=index,
            option=option,
        )
        for index, (mention, decision) in enumerate(zip(mentions, decisions, strict=True))
        for option in decision.options
    ]


def _fact_cases(facts: Sequence[ResolvedFact], stored: Sequence[ResolvedFact]) -> list[_FactCase]:
    """Return a case for each pair of new and stored facts of a subject that are near by vector but not repeats."""
    cases: list[_FactCase] = []
    edge_uuids = resolve_facts(facts, stored).edge_uuids
    for fact, edge in zip(facts, edge_uuids, strict=True):
        if edge != fact.uuid:
            continue
        for stored_fact in stored:
            if (
                stored_fact.subject != fact.subject
                or stored_fact.similarity < _UNCERTAIN_FACT
                or stored_fact.valid_to is not None
            ):
                continue
            same_relation = canonical(stored_fact.relation, "holds")[0] == canonical(fact.relation, fact.state)[0]
            question = JudgeQuestion(kind="fact", new=fact.fact, known=stored_fact.fact, may_contradict=same_relation)
            cases.append(_FactCase(question, fact=fact.uuid, edge=stored_fact.uuid))
    return cases


def _describe(entity: Mention | EntityCandidate) -> str:
    about = entity.summary or ", ".join(entity.tags)
    return f"{entity.name} ({about})" if about else entity.name


def _entity_writes(
    mentions: Sequence[Mention],
    entity_uuids: Sequence[str],
    candidates: Sequence[Sequence[EntityCandidate]],
) -> tuple[EntityWrite, ...]:
    stored_fact = {option.uuid: option for options in candidates for option in options}
    groups: dict[str, list[Mention]] = {}
    for mention, uuid in zip(mentions, entity_uuids, strict=True):
        groups.setdefault(uuid, []).append(mention)
    return tuple(_entity_write(uuid, group, stored_fact.get(uuid)) for uuid, group in groups.items())


def _entity_write(uuid: str, mentions: Sequence[Mention], stored_fact: EntityCandidate | None) -> EntityWrite:
    name = stored_fact.name if stored_fact else next((m.name for m in mentions if m.speaker), mentions[0].name)
    taken = {name, *(stored_fact.aliases if stored_fact else ())}
    seen = dict.fromkeys(text for m in mentions for text in (m.name, *m.aliases) if text not in taken)
    episodes = dict.fromkeys(uuid for m in mentions for uuid in m.episodes)
    return EntityWrite(
        uuid=uuid,
        new=stored_fact is None,
        name=name,
        key=name_key(name),
        aliases=tuple(seen),
        tags=tidy_tags(tag for m in mentions for tag in m.tags)[:MAX_TAGS],
        summary=next((m.summary for m in mentions if m.summary), ""),
        speaker=any(m.speaker for m in mentions),
        episodes=tuple(episodes),
    )


def _links(facts: Sequence[Fact], edge_uuids: Sequence[str]) -> tuple[StateLink, ...]:
    """Return one link per episode, edge and quote position."""
    links = (
        StateLink(episode=fact.episode, edge=edge, quote=fact.quote, start=fact.start, end=fact.end)
        for fact, edge in zip(facts, edge_uuids, strict=True)
    )
    return tuple(dict.fromkeys(links))
