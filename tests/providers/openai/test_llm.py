import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import BaseModel, SecretStr

from mnemo.errors import (
    MalformedReplyError,
    ProviderAuthError,
    ProviderError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitError,
)
from mnemo.models.results import Usage
from mnemo.providers.base import Chat, Prompt
from mnemo.providers.openai.errors import RefusedError
from mnemo.providers.openai.llm import OpenAiLlm
from mnemo.providers.openai.requests import Abilities
from mnemo.providers.openai.transport import OpenAiHttp, TransportLimits
from support.llm_server import LlmServer, Reply, Request

SECRET = "Ada moved to Lisbon"


class Names(BaseModel):
    names: list[str]


class Choice(BaseModel):
    name: str
    why: str | None = None


PROMPT = Prompt(
    name="extract",
    chats=(Chat(role="system", content="You list names."), Chat(role="user", content=SECRET)),
    max_output_tokens=100,
)
ADA = Reply.json({"names": ["Ada"]})


class Sleeps(list[float]):
    """Waits that take no time, kept."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def sleeps() -> Sleeps:
    return Sleeps()


Make = Callable[..., OpenAiLlm]


@pytest.fixture
async def make(llm: LlmServer, sleeps: Sleeps) -> AsyncIterator[Make]:
    made: list[OpenAiLlm] = []

    def make(abilities: Abilities | None = None, **limits: float) -> OpenAiLlm:
        http = OpenAiHttp(
            base_url=llm.base_url,
            api_key=SecretStr("k"),
            limits=TransportLimits(**{"timeout_s": 5.0, **limits}),  # type: ignore[arg-type]  # ints are floats here
            sleep=sleeps,
        )
        made.append(OpenAiLlm(http, model="m", abilities=abilities))
        return made[-1]

    yield make
    for client in made:
        await client.close()


async def test_reply_comes_as_the_model_with_what_it_cost(llm: LlmServer, make: Make) -> None:
    llm.script(ADA)
    client = make()
    reply = await client.complete(PROMPT, Names)
    assert reply.value == Names(names=["Ada"])
    assert reply.usage == Usage(calls=1, input_tokens=10, output_tokens=5)
    assert client.spending() == {"extract": reply.usage}
    sent = llm.requests[0]
    assert (sent.format, sent.schema_name, sent.strict) == ("schema", "Names", True)
    assert sent.messages == [("system", "You list names."), ("user", SECRET)]
    assert (sent.body["temperature"], sent.body["max_tokens"]) == (0, 100)


async def test_tokens_are_counted_offline_where_the_server_does_not(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.json({"names": ["Ada"]}, usage=None))
    usage = (await make().complete(PROMPT, Names)).usage
    assert usage.input_tokens >= 8
    assert usage.output_tokens >= 5


@pytest.mark.parametrize(("supports", "calls"), [("schema", 1), ("json", 2), ("text", 3)])
async def test_output_steps_down_to_what_the_server_can_do(
    llm: LlmServer, make: Make, supports: str, calls: int
) -> None:
    llm.supports = supports  # type: ignore[assignment]  # parametrised
    llm.handle(lambda _: ADA)
    client = make()
    assert (await client.complete(PROMPT, Names)).value == Names(names=["Ada"])
    assert llm.chats == calls
    await client.complete(PROMPT, Names)
    assert llm.chats == calls + 1
    assert llm.requests[-1].format == supports


async def test_schema_is_in_the_prompt_where_the_server_does_not_hold_it(llm: LlmServer, make: Make) -> None:
    llm.supports = "json"
    llm.handle(lambda _: ADA)
    await make().complete(PROMPT, Names)
    assert '"names":{"type":"array"' in llm.requests[-1].system
    assert llm.requests[-1].user == SECRET


async def test_fixed_output_does_not_step_down(llm: LlmServer, make: Make) -> None:
    llm.supports = "json"
    with pytest.raises(RefusedError, match="refuses the request"):
        await make(Abilities(steps_down=False)).complete(PROMPT, Names)


async def test_newer_models_get_the_fields_that_they_know(llm: LlmServer, make: Make) -> None:
    llm.refuses = frozenset(["max_tokens", "temperature"])
    llm.handle(lambda _: ADA)
    await make().complete(PROMPT, Names)
    assert llm.requests[-1].body["max_completion_tokens"] == 100
    assert "temperature" not in llm.requests[-1].body


async def test_many_calls_at_once_step_down_once_each(llm: LlmServer, make: Make) -> None:
    llm.supports = "text"
    llm.handle(lambda _: ADA)
    client = make()
    await asyncio.gather(*(client.complete(PROMPT, Names) for _ in range(6)))
    assert llm.requests[-1].format == "text"


@pytest.mark.parametrize(
    "fault", [Reply.error(500), Reply.error(503), Reply.error(408), Reply.error(409), Reply.drop()]
)
async def test_passing_fault_is_retried(llm: LlmServer, make: Make, sleeps: Sleeps, fault: Reply) -> None:
    llm.script(fault, ADA)
    assert (await make().complete(PROMPT, Names)).value.names == ["Ada"]
    assert llm.chats == 2
    assert 0 <= sleeps[0] <= 20


async def test_wait_asked_for_in_seconds_is_honoured(llm: LlmServer, make: Make, sleeps: Sleeps) -> None:
    llm.script(Reply.error(429, retry_after="7"), ADA)
    await make().complete(PROMPT, Names)
    assert sleeps == [7.0]


async def test_wait_asked_for_as_a_date_is_honoured(llm: LlmServer, make: Make, sleeps: Sleeps) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    llm.script(Reply.error(503, retry_after=date), ADA)
    await make().complete(PROMPT, Names)
    assert sleeps[0] == pytest.approx(60, abs=5)


async def test_wait_that_is_too_long_is_told_not_waited(llm: LlmServer, make: Make, sleeps: Sleeps) -> None:
    llm.script(Reply.error(429, retry_after="3600"))
    with pytest.raises(RateLimitError, match="asks to wait 3600 s") as caught:
        await make().complete(PROMPT, Names)
    assert caught.value.retry_after_s == 3600
    assert sleeps == []


async def test_fault_that_stays_ends_after_the_retries(llm: LlmServer, make: Make) -> None:
    llm.handle(lambda _: Reply.error(500))
    with pytest.raises(ProviderUnavailableError):
        await make(max_retries=2).complete(PROMPT, Names)
    assert llm.chats == 3


@pytest.mark.parametrize(
    ("status", "kind"), [(401, ProviderAuthError), (403, ProviderAuthError), (400, ProviderError), (404, ProviderError)]
)
async def test_refusal_is_not_retried(llm: LlmServer, make: Make, status: int, kind: type[ProviderError]) -> None:
    llm.script(Reply.error(status))
    with pytest.raises(kind) as caught:
        await make().complete(PROMPT, Names)
    assert not caught.value.retryable
    assert llm.chats == 1


async def test_used_up_quota_is_not_retried(llm: LlmServer, make: Make) -> None:
    body = {"error": {"message": "quota", "type": "insufficient_quota", "code": "insufficient_quota"}}
    llm.script(Reply(status=429, body=body))
    with pytest.raises(RefusedError, match="quota is used up"):
        await make().complete(PROMPT, Names)


async def test_hang_ends_after_two_timeouts(llm: LlmServer, make: Make) -> None:
    llm.handle(lambda _: Reply.hang())
    started = time.monotonic()
    with pytest.raises(ProviderTimeoutError):
        await make(timeout_s=0.3).complete(PROMPT, Names)
    assert llm.chats == 2
    assert time.monotonic() - started < 3


async def test_nobody_listening_is_unavailable(make: Make, llm: LlmServer) -> None:
    client = make(max_retries=0)
    llm.close()
    with pytest.raises(ProviderUnavailableError, match="cannot be reached"):
        await client.complete(PROMPT, Names)


@pytest.mark.parametrize("body", [b"<html>login</html>", {"error": {"message": "x"}}, [1]])
async def test_200_that_is_no_completion_is_retried(llm: LlmServer, make: Make, body: object) -> None:
    llm.script(Reply.raw(body), ADA)
    assert (await make().complete(PROMPT, Names)).value.names == ["Ada"]


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(Reply.empty(), id="no choice"),
        pytest.param(Reply.text(""), id="empty"),
        pytest.param(Reply.text(None), id="no content"),
        pytest.param(Reply.text(None, refusal="I will not"), id="refusal"),
        pytest.param(Reply.text("", finish_reason="content_filter"), id="filtered"),
        pytest.param(Reply.text("Sorry!"), id="prose"),
        pytest.param(Reply.cut('{"names": ["Ada"'), id="cut"),
        pytest.param(Reply.json(Names.model_json_schema()), id="schema echoed"),
        pytest.param(Reply.json({"names": "Ada"}), id="misfit"),
        pytest.param(Reply.raw({"choices": "none"}), id="odd body"),
    ],
)
async def test_unreadable_reply_is_asked_again_once(llm: LlmServer, make: Make, bad: Reply) -> None:
    llm.script(bad, ADA)
    reply = await make().complete(PROMPT, Names)
    assert reply.value == Names(names=["Ada"])
    assert reply.usage.calls == 2
    assert llm.requests[-1].user.startswith("That could not be used.")


async def test_asking_again_shows_what_was_wrong(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.json({"why": "x"}), Reply.json({"name": "Ada", "why": None}))
    assert (await make().complete(PROMPT, Choice)).value == Choice(name="Ada")
    assert llm.requests[-1].messages[-2] == ("assistant", '{"why": "x"}')
    assert "name: Field required" in llm.requests[-1].user


async def test_cut_reply_may_be_twice_as_long_the_second_time(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.cut('{"names": ["Ada"'), ADA)
    await make().complete(PROMPT, Names)
    assert [request.body["max_tokens"] for request in llm.requests] == [100, 200]


@pytest.mark.parametrize(
    "good",
    [
        Reply.tool({"names": ["Ada"]}),
        Reply.text('<think>hm</think>```json\n{"names": ["Ada"]}\n```'),
        Reply.json(["Ada"]),
    ],
)
async def test_odd_but_clear_reply_is_read_at_once(llm: LlmServer, make: Make, good: Reply) -> None:
    llm.script(good)
    assert (await make().complete(PROMPT, Names)).value == Names(names=["Ada"])


async def test_two_unreadable_replies_are_an_error_with_their_cost(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.text(f"no, {SECRET}"), Reply.json({"names": SECRET}))
    with pytest.raises(MalformedReplyError) as caught:
        await make().complete(PROMPT, Names)
    assert caught.value.usage == Usage(calls=2, input_tokens=20, output_tokens=10)
    assert str(caught.value) == (
        "prompt extract: the reply holds no JSON; asked again: "
        "the reply does not fit the schema in 1 places (list_type)"
    )


async def test_text_comes_without_thoughts(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.text("<think>so</think>\n In Lisbon. "))
    assert (await make().write(PROMPT)).value == "In Lisbon."
    assert llm.requests[0].format == "text"


async def test_empty_text_is_asked_again_then_an_error(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.text(" "), Reply.text("Yes."), Reply.text(""), Reply.text(""))
    assert (await make().write(PROMPT)).value == "Yes."
    with pytest.raises(MalformedReplyError, match="the reply is empty"):
        await make().write(PROMPT)


async def test_no_more_calls_at_once_than_allowed(llm: LlmServer, make: Make) -> None:
    inside, most = 0, 0

    def handler(_: Request) -> Reply:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.02)
        inside -= 1
        return ADA

    llm.handle(handler)
    client = make(concurrency=2)
    await asyncio.gather(*(client.complete(PROMPT, Names) for _ in range(8)))
    assert most == 2


async def test_calls_above_the_rate_wait(llm: LlmServer, make: Make, sleeps: Sleeps) -> None:
    llm.handle(lambda _: ADA)
    client = make(requests_per_minute=2)
    for _ in range(3):
        await client.complete(PROMPT, Names)
    assert len(sleeps) == 1
    assert sleeps[0] == pytest.approx(30, abs=2)


async def test_tokens_above_the_rate_wait(llm: LlmServer, make: Make, sleeps: Sleeps) -> None:
    llm.handle(lambda _: Reply.json({"names": []}, usage=(90, 10)))
    client = make(tokens_per_minute=100)
    for _ in range(2):
        await client.complete(PROMPT, Names)
    assert sleeps[0] > 10


@pytest.mark.parametrize(
    "faults",
    [
        [Reply.error(400, message=SECRET)],
        [Reply.error(401, message=SECRET)],
        [Reply.error(429, message=SECRET), Reply.error(500, message=SECRET), Reply.error(500, message=SECRET)],
        [Reply.text(SECRET), Reply.json({"names": SECRET, SECRET: 1})],
        [Reply.text(None, refusal=SECRET), Reply.raw({"choices": SECRET})],
        [Reply.raw({"error": SECRET})] * 3,
    ],
)
async def test_failing_llm_leaves_no_memory_text_in_logs_or_errors(
    llm: LlmServer, make: Make, caplog: pytest.LogCaptureFixture, faults: list[Reply]
) -> None:
    caplog.set_level(logging.INFO)
    llm.script(*faults)
    with pytest.raises(ProviderError) as caught:
        await make(max_retries=2).complete(PROMPT, Names)
    logging.getLogger("test").error("failed", exc_info=caught.value)
    assert "Traceback" in caplog.text
    assert "Lisbon" not in caplog.text.replace(f'SECRET = "{SECRET}"', "")
