"""A checked search request: the one place where the options of a search are listed. Pure."""

from dataclasses import dataclass
from datetime import datetime

from mnemo.errors import ArgumentError
from mnemo.models.arguments import check_moment, check_text
from mnemo.models.group import checked_group

__all__ = ["MAX_K", "MIN_BUDGET", "PASSAGE_DEPTH", "SearchRequest"]

MAX_K = 200
MIN_BUDGET = 50
PASSAGE_DEPTH = 20
"""Episodes among which passages are chosen, at least."""


_OPTIONAL = {
    "session": check_text,
    "speaker": check_text,
    "as_of": check_moment,
    "since": check_moment,
    "until": check_moment,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A question to the memory of one group, with its options.

    Raises:
        ArgumentError: The question is blank, a number is out of bounds, a time has no zone, or `since` is not
            before `until`.
        GroupError: The group name is invalid.
    """

    group: str
    question: str
    k: int = 10
    """Most episodes, 1 to `MAX_K`; entities and edges at most twice as many each."""
    budget: int = 1_000
    """Most tokens of the context, counted offline; at least `MIN_BUDGET`."""
    as_of: datetime | None = None
    """Facts that held at this moment, and episodes written by then. None: facts that hold now or will, events, and
    all episodes."""
    session: str | None = None
    """Only episodes of this session."""
    speaker: str | None = None
    """Only episodes of this speaker, by name."""
    since: datetime | None = None
    """Only episodes written at this moment or later; `since` and `until` exclude episodes of unknown time."""
    until: datetime | None = None
    """Only episodes written before this moment."""
    min_score: float | None = None
    """Minimum score of a result, 0 to 1; None keeps all."""
    passages: bool = False
    """Whether to choose the passages that answer the question."""

    @property
    def depth(self) -> int:
        """Episodes to rank: k, or more where passages are chosen among them."""
        return max(self.k, PASSAGE_DEPTH) if self.passages else self.k

    def __post_init__(self) -> None:
        """Check every field."""
        checked_group(self.group)
        if not isinstance(self.question, str) or not self.question.strip():
            message = "the question must not be blank"
            raise ArgumentError(message)
        check_text("question", self.question)
        _check_integer("k", self.k, 1, MAX_K)
        _check_integer("budget", self.budget, MIN_BUDGET, None)
        for name, check in _OPTIONAL.items():
            if getattr(self, name) is not None:
                check(name, getattr(self, name))
        if self.since is not None and self.until is not None and self.since >= self.until:
            message = f"since must be before until, got {self.since.isoformat()} and {self.until.isoformat()}"
            raise ArgumentError(message)
        _check_score("min_score", self.min_score)


def _check_integer(name: str, value: object, least: int, most: int | None) -> None:
    fits = isinstance(value, int) and not isinstance(value, bool) and least <= value and (most is None or value <= most)
    if not fits:
        bounds = f"at least {least}" if most is None else f"between {least} and {most}"
        message = f"{name} must be {bounds}, got {value!r}"
        raise ArgumentError(message)


def _check_score(name: str, value: object) -> None:
    if value is None:
        return
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        message = f"{name} must be between 0 and 1, got {value!r}"
        raise ArgumentError(message)
