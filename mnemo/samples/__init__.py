"""A sample conversation: three friends, eight months of 2025, and questions about it.

Nora Lindqvist, Theo Adeyemi and Kei Morita write from Glasgow, Leeds and Auckland, later from Porto, Sheffield and a
volcano. `conversation.jsonl` is in mnemo's JSON Lines format; `questions.jsonl` has one question per line.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

__all__ = ["QuestionKind", "SampleQuestion", "conversation", "questions"]

QuestionKind: TypeAlias = Literal["single-hop", "multi-hop", "temporal", "changed", "as-of"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A question that the conversation answers."""

    id: str
    kind: QuestionKind
    """`changed`: the answer was different before. `as-of`: asks about the moment `as_of`."""
    question: str
    answer: str
    evidence: tuple[str, ...]
    """Ids of the messages that contain the answer, in order of the conversation."""
    as_of: datetime | None = None
    """Aware; None is now."""


def conversation() -> Path:
    """Return the path of the conversation, for `Memory.add_file`."""
    return _FOLDER / "conversation.jsonl"


def questions() -> list[SampleQuestion]:
    """Return the questions, in order of their ids."""
    lines = (_FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [_question(json.loads(line)) for line in lines]


def _question(fields: dict[str, object]) -> SampleQuestion:
    as_of = fields.pop("as_of", None)
    evidence = fields.pop("evidence")
    return SampleQuestion(
        **fields,  # type: ignore[arg-type]  # a test reads every line of the file
        evidence=tuple(evidence),  # type: ignore[arg-type]  # the same
        as_of=datetime.fromisoformat(str(as_of)) if as_of else None,
    )
