"""Grades the answers of `ask` against files of questions with right and wrong answers. Pure.

Each line of a file begins with a mark; blank lines and lines that begin with `#` are skipped:

    == supper dev                        the conversation, and the part: `dev` or `kept`
    ? Where does Maeve live?             a question
    = Totterdown / Bristol               right answers, any of them; with several lines, each must match
    ! Cork                               wrong answers, which must not occur in the first line
    ? What is the capital of France?
    -                                    nothing in the conversation answers it

An answer matches if it occurs in a text as whole words, ignoring case. A date (`2025-08-16`) also matches if
day and month are written out, such as `16th of August` or `Aug 16`.
"""

import calendar
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeAlias, cast

from mnemo.errors import ArgumentError

__all__ = ["AskOutcome", "AskPart", "AskQuestion", "AskRates", "meets", "outcome", "parse", "rates"]

AskPart: TypeAlias = Literal["dev", "kept"]

_PARTS = ("dev", "kept")
_REFUSAL = "nothing in memory answers this"
_HEAD = re.compile(r"(\S+) (dev|kept)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskQuestion:
    """A question about one conversation, with its right and wrong answers."""

    conversation: str
    part: AskPart
    """`dev` questions may guide changes; `kept` ones only measure."""
    text: str
    right: tuple[tuple[str, ...], ...] = ()
    """Required items, each with alternatives of which any may match; empty if nothing answers the question."""
    wrong: tuple[str, ...] = ()
    """Texts that must not occur in the first line, such as a former town."""

    @property
    def answerable(self) -> bool:
        """Whether the conversation contains the answer."""
        return bool(self.right)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOutcome:
    """The graded answer to one question."""

    question: AskQuestion
    answer: str
    """The whole text of the answer."""
    in_first_line: bool
    """Whether the first line has at least one required item and nothing wrong; False for a refusal."""
    shown: bool
    """Whether the answer or its context has every required item; False for a refusal."""
    refused: bool
    """Whether the answer says that nothing in memory answers the question."""

    @property
    def failed(self) -> bool:
        """Whether an answer is missing from the first line, or a question without answer was not refused."""
        return not self.in_first_line if self.question.answerable else not self.refused


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRates:
    """Rates of one part of the questions, or of all, in percent; 0 if there are no such questions."""

    part: AskPart | Literal["all"]
    answerable: int
    in_first_line: float
    """Percent of the answerable questions."""
    shown: float
    """Percent of the answerable questions."""
    refused_wrongly: float
    """Percent of the answerable questions."""
    unanswerable: int
    refused_rightly: float
    """Percent of the unanswerable questions."""


def parse(text: str, name: str = "questions") -> tuple[AskQuestion, ...]:
    """Parse a file of questions, in order.

    Args:
        text: Content of the file.
        name: Name of the file, for error messages.

    Raises:
        ArgumentError: A line has no mark or is misplaced, or a question has no answer; names the line.
    """
    questions: list[AskQuestion] = []
    section: tuple[str, AskPart] | None = None
    open_at: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        mark, _, rest = line.strip().partition(" ")
        if not mark or mark.startswith("#"):
            continue
        if mark in {"==", "?"} and open_at is not None:
            raise _misplaced(name, open_at, "a question needs a line with = or -")
        if mark == "==":
            section = _section(name, number, rest)
        elif mark == "?" and section and rest:
            questions.append(AskQuestion(conversation=section[0], part=section[1], text=rest))
            open_at = number
        elif questions:
            questions[-1] = _answered(questions[-1], mark, rest, f"{name}:{number}")
            open_at = None if questions[-1].right or mark == "-" else open_at
        else:
            raise _misplaced(name, number, "the file must begin with == NAME dev and a question")
    if open_at is not None:
        raise _misplaced(name, open_at, "a question needs a line with = or -")
    return tuple(questions)


def meets(text: str, alternatives: Iterable[str]) -> bool:
    """Return whether any alternative occurs in a text as whole words, ignoring case; dates as in the module."""
    spaced = " ".join(text.split())
    return any(
        re.search(rf"(?<!\w){re.escape(form)}(?!\w)", spaced, re.IGNORECASE)
        for alternative in alternatives
        for form in _forms(alternative)
    )


def outcome(question: AskQuestion, answer: str, *, by: str, context: str) -> AskOutcome:
    """Grade one answer.

    Args:
        question: The question.
        answer: Text of the answer; its first line is the first one that is not blank.
        by: Who answered; `none` counts as a refusal whatever the text says.
        context: Context shown with the answer.
    """
    refused = by == "none" or _REFUSAL in answer.casefold()
    given = question.answerable and not refused
    first = next((line for line in answer.splitlines() if line.strip()), "")
    seen = f"{answer}\n{context}"
    return AskOutcome(
        question=question,
        answer=answer,
        in_first_line=given and any(meets(first, item) for item in question.right) and not meets(first, question.wrong),
        shown=given and all(meets(seen, item) for item in question.right),
        refused=refused,
    )


def rates(outcomes: Sequence[AskOutcome]) -> tuple[AskRates, ...]:
    """Return the rates of each part that has questions, then of all questions."""
    parts = [(part, [each for each in outcomes if each.question.part == part]) for part in _PARTS]
    return tuple(_rates(part, each) for part, each in [*parts, ("all", list(outcomes))] if each)


def _rates(part: str, outcomes: Sequence[AskOutcome]) -> AskRates:
    answerable = [each for each in outcomes if each.question.answerable]
    unanswerable = [each for each in outcomes if not each.question.answerable]
    return AskRates(
        part=cast("AskPart", part),
        answerable=len(answerable),
        in_first_line=_percent([each.in_first_line for each in answerable]),
        shown=_percent([each.shown for each in answerable]),
        refused_wrongly=_percent([each.refused for each in answerable]),
        unanswerable=len(unanswerable),
        refused_rightly=_percent([each.refused for each in unanswerable]),
    )


def _percent(met: Sequence[bool]) -> float:
    return 100 * sum(met) / len(met) if met else 0.0


def _section(name: str, number: int, rest: str) -> tuple[str, AskPart]:
    head = _HEAD.fullmatch(rest)
    if head is None:
        raise _misplaced(name, number, f"a section must be a name and dev or kept, got {rest!r}")
    return head[1], cast("AskPart", head[2])


def _answered(question: AskQuestion, mark: str, rest: str, place: str) -> AskQuestion:
    """Add one line to the question above it."""
    alternatives = tuple(part.strip() for part in rest.split(" / ") if part.strip())
    if mark == "=" and alternatives:
        return replace(question, right=(*question.right, alternatives))
    if mark == "!" and alternatives:
        return replace(question, wrong=(*question.wrong, *alternatives))
    if mark == "-" and not rest and not question.right:
        return question
    message = f"{place}: a line must be ==, ?, =, ! or - with its text, got {mark!r}"
    raise ArgumentError(message)


def _forms(alternative: str) -> tuple[str, ...]:
    """Return an alternative as it is; for a date, also the forms with the month written out."""
    if not _DATE.fullmatch(alternative):
        return (alternative,)
    day = date.fromisoformat(alternative)
    days = (f"{day.day}", f"{day.day}{_ordinal(day.day)}")
    months = (calendar.month_name[day.month], calendar.month_abbr[day.month])
    before = (f"{number}{of}{month}" for number in days for of in (" ", " of ") for month in months)
    after = (f"{month} {number}" for number in days for month in months)
    return (alternative, *before, *after)


def _ordinal(day: int) -> str:
    teen = day in {11, 12, 13}
    return "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _misplaced(name: str, number: int, message: str) -> ArgumentError:
    return ArgumentError(f"{name}:{number}: {message}")
