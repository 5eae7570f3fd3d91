"""Reads what a language model wrote into a pydantic model, or says why it cannot. Pure.

Models put prose and fences around JSON, think aloud first, send a list instead of an object with one, or
the schema itself. What can be read without guessing is read; the rest is refused, with words for the model
(`UnreadableError.correction`) and others for logs, which hold none of the text. Half a character, such as
the first half of an emoji, becomes U+FFFD: it could not be stored or sent.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from mnemo.providers.structured import lenient_json
from mnemo.providers.structured.schemas import drop_nulls, lists, names

__all__ = ["UnreadableError", "is_repeating", "read", "without_thoughts"]

ModelT = TypeVar("ModelT", bound=BaseModel)

_BLANK = "\ufeff\u200b\u2060 \t\r\n"
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_STARTS = 500
"""Places at which a value is looked for in prose."""
_ITEM = re.compile(r"\{[^{}]*\}")
_MIN_ITEMS = 6
_MOST_TAIL = 8_000
_MIN_TAIL = 200
_MIN_TIMES = 4
_MOST_PROBLEMS = 5
_EMPTY = "the reply is empty"
_CUT = "the reply ends in the middle of its JSON"


class UnreadableError(ValueError):
    """A reply that does not give what was asked for.

    Attributes:
        correction: What to tell the model; may quote names that it made up.
    """

    def __init__(self, summary: str, correction: str | None = None) -> None:
        """Keep both forms; the summary, which is the message, holds nothing of the reply."""
        super().__init__(summary)
        self.correction = correction or summary


def read(text: str, model: type[ModelT], *, complete: bool = True) -> ModelT:
    """Read a reply.

    Of several values in the text, the last that fits counts: drafts and examples come first.

    Args:
        text: The reply as it came.
        model: What it should be; at least one of the model's fields must be there.
        complete: False where the model was stopped by its output limit, so that nothing found inside
            an unfinished thought or value is taken for the answer.

    Raises:
        UnreadableError: Empty, cut off, no JSON, the schema echoed, or JSON that does not fit.
    """
    stripped = text.strip(_BLANK)
    if not stripped:
        raise UnreadableError(_EMPTY)
    whole = _whole(stripped)
    values, cut = ([whole], False) if whole is not None else _found(stripped, complete=complete)
    if cut:
        raise UnreadableError(_CUT)
    return _fitting(values, model)


def without_thoughts(text: str, *, complete: bool = True) -> str:
    """Return the text after a leading thought, stripped of blanks.

    A thought that never ends is kept as the answer, only its mark removed, unless the model was stopped
    by its limit (`complete` is False): then there is no answer and the result is empty.
    """
    stripped = _mended_text(text).strip(_BLANK)
    opening, ending = _THOUGHT.match(stripped), _THOUGHT_END.search(stripped)
    if ending and (opening or not _OPENING.search(stripped, 0, ending.start())):
        return stripped[ending.end() :].strip(_BLANK)
    if opening:
        return stripped[opening.end() :].strip(_BLANK) if complete else ""
    return stripped


def is_repeating(text: str) -> bool:
    """Return whether a text ends in the same piece again and again, as that of a model that cannot stop.

    The piece occurs at least four times at the end, together at least 200 characters; or among the objects
    `{...}` without others inside, six or more, at most half differ.
    """
    tail = text[: -_MOST_TAIL - 1 : -1]
    period = _period(tail)
    if period is not None:
        return True
    items = _ITEM.findall(text)
    return len(items) >= _MIN_ITEMS and len(set(items)) <= len(items) // 2


def _period(text: str) -> int | None:
    """Return the length of the piece that a text begins with four times or more, by the prefix function."""
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


def _whole(text: str) -> Any:
    """Return the value that the text is, None where it is none."""
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _found(text: str, *, complete: bool) -> tuple[list[Any], bool]:
    """Return the values among prose, and whether the last one is cut off."""
    for body in dict.fromkeys((without_thoughts(text, complete=complete), _after_last_thought(text))):
        values, cut = _scan(body)
        if values or cut:
            return values, cut
    return [], False


def _after_last_thought(text: str) -> str:
    """Return what follows the last end of a thought, empty where none ends."""
    parts = _THOUGHT_END.split(text)
    return parts[-1] if len(parts) > 1 else ""


def _scan(text: str) -> tuple[list[Any], bool]:
    values: list[Any] = []
    at = 0
    for _ in range(_MOST_STARTS):
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
                return model.model_validate(drop_nulls(_mended(shape), model))
            except ValidationError as error:
                problem = problem or error
            except RecursionError:
                continue
    if problem is not None:
        raise _misfit(problem)
    raise _nothing(values, model, echoed=echoed)


def _nothing(values: list[Any], model: type[BaseModel], *, echoed: bool) -> UnreadableError:
    if echoed:
        return UnreadableError("the reply is the schema itself", "You sent the schema back; send data that fits it.")
    if values:
        wanted = ", ".join(sorted(names(model)))
        summary = "the reply's JSON has none of the fields asked for"
        return UnreadableError(summary, f"The JSON has none of the fields asked for: {wanted}.")
    return UnreadableError("the reply holds no JSON")


def _shapes(value: Any, model: type[BaseModel]) -> Iterator[Any]:
    """Return what a value may have been meant as, likeliest first; nothing for a schema."""
    if isinstance(value, str):
        value = _whole(value)
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


def _mended(value: Any) -> Any:
    """Return a JSON value whose strings, names of fields included, have no half characters."""
    if isinstance(value, str):
        return _mended_text(value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended_text(name): _mended(item) for name, item in value.items()}
    return value


def _mended_text(text: str) -> str:
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_schema(value: object, model: type[BaseModel]) -> bool:
    if not isinstance(value, dict) or "properties" in names(model):
        return False
    if "$schema" in value or "$defs" in value:
        return True
    return isinstance(value.get("properties"), dict) and bool(value.keys() & {"type", "required", "title"})


def _misfit(error: ValidationError) -> UnreadableError:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    kinds = ", ".join(sorted({problem["type"] for problem in problems}))
    lines = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems[:_MOST_PROBLEMS]]
    more = len(problems) - len(lines)
    tail = [f"and {more} more"] if more else []
    summary = f"the reply does not fit the schema in {len(problems)} places ({kinds})"
    return UnreadableError(summary, "It does not fit the schema: " + "; ".join([*lines, *tail]))
