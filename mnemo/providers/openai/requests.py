"""What is sent for a prompt, by what a server has shown that it can do. No I/O.

`Abilities` starts hopeful and steps down by the server's refusals, for as long as the client lives:
strict JSON schema, then JSON mode, then plain text; `max_tokens`, then `max_completion_tokens`;
temperature 0, then none given.
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
    """What a server takes, as far as is known."""

    output: OutputMode = "schema"
    steps_down: bool = True
    """Whether `output` gives way where the server refuses it."""
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True

    def after(self, refusal: RefusedError, *, structured: bool) -> "Abilities | None":
        """Return what is left after a refusal of a request made with these, None if nothing explains it.

        Args:
            refusal: What the server said.
            structured: Whether the request asked for a schema.
        """
        if structured and self.steps_down and "response_format" in refusal.fields and self.output in _NEXT:
            _LOG.info("the server refuses %s output; %s from here on", self.output, _NEXT[self.output])
            return replace(self, output=_NEXT[self.output])
        if "max_tokens" in refusal.fields and self.limit_field == "max_tokens":
            return replace(self, limit_field="max_completion_tokens")
        if "temperature" in refusal.fields and self.temperature:
            return replace(self, temperature=False)
        return None


def chat_body(
    model: str, chats: tuple[Chat, ...], most_tokens: int, schema: type[BaseModel] | None, abilities: Abilities
) -> dict[str, Any]:
    """Return the fields of a chat completion request.

    Args:
        model: Its name.
        chats: The turns.
        most_tokens: Output limit.
        schema: What the reply should be; None is text.
        abilities: What the server takes.
    """
    output = abilities.output if schema else "text"
    shown = chats if schema is None or output == "schema" else _with_form(chats, schema)
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": chat.role, "content": chat.content} for chat in shown],
        abilities.limit_field: most_tokens,
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
    """Say the schema in the first system turn: some servers take only one."""
    form = f"{_FORM}\n{json.dumps(strict(schema), separators=(',', ':'), ensure_ascii=False)}"
    first = chats[0] if chats else None
    if first and first.role == "system":
        return (replace(first, content=f"{first.content}\n\n{form}"), *chats[1:])
    return (Chat(role="system", content=form), *chats)
