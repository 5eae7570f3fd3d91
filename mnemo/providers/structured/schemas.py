"""Converts pydantic models to JSON schemas for OpenAI's strict mode. Pure.

Strict mode (platform.openai.com, Structured Outputs) requires every property, allows no additional ones,
and supports few keywords. Optional fields therefore become nullable, and keywords such as minimum and
pattern are left out; pydantic still checks them in the reply.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from pydantic import BaseModel

from mnemo.errors import ArgumentError

__all__ = ["drop_nulls", "lists", "names", "plain", "strict"]

Schema: TypeAlias = dict[str, Any]

_KEPT = ("type", "description", "enum", "const", "items")
_REF = "#/$defs/"


@lru_cache(maxsize=256)
def strict(model: type[BaseModel]) -> Schema:
    """Return the strict schema of a model. The result is cached; do not modify it.

    Raises:
        ArgumentError: Strict mode cannot express a field (any type, a free mapping or a tuple), or the
            model is not an object.
    """
    source = plain(model)
    definitions = source.get("$defs", {})
    root = definitions[source["$ref"].removeprefix(_REF)] if "$ref" in source else source
    made = _strict(root, model.__name__)
    if made.get("type") != "object":
        message = f"the model must be an object, got {model.__name__}"
        raise ArgumentError(message)
    if definitions:
        made["$defs"] = {name: _strict(inner, name) for name, inner in definitions.items()}
    return made


@lru_cache(maxsize=256)
def plain(model: type[BaseModel]) -> Schema:
    """Return the JSON schema that pydantic makes. The result is cached; do not modify it."""
    return model.model_json_schema()


def names(model: type[BaseModel]) -> frozenset[str]:
    """Return the names of a model's fields in JSON."""
    return frozenset(_resolved(plain(model), plain(model).get("$defs", {})).get("properties", {}))


def lists(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of the fields that are lists, in order."""
    definitions = plain(model).get("$defs", {})
    properties = _resolved(plain(model), definitions).get("properties", {})
    return tuple(name for name, inner in properties.items() if _resolved(inner, definitions).get("type") == "array")


def drop_nulls(value: object, model: type[BaseModel]) -> object:
    """Return a reply without the nulls of optional fields.

    A strict schema requires every field, so models send null for optional ones. If the pydantic model has
    a default and does not accept null, the field is dropped and the default applies.
    """
    root = plain(model)
    return _pruned(value, root, root.get("$defs", {}))


def _strict(source: Mapping[str, Any], path: str) -> Schema:
    if "$ref" in source:
        reference = {"$ref": source["$ref"]}
        described = source.get("description")
        return {"anyOf": [reference], "description": described} if described else reference
    options = _options(source)
    if len(options) == 1 and "type" not in source:
        return _strict({**source, **options[0], "allOf": None, "anyOf": None, "oneOf": None}, path)
    made = {name: source[name] for name in _KEPT if name in source}
    if options:
        made["anyOf"] = [_strict(option, path) for option in options]
    elif made.get("type") == "object":
        made |= _object(source, path)
    elif made.get("type") == "array":
        if not isinstance(source.get("items"), dict):
            raise _inexpressible(path, "a tuple or a list of anything")
        made["items"] = _strict(source["items"], f"{path}[]")
    elif not made.keys() & {"type", "enum", "const"}:
        raise _inexpressible(path, "any type")
    return made


def _options(source: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return source.get("anyOf") or source.get("oneOf") or source.get("allOf") or []


def _object(source: Mapping[str, Any], path: str) -> Schema:
    if source.get("additionalProperties"):
        raise _inexpressible(path, "a free mapping")
    properties = source.get("properties", {})
    required = source.get("required", ())
    return {
        "properties": {
            name: _property(inner, name in required, f"{path}.{name}") for name, inner in properties.items()
        },
        "required": list(properties),
        "additionalProperties": False,
    }


def _property(source: Mapping[str, Any], required: object, path: str) -> Schema:
    made = _strict(source, path)
    if required or made.get("type") == "array" or _takes_null(source):
        return made
    described = made.pop("description", None)
    options = made.get("anyOf") or [made]
    nullable: Schema = {"anyOf": [*options, {"type": "null"}]}
    return nullable | {"description": described} if described else nullable


def _takes_null(source: Mapping[str, Any]) -> bool:
    return source.get("type") == "null" or any(_takes_null(option) for option in _options(source))


def _inexpressible(path: str, what: str) -> ArgumentError:
    return ArgumentError(f"a strict schema cannot express {what} at {path}")


def _pruned(value: object, source: Mapping[str, Any], definitions: Mapping[str, Any]) -> object:
    source = _resolved(source, definitions)
    if not source:
        return value
    if isinstance(value, list):
        items = source.get("items", {})
        return [_pruned(item, items, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    return dict(_kept_fields(value, source, definitions))


def _kept_fields(
    value: Mapping[str, object], source: Mapping[str, Any], definitions: Mapping[str, Any]
) -> Iterator[tuple[str, object]]:
    properties = source.get("properties", {})
    required = source.get("required", ())
    for name, inner in value.items():
        field = properties.get(name, {})
        if inner is None and field and name not in required and not _takes_null(field):
            continue
        yield name, _pruned(inner, field, definitions)


def _resolved(source: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references, and the only option besides null."""
    options = [option for option in _options(source) if option.get("type") != "null"]
    if "$ref" in source:
        return _resolved(definitions[source["$ref"].removeprefix(_REF)], definitions)
    return _resolved(options[0], definitions) if len(options) == 1 else source
