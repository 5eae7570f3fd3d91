"""Everyday themes and the kinds of things that belong to them, for naming categories without an LLM."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["ThemeKind", "theme_kinds"]

_FILE = Path(__file__).with_name("themes.txt")


@dataclass(frozen=True, slots=True)
class ThemeKind:
    """A kind of thing, such as `greyhound`, with its theme (`Pets`) and domain (`Animals`)."""

    name: str
    theme: str
    domain: str


@cache
def theme_kinds() -> tuple[ThemeKind, ...]:
    """Return all kinds in the order of `themes.txt`; read once."""
    found: list[ThemeKind] = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        head, separator, words = line.partition(":")
        if line.startswith("#") or not separator:
            continue
        domain, _, theme = (part.strip() for part in head.partition(">"))
        found.extend(ThemeKind(word.strip(), theme, domain) for word in words.split(","))
    return tuple(found)
