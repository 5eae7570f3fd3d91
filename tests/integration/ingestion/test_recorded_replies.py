"""The sample end to end on recorded LLM replies: extraction, reflection, judge, categories, selection, answers."""

import pytest

from mnemo.config import Settings
from mnemo.providers.base import Embedder
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.llm_server import LlmServer
from support.replay import Walked, messages, replaying, walk
from support.replies import Recorded

ASKED = (
    "Who looks after Biscuit when Theo is away?",
    "Which two people called Sam are there, and what do they do?",
    "When did Nora start at IOM?",
    "Does Nora eat meat?",
)


def settings_of(endpoint: Endpoint) -> Settings:
    neo4j = {"uri": endpoint.uri, "username": endpoint.username, "password": endpoint.password}
    return Settings.model_validate({"neo4j": {**neo4j, "database": endpoint.database}})


@pytest.mark.slow
async def test_sample_runs_end_to_end_on_recorded_replies(
    server_endpoint: Endpoint, database: Database, embedder: Embedder, group: str
) -> None:
    assert database.version
    recorded = Recorded()
    with LlmServer() as server:
        server.handle(recorded)
        settings = replaying(server, settings_of(server_endpoint))
        walked = await walk(settings, group, embedder=embedder, asked=ASKED)
    assert [each for each in recorded.missing if each.kind != "judge"] == []
    assert {kind: used > 0 for kind, used in recorded.used.items()} == dict.fromkeys(recorded.used, True)
    _check_memory(walked)
    _check_answers(walked)


def _check_memory(walked: Walked) -> None:
    first, last = walked.processed
    assert (first.done + last.done, first.failed + last.failed) == (len(messages()), 0)
    assert first.usage.calls + last.usage.calls >= 40
    assert 70 <= first.entities + last.entities <= 90
    assert 90 <= first.edges + last.edges <= 105
    assert len(walked.built.categories) == 3
    assert (walked.built.ignored, walked.built.refused) == (0, 0)


def _check_answers(walked: Walked) -> None:
    texts = [answer.text for answer in walked.answers]
    assert "Mrs Castellano" in texts[0]
    assert "stained glass" in texts[1]
    assert "Sam Vieira" in texts[1]
    assert "12 May 2025" in texts[2]
    assert "fish" in texts[3]
    for answer in walked.answers:
        assert answer.by == "llm"
        assert answer.citations
        assert answer.result.route == "both"
        assert all(stage.by == "llm" and not stage.skipped and not stage.fallbacks for stage in answer.result.walk)
