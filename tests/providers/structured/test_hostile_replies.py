"""Replies that are meant to break a reader: each gives a result or the typed error, soon, off the event loop."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from random import Random

import pytest
from pydantic import BaseModel

from mnemo.errors import ProviderError
from mnemo.hierarchy.categories.prompts import CategoriesReply, RenameReply
from mnemo.ingestion.llm.replies import ExtractReply, JudgeReply
from mnemo.providers.base import Chat, Llm, Prompt
from mnemo.providers.factory import build_llm
from mnemo.providers.structured import replies
from mnemo.retrieval.answer import AnswerReply
from mnemo.retrieval.rerank import RelevanceReply
from mnemo.retrieval.selector import SelectReply
from mnemo.semxpath.natural_language.llm_plan import PlanDraft
from support.llm_server import LlmServer, Reply

SCHEMAS = (
    *(CategoriesReply, RenameReply, AnswerReply, SelectReply, RelevanceReply, ExtractReply, JudgeReply, PlanDraft),
)
LARGE = 150_000
DIGITS = "9" * 5_000
CATEGORY = {"name": "a", "tags": ["b"], "members": [1, 2]}
HOSTILE = {
    "open lists": "[" * LARGE,
    "open objects": '{"a":' * (LARGE // 5),
    "deep lists": "[" * 900 + "]" * 900,
    "deep field": '{"categories": ' + "[" * 500 + "]" * 500 + "}",
    "long number": f'{{"n": {DIGITS}}}',
    "long number in a field": json.dumps({"categories": [CATEGORY]}).replace("1,", f"{DIGITS},"),
    "long number in prose": f"Here it is: {{'n': {DIGITS}}}",
    "infinite number": '{"number": 1e999999999, "verdicts": [{"number": 1e999, "verdict": "same"}]}',
    "letters": "a" * LARGE,
    "blanks in an object": '{"a" ' + " " * LARGE,
    "newlines": "\n" * LARGE + "{",
    "quotes": "{'" + "'" * LARGE,
    "backslashes": '{"a":"' + "\\" * LARGE,
    "open comments": "[/*" * (LARGE // 3),
    "thoughts": "<think>" * (LARGE // 7),
    "ends of thoughts": "</think>" * (LARGE // 8),
    "objects": "{}" * (LARGE // 2),
    "long field name": '{"' + "a" * LARGE + '":1}',
    "many fields": "{" + ",".join(f'"k{number}":{number}' for number in range(LARGE // 12)) + "}",
    "half a character": '{"answer": "\\ud83d", "categories": [{"name": "\\ud83d", "tags": [], "members": [1]}]}',
    "long name": json.dumps({"categories": [CATEGORY | {"name": "a" * LARGE}]}),
    "long joined name": json.dumps({"categories": [CATEGORY | {"name": "a +" * (LARGE // 3)}]}),
    "numbered name": json.dumps({"categories": [{"number": 1, "name": "item " * (LARGE // 5), "tags": []}]}),
    "many members": json.dumps({"categories": [CATEGORY | {"members": list(range(20_000))}]}),
    "many tags": json.dumps({"categories": [CATEGORY | {"tags": ["b"] * 20_000}]}),
    "escapes of a terminal": json.dumps({"categories": [CATEGORY | {"name": "\x1b]0;owned\x07Pets\u202e"}]}),
    "too long": '{"answer": "' + "a" * 2_000_000 + '"}',
}
SOON_S = 2.0
"""A hundred times what they take alone; a quadratic reader takes minutes."""


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_reply_is_read_or_refused_soon(schema: type[BaseModel], text: str) -> None:
    start = time.perf_counter()
    with suppress(replies.UnreadableError):
        replies.read(text, schema).model_dump_json().encode()
    assert time.perf_counter() - start < SOON_S


VALID: dict[type[BaseModel], object] = {
    CategoriesReply: {"categories": [CATEGORY, CATEGORY | {"name": "Pets"}]},
    RenameReply: {"categories": [{"number": 1, "name": "Pets", "tags": ["animals"]}]},
    AnswerReply: {"answer": "In Trieste [1].", "sources": [1], "answered": True},
    SelectReply: {"selected": [{"number": 1, "name": "Pets", "get_all_children": False}]},
    RelevanceReply: {"relevances": [{"number": 1, "relevance": 7.5}]},
    ExtractReply: {"entities": [{"name": "Ana", "kind": "person"}], "facts": [{"subject": "Ana", "fact": "Ana runs"}]},
    JudgeReply: {"verdicts": [{"number": 1, "verdict": "same"}]},
    PlanDraft: {"query": "/Day[1]", "edits": [], "revert": None},
}
JUNK = [
    "",
    "\x00",
    "\ud83d",
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "NaN",
    "1e999",
    DIGITS,
    "```json\n",
    "<think>",
    "\u202e",
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_damaged_reply_is_read_or_refused(schema: type[BaseModel]) -> None:
    random = Random(schema.__name__)  # noqa: S311  # the same every time
    text = json.dumps(VALID[schema])
    for _ in range(300):
        damaged = text
        for _ in range(random.randint(1, 4)):
            start = random.randrange(len(damaged) + 1)
            damaged = damaged[:start] + random.choice(JUNK) + damaged[start + random.randint(0, 5) :]
        with suppress(replies.UnreadableError):
            replies.read(damaged, schema, complete=random.random() < 0.8).model_dump_json().encode()


def test_name_of_a_category_is_one_short_line() -> None:
    read = replies.read(HOSTILE["escapes of a terminal"], CategoriesReply)
    assert read.categories[0].name == "]0;ownedPets"
    assert len(replies.read(HOSTILE["long name"], CategoriesReply).categories[0].name) == 200


@pytest.fixture
async def model(llm: LlmServer) -> AsyncIterator[Llm]:
    built = build_llm(llm.settings({"max_retries": 0}))
    assert built is not None
    yield built
    await built.close()


PROMPT = Prompt(name="x", chats=(Chat(role="user", content="Sort these."),))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_client_raises_nothing_but_its_own_errors(model: Llm, llm: LlmServer, text: str) -> None:
    llm.handle(lambda _: Reply.text(text))
    with suppress(ProviderError):
        assert (await model.complete(PROMPT, CategoriesReply)).value.categories is not None
    assert 1 <= len(llm.requests) <= 2


async def test_event_loop_goes_on_while_a_large_reply_is_read(model: Llm, llm: LlmServer) -> None:
    llm.handle(lambda _: Reply.text(HOSTILE["quotes"]))
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.005)
            turns += 1

    counting = asyncio.create_task(count())
    start = time.perf_counter()
    with pytest.raises(ProviderError):
        await model.complete(PROMPT, CategoriesReply)
    taken = time.perf_counter() - start
    counting.cancel()
    assert turns > taken / 0.05


BODIES = ["[" * LARGE, '{"choices": ' + "[" * LARGE, f'{{"choices": {DIGITS}}}', "", "\ufeff{}"]


@pytest.mark.parametrize("body", BODIES, ids=["lists", "choices", "digits", "nothing", "mark"])
async def test_body_that_is_no_completion_is_a_provider_error(model: Llm, llm: LlmServer, body: str) -> None:
    llm.handle(lambda _: Reply.raw(body.encode()))
    with pytest.raises(ProviderError):
        await model.complete(PROMPT, CategoriesReply)
