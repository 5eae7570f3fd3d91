"""Finds parts of a JSON schema that OpenAI's strict mode rejects (platform.openai.com, Structured Outputs)."""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["problems_of"]

_TAKEN = frozenset(
    [
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "const",
        "description",
        "enum",
        "items",
        "properties",
        "required",
        "title",
        "type",
    ]
)


def problems_of(schema: Mapping[str, Any]) -> list[str]:
    """Return the problems of a schema, outermost first; empty if strict mode accepts it.

    Stricter than OpenAI: keywords such as minimum and pattern are rejected too, because only some
    models support them.
    """
    found = [] if schema.get("type") == "object" else ["root: schema must have type 'object' and not 'anyOf'"]
    return found + list(_walk(schema, "root"))


def _walk(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    for keyword in sorted(schema.keys() - _TAKEN):
        yield f"{path}: '{keyword}' is not permitted"
    if "$ref" in schema and len(schema) > 1:
        yield f"{path}: $ref cannot have keywords beside it"
    if not schema.keys() & {"type", "anyOf", "$ref", "enum", "const"}:
        yield f"{path}: schema must have a 'type' key"
    if schema.get("type") == "object":
        yield from _object(schema, path)
    for name, inner in _inner(schema):
        yield from _walk(inner, f"{path}.{name}")


def _object(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        yield f"{path}: 'additionalProperties' is required to be supplied and to be false"
    missing = schema.get("properties", {}).keys() - set(schema.get("required", ()))
    for name in sorted(missing):
        yield f"{path}: 'required' is required to include every key in properties; missing '{name}'"


def _inner(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from schema.get("properties", {}).items()
    yield from schema.get("$defs", {}).items()
    for index, option in enumerate(schema.get("anyOf", ())):
        yield f"anyOf[{index}]", option
    if isinstance(schema.get("items"), Mapping):
        yield "items", schema["items"]
