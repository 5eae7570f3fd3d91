"""Estimates what an import costs before anything is sent."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mnemo.config import IngestionSettings
from mnemo.models.graph import Message
from mnemo.providers.base import Prompt
from mnemo.providers.tokens import count_tokens

__all__ = ["Estimate", "estimate", "with_summaries"]

_LINE_TOKENS = 20
"""Tokens of the mark, name and time before a message."""
_OUTPUT_SHARE = 2.0
"""Tokens of a reply per token of the messages: quotes, facts and names, measured on chats."""
_OUTPUT_BASE = 60
_SUMMARY_INPUT = 230
"""Tokens of the instructions and of the new texts."""
_JUDGE_INPUT = 900
_JUDGE_OUTPUT = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Calls and tokens of an import, without embeddings by a remote model."""

    messages: int
    windows: int
    calls: int
    """Most LLM calls, without repeats for unreadable replies; 0 with the local extractor."""
    input_tokens: int
    output_tokens: int


def estimate(messages: Iterable[Message], settings: IngestionSettings, instructions: Prompt | None) -> Estimate:
    """Estimate the LLM calls and tokens of ingesting messages.

    Args:
        messages: All of them, of any sessions; read once.
        settings: Window, context and profile.
        instructions: The extraction prompt of an empty window; None with the local extractor, which costs nothing.
    """
    sessions: Counter[str] = Counter()
    tokens = total = 0
    for message in messages:
        total += 1
        read = message.role != "system" or settings.extract_system
        sessions[message.session] += max(1, -(-count_tokens(message.content) // settings.chunk_tokens)) if read else 0
        tokens += count_tokens(message.content) + _LINE_TOKENS if read else 0
    windows = sum(-(-count // settings.window) for count in sessions.values())
    if instructions is None or not windows:
        return Estimate(messages=total, windows=windows, calls=0, input_tokens=0, output_tokens=0)
    looks = 2 if settings.profile == "paper" else 1
    fixed = sum(count_tokens(chat.content) for chat in instructions.chats)
    shown = tokens + tokens * settings.context // max(settings.window, 1)
    replies = int(tokens * _OUTPUT_SHARE) + windows * _OUTPUT_BASE
    return Estimate(
        messages=total,
        windows=windows,
        calls=windows * (looks + 1),
        input_tokens=looks * (windows * fixed + shown) + (looks - 1) * replies + windows * _JUDGE_INPUT,
        output_tokens=replies + (looks - 1) * windows * _OUTPUT_BASE + windows * _JUDGE_OUTPUT,
    )


def with_summaries(price: Estimate, summary_tokens: int) -> Estimate:
    """Add the summaries of the memtree, as an LLM writes them in bulk, to an estimate.

    Measured on LoCoMo in batches of 200: 0.93 to 0.99 summaries a message; one is counted.

    Args:
        price: Without them.
        summary_tokens: Most tokens of a summary.
    """
    each = _SUMMARY_INPUT + summary_tokens
    return replace(
        price,
        calls=price.calls + price.messages,
        input_tokens=price.input_tokens + price.messages * each,
        output_tokens=price.output_tokens + price.messages * summary_tokens,
    )
