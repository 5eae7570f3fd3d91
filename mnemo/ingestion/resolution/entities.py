"""Which entity a mention refers to: the rules that need no judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mnemo.ingestion.extraction import Mention
from mnemo.ingestion.resolution.names import digits, extends, is_acronym_of, is_plural_of, likeness, name_key
from mnemo.ingestion.resolution.types import EntityCandidate

__all__ = ["MentionDecision", "Referent", "resolve_mentions"]

_UNCERTAIN_SIMILARITY = 0.93
"""Cosine from which a judge is asked; e5 gives unrelated names up to about 0.88."""
_UNCERTAIN_LIKENESS = 0.82
_SURE_ACRONYM_LETTERS = 3
_MAX_OPTIONS = 3
_OTHER_KINDS = frozenset(["place", "organisation", "event", "thing", "topic"])


@dataclass(frozen=True, slots=True)
class Referent:
    """What a mention may refer to: a stored entity, or an earlier mention of its window."""

    entity: EntityCandidate
    """An earlier mention in the form of a candidate, or the stored entity."""
    mention: int | None = None
    """Index of the earlier mention; None for a stored entity."""


@dataclass(frozen=True, slots=True)
class MentionDecision:
    """What a mention refers to."""

    kind: Literal["same", "new", "uncertain"]
    """`same` as something known, a `new` entity, or a case for a judge."""
    referent: Referent | None = None
    """For `same`."""
    options: tuple[Referent, ...] = ()
    """For `uncertain`: what it may refer to, likeliest first, at most 3."""


def resolve_mentions(
    mentions: Sequence[Mention],
    candidates: Sequence[Sequence[EntityCandidate]],
) -> tuple[MentionDecision, ...]:
    """Decide each mention by its name.

    Same, for sure: equal keys of name or alias if one entity alone has them; initials of three letters or
    more and the words they abbreviate (NYC, New York City); a plural of a common noun; a person's first
    name if exactly one known person has it. Never the same: names that differ in a number, two full names
    that differ. Names with similar spelling or near vectors are uncertain.

    Args:
        mentions: Of one window, in order.
        candidates: One sequence per mention, in their order; order within one does not matter.

    Returns:
        One decision per mention, in their order. A referent is never a mention that is itself `same`.
    """
    decisions: list[MentionDecision] = []
    for place, mention in enumerate(mentions):
        known = [Referent(entity) for entity in {each.uuid: each for each in candidates[place]}.values()]
        known += [
            Referent(_as_candidate(mentions[earlier]), earlier)
            for earlier, decision in enumerate(decisions)
            if decision.kind != "same"
        ]
        decisions.append(_decide(mention, known))
    return tuple(decisions)


def _as_candidate(mention: Mention) -> EntityCandidate:
    return EntityCandidate(
        uuid="",
        name=mention.name,
        aliases=mention.aliases,
        summary=mention.summary,
        tags=(mention.kind, *mention.tags),
        speaker=mention.speaker,
    )


def _decide(mention: Mention, known: list[Referent]) -> MentionDecision:
    own = name_key(mention.name)
    keys = {own, *map(name_key, mention.aliases)}
    for matches in (
        [each for each in known if name_key(each.entity.name) == own],
        [each for each in known if keys & _keys(each.entity) or _fuller_name_of(mention, each.entity)],
        [each for each in known if _same_by_form(mention, each.entity)],
    ):
        if len(matches) == 1 and not _two_speakers(mention, matches[0].entity):
            return MentionDecision("same", referent=matches[0])
        if matches:
            return MentionDecision("uncertain", options=_likeliest(own, matches))
    maybe = [each for each in known if _alike(mention, each.entity)]
    return MentionDecision("uncertain", options=_likeliest(own, maybe)) if maybe else MentionDecision("new")


def _two_speakers(mention: Mention, option: EntityCandidate) -> bool:
    """Whether both write messages under different names."""
    return option.speaker and mention.speaker and name_key(mention.name) not in _keys(option)


def _keys(option: EntityCandidate) -> set[str]:
    return {name_key(name) for name in (option.name, *option.aliases)}


def _names(option: EntityCandidate) -> tuple[str, ...]:
    return (option.name, *option.aliases)


def _same_by_form(mention: Mention, option: EntityCandidate) -> bool:
    """Whether one name is the initials of the other, or the plural of a common noun."""
    pairs = [(one, other) for one in (mention.name, *mention.aliases) for other in _names(option)]
    acronym = any(
        is_acronym_of(short, long) and len(name_key(short)) >= _SURE_ACRONYM_LETTERS
        for pair in pairs
        for short, long in (pair, pair[::-1])
    )
    if acronym and not (mention.speaker or option.speaker):
        return True
    common = mention.name.islower() and option.name.islower()
    return common and is_plural_of(name_key(mention.name), name_key(option.name))


def _fuller_name_of(mention: Mention, option: EntityCandidate) -> bool:
    """Whether the mention is a person's first name and the option a person of that first name."""
    own = name_key(mention.name)
    if mention.kind != "person" or mention.speaker or " " in own or not mention.name[:1].isupper():
        return False
    return _may_be_person(option) and any(extends(name_key(name), own) for name in _names(option) if name[:1].isupper())


def _may_be_person(option: EntityCandidate) -> bool:
    return option.speaker or not _OTHER_KINDS.intersection(option.tags)


def _alike(mention: Mention, option: EntityCandidate) -> bool:
    """Whether a judge should decide: near by vector or spelling, and no rule separates them."""
    if digits(mention.name) != digits(option.name) or (mention.speaker and option.speaker):
        return False
    own, other = name_key(mention.name), name_key(option.name)
    if _two_full_names(mention, own, other):
        return False
    if extends(own, other) or extends(other, own):
        return mention.kind == "person"
    initials = is_acronym_of(mention.name, option.name) or is_acronym_of(option.name, mention.name)
    return initials or option.similarity >= _UNCERTAIN_SIMILARITY or likeness(own, other) >= _UNCERTAIN_LIKENESS


def _two_full_names(mention: Mention, own: str, other: str) -> bool:
    """Whether both are full names of persons that share a word and not another: Sam Lee, Sam Jones."""
    first, second = set(own.split()), set(other.split())
    return mention.kind == "person" and len(first) > 1 and len(second) > 1 and bool(first - second and second - first)


def _likeliest(own: str, options: Iterable[Referent]) -> tuple[Referent, ...]:
    def order(option: Referent) -> tuple[float, float, int, str]:
        entity = option.entity
        spelling = max(likeness(own, key) for key in _keys(entity))
        stored_first = -1 if option.mention is None else option.mention
        return -spelling, -entity.similarity, stored_first, entity.uuid

    return tuple(sorted(options, key=order)[:_MAX_OPTIONS])
