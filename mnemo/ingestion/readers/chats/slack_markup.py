"""Slack's markup in messages: `<@U123>` becomes a name, `<https://…|here>` a link with its words."""

import re
from collections.abc import Mapping

__all__ = ["plain_text"]

_TAG = re.compile(r"<([^<>\n]{1,4000})>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def plain_text(text: str, people: Mapping[str, str]) -> str:
    """Return a message as its readers see it.

    Args:
        text: As the export has it.
        people: Names by user id.
    """
    plain = _TAG.sub(lambda match: _tag(match[1], people), text)
    for entity, character in _ENTITIES:
        plain = plain.replace(entity, character)
    return plain.strip()


def _tag(inner: str, people: Mapping[str, str]) -> str:
    target, _, label = inner.partition("|")
    kind = target[0]
    if kind == "@":
        return f"@{people.get(target[1:]) or label or target[1:]}"
    if kind == "#":
        return f"#{label or target[1:]}"
    if kind == "!":
        return _special(target[1:], label)
    address = target.removeprefix("mailto:")
    if not label or label == address or target.endswith(label):
        return address
    return f"{label} ({address})"


def _special(target: str, label: str) -> str:
    """Return a broadcast, a group of users, or a date."""
    if target.startswith("subteam^"):
        return label if label.startswith("@") else f"@{label or target.split('^')[1]}"
    if target.startswith("date^"):
        return label or target.split("^")[1]
    return f"@{target.split('^', maxsplit=1)[0]}"
