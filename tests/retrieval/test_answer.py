from dataclasses import dataclass, field
from typing import Any

from mnemo.models.results import Usage
from mnemo.providers.base import Prompt, Reply
from mnemo.retrieval.answer import NOTHING_FOUND, UNKNOWN, AnswerReply, ask
from mnemo.retrieval.candidates import Finds
from support.finds import finds, result

USAGE = Usage(calls=1, input_tokens=90, output_tokens=9)


@dataclass
class Scripted:
    """An LLM with one reply."""

    reply: AnswerReply
    model: str = "scripted"
    prompts: list[Prompt] = field(default_factory=list)

    async def complete(self, prompt: Prompt, schema: type[Any]) -> Reply[Any]:
        assert schema is AnswerReply
        self.prompts.append(prompt)
        return Reply(value=self.reply, usage=USAGE)

    async def write(self, prompt: Prompt) -> Reply[str]:
        raise AssertionError(prompt.name)

    async def close(self) -> None:
        """Nothing is open."""


def scripted(answer: str, citations: list[int], *, known: bool = True) -> Scripted:
    return Scripted(AnswerReply(known=known, answer=answer, citations=citations))


async def test_answer_cites_the_messages_that_its_marks_name() -> None:
    llm = scripted("Ana did [1].", [1])
    answer = await ask(llm, result("Who adopted Rex?", finds()))
    assert (answer.text, answer.by, answer.usage) == ("Ana did [1].", "llm", USAGE)
    assert [(each.mark, each.episode.uuid, each.quote) for each in answer.citations] == [(1, "m1", "I adopted Rex.")]


async def test_prompt_holds_question_and_context_and_nothing_else_of_memory() -> None:
    llm = scripted("Ana did [1].", [1])
    found = result("Who adopted Rex?", finds())
    await ask(llm, found)
    system, user = llm.prompts[0].chats
    assert system.role == "system"
    assert user.content == f"Question: Who adopted Rex?\n\nMemory:\n{found.context.text}"


async def test_marks_out_of_range_are_dropped_from_text_and_citations() -> None:
    answer = await ask(scripted("Ana did [1] [7][99].", [0, 1, 3, 42, -1]), result("Who?", finds()))
    assert answer.text == "Ana did [1]."
    assert [each.mark for each in answer.citations] == [1, 3]


async def test_fact_may_be_cited_by_a_message_that_is_not_quoted() -> None:
    answer = await ask(scripted("In Lisbon [3].", []), result("Where?", finds()))
    assert [each.episode.uuid for each in answer.citations] == ["m3"]


async def test_unknown_answer_is_said_as_such() -> None:
    for llm in (scripted("", [1], known=False), scripted("[99]", [], known=True)):
        answer = await ask(llm, result("Who?", finds()))
        assert (answer.text, answer.citations, answer.by) == (UNKNOWN, (), "llm")


async def test_without_an_llm_the_best_facts_and_quotes_are_shown() -> None:
    answer = await ask(None, result("Who adopted Rex?", finds()))
    assert answer.by == "extract"
    assert answer.text == (
        "- Ana adopted Rex (since 2023-05-08) [1]\n"
        "- Ana lives in Lisbon (until 2023-05-08) [3]\n"
        "- Ana, Mon 2023-05-08 12:30: I adopted Rex. [1]\n"
        "- Ben, Tue 2023-05-09 12:30: Ben paints boats. [2]"
    )
    assert [each.mark for each in answer.citations] == [1, 2, 3]


async def test_nothing_found_asks_no_llm() -> None:
    llm = scripted("Invented.", [])
    answer = await ask(llm, result("Who?", Finds()))
    assert (answer.text, answer.by, llm.prompts) == (NOTHING_FOUND, "extract", [])
