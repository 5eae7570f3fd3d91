"""The models of an LLM's replies, parsed leniently: valid items are kept, the others are dropped and counted.

As JSON schemas, all fields are required and no others are allowed, as strict mode demands. When a reply is parsed, a
missing or null text or list counts as empty, a number may be a string, and an item without its main field is junk.
A reply with nothing but junk items is rejected, so that the model is asked again.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from mnemo.characters import one_line
from mnemo.ingestion.extraction import Kind, State
from mnemo.ingestion.resolution.types import Verdict

__all__ = ["EntityReply", "ExtractReply", "FactReply", "JudgeReply", "VerdictReply"]

_KINDS = ("person", "place", "organisation", "event", "thing", "topic")
_STATES = ("begins", "holds", "ends", "happened")
_LINE_CHARS = 2_000
"""Most characters of a name or a fact as it is read; stored ones have fewer."""
_VERDICTS = ("same", "different", "contradicts")
_NUMBER = re.compile(r"\s*\[?\s*(-?\d{1,9})(?:\.0+)?\s*\]?\s*")


def _one_of(allowed: Sequence[str], default: str, *, missing: str | None = None) -> BeforeValidator:
    """Return a validator that maps unknown words to the default, and null to `missing`."""

    def parsed(value: object) -> str:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word in allowed:
            return word
        return default if word else missing or default

    return BeforeValidator(parsed)


def _text(value: object) -> object:
    """Return a text; an empty one for anything else."""
    return value if isinstance(value, str) else ""


def _name(value: object) -> object:
    """Return a name on one line; unwrap a list of one, or an object with a name."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    found = value.get("name") if isinstance(value, dict) else value
    return one_line(found, _LINE_CHARS) if isinstance(found, str) else found


def _optional(value: object) -> object:
    """Return a name, or None if it is missing."""
    found = _name(value)
    return found if isinstance(found, str) else None


def _texts(value: object) -> list[str]:
    return [one_line(item, _LINE_CHARS) for item in _as_list(value) if isinstance(item, str)]


def _number(value: object) -> int:
    """Return a whole number; 0, which is never a message number, for anything else."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, float) and not value.is_integer():
        return 0
    found = _NUMBER.fullmatch(str(value)) if isinstance(value, int | float | str) else None
    return int(found[1]) if found else 0


def _numbers(value: object) -> list[int]:
    items = re.split(r"[,;\s]+", value) if isinstance(value, str) else _as_list(value)
    return [_number(item) for item in items if item != ""]


def _as_list(value: object) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


Text = Annotated[str, BeforeValidator(_text)]
Name = Annotated[str, Field(min_length=1), BeforeValidator(_name)]
OptionalText = Annotated[str | None, BeforeValidator(_optional)]
Texts = Annotated[list[str], BeforeValidator(_texts)]
Number = Annotated[int, BeforeValidator(_number)]
Numbers = Annotated[list[int], BeforeValidator(_numbers)]


class _Item(BaseModel):
    """One item of a reply: unknown fields are left out, missing ones are read as null."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _fill_missing(cls, value: object) -> object:
        return {name: value.get(name) for name in cls.model_fields} if isinstance(value, dict) else value


class EntityReply(_Item):
    """An entity as the LLM gives it; nothing of it is trusted yet."""

    name: Name
    kind: Annotated[Kind, _one_of(_KINDS, "thing")]
    tags: Texts
    summary: Text
    aliases: Texts
    messages: Numbers

    @model_validator(mode="before")
    @classmethod
    def _name_only(cls, value: object) -> object:
        return {"name": value} if isinstance(value, str) else value


class FactReply(_Item):
    """A fact as the LLM gives it; nothing of it is trusted yet."""

    message: Number
    subject: Name
    relation: Text
    object: OptionalText
    state: Annotated[State, _one_of(_STATES, "happened", missing="holds")]
    fact: Name
    quote: Text
    when: OptionalText


class VerdictReply(_Item):
    """One decided pair."""

    number: Number
    verdict: Annotated[Verdict, _one_of(_VERDICTS, "different")]


class _Reply(BaseModel):
    """A reply of lists; items that cannot be read are left out and counted."""

    model_config = ConfigDict(extra="forbid")
    _junk: int = PrivateAttr(default=0)

    @property
    def junk(self) -> int:
        """Items that could not be read."""
        return self._junk

    @model_validator(mode="wrap")
    @classmethod
    def _lenient(cls, value: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(value, dict):
            return handler(value)
        lists = {name: _as_list(value.get(name)) for name in cls.model_fields}
        kept = {name: list(_valid_items(_ITEMS[name], items)) for name, items in lists.items()}
        junk = sum(len(lists[name]) - len(kept[name]) for name in lists)
        if junk and not any(kept.values()):
            return handler(lists)
        parsed = handler(kept)
        parsed._junk = junk  # noqa: SLF001  # its own class
        return parsed


class ExtractReply(_Reply):
    """Reply to the extraction and reflection prompts."""

    entities: list[EntityReply]
    facts: list[FactReply]


class JudgeReply(_Reply):
    """Reply to the judge's prompt."""

    verdicts: list[VerdictReply] = Field(description="One for each numbered pair.")


_ITEMS: dict[str, type[_Item]] = {"entities": EntityReply, "facts": FactReply, "verdicts": VerdictReply}


def _valid_items(item: type[_Item], values: Iterable[object]) -> Iterable[_Item]:
    for value in values:
        try:
            yield item.model_validate(value)
        except ValidationError:
            continue
