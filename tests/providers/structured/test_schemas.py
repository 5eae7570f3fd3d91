from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel

from mnemo.errors import ArgumentError
from mnemo.providers.structured.schemas import drop_nulls, lists, names, strict
from support.strict_schema import problems_of


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(default=9, ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str = Field(min_length=1, pattern="^[A-Z]")


class Node(BaseModel):
    name: str
    children: list["Node"] = []


class Everything(BaseModel):
    """A model with every supported kind of field."""

    text: str = Field(description="Text of the message.")
    born: date | None = None
    colour: Colour = Field(default=Colour.RED, description="Its colour.")
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]] = Field(default=[], max_length=5)
    node: Node | None = None
    share: float = 0.5
    tags: list[str] = []


@pytest.mark.parametrize("model", [Everything, Node, Cat, Dog])
def test_schema_is_strict(model: type[BaseModel]) -> None:
    assert problems_of(strict(model)) == []


def test_all_fields_are_required_and_optional_ones_nullable() -> None:
    made = strict(Cat)
    assert made["required"] == ["kind", "lives"]
    assert made["properties"]["lives"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def test_descriptions_are_kept() -> None:
    assert strict(Everything)["properties"]["text"] == {"type": "string", "description": "Text of the message."}
    assert strict(Everything)["properties"]["colour"]["description"] == "Its colour."


def test_nulls_are_dropped_only_for_optional_fields() -> None:
    value = {"text": "x", "born": None, "share": None, "pets": [{"kind": "cat", "lives": None}], "node": {"name": "a"}}
    expected = {"text": "x", "born": None, "pets": [{"kind": "cat", "lives": None}], "node": {"name": "a"}}
    assert drop_nulls(value, Everything) == expected


def test_names_and_lists_return_field_names() -> None:
    assert names(Node) == {"name", "children"}
    assert lists(Everything) == ("pets", "tags")


class Free(BaseModel):
    extra: dict[str, str]


class Anything(BaseModel):
    value: Any


class Pair(BaseModel):
    pair: tuple[int, str]


class Bare(RootModel[list[int]]):
    """A list instead of an object."""


@pytest.mark.parametrize(
    ("model", "what"),
    [(Free, "a free mapping at Free.extra"), (Anything, "any type"), (Pair, "a tuple"), (Bare, "must be an object")],
)
def test_inexpressible_field_is_rejected(model: type[BaseModel], what: str) -> None:
    with pytest.raises(ArgumentError, match=what):
        strict(model)
