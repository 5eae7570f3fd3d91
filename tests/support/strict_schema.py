"""What OpenAI's strict mode refuses in a JSON schema (platform.openai.com, Structured Outputs, supported schemas)."""

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
    """Return what is wrong, outermost first; empty for a schema that strict mode takes.

    Stricter than OpenAI is today: keywords such as minimum and pattern, which only some of its
    models take, are refused too.
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
