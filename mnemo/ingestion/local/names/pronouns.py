"""Resolves `he`, `she` and `they` to the last person or pet that fits, if only one does."""

from dataclasses import dataclass

from mnemo.ingestion.local.names.entities import NamedEntity

__all__ = ["Discourse"]

_REACH = 4
"""Messages back in which the one who is meant must have been named."""
_PRONOUNS = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she"}


@dataclass(slots=True)
class _Named:
    entity: NamedEntity
    place: int
    gender: str | None
    plural: bool


class Discourse:
    """People and pets in the order in which a window mentions them."""

    def __init__(self) -> None:
        """Start without anyone."""
        self._named: dict[str, _Named] = {}

    def note(self, entity: NamedEntity, place: int, gender: str | None = None, *, plural: bool = False) -> None:
        """Add someone mentioned in a message; mentioning them again makes them the latest."""
        known = self._named.pop(entity.name, None)
        gender = gender or (known.gender if known is not None else None)
        self._named[entity.name] = _Named(entity, place, gender, plural)

    def meant_by(self, pronoun: str, place: int, *, but: str | None = None) -> NamedEntity | None:
        """Return whom a pronoun in a message refers to; None if nobody or more than one fits.

        Args:
            pronoun: Lower case, such as he or them.
            place: Of the message.
            but: A name that it cannot mean, such as the subject's.
        """
        gender = _PRONOUNS.get(pronoun)
        plural = pronoun in {"they", "them", "their"}
        fitting = [
            each
            for each in self._named.values()
            if each.plural == plural
            and place - each.place <= _REACH
            and each.entity.name != but
            and (gender is None or each.gender in {None, gender})
        ]
        latest = max((each.place for each in fitting), default=None)
        chosen = [each for each in fitting if each.place == latest]
        sure = [each for each in chosen if each.gender == gender] if gender is not None else []
        chosen = sure if len(sure) == 1 else chosen
        if len(chosen) != 1 or (gender is None and not plural):
            return None
        chosen[0].gender = gender or chosen[0].gender
        return chosen[0].entity
