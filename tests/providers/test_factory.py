import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from mnemo.config import Settings
from mnemo.errors import ConfigError
from mnemo.providers.base import Chat, Prompt
from mnemo.providers.factory import build_embedder, build_llm, build_reranker
from mnemo.providers.graphiti import GraphitiEmbedder, GraphitiLlm, GraphitiReranker
from mnemo.providers.local import LocalEmbedder
from mnemo.providers.openai.embedder import OpenAiEmbedder
from mnemo.providers.openai.llm import OpenAiLlm
from support.llm_server import LlmServer, Reply


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch, llm: LlmServer) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("SCRIPTED_LLM", llm.base_url)


def make_settings(**sections: object) -> Settings:
    return Settings(_env_file=None, **sections)  # type: ignore[arg-type]  # pydantic validates


class Names(BaseModel):
    names: list[str]


async def test_settings_reach_the_server(llm: LlmServer) -> None:
    llm.script(Reply.json({"names": ["Ada"]}))
    built = build_llm(llm.settings({"model": "tiny", "output": "json", "requests_per_minute": 600}))
    assert isinstance(built, OpenAiLlm)
    prompt = Prompt(name="x", chats=(Chat(role="user", content="Who?"),))
    assert (await built.complete(prompt, Names)).value.names == ["Ada"]
    assert (llm.requests[0].body["model"], llm.requests[0].format) == ("tiny", "json")
    assert llm.requests[0].headers["authorization"] == "Bearer test"
    await built.close()


def test_defaults_are_no_llm_the_local_embedder_and_no_reranker(tmp_path: Path) -> None:
    settings = make_settings(home=tmp_path)
    assert build_llm(settings) is None
    assert build_reranker(settings) is None
    embedder = build_embedder(settings)
    assert isinstance(embedder, LocalEmbedder)
    assert (embedder.model, embedder.dimensions) == ("local/e5-small-v2-q", 384)
    assert not list(tmp_path.iterdir())


def test_local_embedder_supports_one_model() -> None:
    with pytest.raises(ConfigError, match="choose another provider"):
        build_embedder(make_settings(embedding={"model": "bge"}))
    with pytest.raises(ConfigError, match="choose another provider"):
        build_embedder(make_settings(embedding={"dimensions": 512}))


def test_openai_embedder_knows_the_dimensions_of_openais_models() -> None:
    embedder = build_embedder(make_settings(embedding={"provider": "openai", "api_key": "k"}))
    assert isinstance(embedder, OpenAiEmbedder)
    assert (embedder.model, embedder.dimensions) == ("openai/text-embedding-3-small", 1536)


async def test_openai_embedder_requests_fewer_dimensions(llm: LlmServer) -> None:
    section = {"provider": "openai", "base_url": llm.base_url, "dimensions": 256}
    embedder = build_embedder(make_settings(embedding=section))
    assert (await embedder.passages(["a"])).shape == (1, 256)
    assert llm.requests[0].body["dimensions"] == 256
    await embedder.close()


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"provider": "openai"}, "OPENAI_API_KEY"),
        ({"provider": "openai", "base_url": "http://127.0.0.1:1/v1", "model": "own"}, "MNEMO_EMBEDDING__DIMENSIONS"),
        ({"provider": "graphiti"}, "MNEMO_EMBEDDING__CLIENT"),
    ],
)
def test_missing_setting_is_named(section: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        build_embedder(make_settings(embedding=section))


def test_graphiti_clients_are_created_by_their_factories() -> None:
    clients = "support.graphiti_clients"
    assert isinstance(
        build_llm(make_settings(llm={"provider": "graphiti", "client": f"{clients}:generic"})), GraphitiLlm
    )
    made = build_embedder(make_settings(embedding={"provider": "graphiti", "client": f"{clients}:embedder"}))
    assert isinstance(made, GraphitiEmbedder)
    assert made.dimensions == 16
    reranker = build_reranker(make_settings(rerank={"provider": "graphiti", "client": f"{clients}:cross_encoder"}))
    assert isinstance(reranker, GraphitiReranker)


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # as if it were not installed
    with pytest.raises(ConfigError, match=r"pip install 'mnemo\[sentence-transformers\]'"):
        build_embedder(make_settings(embedding={"provider": "sentence_transformers"}))
    with pytest.raises(ConfigError, match=r"pip install 'mnemo\[sentence-transformers\]'"):
        build_reranker(make_settings(rerank={"provider": "sentence_transformers"}))
