"""Sample trees: a trip, a to-do list, a week of meals, with 15 requests each.

The first ten requests of a domain read; the last five are edits, to be made in order. Each has the plan that an LLM
should reply (the gold query or edits) and the gold result.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

__all__ = ["DOMAINS", "Domain", "Gold", "document", "domain"]

DomainName: TypeAlias = Literal["trip", "todo", "meals"]
DOMAINS: tuple[DomainName, ...] = ("trip", "todo", "meals")

_FILES: Mapping[DomainName, tuple[str, Literal["xml", "json", "yaml"]]] = {
    "trip": ("trip.xml", "xml"),
    "todo": ("todo.json", "json"),
    "meals": ("meals.yaml", "yaml"),
}
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One request with its expected result."""

    words: str
    reply: Mapping[str, Any]
    """The plan as the reply of an LLM; for a read, its `query` is the gold query."""
    expect: tuple[str, ...]
    """Names or titles of the resulting nodes, in any order; for an edit, those that `check` finds after it."""
    check: str | None
    """For an edit: a query that shows its effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A document and requests about it."""

    name: DomainName
    text: str
    format_name: Literal["xml", "json", "yaml"]
    requests: tuple[Gold, ...]


def domain(name: DomainName) -> Domain:
    """Return a domain by name."""
    file, format_name = _FILES[name]
    lines = (_FOLDER / f"{name}.requests.jsonl").read_text(encoding="utf-8").splitlines()
    return Domain(
        name=name,
        text=(_FOLDER / file).read_text(encoding="utf-8"),
        format_name=format_name,
        requests=tuple(_gold(json.loads(line)) for line in lines),
    )


def document(name: DomainName) -> Path:
    """Return the path of a domain's document, for `Tree.import_`."""
    return _FOLDER / _FILES[name][0]


def _gold(fields: Mapping[str, Any]) -> Gold:
    return Gold(words=fields["words"], reply=fields["reply"], expect=tuple(fields["expect"]), check=fields.get("check"))
