"""Parses the body of a chat completion; any part of it may be missing. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mnemo.providers.structured.replies import MAX_CHARS

__all__ = ["Completion", "of_chat"]

_REFUSED = "the model refused"
_MAX_COUNT = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A parsed chat completion."""

    text: str
    """Empty if there is none; one longer than a reply may be is cut, and refused when it is read."""
    complete: bool
    """False if the output limit stopped the model."""
    problem: str | None
    """Why there is no answer, without quoting contents; None if there is one."""
    input_tokens: int | None
    """Count of the server; None if it gives none."""
    output_tokens: int | None


def of_chat(body: Mapping[str, Any]) -> Completion:
    """Return the first choice: its content, or else the arguments of its first tool call."""
    choices = body.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    message = _mapping(choice.get("message"))
    text = (_text(message.get("content")) or _arguments(message))[: MAX_CHARS + 1]
    finish = choice.get("finish_reason")
    usage = _mapping(body.get("usage"))
    return Completion(
        text=text,
        complete=finish != "length",
        problem=_problem(choice, message, text),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
    )


def _problem(choice: Mapping[str, Any], message: Mapping[str, Any], text: str) -> str | None:
    if not choice:
        return "the answer has no choice"
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return _REFUSED
    if not text.strip():
        return "the reply is empty"
    return None


def _text(content: object) -> str:
    """Join the parts of the content, which some servers send as a list."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(text for part in parts if isinstance(text := _mapping(part).get("text"), str))


def _arguments(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls")
    call = _mapping(calls[0]) if isinstance(calls, list) and calls else {}
    function = _mapping(call.get("function") or message.get("function_call"))
    arguments = function.get("arguments")
    return arguments if isinstance(arguments, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 < value < _MAX_COUNT else None
