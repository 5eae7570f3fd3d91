"""What may be stored as a tree: bounds, names, values; pure. Documents and callers are held to the same."""

import math
import re
from collections.abc import Iterable, Mapping

from mnemo.models.tree import TreeNode, Value
from mnemo.semxpath.language.syntax import VERSION

__all__ = ["MAX_DEPTH", "MAX_NODES", "misfit", "misfit_attributes", "misfit_value", "too_deep"]

MAX_DEPTH = 200
MAX_NODES = 2_000_000
MAX_NAME_CHARS = 200

_MAX_VALUES = 2_000_000
_MAX_VALUE_DEPTH = 2 * MAX_DEPTH + 2
"""A spelled-out node is an object in a list."""
_MAX_BITS = 12_000
"""Python writes no longer ones as text."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def misfit(root: TreeNode, above: int = 0) -> str | None:
    """Return why a node with all below it cannot be stored, or None.

    Args:
        root: The node.
        above: Levels over it in the tree that it is for.
    """
    stack = [(root, above + 1)]
    names: set[str] = set()
    count = 0
    while stack:
        node, depth = stack.pop()
        count += 1
        if depth > MAX_DEPTH or count > MAX_NODES:
            return f"wanted a tree of at most {MAX_DEPTH} levels and {MAX_NODES:,} nodes"
        if node.type not in names:
            names.add(node.type)
            wrong = _misfit_type(node.type)
            if wrong:
                return wrong
        wrong = misfit_attributes(node.attributes)
        if wrong:
            return wrong
        stack.extend((child, depth + 1) for child in node.children)
    return None


def misfit_attributes(attributes: Mapping[str, Value]) -> str | None:
    """Return why attributes cannot be stored, or None."""
    reasons = (_misfit_name(name) or _misfit_attribute(name, value) for name, value in attributes.items())
    return next((reason for reason in reasons if reason), None)


def misfit_value(data: Value) -> str | None:
    """Return why a value is no plain data, or more of it than a tree has, or None; aliases count as what they name."""
    stack = [(data, 1)]
    count = 0
    while stack:
        value, depth = stack.pop()
        count += 1
        if depth > _MAX_VALUE_DEPTH:
            return too_deep()
        if count > _MAX_VALUES:
            return f"wanted at most {_MAX_VALUES:,} values; does an alias multiply them?"
        items = _items(value)
        if items is not None:
            stack.extend((item, depth + 1) for item in items)
            continue
        wrong = _misfit_scalar(value)
        if wrong:
            return wrong
    return None


def too_deep() -> str:
    """Return what is said of too many levels."""
    return f"wanted at most {MAX_DEPTH} levels"


def _items(value: Value) -> Iterable[Value] | None:
    if isinstance(value, Mapping):
        return (item for pair in value.items() for item in pair)
    return value if isinstance(value, list | tuple) else None


def _misfit_scalar(value: Value) -> str | None:
    if isinstance(value, str):
        return "a text has half of a surrogate pair, which is no character" if _SURROGATE.search(value) else None
    if isinstance(value, float) and not math.isfinite(value):
        return f"wanted finite numbers, got {value}"
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return f"wanted whole numbers of at most {_MAX_BITS:,} bits"
    if value is not None and not isinstance(value, int | float):
        return f"wanted text, numbers, true, false, null, lists and objects of them, got a {type(value).__name__}"
    return None


def _misfit_attribute(name: str, value: Value) -> str | None:
    wrong = misfit_value(value)
    return f"attribute {name!r}: {wrong}" if wrong else None


def _misfit_type(name: str) -> str | None:
    if name == VERSION:
        return (
            "the type Version is reserved for the versions of a tree; "
            "rename it on import, such as rename={'Version': 'Release'} or --rename Version=Release"
        )
    return _misfit_name(name)


def _misfit_name(name: str) -> str | None:
    if name.strip() and len(name) <= MAX_NAME_CHARS and name.isprintable():
        return None
    return f"wanted names of 1 to {MAX_NAME_CHARS} printable characters, got {name[:40]!r}"
