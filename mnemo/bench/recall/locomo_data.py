"""The questions of a LoCoMo file, their evidence repaired."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemo.errors import ReaderError

__all__ = ["ANSWERABLE", "CATEGORIES", "LocomoQuestion", "questions", "repaired"]

CATEGORIES: Mapping[int, str] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
ANSWERABLE = (1, 2, 3, 4)
_ID = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocomoQuestion:
    """One annotated question."""

    id: str
    """Such as conv-26/q0."""
    conversation: str
    category: int
    text: str
    evidence: tuple[str, ...]
    """Ids of the turns that answer it, such as D3:11."""


def questions(path: Path, categories: Sequence[int] = ANSWERABLE) -> list[LocomoQuestion]:
    """Return the questions of some categories that have evidence, in the file's order.

    Raises:
        ReaderError: The file is no LoCoMo file.
    """
    try:
        samples = json.loads(path.read_text(encoding="utf-8"))
        return [
            found
            for sample in samples
            for found in _of_sample(sample)
            if found.category in categories and found.evidence
        ]
    except (ValueError, KeyError, TypeError) as error:
        message = f"{path.name}: wanted a LoCoMo file, a list of samples with `qa` and `conversation`"
        raise ReaderError(message) from error


def repaired(raw: Sequence[str], known: frozenset[str]) -> tuple[str, ...]:
    """Return the ids of known turns in an annotation, each once, in order.

    Several ids in one string are split; `D:11:26` and `D30:05` are read as D11:26 and D30:5.
    """
    ids = (f"D{int(session)}:{int(turn)}" for entry in raw for session, turn in _ID.findall(entry))
    return tuple(dict.fromkeys(each for each in ids if each in known))


def _of_sample(sample: Mapping[str, Any]) -> list[LocomoQuestion]:
    body = sample["conversation"]
    known = frozenset(turn["dia_id"] for key in body if _SESSION.fullmatch(key) for turn in body[key])
    return [
        LocomoQuestion(
            id=f"{sample['sample_id']}/q{number}",
            conversation=sample["sample_id"],
            category=qa["category"],
            text=qa["question"],
            evidence=repaired(qa["evidence"], known),
        )
        for number, qa in enumerate(sample["qa"])
    ]
