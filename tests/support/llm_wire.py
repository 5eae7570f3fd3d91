"""Requests, replies and JSON bodies of the scripted server. No I/O."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from pydantic import BaseModel

__all__ = ["Reply", "Request", "chat_body", "response_body"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One received request."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Pairs of role and content, in order."""
        return [(item["role"], item["content"]) for item in self.body.get("messages", self.body.get("input", []))]

    @property
    def system(self) -> str:
        """All system messages, joined by line breaks."""
        return "\n".join(text for role, text in self.messages if role == "system")

    @property
    def user(self) -> str:
        """The last user message; empty if there is none."""
        return next((text for role, text in reversed(self.messages) if role == "user"), "")

    @property
    def format(self) -> Literal["schema", "json", "text"]:
        """Requested kind of output."""
        kind = self._format.get("type", "text")
        return {"json_schema": "schema", "json_object": "json"}.get(kind, "text")  # type: ignore[return-value]  # values are the literals

    @property
    def schema(self) -> Mapping[str, Any]:
        """The requested JSON schema; empty if there is none."""
        return self._described.get("schema", {})

    @property
    def schema_name(self) -> str:
        """Name of the schema, which mnemo sets to that of the pydantic model; empty if there is none."""
        return self._described.get("name", "")

    @property
    def strict(self) -> bool:
        """Whether strict mode is requested."""
        return bool(self._described.get("strict"))

    @property
    def inputs(self) -> list[str]:
        """Texts to embed."""
        given = self.body.get("input", [])
        return [given] if isinstance(given, str) else list(given)

    @property
    def _format(self) -> Mapping[str, Any]:
        return self.body.get("response_format") or self.body.get("text", {}).get("format") or {}

    @property
    def _described(self) -> Mapping[str, Any]:
        return self._format.get("json_schema", self._format)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer; use the constructors below."""

    content: str | None = None
    finish_reason: str = "stop"
    tool_arguments: str | None = None
    refusal: str | None = None
    usage: tuple[int, int] | None = (10, 5)
    """Input and output tokens; None omits the usage, as some servers do."""
    top_logprobs: tuple[tuple[str, float], ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    """The whole body, JSON-able or bytes, instead of a completion."""
    delay_s: float = 0.0
    fault: Literal["hang", "drop"] | None = None

    @property
    def for_any(self) -> bool:
        """Whether the reply can also answer embeddings, as failures and whole bodies can."""
        return self.fault is not None or self.body is not None

    @classmethod
    def text(cls, content: str | None, **fields: Any) -> Self:
        """Complete with this text."""
        return cls(content=content, **fields)

    @classmethod
    def json(cls, value: object, **fields: Any) -> Self:
        """Complete with a value or a pydantic model as JSON text."""
        content = value.model_dump_json() if isinstance(value, BaseModel) else json.dumps(value)
        return cls(content=content, **fields)

    @classmethod
    def cut(cls, content: str) -> Self:
        """Complete with text that was cut off by the output limit."""
        return cls(content=content, finish_reason="length")

    @classmethod
    def tool(cls, value: object) -> Self:
        """Complete with a tool call that has the value, and without content."""
        return cls(tool_arguments=json.dumps(value), finish_reason="tool_calls")

    @classmethod
    def empty(cls) -> Self:
        """Answer 200 without choices."""
        return cls(body={"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": []})

    @classmethod
    def error(cls, status: int, *, message: str = "scripted failure", retry_after: str | None = None) -> Self:
        """Answer with a status and an OpenAI error body; `retry_after` in seconds or an HTTP date."""
        headers = {} if retry_after is None else {"Retry-After": retry_after}
        body = {"error": {"message": message, "type": "scripted", "param": None, "code": None}}
        return cls(status=status, headers=headers, body=body)

    @classmethod
    def hang(cls) -> Self:
        """Never answer."""
        return cls(fault="hang")

    @classmethod
    def drop(cls) -> Self:
        """Close the connection instead of answering."""
        return cls(fault="drop")

    @classmethod
    def raw(cls, body: Any) -> Self:
        """Answer 200 with this body, JSON-able or bytes."""
        return cls(body=body)


def chat_body(reply: Reply, request: Request) -> dict[str, Any]:
    """Return the body of a chat completion."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.content, "refusal": reply.refusal}
    if reply.tool_arguments is not None:
        call = {"name": request.schema_name or "reply", "arguments": reply.tool_arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason, "logprobs": _logprobs(reply)}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model"),
        "choices": [choice],
        "usage": reply.usage
        and {
            "prompt_tokens": reply.usage[0],
            "completion_tokens": reply.usage[1],
            "total_tokens": sum(reply.usage),
        },
    }


def response_body(reply: Reply, request: Request) -> dict[str, Any]:
    """Return the body of OpenAI's newer responses endpoint, as Graphiti's client expects it."""
    part = {"type": "output_text", "text": reply.content or "", "annotations": []}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    tokens = reply.usage or (0, 0)
    return {
        "id": "resp-scripted",
        "object": "response",
        "created_at": 0,
        "model": request.body.get("model"),
        "status": "completed",
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": tokens[0],
            "output_tokens": tokens[1],
            "total_tokens": sum(tokens),
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def _logprobs(reply: Reply) -> dict[str, Any] | None:
    if not reply.top_logprobs:
        return None
    tops = [{"token": token, "logprob": value, "bytes": None} for token, value in reply.top_logprobs]
    return {"content": [{**tops[0], "top_logprobs": tops}], "refusal": None}
