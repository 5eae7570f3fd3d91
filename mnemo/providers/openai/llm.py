"""LLMs of OpenAI and of servers with compatible chat completions."""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from mnemo.errors import MalformedReplyError, RunawayReplyError
from mnemo.models.results import Usage
from mnemo.providers.base import Chat, Prompt, Reply
from mnemo.providers.off_loop import off_loop
from mnemo.providers.openai.errors import RefusedError
from mnemo.providers.openai.requests import Abilities, chat_body
from mnemo.providers.openai.responses import Completion, of_chat
from mnemo.providers.openai.transport import OpenAiHttp
from mnemo.providers.structured import replies
from mnemo.providers.structured.replies import UnreadableError
from mnemo.providers.tokens import count_tokens

__all__ = ["OpenAiLlm"]

ModelT = TypeVar("ModelT", bound=BaseModel)
T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_MAX_OUTPUT = 32_768
_SHOWN_CHARS = 50_000
"""Longest reply that is shown to the model again with its error."""
_TOKENS_PER_TURN = 4
_OUTPUT_SHARE = 4
"""A call is estimated to use its output limit divided by this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ask:
    """One call: the prompt so far and the output limit."""

    name: str
    chats: tuple[Chat, ...]
    max_tokens: int
    schema: type[BaseModel] | None


class OpenAiLlm:
    """Answers prompts; if a reply cannot be parsed, asks once more and includes the error."""

    def __init__(self, http: OpenAiHttp, *, model: str, abilities: Abilities | None = None) -> None:
        """Wrap a connection.

        Args:
            http: Closed together with this object.
            model: Name of the model on the server.
            abilities: Features that the server supports; found out by trying if not given.
        """
        self._http = http
        self._model = model
        self._abilities = abilities or Abilities()
        self._spent: defaultdict[str, Usage] = defaultdict(Usage)

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._model

    def spending(self) -> Mapping[str, Usage]:
        """Return the usage so far by name of the prompt, including calls whose reply could not be parsed."""
        return dict(self._spent)

    async def complete(self, prompt: Prompt, schema: type[ModelT]) -> Reply[ModelT]:
        """Return the reply, parsed into `schema`; see `Llm.complete`."""

        def read(answer: Completion) -> ModelT:
            """Parse one answer."""
            return replies.read(answer.text, schema, complete=answer.complete)

        return await self._twice(prompt, schema, read)

    async def write(self, prompt: Prompt) -> Reply[str]:
        """Return the reply as text, without the model's reasoning; see `Llm.write`."""
        return await self._twice(prompt, None, _text)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def _twice(self, prompt: Prompt, schema: type[BaseModel] | None, read: Callable[[Completion], T]) -> Reply[T]:
        ask = _Ask(name=prompt.name, chats=prompt.chats, max_tokens=prompt.max_output_tokens, schema=schema)
        answer, usage = await self._ask(ask)
        try:
            return Reply(value=await _read(answer, read), usage=usage)
        except UnreadableError as error:
            first = error
        if await _is_repeating(answer):
            message = f"prompt {prompt.name}: the reply repeats itself; its limit was {ask.max_tokens} tokens"
            raise RunawayReplyError(message, usage=usage)
        _LOG.warning("prompt %s: %s; asking again", prompt.name, first)
        answer, more = await self._ask(_again(ask, answer, first))
        try:
            return Reply(value=await _read(answer, read), usage=usage + more)
        except UnreadableError as error:
            message = f"prompt {prompt.name}: {first}; asked again: {error}"
            ran_away = not answer.complete or await _is_repeating(answer)
            kind = RunawayReplyError if ran_away else MalformedReplyError
            raise kind(message, usage=usage + more) from None  # the original may quote the reply

    async def _ask(self, ask: _Ask) -> tuple[Completion, Usage]:
        """Send the call, dropping features that the server refuses, and record the usage."""
        while True:
            abilities = self._abilities
            try:
                return await self._send(ask, abilities)
            except RefusedError as refusal:
                left = abilities.after(refusal, structured=ask.schema is not None)
                if left is None:
                    raise
                if self._abilities == abilities:
                    self._abilities = left

    async def _send(self, ask: _Ask, abilities: Abilities) -> tuple[Completion, Usage]:
        body = chat_body(self._model, ask.chats, ask.max_tokens, ask.schema, abilities)
        expected = 0
        if self._http.gate.counts_tokens:
            expected = _input_tokens(ask) + ask.max_tokens // _OUTPUT_SHARE
        send = self._http.client.chat.completions.with_raw_response.create
        answer = of_chat(await self._http.call(lambda: send(**body), expected))
        usage = _usage(ask, answer)
        self._http.gate.settle(usage.input_tokens + usage.output_tokens - expected)
        self._spent[ask.name] += usage
        return answer, usage


async def _read(answer: Completion, read: Callable[[Completion], T]) -> T:
    if answer.problem is not None:
        raise UnreadableError(answer.problem)
    return await off_loop(len(answer.text), lambda: read(answer))


async def _is_repeating(answer: Completion) -> bool:
    """Return whether a reply runs away; one that is too long to be read is malformed, which fails its message alone."""
    if len(answer.text) > replies.MAX_CHARS:
        return False
    return await off_loop(len(answer.text), lambda: replies.is_repeating(answer.text))


def _text(answer: Completion) -> str:
    text = replies.without_thoughts(answer.text, complete=answer.complete)
    if not text:
        message = "the reply is empty"
        raise UnreadableError(message)
    return text


def _again(ask: _Ask, answer: Completion, error: UnreadableError) -> _Ask:
    """Return a second call that includes the reply and its error; double the limit if the reply was cut off."""
    shown = (Chat(role="assistant", content=answer.text),) if _can_be_shown(answer) else ()
    request = "the whole JSON object again, and nothing else" if ask.schema else "a reply"
    correction = Chat(role="user", content=f"That could not be used. {error.correction.rstrip('.')}. Send {request}.")
    most = ask.max_tokens if answer.complete else max(ask.max_tokens, min(2 * ask.max_tokens, _MAX_OUTPUT))
    return _Ask(name=ask.name, chats=(*ask.chats, *shown, correction), max_tokens=most, schema=ask.schema)


def _can_be_shown(answer: Completion) -> bool:
    return answer.complete and bool(answer.text.strip()) and len(answer.text) <= _SHOWN_CHARS


def _usage(ask: _Ask, answer: Completion) -> Usage:
    """Return the server's token counts, or offline counts if it gives none."""
    given = answer.input_tokens if answer.input_tokens is not None else _input_tokens(ask)
    written = answer.output_tokens if answer.output_tokens is not None else count_tokens(answer.text)
    return Usage(calls=1, input_tokens=given, output_tokens=written)


def _input_tokens(ask: _Ask) -> int:
    return sum(count_tokens(chat.content) + _TOKENS_PER_TURN for chat in ask.chats)
