"""Infers the schema of a tree from its nodes: types, attributes, examples, children, counts, paths."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from mnemo.models.tree import AttributeSchema, TreeNode, TreeSchema, TypeSchema, Value, ValueKind
from mnemo.models.tree_text import as_text

__all__ = ["VERSION_ATTRIBUTES", "describe", "infer", "kind_of", "merge", "schema_from_json", "schema_to_json"]

VERSION_ATTRIBUTES = ("number", "summary", "request", "created_at")

_EXAMPLES = 12
_EXAMPLE_CHARS = 60
_PATHS = 20
_NUMBERS: dict[type, ValueKind] = {bool: "boolean", int: "integer", float: "number"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")


def infer(root: TreeNode, above: tuple[str, ...] = ()) -> TreeSchema:
    """Return the schema of the tree under `root`, types in order of first appearance.

    Args:
        root: Root of the tree, or a node in it.
        above: Types of the ancestors of `root`, from the top down.
    """
    types: dict[str, TypeSchema] = {}
    stack = [(root, "/".join((*above, root.type)))]
    while stack:
        node, path = stack.pop()
        seen = _node_schema(node, path)
        types[node.type] = _merge_types(types[node.type], seen) if node.type in types else seen
        stack.extend((child, f"{path}/{child.type}") for child in reversed(node.children))
    return TreeSchema(root=root.type, types=types)


def merge(known: TreeSchema, more: TreeSchema) -> TreeSchema:
    """Return the union of two schemas with summed counts; the root is that of `known`."""
    types = dict(known.types)
    for name, found in more.types.items():
        types[name] = _merge_types(types[name], found) if name in types else found
    return TreeSchema(root=known.root, types=types)


def kind_of(value: Value) -> ValueKind:
    """Return the kind of an attribute value; text that reads as a number is a number."""
    match value:
        case None | "":
            return "empty"
        case bool() | int() | float():
            return _NUMBERS[type(value)]
        case str():
            return _kind_of_text(value)
        case _:
            return "object" if isinstance(value, Mapping) else "list"


def schema_to_json(schema: TreeSchema) -> str:
    """Return a schema as JSON text, as stored with the tree."""
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


def schema_from_json(text: str) -> TreeSchema:
    """Return the schema that `schema_to_json` wrote."""
    data = json.loads(text)
    return TreeSchema(root=data["root"], types={name: _loaded_type(item) for name, item in data["types"].items()})


def describe(schema: TreeSchema) -> str:
    """Return a schema as text for a prompt or a terminal: per type its attributes, children and paths."""
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


def _node_schema(node: TreeNode, path: str) -> TypeSchema:
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


def _merge_types(one: TypeSchema, other: TypeSchema) -> TypeSchema:
    attributes = dict(one.attributes)
    for name, found in other.attributes.items():
        attributes[name] = _merge_attributes(attributes[name], found) if name in attributes else found
    return TypeSchema(
        count=one.count + other.count,
        attributes=attributes,
        children=_distinct((*one.children, *other.children)),
        paths=_distinct((*one.paths, *other.paths))[:_PATHS],
    )


def _merge_attributes(one: AttributeSchema, other: AttributeSchema) -> AttributeSchema:
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
