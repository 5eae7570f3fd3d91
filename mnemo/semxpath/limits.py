"""Limits for stored trees: size, names, values; the same for documents and for callers; pure."""

import math
import re
from collections.abc import Iterable, Mapping

from mnemo.models.tree import TreeNode, Value
from mnemo.semxpath.language.syntax import VERSION

__all__ = ["MAX_DEPTH", "MAX_NODES", "attributes_violation", "depth_message", "tree_violation", "value_violation"]

MAX_DEPTH = 200
MAX_NODES = 2_000_000
MAX_NAME_CHARS = 200

_MAX_VALUES = 2_000_000
_MAX_VALUE_DEPTH = 2 * MAX_DEPTH + 2
"""Explicit nodes take two levels each: an object and a list."""
_MAX_BITS = 12_000
"""Python does not convert longer integers to text."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def tree_violation(root: TreeNode, above: int = 0) -> str | None:
    """Return why a node with its subtree cannot be stored, or None.

    Args:
        root: The node.
        above: Number of its ancestors in the tree.
    """
    stack = [(root, above + 1)]
    names: set[str] = set()
    count = 0
    while stack:
        node, depth = stack.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_NODES:
            return f"a tree must have at most {MAX_DEPTH} levels and {MAX_NODES:,} nodes"
        if node.type not in names:
            names.add(node.type)
            violation = _type_violation(node.type)
            if violation:
                return violation
        violation = attributes_violation(node.attributes)
        if violation:
            return violation
        stack.extend((child, depth + 1) for child in node.children)
    return None


def attributes_violation(attributes: Mapping[str, Value]) -> str | None:
    """Return why attributes cannot be stored, or None."""
    reasons = (_name_violation(name) or _attribute_violation(name, value) for name, value in attributes.items())
    return next((reason for reason in reasons if reason), None)


def value_violation(data: Value) -> str | None:
    """Return why a value is not plain data or too large, or None; an alias counts as the value it refers to."""
    stack = [(data, 1)]
    count = 0
    while stack:
        value, depth = stack.pop()
        count += 1
        if depth > _MAX_VALUE_DEPTH:
            return depth_message()
        if count > _MAX_VALUES:
            return f"a document must have at most {_MAX_VALUES:,} values; check for nested aliases"
        items = _items(value)
        if items is not None:
            stack.extend((item, depth + 1) for item in items)
            continue
        violation = _scalar_violation(value)
        if violation:
            return violation
    return None


def depth_message() -> str:
    """Return the error message for too many levels."""
    return f"a tree must have at most {MAX_DEPTH} levels"


def _items(value: Value) -> Iterable[Value] | None:
    if isinstance(value, Mapping):
        return (item for pair in value.items() for item in pair)
    return value if isinstance(value, list | tuple) else None


def _scalar_violation(value: Value) -> str | None:
    if isinstance(value, str):
        return "text must not contain an unpaired surrogate" if _SURROGATE.search(value) else None
    if isinstance(value, float) and not math.isfinite(value):
        return f"numbers must be finite, got {value}"
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return f"whole numbers must have at most {_MAX_BITS:,} bits"
    if value is not None and not isinstance(value, int | float):
        return f"values must be text, numbers, booleans, null, lists or objects, got a {type(value).__name__}"
    return None


def _attribute_violation(name: str, value: Value) -> str | None:
    violation = value_violation(value)
    return f"attribute {name!r}: {violation}" if violation else None


def _type_violation(name: str) -> str | None:
    if name == VERSION:
        return (
            "the type Version is reserved for the versions of a tree; "
            "rename it on import, such as rename={'Version': 'Release'} or --rename Version=Release"
        )
    return _name_violation(name)


def _name_violation(name: str) -> str | None:
    if name.strip() and len(name) <= MAX_NAME_CHARS and name.isprintable():
        return None
    return f"names must have 1 to {MAX_NAME_CHARS} printable characters, got {name[:40]!r}"
