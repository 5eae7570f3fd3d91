"""Questions with right and wrong answers, and what `ask` made of them: pure.

A file of questions has one mark a line; blank lines and lines that begin with `#` are skipped:

    == supper dev                        the conversation, and the part: `dev` or `kept`
    ? Where does Maeve live?             a question
    = Totterdown / Bristol               right answers; with several such lines, each must be met
    ! Cork                               wrong answers, which must not stand in the first line
    ? What is the capital of France?
    -                                    nothing in the conversation answers it

An answer is met where it stands in a text as whole words, in any case. A date (`2025-08-16`) is also met where
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
    """A question about one conversation, and what its answer must and must not say."""

    conversation: str
    part: AskPart
    """`dev` questions may guide changes; `kept` ones only measure."""
    text: str
    right: tuple[tuple[str, ...], ...] = ()
    """What an answer must say: each item is met by any of its alternatives. Empty: nothing answers the question."""
    wrong: tuple[str, ...] = ()
    """What must not stand in the first line, such as a former town."""

    @property
    def answerable(self) -> bool:
        """Whether the conversation holds the answer."""
        return bool(self.right)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOutcome:
    """What became of one question."""

    question: AskQuestion
    answer: str
    """The whole text of the answer."""
    in_first_line: bool
    """Whether the first line says the answer, one item of several, and nothing wrong. False for a refusal."""
    shown: bool
    """Whether the answer or its context says every item. False for a refusal."""
    refused: bool
    """Whether the answer says that nothing in memory answers the question."""

    @property
    def failed(self) -> bool:
        """Whether an answer is missing from the first line, or a question without answer was not refused."""
        return not self.in_first_line if self.question.answerable else not self.refused


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRates:
    """One part of the questions, or all of them; shares in percent, 0 where there is no such question."""

    part: AskPart | Literal["all"]
    answerable: int
    in_first_line: float
    """Of the answerable questions."""
    shown: float
    """Of the answerable questions."""
    refused_wrongly: float
    """Of the answerable questions."""
    unanswerable: int
    refused_rightly: float
    """Of the unanswerable questions."""


def parse(text: str, name: str = "questions") -> tuple[AskQuestion, ...]:
    """Read a file of questions, in their order.

    Args:
        text: As described above.
        name: Of the file, for messages.

    Raises:
        ArgumentError: A line has no mark or stands in the wrong place, or a question has no answer; names the line.
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
    """Return whether any of the alternatives stands in a text as whole words, in any case; see the module."""
    spaced = " ".join(text.split())
    return any(
        re.search(rf"(?<!\w){re.escape(form)}(?!\w)", spaced, re.IGNORECASE)
        for alternative in alternatives
        for form in _forms(alternative)
    )


def outcome(question: AskQuestion, answer: str, *, by: str, context: str) -> AskOutcome:
    """Judge one answer.

    Args:
        question: What was asked.
        answer: Text of the answer; its first line is the first one that is not blank.
        by: Who answered; `none` is a refusal whatever the text says.
        context: What is shown beside the answer.
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
    """Return the rates of each part that has questions, then those of all."""
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
    """Add one line to the question that it belongs to."""
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
    """Return an alternative as it is, and a date also with its month written out."""
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
