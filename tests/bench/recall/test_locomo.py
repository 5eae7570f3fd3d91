import json
from pathlib import Path

import pytest

from mnemo.bench.recall import locomo
from mnemo.bench.recall.locomo_data import questions, repaired
from mnemo.bench.recall.report import locomo_plot, locomo_table
from mnemo.errors import ReaderError
from mnemo.models.results import Found, SearchResult
from mnemo.retrieval.ranking.ranked_items import RankedItems
from mnemo.retrieval.request import SearchRequest
from support.ranked_items import episode, result

KNOWN = frozenset(["D1:1", "D1:2", "D11:26", "D30:5"])


def sample(*qa: dict[str, object]) -> list[dict[str, object]]:
    turns = [{"dia_id": dia_id, "speaker": "Ana", "text": "x"} for dia_id in sorted(KNOWN)]
    body = {"speaker_a": "Ana", "speaker_b": "Ben", "session_1": turns, "session_1_date_time": "x"}
    return [{"sample_id": "conv-1", "conversation": body, "qa": list(qa)}]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    rows = sample(
        {"question": "Who?", "category": 4, "evidence": ["D1:1"]},
        {"question": "When?", "category": 2, "evidence": ["D1:2; D:11:26"]},
        {"question": "None?", "category": 4, "evidence": []},
        {"question": "Trick?", "category": 5, "evidence": ["D1:1"]},
    )
    path.write_text(json.dumps(rows))
    return path


def test_evidence_is_repaired() -> None:
    raw = ["D1:1; D1:2", "D:11:26", "D30:05", "D1:1", "D99:1", "none"]
    assert repaired(raw, KNOWN) == ("D1:1", "D1:2", "D11:26", "D30:5")


def test_questions_with_evidence_of_the_chosen_categories_are_read(file: Path) -> None:
    assert [(each.id, each.evidence) for each in questions(file)] == [
        ("conv-1/q0", ("D1:1",)),
        ("conv-1/q1", ("D1:2", "D11:26")),
    ]
    assert [each.id for each in questions(file, (5,))] == ["conv-1/q3"]


def test_other_file_is_rejected(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('[{"a": 1}]')
    with pytest.raises(ReaderError, match="LoCoMo"):
        questions(other)


async def test_rankings_are_scored_and_written(file: Path, tmp_path: Path) -> None:
    requests: list[SearchRequest] = []

    async def search(request: SearchRequest) -> SearchResult:
        requests.append(request)
        found = tuple(Found(item=episode(dia_id, "x"), score=1.0) for dia_id in ("D1:2", "D1:1", "D30:5"))
        return result(request.question, RankedItems(episodes=found))

    report = await locomo.run(file, search)
    assert [(request.group, request.question, request.k) for request in requests] == [
        ("conv-1", "Who?", 50),
        ("conv-1", "When?", 50),
    ]
    table = report.by_category()
    assert table["single-hop"]["mrr"] == 0.5
    assert table["temporal"]["recall@10"] == 50.0
    assert table["all"]["recall@10"] == 75.0
    rankings, metrics = locomo.write(report, tmp_path)
    lines = [json.loads(line) for line in rankings.read_text().splitlines()]
    assert lines[0]["question_id"] == "conv-1/q0"
    assert lines[0]["retrieved"] == ["D1:2", "D1:1", "D30:5"]
    assert json.loads(metrics.read_text())["metrics"]["all"]["n"] == 2.0
    assert locomo_table(report).row_count == 3
    locomo_plot(report, tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_text().startswith("<?xml")
