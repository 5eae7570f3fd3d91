import json
from pathlib import Path

from cli.conftest import Cli

SAMPLE = [
    {
        "sample_id": "garden",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I planted leeks behind the shed yesterday."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "I bought a green bicycle in Utrecht."},
                {"speaker": "Ana", "dia_id": "D1:3", "text": "The weather is lovely today."},
            ],
        },
        "qa": [
            {"question": "What did Ana plant?", "answer": "leeks", "evidence": ["D1:1"], "category": 4},
            {"question": "Where did Ben buy a bicycle?", "answer": "Utrecht", "evidence": ["D1:2"], "category": 4},
        ],
    }
]


def test_locomo_writes_rankings_metrics_and_a_plot(cli: Cli, tmp_path: Path) -> None:
    data, out = tmp_path / "two.json", tmp_path / "out"
    data.write_text(json.dumps(SAMPLE), encoding="utf-8")
    metrics = cli.json("bench", "locomo", str(data), "--out", str(out))
    assert metrics["all"]["n"] == 2
    assert metrics["all"]["recall@5"] == 100
    lines = [json.loads(line) for line in (out / "locomo-system1.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["question_id"] for line in lines] == ["garden/q0", "garden/q1"]
    assert [line["retrieved"][0] for line in lines] == ["D1:1", "D1:2"]
    assert (out / "locomo-system1.png").stat().st_size > 1_000
    assert "Evidence recall" in cli.run("bench", "locomo", str(data), "--out", str(out)).stdout


def test_ingest_is_measured_from_empty_groups_each_time(cli: Cli, tmp_path: Path) -> None:
    data = tmp_path / "one.json"
    data.write_text(json.dumps(SAMPLE), encoding="utf-8")
    for _ in range(2):
        done = cli.json("bench", "ingest", str(data))
        assert (done["new"], done["processed"]["done"]) == (3, 3)
    assert "episodes/s" in cli.run("bench", "ingest", str(data)).stdout


def test_search_is_timed_and_exact_at_a_small_size(cli: Cli, tmp_path: Path) -> None:
    rows = cli.json("bench", "search", "--out", str(tmp_path), "--sizes", "200", "--tenants", "30", "--alone")
    assert rows[0]["facts"] == 200
    assert all(row["recall"] >= 0.99 for row in rows)
    assert min(row["returned"] for row in rows) == 20
    assert set(rows[0]["timings"]) == {"ping", "exact", "gather", "system1"}
    assert (tmp_path / "search.png").is_file()
    assert "ArgumentError" in cli.run("bench", "search", "--sizes", "few", code=1).stderr
