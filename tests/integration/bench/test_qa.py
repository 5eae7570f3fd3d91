"""`mnemo bench locomo --qa` from the command line, on a real server and the scripted LLM."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mnemo.cli import app
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.llm_server import LlmServer, Reply, Request

TURNS = [
    {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a cat called Miso yesterday."},
    {"speaker": "Ben", "dia_id": "D1:2", "text": "I moved to Porto in March."},
]
QUESTIONS = [
    {"question": "What is Ann's cat called?", "answer": "Miso", "evidence": ["D1:1"], "category": 4},
    {"question": "When did Ben move?", "answer": "March 2023", "evidence": ["D1:2"], "category": 2},
    {"question": "What is Ben's cat called?", "adversarial_answer": "Miso", "evidence": ["D1:1"], "category": 5},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    conversation = {"speaker_a": "Ann", "speaker_b": "Ben", "session_1": TURNS}
    dated = conversation | {"session_1_date_time": "1:56 pm on 8 May, 2023"}
    sample = {"sample_id": f"conv-{uuid.uuid4().hex}", "qa": QUESTIONS, "conversation": dated}
    path = tmp_path / "small.json"
    path.write_text(json.dumps([sample]), encoding="utf-8")
    return path


def replying(request: Request) -> Reply:
    if request.schema_name == "QaReply":
        said = "Miso" if "What is Ann's cat called?" in request.user else "March 2023"
        return Reply.json({"reasoning": "r", "answer": said}, usage=(100, 10))
    right = request.user.split("Right answer: ")[1].split("\n")[0]
    return Reply.json({"reason": "r", "correct": f"judge: {right}" in request.user}, usage=(50, 5))


def run(endpoint: Endpoint, server: LlmServer, *arguments: str) -> Any:
    environment = {
        "NEO4J_URI": endpoint.uri,
        "NEO4J_PASSWORD": endpoint.password,
        "MNEMO_LLM__BASE_URL": server.base_url,
        "MNEMO_LLM__API_KEY": "test",
        "MNEMO_INGESTION__EXTRACTOR": "local",
        "MNEMO_MEMTREE__ENABLED": "false",
    }
    ended = CliRunner().invoke(app, ["bench", *arguments, "--json"], env=environment)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)


def test_questions_are_answered_judged_priced_and_kept(
    server_endpoint: Endpoint, database: Database, llm: LlmServer, data: Path, tmp_path: Path
) -> None:
    assert database.version
    llm.handle(replying)
    options = ("locomo", str(data), "--qa", "--out", str(tmp_path), "--price-in", "1", "--price-out", "10")
    result = run(server_endpoint, llm, *options)
    rows = {row["category"]: row for row in result["rows"]}
    assert {name: (row["questions"], row["correct"]) for name, row in rows.items()} == {
        "single-hop": (1, 100.0),
        "temporal": (1, 100.0),
        "all": (2, 100.0),
    }
    assert result["usage"] == {"calls": 4, "input_tokens": 300, "output_tokens": 30}
    assert rows["all"]["cost"] == pytest.approx((300 * 1 + 30 * 10) / 1_000_000)
    raw = [json.loads(line) for line in Path(result["raw"]).read_text(encoding="utf-8").splitlines()]
    assert all("Miso" in line["context"] or "Porto" in line["context"] for line in raw)
    llm.requests.clear()
    assert run(server_endpoint, llm, *options)["rows"] == result["rows"]
    assert llm.chats == 0
    more = run(server_endpoint, llm, *options, "--adversarial")
    assert {row["category"]: row["correct"] for row in more["rows"]}["adversarial"] == 0.0
    assert llm.chats == 2
