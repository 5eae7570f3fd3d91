"""Parses the reply of a language model into a pydantic model. Pure.

Models put prose and code fences around JSON, reason before they answer, send a list instead of an object
that holds one, or send the schema itself. Whatever is unambiguous is accepted; otherwise `UnreadableError`
has a correction for the model and a summary for logs that quotes nothing of the reply. A lone surrogate,
such as the first half of an emoji, becomes U+FFFD, because it could not be stored or sent.

A reply is bounded before it is parsed and again before it is validated, so that no reply, however large or deep, costs
more than linear time.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from mnemo.characters import whole
from mnemo.providers.structured import lenient_json
from mnemo.providers.structured.schemas import drop_nulls, lists, names

__all__ = ["MAX_CHARS", "UnreadableError", "is_repeating", "read", "without_thoughts"]

ModelT = TypeVar("ModelT", bound=BaseModel)

_BLANK = "\ufeff\u200b\u2060 \t\r\n"
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")
_MAX_STARTS = 500
"""Most positions in prose at which a value is tried."""
_ITEM = re.compile(r"\{[^{}]*\}")
_MIN_ITEMS = 6
_MAX_TAIL = 8_000
_MIN_TAIL = 200
_MIN_TIMES = 4
_MAX_PROBLEMS = 5
MAX_CHARS = 2_000_000
"""Most characters of a reply that is read; 32,768 tokens of output have at most a tenth of that."""
_MAX_DEPTH = 100
_MAX_ITEMS = 5_000
_MAX_FIELDS = 1_000
_MAX_TEXT = 20_000
_MAX_NUMBER = 2**63
"""Numbers from here on cannot be stored; they are read as null."""
_EMPTY = "the reply is empty"
_LONG = f"the reply has more than {MAX_CHARS:,} characters"
_DEEP = f"the reply is nested deeper than {_MAX_DEPTH} levels"
_CUT = "the reply ends in the middle of its JSON"


class UnreadableError(ValueError):
    """A reply cannot be parsed into the model.

    Attributes:
        correction: Message for the model; may quote names that it invented.
    """

    def __init__(self, summary: str, correction: str | None = None) -> None:
        """Keep both texts; the summary is the error message and quotes nothing of the reply."""
        super().__init__(summary)
        self.correction = correction or summary


def read(text: str, model: type[ModelT], *, complete: bool = True) -> ModelT:
    """Parse a reply.

    If the text has several values, the last one that fits is used, since drafts and examples come first.

    Args:
        text: The raw reply.
        model: Expected type; at least one of its fields must be present.
        complete: False if the output limit stopped the model; values inside an unfinished thought or
            value are then ignored.

    Raises:
        UnreadableError: The reply is empty, cut off, too long, nested too deep, not JSON, the schema itself, or does
            not fit it.
    """
    stripped = text.strip(_BLANK)
    if not stripped:
        raise UnreadableError(_EMPTY)
    if len(stripped) > MAX_CHARS:
        raise UnreadableError(_LONG)
    parsed = _parsed(stripped)
    values, cut = ([parsed], False) if parsed is not None else _found(stripped, complete=complete)
    if cut:
        raise UnreadableError(_CUT)
    return _fitting(values, model)


def without_thoughts(text: str, *, complete: bool = True) -> str:
    """Return the text after the model's leading thought, stripped of blanks.

    A thought without an end tag counts as the answer. If the output limit stopped the model (`complete`
    is False), the result is empty instead.
    """
    stripped = whole(text).strip(_BLANK)
    opening, ending = _THOUGHT.match(stripped), _THOUGHT_END.search(stripped)
    if ending and (opening or not _OPENING.search(stripped, 0, ending.start())):
        return stripped[ending.end() :].strip(_BLANK)
    if opening:
        return stripped[opening.end() :].strip(_BLANK) if complete else ""
    return stripped


def is_repeating(text: str) -> bool:
    """Return whether a text repeats itself, like the output of a model that cannot stop.

    Either the text ends with four or more copies of one piece, at least 200 characters in all; or it has
    six or more innermost objects `{...}` and at most half of them are distinct.
    """
    tail = text[: -_MAX_TAIL - 1 : -1]
    period = _period(tail)
    if period is not None:
        return True
    items = _ITEM.findall(text)
    return len(items) >= _MIN_ITEMS and len(set(items)) <= len(items) // 2


def _period(text: str) -> int | None:
    """Return the length of the piece that a text starts with four or more times (prefix function)."""
    borders = [0] * len(text)
    for place in range(1, len(text)):
        length = borders[place - 1]
        while length and text[length] != text[place]:
            length = borders[length - 1]
        borders[place] = length + (text[length] == text[place])
        period = place + 1 - borders[place]
        if place + 1 >= max(_MIN_TAIL, _MIN_TIMES * period):
            return period
    return None


def _parsed(text: str) -> Any:
    """Return the text parsed as JSON, or None."""
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _found(text: str, *, complete: bool) -> tuple[list[Any], bool]:
    """Return the values found in prose, and whether the last one is cut off."""
    for body in dict.fromkeys((without_thoughts(text, complete=complete), _after_last_thought(text))):
        values, cut = _scan(body)
        if values or cut:
            return values, cut
    return [], False


def _after_last_thought(text: str) -> str:
    """Return the text after the last end tag of a thought; empty if there is none."""
    parts = _THOUGHT_END.split(text)
    return parts[-1] if len(parts) > 1 else ""


def _scan(text: str) -> tuple[list[Any], bool]:
    values: list[Any] = []
    at = 0
    for _ in range(_MAX_STARTS):
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        try:
            value, at = lenient_json.decode(text, opening.start())
            values.append(value)
        except lenient_json.Truncated:
            return values, True
        except lenient_json.NotJson:
            at = opening.end()
    return values, False


def _fitting(values: list[Any], model: type[ModelT]) -> ModelT:
    problem: ValidationError | None = None
    echoed = False
    for value in reversed(values):
        echoed = echoed or _is_schema(value, model)
        for shape in _shapes(value, model):
            try:
                return model.model_validate(drop_nulls(_bounded(shape), model))
            except ValidationError as error:
                problem = problem or error
    if problem is not None:
        raise _schema_violation(problem)
    raise _nothing(values, model, echoed=echoed)


def _nothing(values: list[Any], model: type[BaseModel], *, echoed: bool) -> UnreadableError:
    if echoed:
        return UnreadableError("the reply is the schema itself", "You sent the schema back; send data that fits it.")
    if values:
        fields = ", ".join(sorted(names(model)))
        summary = "the reply's JSON has none of the requested fields"
        return UnreadableError(summary, f"The JSON has none of the requested fields: {fields}.")
    return UnreadableError("the reply contains no JSON")


def _shapes(value: Any, model: type[BaseModel]) -> Iterator[Any]:
    """Yield possible readings of a value, most likely first; none for a schema."""
    if isinstance(value, str):
        value = _parsed(value)
    if isinstance(value, dict) and not _is_schema(value, model):
        yield from _shapes_of_object(value, model)
    elif isinstance(value, list):
        yield from _shapes_of_list(value, model)


def _shapes_of_object(value: dict[str, Any], model: type[BaseModel]) -> Iterator[Any]:
    if value.keys() & names(model):
        yield value
        listed = {name: [value[name]] for name in lists(model) if isinstance(value.get(name), dict)}
        if listed:
            yield value | listed
        return
    if len(value) == 1:
        inner = next(iter(value.values()))
        if isinstance(inner, dict) and inner.keys() & names(model) and not _is_schema(inner, model):
            yield inner
        elif isinstance(inner, list):
            yield from _shapes_of_list(inner, model)
    if len(lists(model)) == 1 and value:
        yield {lists(model)[0]: [value]}


def _shapes_of_list(value: list[Any], model: type[BaseModel]) -> Iterator[Any]:
    first = value[0] if value else None
    if len(value) == 1 and isinstance(first, dict) and first.keys() & names(model):
        yield first
    if len(lists(model)) == 1:
        yield {lists(model)[0]: value}


def _bounded(value: Any, depth: int = 0) -> Any:
    """Return a JSON value of which no part is larger than the limits, and no text has halves of characters.

    Raises:
        UnreadableError: It is nested deeper than `_MAX_DEPTH`.
    """
    if depth > _MAX_DEPTH:
        raise UnreadableError(_DEEP)
    if isinstance(value, str):
        return whole(value[:_MAX_TEXT])
    if isinstance(value, list):
        return [_bounded(item, depth + 1) for item in value[:_MAX_ITEMS]]
    if isinstance(value, dict):
        fields = islice(value.items(), _MAX_FIELDS)
        return {whole(name[:_MAX_TEXT]): _bounded(item, depth + 1) for name, item in fields}
    if isinstance(value, int | float) and not -_MAX_NUMBER < value < _MAX_NUMBER:
        return None
    return value


def _is_schema(value: object, model: type[BaseModel]) -> bool:
    if not isinstance(value, dict) or "properties" in names(model):
        return False
    if "$schema" in value or "$defs" in value:
        return True
    return isinstance(value.get("properties"), dict) and bool(value.keys() & {"type", "required", "title"})


def _schema_violation(error: ValidationError) -> UnreadableError:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    kinds = ", ".join(sorted({problem["type"] for problem in problems}))
    lines = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems[:_MAX_PROBLEMS]]
    more = len(problems) - len(lines)
    tail = [f"and {more} more"] if more else []
    summary = f"the reply does not fit the schema in {len(problems)} places ({kinds})"
    return UnreadableError(summary, "It does not fit the schema: " + "; ".join([*lines, *tail]))
