"""What a search is asked for, checked once: pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from mnemo.errors import ArgumentError
from mnemo.models.group import checked_group
from mnemo.models.results import Route

__all__ = ["MAX_K", "Looking", "SearchRequest", "refuse_unknown"]

MAX_K = 200


class Looking(TypedDict, total=False):
    """The named arguments of `search` and `ask`; what is left out or None takes its default.

    group: Whose memory; None is the one that the memory was made for.
    k: Most episodes; entities and facts at most twice as many each. None is the setting's.
    budget: Most tokens of the context. None is the setting's.
    route: How to look: system1 (the default), system2, both or tree.
    as_of: What held, and was written, at that moment; aware. None is what holds now.
    session: Episodes of that session only.
    speaker: Episodes of that speaker only.
    since: Episodes from then on only; aware.
    until: Episodes before then only; aware.
    """

    group: str | None
    k: int | None
    budget: int | None
    route: Route
    as_of: datetime | None
    session: str | None
    speaker: str | None
    since: datetime | None
    until: datetime | None


def refuse_unknown(wanted: Looking) -> None:
    """Refuse a named argument that `search` does not have, as Python does.

    Raises:
        TypeError: Names it.
    """
    unknown = sorted(wanted.keys() - Looking.__annotations__.keys())
    if unknown:
        message = f"search() got an unexpected keyword argument {unknown[0]!r}"
        raise TypeError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A question to the memory of one group.

    Raises:
        ArgumentError: The question is blank, `k` or `budget` out of bounds, a time has no zone, or
            `since` is not before `until`.
        GroupError: The group is refused.
    """

    group: str
    question: str
    k: int = 10
    """Most episodes; entities and edges at most twice as many each. 1 to `MAX_K`."""
    budget: int = 1_000
    """Most tokens of the context, by the offline counter; at least 50."""
    as_of: datetime | None = None
    """Facts that held at this moment, and episodes written by then. None: facts that hold now, all episodes."""
    session: str | None = None
    """Episodes of this session only."""
    speaker: str | None = None
    """Episodes of this speaker only, by the name they write under."""
    since: datetime | None = None
    """Episodes written then or later; with `since` or `until`, those of unknown time are left out."""
    until: datetime | None = None
    """Episodes written before then."""

    def __post_init__(self) -> None:
        """Check every field."""
        checked_group(self.group)
        if not isinstance(self.question, str) or not self.question.strip():
            message = "wanted a question with at least one character that is not blank"
            raise ArgumentError(message)
        if not isinstance(self.k, int) or not 1 <= self.k <= MAX_K:
            message = f"wanted k from 1 to {MAX_K}, got {self.k!r}"
            raise ArgumentError(message)
        if not isinstance(self.budget, int) or self.budget < 50:  # noqa: PLR2004  # the setting's own bound
            message = f"wanted a budget of at least 50 tokens, got {self.budget!r}"
            raise ArgumentError(message)
        for name in ("session", "speaker"):
            _check_text(name, getattr(self, name))
        for name in ("as_of", "since", "until"):
            _check_moment(name, getattr(self, name))
        if self.since is not None and self.until is not None and self.since >= self.until:
            message = f"wanted since before until, got {self.since.isoformat()} and {self.until.isoformat()}"
            raise ArgumentError(message)


def _check_text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        message = f"wanted {name} as text, got {value!r}"
        raise ArgumentError(message)


def _check_moment(name: str, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, datetime):
        message = f"wanted {name} as a datetime with a zone, got {value!r}"
        raise ArgumentError(message)
    if value.tzinfo is None:
        message = f"wanted {name} with a zone, got {value.isoformat()}"
        raise ArgumentError(message)
