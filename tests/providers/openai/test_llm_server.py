from collections.abc import AsyncIterator
from typing import Any

import pytest
from openai import AsyncOpenAI, BadRequestError, RateLimitError
from openai.types.chat import ChatCompletion

from support.llm_server import LlmServer, Reply, vector_of
from support.strict_schema import problems_of


@pytest.fixture
async def client(llm: LlmServer) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=llm.base_url, api_key="k", max_retries=0) as client:
        yield client


async def ask(client: AsyncOpenAI, **more: Any) -> ChatCompletion:
    return await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi json"}], **more)


async def test_scripted_replies_precede_the_handler(llm: LlmServer, client: AsyncOpenAI) -> None:
    llm.handle(lambda request: Reply.text(request.user.upper()))
    llm.script(Reply.text("first"))
    assert [(await ask(client)).choices[0].message.content for _ in range(2)] == ["first", "HI JSON"]
    assert llm.chats == 2


async def test_failure_has_its_status_and_retry_after(llm: LlmServer, client: AsyncOpenAI) -> None:
    llm.script(Reply.error(429, retry_after="7"))
    with pytest.raises(RateLimitError) as caught:
        await ask(client)
    assert caught.value.response.headers["retry-after"] == "7"


async def test_unscripted_call_fails_with_a_clear_error(client: AsyncOpenAI) -> None:
    with pytest.raises(BadRequestError, match="no reply is scripted"):
        await ask(client)


async def test_older_server_refuses_schemas(llm: LlmServer, client: AsyncOpenAI) -> None:
    llm.supports = "json"
    with pytest.raises(BadRequestError, match="response_format"):
        await ask(client, response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": {}}})


async def test_schema_that_is_not_strict_is_rejected(client: AsyncOpenAI) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    with pytest.raises(BadRequestError, match="additionalProperties"):
        await ask(
            client,
            response_format={"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": schema}},
        )


async def test_embeddings_are_the_same_for_the_same_text(client: AsyncOpenAI) -> None:
    answer = await client.embeddings.create(model="e", input=["a", "b", "a"])
    assert answer.data[0].embedding == pytest.approx(vector_of("a", 16), abs=1e-7)
    assert answer.data[0].embedding == answer.data[2].embedding != answer.data[1].embedding


def test_strict_schema_has_no_problems() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert problems_of(schema) == []


@pytest.mark.parametrize(
    ("extra", "problem"),
    [
        ({"required": []}, "missing 'a'"),
        ({"additionalProperties": True}, "'additionalProperties'"),
        ({"properties": {"a": {"type": "string", "minLength": 1}}}, "root.a: 'minLength' is not permitted"),
        ({"properties": {"a": {}}}, "must have a 'type' key"),
    ],
)
def test_problem_is_reported(extra: dict[str, Any], problem: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert any(problem in found for found in problems_of({**schema, "additionalProperties": False, **extra}))
