"""The options of a search, checked once: pure."""

from dataclasses import dataclass
from datetime import datetime

from mnemo.errors import ArgumentError
from mnemo.models.group import checked_group

__all__ = ["MAX_K", "MIN_BUDGET", "SearchRequest"]

MAX_K = 200
MIN_BUDGET = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A question to the memory of one group.

    Raises:
        ArgumentError: The question is blank, `k`, `budget` or `min_score` is out of bounds, a time has no zone, or
            `since` is not before `until`.
        GroupError: The group's name is refused.
    """

    group: str
    question: str
    k: int = 10
    """Most episodes; entities and facts at most twice as many each. 1 to `MAX_K`."""
    budget: int = 1_000
    """Most tokens of the context, by the offline counter; at least 50."""
    as_of: datetime | None = None
    """Facts that held at this moment, and episodes written by then. None: facts that hold now, are to come or happened,
    and all episodes."""
    session: str | None = None
    """Episodes of this session only."""
    speaker: str | None = None
    """Episodes of this speaker only, by the name they write under."""
    since: datetime | None = None
    """Episodes written then or later; with `since` or `until`, those of unknown time are left out."""
    until: datetime | None = None
    """Episodes written before then."""
    min_score: float | None = None
    """0 to 1: leave out what scores lower, of every type. None leaves nothing out."""

    def __post_init__(self) -> None:
        """Check every field."""
        checked_group(self.group)
        if not isinstance(self.question, str) or not self.question.strip():
            message = "question must have at least one character that is not blank"
            raise ArgumentError(message)
        if not isinstance(self.k, int) or not 1 <= self.k <= MAX_K:
            message = f"k must be between 1 and {MAX_K}, got {self.k!r}"
            raise ArgumentError(message)
        if not isinstance(self.budget, int) or self.budget < MIN_BUDGET:
            message = f"budget must be at least {MIN_BUDGET} tokens, got {self.budget!r}"
            raise ArgumentError(message)
        if self.min_score is not None and not _is_share(self.min_score):
            message = f"min_score must be between 0 and 1, got {self.min_score!r}"
            raise ArgumentError(message)
        for name in ("session", "speaker"):
            _check_text(name, getattr(self, name))
        for name in ("as_of", "since", "until"):
            _check_moment(name, getattr(self, name))
        if self.since is not None and self.until is not None and self.since >= self.until:
            message = f"since must be before until, got {self.since.isoformat()} and {self.until.isoformat()}"
            raise ArgumentError(message)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def _check_text(name: str, value: object) -> None:
    if value is not None and not isinstance(value, str):
        message = f"{name} must be text, got {value!r}"
        raise ArgumentError(message)


def _check_moment(name: str, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, datetime):
        message = f"{name} must be a datetime with a time zone, got {value!r}"
        raise ArgumentError(message)
    if value.tzinfo is None:
        message = f"{name} must have a time zone, got {value.isoformat()}"
        raise ArgumentError(message)
