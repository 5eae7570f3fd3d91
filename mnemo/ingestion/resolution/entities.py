"""Rules that decide which entity a mention refers to; what they leave uncertain goes to a judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mnemo.ingestion.extraction import Mention
from mnemo.ingestion.resolution.names import digits, extends, is_acronym_of, is_plural_of, name_key, spelling_similarity
from mnemo.ingestion.resolution.types import EntityCandidate

__all__ = ["MentionDecision", "Referent", "resolve_mentions"]

_UNCERTAIN_SIMILARITY = 0.93
"""Minimum cosine to ask a judge; unrelated names reach about 0.88 with e5."""
_UNCERTAIN_SPELLING_SIMILARITY = 0.82
_MIN_ACRONYM_LETTERS = 3
_MAX_OPTIONS = 3
_OTHER_KINDS = frozenset(["place", "organisation", "event", "thing", "topic"])


@dataclass(frozen=True, slots=True)
class Referent:
    """A possible referent of a mention: a stored entity, or an earlier mention of the window."""

    entity: EntityCandidate
    """The stored entity, or the earlier mention as a candidate."""
    mention: int | None = None
    """Index of the earlier mention; None for a stored entity."""


@dataclass(frozen=True, slots=True)
class MentionDecision:
    """The decision on one mention."""

    kind: Literal["same", "new", "uncertain"]
    """`same` as the referent, a `new` entity, or `uncertain`, to be decided by a judge."""
    referent: Referent | None = None
    """Set for `same`."""
    options: tuple[Referent, ...] = ()
    """Set for `uncertain`: at most 3 possible referents, most likely first."""


def resolve_mentions(
    mentions: Sequence[Mention],
    candidates: Sequence[Sequence[EntityCandidate]],
) -> tuple[MentionDecision, ...]:
    """Decide each mention by its name.

    Same: an equal name or alias key that only one candidate has; initials of three or more letters (NYC, New York
    City); the plural of a common noun; a person's first name that only one known person has. Never the same: names
    that differ in a number, and different full names. Similar spellings and near vectors are uncertain.

    Args:
        mentions: All mentions of one window, in order.
        candidates: One sequence per mention, in the same order; the order within a sequence does not matter.

    Returns:
        One decision per mention, in order. A referent is never a mention that was itself decided as `same`.
    """
    decisions: list[MentionDecision] = []
    for index, mention in enumerate(mentions):
        referents = [Referent(entity) for entity in {each.uuid: each for each in candidates[index]}.values()]
        referents += [
            Referent(_as_candidate(mentions[earlier]), earlier)
            for earlier, decision in enumerate(decisions)
            if decision.kind != "same"
        ]
        decisions.append(_decide(mention, referents))
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


def _decide(mention: Mention, referents: list[Referent]) -> MentionDecision:
    key = name_key(mention.name)
    keys = {key, *map(name_key, mention.aliases)}
    for matches in (
        [each for each in referents if name_key(each.entity.name) == key],
        [each for each in referents if keys & _keys(each.entity) or _is_first_name_of(mention, each.entity)],
        [each for each in referents if _is_acronym_or_plural(mention, each.entity)],
    ):
        if len(matches) == 1 and not _are_different_speakers(mention, matches[0].entity):
            return MentionDecision("same", referent=matches[0])
        if matches:
            return MentionDecision("uncertain", options=_most_likely(key, matches))
    uncertain = [each for each in referents if _is_uncertain(mention, each.entity)]
    return MentionDecision("uncertain", options=_most_likely(key, uncertain)) if uncertain else MentionDecision("new")


def _are_different_speakers(mention: Mention, option: EntityCandidate) -> bool:
    """Return whether both are speakers with different names."""
    return option.speaker and mention.speaker and name_key(mention.name) not in _keys(option)


def _keys(option: EntityCandidate) -> set[str]:
    return {name_key(name) for name in (option.name, *option.aliases)}


def _names(option: EntityCandidate) -> tuple[str, ...]:
    return (option.name, *option.aliases)


def _is_acronym_or_plural(mention: Mention, option: EntityCandidate) -> bool:
    """Return whether one name is the initials of the other, or its plural as a common noun."""
    pairs = [(one, other) for one in (mention.name, *mention.aliases) for other in _names(option)]
    acronym = any(
        is_acronym_of(short, long) and len(name_key(short)) >= _MIN_ACRONYM_LETTERS
        for pair in pairs
        for short, long in (pair, pair[::-1])
    )
    if acronym and not (mention.speaker or option.speaker):
        return True
    common = mention.name.islower() and option.name.islower()
    return common and is_plural_of(name_key(mention.name), name_key(option.name))


def _is_first_name_of(mention: Mention, option: EntityCandidate) -> bool:
    """Return whether the mention is a first name and the option a person with that first name."""
    key = name_key(mention.name)
    if mention.kind != "person" or mention.speaker or " " in key or not mention.name[:1].isupper():
        return False
    return _may_be_person(option) and any(extends(name_key(name), key) for name in _names(option) if name[:1].isupper())


def _may_be_person(option: EntityCandidate) -> bool:
    return option.speaker or not _OTHER_KINDS.intersection(option.tags)


def _is_uncertain(mention: Mention, option: EntityCandidate) -> bool:
    """Return whether to ask a judge: near by vector or spelling, and no rule tells them apart."""
    if digits(mention.name) != digits(option.name) or (mention.speaker and option.speaker):
        return False
    key, other = name_key(mention.name), name_key(option.name)
    if _are_different_full_names(mention, key, other):
        return False
    if extends(key, other) or extends(other, key):
        return mention.kind == "person"
    initials = is_acronym_of(mention.name, option.name) or is_acronym_of(option.name, mention.name)
    return (
        initials
        or option.similarity >= _UNCERTAIN_SIMILARITY
        or spelling_similarity(key, other) >= _UNCERTAIN_SPELLING_SIMILARITY
    )


def _are_different_full_names(mention: Mention, key: str, other: str) -> bool:
    """Return whether both are full names of people that differ in a word: Sam Lee, Sam Jones."""
    first, second = set(key.split()), set(other.split())
    return mention.kind == "person" and len(first) > 1 and len(second) > 1 and bool(first - second and second - first)


def _most_likely(key: str, options: Iterable[Referent]) -> tuple[Referent, ...]:
    def order(option: Referent) -> tuple[float, float, int, str]:
        entity = option.entity
        spelling = max(spelling_similarity(key, other) for other in _keys(entity))
        stored_first = -1 if option.mention is None else option.mention
        return -spelling, -entity.similarity, stored_first, entity.uuid

    return tuple(sorted(options, key=order)[:_MAX_OPTIONS])
