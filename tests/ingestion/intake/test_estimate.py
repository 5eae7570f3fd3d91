"""Estimates of the cost of an import."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mnemo.config import IngestionSettings
from mnemo.ingestion.extraction import Window
from mnemo.ingestion.intake.estimate import Estimate, estimate, with_summaries
from mnemo.ingestion.llm.prompts import extract_prompt
from mnemo.models.graph import Message

PROMPT = extract_prompt(Window(group="g", episodes=()), ())
FAST = IngestionSettings()


def chat(count: int, session: str = "s") -> list[Message]:
    return [Message(content=f"I went to town number {number}", session=session) for number in range(count)]


def test_forty_messages_are_two_windows_of_two_calls() -> None:
    cost = estimate(chat(40), FAST, PROMPT)
    assert (cost.messages, cost.windows, cost.calls) == (40, 2, 4)


def test_sessions_do_not_share_windows() -> None:
    assert estimate([*chat(5, "a"), *chat(5, "b")], FAST, PROMPT).windows == 2


def test_paper_profile_makes_one_more_call_per_window() -> None:
    assert estimate(chat(40), IngestionSettings(profile="paper"), PROMPT).calls == 6


def test_local_extraction_is_free() -> None:
    assert estimate(chat(40), FAST, None) == Estimate(messages=40, windows=2, calls=0, input_tokens=0, output_tokens=0)


def test_no_messages_cost_nothing() -> None:
    assert estimate([], FAST, PROMPT) == Estimate(messages=0, windows=0, calls=0, input_tokens=0, output_tokens=0)


def test_system_messages_cost_nothing_unless_extracted() -> None:
    messages = [replace(message, role="system") for message in chat(3)]
    assert estimate(messages, FAST, PROMPT).calls == 0
    assert estimate(messages, IngestionSettings(extract_system=True), PROMPT).calls == 2


def test_long_message_counts_as_its_chunks() -> None:
    assert estimate([Message(content="word " * 20_000)], FAST, PROMPT).windows >= 2


@given(st.integers(1, 60), st.integers(1, 60))
def test_more_messages_never_cost_less(one: int, more: int) -> None:
    small, large = estimate(chat(one), FAST, PROMPT), estimate(chat(one + more), FAST, PROMPT)
    assert small.calls <= large.calls
    assert small.input_tokens < large.input_tokens
    assert small.output_tokens < large.output_tokens


def test_llm_summaries_add_one_call_per_message() -> None:
    plain = estimate(chat(40), FAST, PROMPT)
    summed = with_summaries(plain, 64)
    assert (summed.calls, summed.output_tokens) == (plain.calls + 40, plain.output_tokens + 40 * 64)
    assert summed.input_tokens > plain.input_tokens
