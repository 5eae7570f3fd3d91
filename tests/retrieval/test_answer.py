from dataclasses import dataclass, field
from typing import Any

import pytest

from mnemo.models.results import Found, Usage
from mnemo.providers.base import Prompt, Reply
from mnemo.retrieval.answer import NOTHING_FOUND, UNKNOWN, AnswerReply, ask
from mnemo.retrieval.ranking.ranked_items import RankedItems
from support.ranked_items import episode, items, result

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
        """Do nothing; no connection is open."""


def scripted(answer: str, citations: list[int], *, known: bool = True) -> Scripted:
    return Scripted(AnswerReply(known=known, answer=answer, citations=citations))


async def test_answer_cites_the_messages_that_its_marks_name() -> None:
    llm = scripted("Ana did [1].", [1])
    answer = await ask(llm, result("Who adopted Rex?", items()))
    assert (answer.text, answer.by, answer.usage) == ("Ana did [1].", "llm", USAGE)
    assert [(each.mark, each.episode.uuid, each.quote) for each in answer.citations] == [(1, "m1", "I adopted Rex.")]


async def test_prompt_holds_only_question_and_context() -> None:
    llm = scripted("Ana did [1].", [1])
    found = result("Who adopted Rex?", items())
    await ask(llm, found)
    system, user = llm.prompts[0].chats
    assert system.role == "system"
    assert user.content == f"Question: Who adopted Rex?\n\nMemory:\n{found.context.text}"


async def test_marks_out_of_range_are_dropped_from_text_and_citations() -> None:
    answer = await ask(scripted("Ana did [1] [7][99].", [0, 1, 3, 42, -1]), result("Who?", items()))
    assert answer.text == "Ana did [1]."
    assert [each.mark for each in answer.citations] == [1, 3]


async def test_fact_may_be_cited_by_a_message_that_is_not_quoted() -> None:
    found = result("Where?", items())
    mark = found.context.sources.index("m3") + 1
    answer = await ask(scripted(f"In Lisbon [{mark}].", []), found)
    assert [each.episode.uuid for each in answer.citations] == ["m3"]


async def test_unknown_answer_is_marked() -> None:
    for llm in (scripted("", [1], known=False), scripted("[99]", [], known=True)):
        answer = await ask(llm, result("Who?", items()))
        assert (answer.text, answer.citations, answer.by) == (UNKNOWN, (), "llm")


async def test_answering_passage_is_first_without_an_llm() -> None:
    answer = await ask(None, result("Who adopted Rex?", items()))
    assert answer.by == "extract"
    assert sorted(answer.text.splitlines()[:2]) == [
        "- Ana adopted Rex (since 2023-05-08) [1]",
        "- Ana, Mon 2023-05-08 12:30: I adopted Rex. [1]",
    ]
    assert [each.mark for each in answer.citations] == [1, 2, 3]


@pytest.mark.parametrize(
    "question", ["What is the capital of France?", "Where does Zoe work?", "What is Ana's shoe size?"]
)
async def test_unanswerable_question_is_refused_without_an_llm(question: str) -> None:
    answer = await ask(None, result(question, items()))
    assert (answer.text, answer.by, answer.citations) == (NOTHING_FOUND, "none", ())


async def test_relative_time_of_a_quote_is_shown_as_a_date() -> None:
    said = episode("m1", "The baby was born yesterday.")
    ranked = RankedItems(episodes=(Found(item=said, score=0.9, sources=("m1",), signals={"cosine": 0.9}),))
    answer = await ask(None, result("When was the baby born?", ranked))
    assert answer.text == "- Ana, Mon 2023-05-08 12:30: The baby was born yesterday. (yesterday: 2023-05-07) [1]"


async def test_empty_search_makes_no_llm_call() -> None:
    llm = scripted("Invented.", [])
    answer = await ask(llm, result("Who?", RankedItems()))
    assert (answer.text, answer.by, llm.prompts) == (NOTHING_FOUND, "none", [])
