"""Which mention is which known entity: the rules that need no judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from mnemo.ingestion.extraction import Mention
from mnemo.ingestion.resolution.names import digits, extends, is_acronym_of, is_plural_of, likeness, name_key
from mnemo.ingestion.resolution.types import Candidate

__all__ = ["MentionDecision", "resolve_mentions"]

_UNCERTAIN_SIMILARITY = 0.93
"""Cosine from which a judge is asked; e5 gives unrelated names up to about 0.88."""
_UNCERTAIN_LIKENESS = 0.82
_SURE_ACRONYM_LETTERS = 3
_MAX_OPTIONS = 3
_OTHER_KINDS = frozenset(["place", "organisation", "event", "thing", "topic"])


@dataclass(frozen=True, slots=True)
class MentionDecision:
    """What a mention is."""

    kind: Literal["same", "new", "twin", "uncertain"]
    """`same` as a known entity, `new`, `twin` of an earlier mention of this window, or for a judge."""
    uuid: str | None = None
    """Of the known entity, for `same`."""
    twin: int | None = None
    """Index of an earlier mention that is itself no twin, for `twin`."""
    options: tuple[Candidate, ...] = ()
    """For `uncertain`: what it may be, likeliest first, at most 3; an option's uuid may be `twin:<index>`."""


def resolve_mentions(
    mentions: Sequence[Mention],
    candidates: Sequence[Sequence[Candidate]],
) -> tuple[MentionDecision, ...]:
    """Decide each mention by its name.

    Same, for sure: equal keys of name or alias when one entity only has it; initials of three letters or
    more and the words they stand for (NYC, New York City); a plural of a common noun; a person's
    first name when exactly one known person has it. Never the same: names that differ in a number,
    two full names that differ. What is only written alike, or near by vector, is uncertain.

    Args:
        mentions: Of one window, in order.
        candidates: One sequence a mention; order does not matter.

    Returns:
        One decision a mention, in their order.
    """
    decisions: list[MentionDecision] = []
    for place, mention in enumerate(mentions):
        known = {option.uuid: option for option in candidates[place]}
        for earlier, decision in enumerate(decisions):
            if decision.kind in {"new", "uncertain"}:
                known[f"twin:{earlier}"] = _as_candidate(f"twin:{earlier}", mentions[earlier])
        decisions.append(_decide(mention, list(known.values())))
    return tuple(decisions)


def _as_candidate(uuid: str, mention: Mention) -> Candidate:
    return Candidate(
        uuid=uuid,
        name=mention.name,
        aliases=mention.aliases,
        summary=mention.summary,
        tags=(mention.kind, *mention.tags),
        speaker=mention.speaker,
    )


def _decide(mention: Mention, known: list[Candidate]) -> MentionDecision:
    own = name_key(mention.name)
    keys = {own, *map(name_key, mention.aliases)}
    for rule in (
        [option for option in known if name_key(option.name) == own],
        [option for option in known if keys & _keys(option) or _fuller_name_of(mention, option)],
        [option for option in known if _same_by_form(mention, option)],
    ):
        if len(rule) == 1 and not (rule[0].speaker and mention.speaker and own not in _keys(rule[0])):
            return _settled(rule[0])
        if rule:
            return MentionDecision("uncertain", options=_likeliest(own, rule))
    maybe = [option for option in known if _alike(mention, option)]
    return MentionDecision("uncertain", options=_likeliest(own, maybe)) if maybe else MentionDecision("new")


def _settled(option: Candidate) -> MentionDecision:
    if option.uuid.startswith("twin:"):
        return MentionDecision("twin", twin=int(option.uuid.removeprefix("twin:")))
    return MentionDecision("same", uuid=option.uuid)


def _keys(option: Candidate) -> set[str]:
    return {name_key(name) for name in (option.name, *option.aliases)}


def _names(option: Candidate) -> tuple[str, ...]:
    return (option.name, *option.aliases)


def _same_by_form(mention: Mention, option: Candidate) -> bool:
    """Initials, or the plural of a common noun."""
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


def _fuller_name_of(mention: Mention, option: Candidate) -> bool:
    """Whether the mention is a person's first name and the option a person of that first name."""
    own = name_key(mention.name)
    if mention.kind != "person" or mention.speaker or " " in own or not mention.name[:1].isupper():
        return False
    return _may_be_person(option) and any(extends(name_key(name), own) for name in _names(option) if name[:1].isupper())


def _may_be_person(option: Candidate) -> bool:
    return option.speaker or not _OTHER_KINDS.intersection(option.tags)


def _alike(mention: Mention, option: Candidate) -> bool:
    """Whether a judge should look: near by vector or spelling, with nothing that tells them apart."""
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


def _likeliest(own: str, options: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ranked = sorted(options, key=lambda o: (-max(likeness(own, k) for k in _keys(o)), -o.similarity, o.uuid))
    return tuple(ranked[:_MAX_OPTIONS])
