from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Cli
from support.llm_server import LlmServer, Reply


def test_dry_run_estimates_and_stores_nothing(cli: Cli, chat: Callable[..., str]) -> None:
    path = chat(*({"content": f"Message number {n}.", "id": str(n)} for n in range(45)))
    local = cli.json("ingest", path, "--dry-run")
    assert (local["messages"], local["windows"], local["calls"]) == (45, 3, 0)
    with_llm = cli.run("ingest", path, "--dry-run", "--json", MNEMO_LLM__BASE_URL="http://127.0.0.1:9/v1").stdout
    assert '"calls": 6' in with_llm
    assert "does not exist" in cli.run("list", code=1).stderr
    assert "nothing was stored" in cli.run("ingest", path, "--dry-run").stdout


def test_exactly_one_of_path_and_sample_is_required(cli: Cli, chat: Callable[..., str]) -> None:
    assert "ArgumentError" in cli.run("ingest", code=1).stderr
    assert "ArgumentError" in cli.run("ingest", chat({"content": "x"}), "--sample", code=1).stderr


def test_a_dash_reads_standard_input(cli: Cli) -> None:
    done = cli.json("ingest", "-", stdin='{"content": "I planted leeks.", "speaker": "Ana", "id": "a"}\n')
    assert (done["new"], done["processed"]["done"]) == (1, 1)
    item = cli.json("list")["items"][0]
    assert (item["content"], item["speaker"], item["session"]) == ("I planted leeks.", "Ana", "stdin")


def test_unknown_format_is_an_error_with_the_file_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    assert "broken.json" in cli.run("ingest", str(tmp_path / "broken.json"), code=1).stderr


def test_unknown_time_zone_is_rejected_before_reading(cli: Cli, chat: Callable[..., str]) -> None:
    assert "Mars/Olympus" in cli.run("ingest", chat({"content": "x"}), "--zone", "Mars/Olympus", code=1).stderr


def test_naive_time_is_in_the_given_zone(cli: Cli, chat: Callable[..., str]) -> None:
    cli.run("ingest", chat({"content": "Good night.", "time": "2025-01-10T00:30:00"}), "--zone", "Pacific/Auckland")
    assert cli.json("list")["items"][0]["occurred_at"] == "2025-01-09T11:30:00Z"


def test_separate_conversations_become_subgroups(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(
        '[{"sample_id": "one", "qa": [], "conversation": {"speaker_a": "Ana", "speaker_b": "Ben",'
        '"session_1_date_time": "1:56 pm on 8 May, 2023",'
        '"session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "I planted leeks."}]}}]',
        encoding="utf-8",
    )
    done = cli.json("ingest", str(path), "--group", cli.group)
    assert done["groups"] == [f"{cli.group}/one"]
    assert cli.json("list", "--group", f"{cli.group}/one")["items"][0]["source_id"] == "D1:1"


def test_outage_exits_with_1_and_reports_pending_episodes(cli: Cli, chat: Callable[..., str], llm: LlmServer) -> None:
    llm.handle(lambda _request: Reply(status=401))
    env = {"MNEMO_LLM__BASE_URL": llm.base_url, "OPENAI_API_KEY": "wrong"}
    shown = cli.run("ingest", chat({"content": "I planted leeks."}), code=1, **env).stdout
    assert "1 left pending" in shown
    assert cli.json("list", "--status", "pending")["total"] == 1
    assert cli.json("retry")["done"] == 1


@pytest.mark.parametrize("profile", ["fast", "documents"])
def test_changed_document_replaces_only_its_changed_windows(cli: Cli, tmp_path: Path, profile: str) -> None:
    path = tmp_path / "minutes.txt"
    lines = [f"The council of Town{n} met in the old school and agreed to mend roof number {n}." for n in range(120)]
    path.write_text("\n\n".join(lines), encoding="utf-8")

    def ingest() -> tuple[int, int, int]:
        done = cli.json("ingest", str(path), "--profile", profile)
        return done["new"], done["known"], done["replaced"]

    def text() -> str:
        items = cli.json("list", "--limit", "200")["items"]
        return "\n".join(item["content"] for item in items)

    whole, _, _ = ingest()
    assert ingest() == (0, whole, 0)
    path.write_text("\n\n".join([*lines, "Zeppelin flights were refused."]), encoding="utf-8")
    assert ingest() == (1, whole - 1, 1)
    assert (text().count("roof number 119."), text().count("Zeppelin")) == (1, 1)
    path.write_text("\n\n".join(["A preface." if n == 60 else line for n, line in enumerate(lines)]), encoding="utf-8")
    ingest()
    assert (text().count("A preface."), text().count("roof number 60."), text().count("Zeppelin")) == (1, 0, 0)
    assert cli.json("list", "--limit", "200")["total"] == whole


def test_other_file_with_the_same_name_is_unchanged(cli: Cli, tmp_path: Path) -> None:
    for folder, text in (("a", "Leeks grow in Bonn."), ("b", "Boats lie in Faro."), ("b", "Ships lie in Faro.")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "notes.txt").write_text(text, encoding="utf-8")
        cli.json("ingest", str(tmp_path / folder / "notes.txt"))
    contents = [item["content"] for item in cli.json("list")["items"]]
    assert sorted(contents) == ["Leeks grow in Bonn.", "Ships lie in Faro."]
