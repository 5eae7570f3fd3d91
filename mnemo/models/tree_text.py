"""How a tree node is stored and read: texts, property names, labels; pure."""

import json
from collections.abc import Mapping
from typing import Any

from mnemo.models.tree import Value

__all__ = ["RESERVED", "as_text", "label_of", "node_text", "properties", "property_key", "version_text"]

RESERVED = frozenset(
    {"attributes", "embedding", "embedding_model", "group", "key", "layout", "text", "tree", "type", "uuid"}
)
"""Properties of a stored node that are reserved."""

_LABELS = frozenset(
    {
        "Category",
        "Edge",
        "Entity",
        "Episode",
        "Group",
        "Hierarchy",
        "Lock",
        "Meta",
        "Migration",
        "Tree",
        "TreeNode",
        "TreeStage",
    }
)
_MAX_INTEGER = 2**63 - 1


def as_text(value: Value) -> str:
    """Return a value as text, for filters and similarity: the items of a list joined by commas, an object as JSON."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str() | int() | float():
            return str(value)
        case list() | tuple() if all(isinstance(item, str | int | float) for item in value):
            return ", ".join(as_text(item) for item in value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def node_text(type_name: str, attributes: Mapping[str, Value]) -> str:
    """Return the text that `node ~=` compares: the type and the attributes that are not empty, in order."""
    parts = (f"{name}: {as_text(value)}" for name, value in attributes.items() if as_text(value))
    return f"{type_name}. {'; '.join(parts)}".removesuffix(". ")


def version_text(number: int, summary: str, request: str) -> str:
    """Return the text of a version that `node ~=` compares."""
    return node_text("Version", {"number": number, "summary": summary, "request": request})


def property_key(name: str) -> str:
    """Return the property of an attribute: its name, with an @ before reserved names."""
    return f"@{name}" if name in RESERVED or name.startswith("@") else name


def label_of(type_name: str) -> str:
    """Return the label of a type: the type, with an _ after reserved labels."""
    return f"{type_name}_" if type_name in _LABELS else type_name


def properties(type_name: str, attributes: Mapping[str, Value]) -> dict[str, Any]:
    """Return the stored properties of a node: its attributes as JSON, and each by name for filters."""
    stored = {property_key(name): _stored(value) for name, value in attributes.items() if value is not None}
    return {
        **stored,
        "type": type_name,
        "attributes": json.dumps(dict(attributes), ensure_ascii=False),
        "text": node_text(type_name, attributes),
    }


def _stored(value: Value) -> str | int | float | bool:
    match value:
        case bool() | float() | str():
            return value
        case int() if abs(value) <= _MAX_INTEGER:
            return value
        case _:
            return as_text(value)
