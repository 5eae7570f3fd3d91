"""Everyday themes with the kinds of things that belong to them: how a category gets a name without an LLM. Pure."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["Kind", "kinds"]

_FILE = Path(__file__).with_name("themes.txt")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing, such as `greyhound`, with the theme and the domain that it belongs to."""

    name: str
    theme: str
    domain: str


@cache
def kinds() -> tuple[Kind, ...]:
    """Return all kinds, in the file's order."""
    found: list[Kind] = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        head, separator, words = line.partition(":")
        if line.startswith("#") or not separator:
            continue
        domain, _, theme = (part.strip() for part in head.partition(">"))
        found.extend(Kind(word.strip(), theme, domain) for word in words.split(","))
    return tuple(found)
