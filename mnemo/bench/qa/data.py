"""Reads questions and answers of LoCoMo and LongMemEval."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemo.bench.recall.locomo_data import CATEGORIES
from mnemo.errors import ReaderError

__all__ = ["NOT_KNOWN", "QaQuestion", "of_locomo", "of_longmemeval"]

NOT_KNOWN = "The conversation does not say."
_ADVERSARIAL = 5
_ABSTENTION = "_abs"


@dataclass(frozen=True, slots=True, kw_only=True)
class QaQuestion:
    """A question about one conversation, with its right answer."""

    id: str
    conversation: str
    """Name of the conversation, as given by the readers."""
    category: str
    text: str
    gold: str
    """The right answer; `NOT_KNOWN` if the conversation has no answer."""
    asked: str = ""
    """Date of the question as written in the data set; empty if there is none."""


def of_locomo(path: Path, categories: Sequence[int]) -> list[QaQuestion]:
    """Return the questions of some categories of a LoCoMo file, in order; adversarial ones have no answer.

    Raises:
        ReaderError: The file is not a LoCoMo file.
    """
    return _read(path, "LoCoMo", lambda sample: _of_sample(sample, categories))


def of_longmemeval(path: Path) -> list[QaQuestion]:
    """Return the questions of a LongMemEval file, in order; abstention questions have no answer.

    Raises:
        ReaderError: The file is not a LongMemEval file.
    """
    return _read(path, "LongMemEval", _of_history)


def _read(path: Path, what: str, read: Callable[[Mapping[str, Any]], Iterator[QaQuestion]]) -> list[QaQuestion]:
    try:
        return [question for item in json.loads(path.read_text(encoding="utf-8")) for question in read(item)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{path.name} must be a {what} file with questions and answers"
        raise ReaderError(message) from error


def _of_sample(sample: Mapping[str, Any], categories: Sequence[int]) -> Iterator[QaQuestion]:
    for number, qa in enumerate(sample["qa"]):
        if qa["category"] in categories:
            yield QaQuestion(
                id=f"{sample['sample_id']}/q{number}",
                conversation=sample["sample_id"],
                category=CATEGORIES[qa["category"]],
                text=qa["question"],
                gold=NOT_KNOWN if qa["category"] == _ADVERSARIAL else str(qa["answer"]),
            )


def _of_history(item: Mapping[str, Any]) -> Iterator[QaQuestion]:
    absent = item["question_id"].endswith(_ABSTENTION)
    yield QaQuestion(
        id=item["question_id"],
        conversation=item["question_id"],
        category="abstention" if absent else item["question_type"],
        text=item["question"],
        gold=NOT_KNOWN if absent else str(item["answer"]),
        asked=str(item.get("question_date") or ""),
    )
