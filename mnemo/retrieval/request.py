"""What a search is asked for, checked once: pure."""

from dataclasses import dataclass
from datetime import datetime

from mnemo.errors import ArgumentError
from mnemo.models.group import checked_group

__all__ = ["MAX_K", "SearchRequest"]

MAX_K = 200


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
        if not 1 <= self.k <= MAX_K:
            message = f"wanted k from 1 to {MAX_K}, got {self.k}"
            raise ArgumentError(message)
        if self.budget < 50:  # noqa: PLR2004  # the setting's own bound
            message = f"wanted a budget of at least 50 tokens, got {self.budget}"
            raise ArgumentError(message)
        for name in ("as_of", "since", "until"):
            value = getattr(self, name)
            if value is not None and value.tzinfo is None:
                message = f"wanted {name} with a zone, got {value.isoformat()}"
                raise ArgumentError(message)
        if self.since is not None and self.until is not None and self.since >= self.until:
            message = f"wanted since before until, got {self.since.isoformat()} and {self.until.isoformat()}"
            raise ArgumentError(message)
