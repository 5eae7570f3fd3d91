"""Resolves `he`, `she` and `they` to the last mentioned person or pet that fits, if it is the only one."""

from dataclasses import dataclass

from mnemo.ingestion.local.names.entities import NamedEntity

__all__ = ["Discourse"]

_MAX_DISTANCE = 4
"""Most messages between the mention and the pronoun."""
_GENDER_BY_PRONOUN = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she"}


@dataclass(slots=True)
class _Candidate:
    entity: NamedEntity
    index: int
    gender: str | None
    plural: bool


class Discourse:
    """People and pets in the order in which a window mentions them."""

    def __init__(self) -> None:
        """Start without any person."""
        self._named: dict[str, _Candidate] = {}

    def add(self, entity: NamedEntity, index: int, gender: str | None = None, *, plural: bool = False) -> None:
        """Add a person or pet that a message mentions; a repeated mention makes it the latest.

        Args:
            entity: The person, pet or group.
            index: Of the message in its window.
            gender: `he` or `she`; None if unknown.
            plural: Whether `they` refers to it.
        """
        known = self._named.pop(entity.name, None)
        gender = gender or (known.gender if known is not None else None)
        self._named[entity.name] = _Candidate(entity, index, gender, plural)

    def resolve(self, pronoun: str, index: int, *, exclude: str | None = None) -> NamedEntity | None:
        """Return whom a pronoun in a message refers to; None if no one or more than one fits.

        Args:
            pronoun: Lower case, such as he or them.
            index: Of the message in its window.
            exclude: A name that it cannot refer to, such as the subject's.
        """
        gender = _GENDER_BY_PRONOUN.get(pronoun)
        plural = pronoun in {"they", "them", "their"}
        candidates = [
            each
            for each in self._named.values()
            if each.plural == plural
            and index - each.index <= _MAX_DISTANCE
            and each.entity.name != exclude
            and (gender is None or each.gender in {None, gender})
        ]
        latest = max((each.index for each in candidates), default=None)
        latest_candidates = [each for each in candidates if each.index == latest]
        same_gender = [each for each in latest_candidates if each.gender == gender] if gender is not None else []
        latest_candidates = same_gender if len(same_gender) == 1 else latest_candidates
        if len(latest_candidates) != 1 or (gender is None and not plural):
            return None
        latest_candidates[0].gender = gender or latest_candidates[0].gender
        return latest_candidates[0].entity
