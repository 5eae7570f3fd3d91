"""Infers the shape of a tree from its nodes: types, attributes, examples, children, counts, paths."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from mnemo.models.tree import AttributeSchema, TreeNode, TreeSchema, TypeSchema, Value, ValueKind
from mnemo.models.tree_text import as_text

__all__ = ["VERSION_ATTRIBUTES", "describe", "dumped", "infer", "kind_of", "loaded", "merge"]

VERSION_ATTRIBUTES = ("number", "summary", "request", "created_at")

_EXAMPLES = 12
_EXAMPLE_CHARS = 60
_PATHS = 20
_NUMBERS: dict[type, ValueKind] = {bool: "boolean", int: "integer", float: "number"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")


def infer(root: TreeNode, above: tuple[str, ...] = ()) -> TreeSchema:
    """Return the shape of the tree under `root`, types in order of first appearance.

    Args:
        root: A node.
        above: Types of its ancestors, from the tree's root down.
    """
    types: dict[str, TypeSchema] = {}
    stack = [(root, "/".join((*above, root.type)))]
    while stack:
        node, path = stack.pop()
        own = _of_node(node, path)
        types[node.type] = _joined(types[node.type], own) if node.type in types else own
        stack.extend((child, f"{path}/{child.type}") for child in reversed(node.children))
    return TreeSchema(root=root.type, types=types)


def merge(known: TreeSchema, more: TreeSchema) -> TreeSchema:
    """Return what both know, counts added; the root is that of `known`."""
    types = dict(known.types)
    for name, found in more.types.items():
        types[name] = _joined(types[name], found) if name in types else found
    return TreeSchema(root=known.root, types=types)


def kind_of(value: Value) -> ValueKind:
    """Return the kind of an attribute's value; text that reads as a number is one."""
    match value:
        case None | "":
            return "empty"
        case bool() | int() | float():
            return _NUMBERS[type(value)]
        case str():
            return _kind_of_text(value)
        case _:
            return "object" if isinstance(value, Mapping) else "list"


def dumped(schema: TreeSchema) -> str:
    """Return a schema as JSON text, to keep beside the tree."""
    return json.dumps(
        {
            "root": schema.root,
            "types": {
                name: {
                    "count": found.count,
                    "attributes": {
                        key: {"count": value.count, "kinds": value.kinds, "examples": value.examples}
                        for key, value in found.attributes.items()
                    },
                    "children": found.children,
                    "paths": found.paths,
                }
                for name, found in schema.types.items()
            },
        },
        ensure_ascii=False,
    )


def loaded(text: str) -> TreeSchema:
    """Return the schema that `dumped` wrote."""
    data = json.loads(text)
    return TreeSchema(root=data["root"], types={name: _loaded_type(item) for name, item in data["types"].items()})


def describe(schema: TreeSchema) -> str:
    """Return a schema as lines for a prompt or a terminal: a type, its attributes, its children."""
    lines = []
    for name, found in schema.types.items():
        attributes = ", ".join(
            f"{key} ({'|'.join(value.kinds)}: {'; '.join(value.examples[:3])})"
            for key, value in found.attributes.items()
        )
        root = " [root]" if name == schema.root else ""
        lines.append(f"{name}{root} x{found.count}: attributes {attributes or 'none'}")
        if found.children:
            lines.append(f"  children: {', '.join(found.children)}")
        lines.append(f"  at: {', '.join(found.paths[:3])}")
    return "\n".join(lines)


def _kind_of_text(value: str) -> ValueKind:
    if _DATE.fullmatch(value):
        return "date"
    if re.fullmatch(r"-?\d+", value):
        return "integer"
    return "number" if re.fullmatch(r"-?\d+\.\d+", value) else "text"


def _of_node(node: TreeNode, path: str) -> TypeSchema:
    return TypeSchema(
        count=1,
        attributes={
            name: AttributeSchema(
                count=1, kinds=(kind_of(value),), examples=(as_text(value)[:_EXAMPLE_CHARS],) if as_text(value) else ()
            )
            for name, value in node.attributes.items()
        },
        children=_distinct(child.type for child in node.children),
        paths=(path,),
    )


def _joined(one: TypeSchema, other: TypeSchema) -> TypeSchema:
    attributes = dict(one.attributes)
    for name, found in other.attributes.items():
        attributes[name] = _joined_attribute(attributes[name], found) if name in attributes else found
    return TypeSchema(
        count=one.count + other.count,
        attributes=attributes,
        children=_distinct((*one.children, *other.children)),
        paths=_distinct((*one.paths, *other.paths))[:_PATHS],
    )


def _joined_attribute(one: AttributeSchema, other: AttributeSchema) -> AttributeSchema:
    return AttributeSchema(
        count=one.count + other.count,
        kinds=_distinct((*one.kinds, *other.kinds)),
        examples=_distinct((*one.examples, *other.examples))[:_EXAMPLES],
    )


def _distinct(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))


def _loaded_type(data: Any) -> TypeSchema:
    return TypeSchema(
        count=data["count"],
        attributes={
            name: AttributeSchema(count=item["count"], kinds=tuple(item["kinds"]), examples=tuple(item["examples"]))
            for name, item in data["attributes"].items()
        },
        children=tuple(data["children"]),
        paths=tuple(data["paths"]),
    )
