import asyncio
from collections.abc import AsyncIterator, Callable

import numpy as np
import pytest
from pydantic import SecretStr

from mnemo.errors import ArgumentError, MalformedReplyError, ProviderError
from mnemo.providers.openai.embedder import OpenAiEmbedder
from mnemo.providers.openai.errors import RefusedError
from mnemo.providers.openai.transport import OpenAiHttp, TransportLimits
from mnemo.providers.tokens import count_tokens
from support.llm_server import LlmServer, Reply, vector_of

Make = Callable[..., OpenAiEmbedder]


@pytest.fixture
async def make(llm: LlmServer) -> AsyncIterator[Make]:
    made: list[OpenAiEmbedder] = []

    def make(*, dimensions: int = 16, batch_size: int = 3, shorten: bool = False) -> OpenAiEmbedder:
        http = OpenAiHttp(base_url=llm.base_url, api_key=SecretStr("k"), limits=TransportLimits(timeout_s=5.0))
        embedder = OpenAiEmbedder(http, model="e", dimensions=dimensions, batch_size=batch_size, shorten=shorten)
        made.append(embedder)
        return embedder

    yield make
    for embedder in made:
        await embedder.close()


def expected(texts: list[str], dimensions: int = 16) -> np.ndarray:
    return np.array([vector_of(text, dimensions) for text in texts], np.float32)


async def test_vectors_are_unit_rows_in_the_order_of_the_texts(llm: LlmServer, make: Make) -> None:
    llm.shuffled, llm.scale = True, 3.5
    texts = [f"text {number}" for number in range(8)]
    vectors = await make().passages(texts)
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(expected(texts), abs=1e-6)
    assert sorted(len(request.inputs) for request in llm.requests) == [2, 3, 3]


async def test_no_texts_ask_for_nothing(llm: LlmServer, make: Make) -> None:
    assert (await make().questions([])).shape == (0, 16)
    assert llm.requests == []


async def test_blank_text_is_refused_before_anything_is_sent(llm: LlmServer, make: Make) -> None:
    with pytest.raises(ArgumentError, match="not blank"):
        await make().passages(["a", " \n"])
    assert llm.requests == []


async def test_other_dimension_is_told_with_what_to_do(make: Make) -> None:
    with pytest.raises(ProviderError, match=r"8 dimensions from e, got \[16\]; set MNEMO_EMBEDDING__DIMENSIONS"):
        await make(dimensions=8).passages(["a"])


async def test_model_is_asked_to_shorten(llm: LlmServer, make: Make) -> None:
    assert (await make(dimensions=8, shorten=True).passages(["a"])).shape == (1, 8)
    assert llm.requests[0].body["dimensions"] == 8


async def test_numbers_are_read_where_base64_is_refused(llm: LlmServer, make: Make) -> None:
    embedder = make()
    llm.script(Reply.error(400, message="encoding_format is not supported"))
    assert await embedder.passages(["a"]) == pytest.approx(expected(["a"]), abs=1e-6)
    assert [request.body["encoding_format"] for request in llm.requests] == ["base64", "float"]
    llm.script(Reply.error(400, message="encoding_format is not supported"))
    with pytest.raises(RefusedError):
        await embedder.passages(["a"])


async def test_long_text_is_cut_at_the_models_limit(llm: LlmServer, make: Make) -> None:
    await make().passages(["word " * 20_000])
    assert 7_800 <= count_tokens(llm.requests[0].inputs[0]) <= 8_000


async def test_passing_fault_is_retried(llm: LlmServer, make: Make) -> None:
    llm.script(Reply.error(500), Reply.drop())
    assert (await make().passages(["a"])).shape == (1, 16)
    assert llm.embeddings == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"data": []},
        {"data": [{"index": 0, "embedding": "not base64!"}]},
        {"data": [{"index": 0, "embedding": [0.0] * 16}]},
        {"data": [{"index": 0, "embedding": [None] * 16}]},
        {"data": [{"index": 0, "embedding": {"a": 1}}]},
        {"data": [{"index": 7, "embedding": [1.0] * 16}]},
    ],
)
async def test_unreadable_vectors_are_an_error(llm: LlmServer, make: Make, body: object) -> None:
    llm.script(Reply.raw(body))
    with pytest.raises(MalformedReplyError):
        await make().passages(["a"])


async def test_many_callers_share_one_embedder(make: Make) -> None:
    embedder = make()
    several = await asyncio.gather(*(embedder.passages([f"{number}"]) for number in range(12)))
    assert np.concatenate(several) == pytest.approx(expected([f"{number}" for number in range(12)]), abs=1e-6)


def test_name_tells_the_vector_space(make: Make) -> None:
    assert (make().model, make().dimensions) == ("openai/e", 16)
