"""Builds the request for a prompt from the features that the server supports. No I/O.

`Abilities` starts with all features and drops those that the server refuses, for the lifetime of the
client: strict JSON schema, then JSON mode, then plain text; `max_tokens`, then `max_completion_tokens`;
temperature 0, then no temperature.
"""

import json
import logging
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel

from mnemo.providers.base import Chat
from mnemo.providers.openai.errors import RefusedError
from mnemo.providers.structured.schemas import strict

__all__ = ["Abilities", "OutputMode", "chat_body"]

OutputMode: TypeAlias = Literal["schema", "json", "text"]

_LOG = logging.getLogger(__name__)
_NEXT: dict[OutputMode, OutputMode] = {"schema": "json", "json": "text"}
_FORM = "Reply with one JSON object and nothing else. It must fit this JSON schema:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """Features that a server supports, as far as known."""

    output: OutputMode = "schema"
    steps_down: bool = True
    """Whether to try a simpler `output` if the server refuses it."""
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True

    def after(self, refusal: RefusedError, *, structured: bool) -> "Abilities | None":
        """Return the features left after a refused request, or None if no feature explains the refusal.

        Args:
            refusal: Error of the server.
            structured: Whether the request asked for a schema.
        """
        if structured and self.steps_down and "response_format" in refusal.fields and self.output in _NEXT:
            _LOG.info("the server refuses %s output; using %s from now on", self.output, _NEXT[self.output])
            return replace(self, output=_NEXT[self.output])
        if "max_tokens" in refusal.fields and self.limit_field == "max_tokens":
            return replace(self, limit_field="max_completion_tokens")
        if "temperature" in refusal.fields and self.temperature:
            return replace(self, temperature=False)
        return None


def chat_body(
    model: str, chats: tuple[Chat, ...], max_tokens: int, schema: type[BaseModel] | None, abilities: Abilities
) -> dict[str, Any]:
    """Return the fields of a chat completion request.

    Args:
        model: Name of the model.
        chats: Turns of the prompt.
        max_tokens: Output limit.
        schema: Schema of the reply; None for text.
        abilities: Features of the server.
    """
    output = abilities.output if schema else "text"
    shown = chats if schema is None or output == "schema" else _with_form(chats, schema)
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": chat.role, "content": chat.content} for chat in shown],
        abilities.limit_field: max_tokens,
    }
    if abilities.temperature:
        body["temperature"] = 0
    if schema and output == "schema":
        described = {"name": schema.__name__[:64], "strict": True, "schema": strict(schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
    elif output == "json":
        body["response_format"] = {"type": "json_object"}
    return body


def _with_form(chats: tuple[Chat, ...], schema: type[BaseModel]) -> tuple[Chat, ...]:
    """Add the schema to the first system turn, because some servers accept only one."""
    form = f"{_FORM}\n{json.dumps(strict(schema), separators=(',', ':'), ensure_ascii=False)}"
    first = chats[0] if chats else None
    if first and first.role == "system":
        return (replace(first, content=f"{first.content}\n\n{form}"), *chats[1:])
    return (Chat(role="system", content=form), *chats)
