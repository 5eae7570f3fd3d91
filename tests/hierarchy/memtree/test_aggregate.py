import pytest

from mnemo.errors import ProviderUnavailableError
from mnemo.hierarchy.memtree.aggregate import AggregateRequest, ExtractAggregator, LlmAggregator, aggregate_all
from mnemo.providers.factory import build_llm
from mnemo.providers.tokens import count_tokens
from support.llm_server import LlmServer, Reply

REQUEST = AggregateRequest(content="Ana lives in Lisbon.", texts=("Ana: I like trams.",), before=7, leaves=8)


async def test_prompt_holds_the_content_the_new_text_and_the_number_of_descendants(llm: LlmServer) -> None:
    llm.script(Reply.text("Ana in Lisbon likes trams."))
    client = build_llm(llm.settings())
    assert client is not None
    made = await LlmAggregator(client, 96).aggregate(REQUEST)
    await client.close()
    assert (made.content, made.usage.calls, llm.chats) == ("Ana in Lisbon likes trams.", 1, 1)
    sent = llm.requests[0].user
    assert "Texts it covers: 8" in sent
    assert "Summary so far, of 7:\nAna lives in Lisbon." in sent
    assert "New:\nAna: I like trams." in sent


async def test_long_reply_is_cut_to_the_limit(llm: LlmServer) -> None:
    llm.script(Reply.text("trams " * 400))
    client = build_llm(llm.settings())
    assert client is not None
    made = await LlmAggregator(client, 32).aggregate(REQUEST)
    await client.close()
    assert 0 < count_tokens(made.content) <= 32


async def test_long_texts_are_cut_before_they_are_sent(llm: LlmServer) -> None:
    llm.script(Reply.text("short"))
    client = build_llm(llm.settings())
    assert client is not None
    await LlmAggregator(client, 96).aggregate(
        AggregateRequest(content="", texts=("many words " * 5000,) * 3, before=0, leaves=3)
    )
    await client.close()
    assert count_tokens(llm.requests[0].user) < 4_000


async def test_extract_needs_no_call() -> None:
    made = await ExtractAggregator(96).aggregate(REQUEST)
    assert (made.content, made.usage.calls) == ("Ana lives in Lisbon. Ana: I like trams.", 0)


async def test_first_failure_is_raised() -> None:
    class Failing(ExtractAggregator):
        async def aggregate(self, request: AggregateRequest) -> None:  # type: ignore[override]  # it always raises
            raise ProviderUnavailableError(request.content)

    with pytest.raises(ProviderUnavailableError):
        await aggregate_all(Failing(96), [REQUEST, REQUEST])
